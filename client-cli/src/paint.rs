//! Colours, when somebody looks.

use std::io::IsTerminal;

/// Whether to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Escape sequences.
    Colored,
    /// Bare text.
    Bare,
}

/// How a label looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it is.
    Plain,
    /// Bold.
    Strong,
    /// Dim.
    Faint,
    /// Yellow.
    Warning,
    /// Red.
    Error,
}

impl Paint {
    /// What continues a labelled line on the next one.
    pub(crate) const INDENT: &str = "         ";

    /// Colours on a terminal, unless the user asked for none.
    pub(crate) fn for_stream(stream: &impl IsTerminal) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if stream.is_terminal() && !unwanted { Self::Colored } else { Self::Bare }
    }

    /// A label of a fixed width, so that what follows it stands in a column.
    pub(crate) fn label(self, text: &str, style: Style) -> String {
        let width = Self::INDENT.len();
        self.paint(&format!("{text:<width$}"), style)
    }

    /// The text in a style.
    pub(crate) fn paint(self, text: &str, style: Style) -> String {
        let code = match style {
            Style::Plain => return text.to_owned(),
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Warning => "33",
            Style::Error => "31",
        };
        match self {
            Self::Colored => format!("\x1b[{code}m{text}\x1b[0m"),
            Self::Bare => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
