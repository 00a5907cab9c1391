//! What two frontends saw, side by side. Pure.

use crate::columns::{fit, wrap};

/// One of the two frontends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The left column.
    Left,
    /// The right column.
    Right,
}

impl Side {
    fn column(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Whose doing it is: one short word.
    pub(crate) who: &'static str,
    /// What was done or said.
    pub(crate) text: String,
}

impl Seen {
    /// The columns of the word.
    const LABEL: usize = 7;

    fn lines(&self, columns: usize) -> Vec<String> {
        let text = wrap(&self.text, columns.saturating_sub(Self::LABEL));
        let label = |at| if at == 0 { self.who } else { "" };
        let line = |(at, line)| format!("{}{line}", fit(label(at), Self::LABEL));
        text.into_iter().enumerate().map(line).collect()
    }
}

/// One thing that happened, as each side saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// What makes it the same thing on both sides.
    key: String,
    /// What is in the left and in the right column.
    cells: [Option<Seen>; 2],
}

/// Rows in the order in which the first of the two saw them.
#[derive(Debug, Default)]
pub(crate) struct Board {
    rows: Vec<Row>,
}

impl Board {
    /// Notes what a side saw: whose doing it is, and what. The same key on the other side goes
    /// into the same row.
    pub(crate) fn saw(&mut self, side: Side, key: &str, seen: Seen) {
        let waiting =
            self.rows.iter_mut().find(|row| row.key == key && row.cells[side.column()].is_none());
        let row = match waiting {
            Some(row) => row,
            None => {
                self.rows.push(Row { key: key.to_owned(), cells: [None, None] });
                self.rows.last_mut().expect("a row was just pushed")
            }
        };
        row.cells[side.column()] = Some(seen);
    }

    /// Notes what a side did itself.
    pub(crate) fn did(&mut self, side: Side, text: &str) {
        let key = format!("did {}", self.rows.len());
        self.saw(side, &key, Seen { who: ">", text: text.to_owned() });
    }

    /// Gives the rows as text and forgets them.
    pub(crate) fn take(&mut self, columns: usize) -> String {
        let width = columns.saturating_sub(3) / 2;
        let mut text = String::new();
        for row in self.rows.drain(..) {
            let [left, right] =
                row.cells.map(|cell| cell.map_or_else(Vec::new, |seen| seen.lines(width)));
            for at in 0..left.len().max(right.len()) {
                let cell = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
                let line = format!("{} │ {}", fit(&cell(&left), width), cell(&right));
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
