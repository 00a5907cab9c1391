//! Text in columns of a terminal, where some characters are twice as wide as others.

/// How many columns the text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// The text cut and filled to exactly so many columns. What is cut ends in `…`.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let mut fitted = String::new();
    let mut used = 0;
    if width(text) <= columns {
        fitted.push_str(text);
        used = width(text);
    } else {
        for c in text.chars() {
            if used + char_width(c) >= columns {
                break;
            }
            fitted.push(c);
            used += char_width(c);
        }
        fitted.push('…');
        used += 1;
    }
    fitted.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    fitted
}

/// The text on lines of at most so many columns. Lines of the text stay lines; long ones break
/// after a blank where there is one.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut rest = line;
        while width(rest) > columns {
            let cut = break_at(rest, columns);
            lines.push(rest[..cut].trim_end().to_owned());
            rest = rest[cut..].trim_start();
        }
        lines.push(rest.to_owned());
    }
    lines
}

/// Where a line that is too long breaks. In bytes; never 0.
fn break_at(line: &str, columns: usize) -> usize {
    let mut used = 0;
    let mut blank = None;
    for (at, c) in line.char_indices() {
        if c == ' ' {
            blank = Some(at + 1);
        }
        used += char_width(c);
        if used > columns && at > 0 {
            return blank.filter(|blank| *blank <= at).unwrap_or(at);
        }
    }
    line.len()
}

/// The columns of one character: 2 for the scripts and pictures that are wide, 0 for marks that
/// sit on the character before.
fn char_width(c: char) -> usize {
    match u32::from(c) {
        0..0x20 | 0x7f..0xa0 | 0x0300..0x0370 | 0x200b..0x2010 | 0xfe00..0xfe10 => 0,
        0x1100..0x1160
        | 0x2e80..0x303f
        | 0x3041..0xa4d0
        | 0xac00..0xd7a4
        | 0xf900..0xfb00
        | 0xfe30..0xfe70
        | 0xff00..0xff61
        | 0xffe0..0xffe7
        | 0x1f300..0x1f650
        | 0x1f900..0x1fa00
        | 0x20000..0x3fffe => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
