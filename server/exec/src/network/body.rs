//! Where the body of a request ends: pure.

#[cfg(test)]
mod tests;

/// Bytes that may stand between two pieces of a body in pieces, and after the last.
const MAX_BETWEEN: usize = 16 * 1024;

/// A body that is not put together as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// What is still to come of a request's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// So many bytes.
    Length(u64),
    /// Pieces, each after its length.
    Pieces(Pieces),
}

/// Where in a body of pieces we are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pieces {
    at: At,
    /// Bytes since the last piece.
    between: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// In the length of a piece.
    Length { value: u64, has_digits: bool },
    /// In what may follow the length.
    Extension { value: u64 },
    /// Before the end of the line with the length.
    LengthEnd { value: u64 },
    /// In a piece.
    Piece { left: u64 },
    /// After a piece.
    PieceEnd,
    /// Before the end of the line after a piece.
    PieceLineEnd,
    /// At the beginning of a line after the last piece.
    Trailer,
    /// In a line after the last piece.
    TrailerLine,
    /// Before the end of such a line.
    TrailerLineEnd,
    /// Before the very last byte.
    LastByte,
    /// After it.
    Done,
}

impl Default for At {
    fn default() -> Self {
        Self::Length { value: 0, has_digits: false }
    }
}

impl Body {
    /// No body.
    pub(super) const NONE: Self = Self::Length(0);

    /// Says whether the body is whole.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Length(left) => *left == 0,
            Self::Pieces(pieces) => pieces.at == At::Done,
        }
    }

    /// Takes what of `bytes` belongs to the body; returns how many of them, from the first on.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        match self {
            Self::Length(left) => {
                let taken = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= taken as u64;
                Ok(taken)
            }
            Self::Pieces(pieces) => pieces.take(bytes),
        }
    }
}

impl Pieces {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Malformed> {
        let mut place = 0;
        while place < bytes.len() && self.at != At::Done {
            if let At::Piece { left } = self.at {
                let taken = (bytes.len() - place).min(usize::try_from(left).unwrap_or(usize::MAX));
                place += taken;
                self.between = 0;
                self.at = match left - taken as u64 {
                    0 => At::PieceEnd,
                    left => At::Piece { left },
                };
                continue;
            }
            self.at = self.at.after(bytes[place])?;
            place += 1;
            self.between += 1;
            if self.between > MAX_BETWEEN {
                return Err(Malformed);
            }
        }
        Ok(place)
    }
}

impl At {
    /// Where we are after one byte outside of a piece.
    fn after(self, byte: u8) -> Result<Self, Malformed> {
        Ok(match (self, byte) {
            (Self::Length { value, .. }, digit) if digit.is_ascii_hexdigit() => {
                let digit = char::from(digit).to_digit(16).ok_or(Malformed)?;
                let value = value.checked_mul(16).and_then(|value| value.checked_add(digit.into()));
                Self::Length { value: value.ok_or(Malformed)?, has_digits: true }
            }
            (Self::Length { value, has_digits: true }, b';' | b' ' | b'\t') => {
                Self::Extension { value }
            }
            (Self::Length { value, has_digits: true } | Self::Extension { value }, b'\r') => {
                Self::LengthEnd { value }
            }
            (Self::Extension { value }, byte) if byte != b'\n' => Self::Extension { value },
            (Self::LengthEnd { value: 0 } | Self::TrailerLineEnd, b'\n') => Self::Trailer,
            (Self::LengthEnd { value }, b'\n') => Self::Piece { left: value },
            (Self::PieceEnd, b'\r') => Self::PieceLineEnd,
            (Self::PieceLineEnd, b'\n') => Self::default(),
            (Self::Trailer, b'\r') => Self::LastByte,
            (Self::TrailerLine, b'\r') => Self::TrailerLineEnd,
            (Self::Trailer | Self::TrailerLine, byte) if byte != b'\n' => Self::TrailerLine,
            (Self::LastByte, b'\n') => Self::Done,
            _ => return Err(Malformed),
        })
    }
}
