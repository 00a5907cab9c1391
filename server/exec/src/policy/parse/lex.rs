//! Cuts a rule file into tokens, with its indentation as tokens of their own.

use super::error::{Fault, Span};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tok {
    Name(String),
    Str(String),
    Int(i64),
    Sign(&'static str),
    NewLine,
    Indent,
    Dedent,
    End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
}

/// Longer signs first, so that `==` is not read as two.
const SIGNS: &[&str] = &[
    "+=", "-=", "==", "!=", "<=", ">=", "//", "**", "(", ")", "[", "]", "{", "}", ",", ":", "=",
    "+", "-", "<", ">", "%", "*", "/", ".", ";", "|", "&",
];

/// Cuts `text` into tokens. Ends with `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let mut lexer = Lexer { text, at: 0, open: 0, indents: vec![0], tokens: Vec::new() };
    lexer.run()?;
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Brackets that are open: line ends do not count inside.
    open: usize,
    indents: Vec<usize>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        self.indentation()?;
        while let Some(c) = self.peek() {
            match c {
                '\n' => self.line_end()?,
                ' ' | '\t' | '\r' => self.at += 1,
                '\\' if self.rest().starts_with("\\\n") => self.at += 2,
                '#' => self.skip_comment(),
                '"' | '\'' => self.string(0, Escapes::Read)?,
                'r' | 'b' if self.rest()[1..].starts_with(['"', '\'']) => {
                    self.string(1, if c == 'r' { Escapes::Keep } else { Escapes::Read })?;
                }
                c if c.is_ascii_digit() => self.number()?,
                c if c.is_alphabetic() || c == '_' => self.name(),
                _ => self.sign()?,
            }
        }
        if self.tokens.last().is_some_and(|token| token.tok != Tok::NewLine) {
            self.push(Tok::NewLine, self.at);
        }
        while self.indents.len() > 1 {
            self.indents.pop();
            self.push(Tok::Dedent, self.at);
        }
        self.push(Tok::End, self.at);
        Ok(())
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, tok: Tok, start: usize) {
        self.tokens.push(Token { tok, span: Span { start, end: self.at } });
    }

    fn skip_comment(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn line_end(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += 1;
        if self.open > 0 {
            return Ok(());
        }
        if self.tokens.last().is_some_and(|token| !matches!(token.tok, Tok::NewLine | Tok::Indent))
        {
            self.push(Tok::NewLine, start);
        }
        self.indentation()
    }

    /// Reads the spaces at a line's start; lines without code have no indentation.
    fn indentation(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut width = 0;
        while let Some(c) = self.peek() {
            match c {
                ' ' => width += 1,
                '\t' => width = (width / 8 + 1) * 8,
                _ => break,
            }
            self.at += 1;
        }
        if matches!(self.peek(), None | Some('\n' | '#' | '\r')) {
            return Ok(());
        }
        let top = self.indents.last().copied().unwrap_or_default();
        if width > top {
            self.indents.push(width);
            self.push(Tok::Indent, start);
        }
        while self.indents.last().is_some_and(|indent| width < *indent) {
            self.indents.pop();
            self.push(Tok::Dedent, start);
        }
        if self.indents.last() != Some(&width) {
            let span = Span { start, end: self.at };
            return Err(Fault::syntax(span, "indentation does not match any line above"));
        }
        Ok(())
    }

    fn name(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest.get(..len).unwrap_or_default().to_owned();
        self.at += len;
        self.push(Tok::Name(name), start);
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len());
        let digits = rest.get(..len).unwrap_or_default();
        let number = digits.parse();
        self.at += len;
        let span = Span { start, end: self.at };
        let number = number.map_err(|_| Fault::syntax(span, "not a whole number"))?;
        self.push(Tok::Int(number), start);
        Ok(())
    }

    fn sign(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) else {
            let c = self.peek().unwrap_or_default();
            let span = Span { start, end: start + c.len_utf8() };
            return Err(Fault::syntax(span, format!("unexpected character {c:?}")));
        };
        match *sign {
            "(" | "[" | "{" => self.open += 1,
            ")" | "]" | "}" => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.at += sign.len();
        self.push(Tok::Sign(sign), start);
        Ok(())
    }

    fn string(&mut self, prefix: usize, escapes: Escapes) -> Result<(), Fault> {
        let start = self.at;
        self.at += prefix;
        let quote = self.peek().unwrap_or_default();
        let long = self.rest().starts_with(&quote.to_string().repeat(3));
        let close = quote.to_string().repeat(if long { 3 } else { 1 });
        self.at += close.len();
        let mut value = String::new();
        loop {
            if self.rest().starts_with(&close) {
                self.at += close.len();
                break;
            }
            let c = self.peek().filter(|c| long || *c != '\n').ok_or_else(|| {
                let span = Span { start, end: self.at };
                Fault::syntax(span, "string literal is not closed")
            })?;
            self.at += c.len_utf8();
            match c {
                '\\' => self.escape(escapes, &mut value)?,
                c => value.push(c),
            }
        }
        self.push(Tok::Str(value), start);
        Ok(())
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, escapes: Escapes, value: &mut String) -> Result<(), Fault> {
        let start = self.at - 1;
        let c = self.peek().unwrap_or_default();
        self.at += self.peek().map_or(0, char::len_utf8);
        if escapes == Escapes::Keep {
            value.extend(['\\', c]);
            return Ok(());
        }
        let read = match c {
            '\n' => return Ok(()),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '0' => Some('\0'),
            '\\' | '\'' | '"' => Some(c),
            'x' => self.hexadecimal(2),
            'u' => self.hexadecimal(4),
            'U' => self.hexadecimal(8),
            _ => None,
        };
        let span = Span { start, end: self.at };
        let read = read.ok_or_else(|| {
            Fault::syntax(span, format!("invalid string escape sequence `\\{c}`"))
        })?;
        value.push(read);
        Ok(())
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let code = self.rest().get(..digits)?;
        let code = u32::from_str_radix(code, 16).ok()?;
        self.at += digits;
        char::from_u32(code)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escapes {
    Read,
    Keep,
}
