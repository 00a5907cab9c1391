//! Puts tokens together to statements.

use std::rc::Rc;

use super::ast::{Expr, ExprKind, Function, Statement};
use super::error::{Fault, Span};
use super::lex::{Tok, Token, tokens};

/// Deepest nesting of expressions, and of blocks.
pub(super) const MAX_DEPTH: usize = 48;

const RESERVED: &[&str] = &[
    "import", "while", "as", "assert", "async", "await", "class", "del", "except", "finally",
    "from", "global", "is", "nonlocal", "raise", "try", "with", "yield",
];

const KEYWORDS: &[&str] = &[
    "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not",
    "or", "pass", "return",
];

/// Reads a whole file.
pub(super) fn parse(text: &str) -> Result<Vec<Statement>, Fault> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let mut statements = Vec::new();
    while parser.peek() != &Tok::End {
        parser.statement(&mut statements)?;
    }
    Ok(statements)
}

/// Reads tokens one after another. Statements are read here, expressions in `expression`.
pub(super) struct Parser {
    pub(super) tokens: Vec<Token>,
    /// The token to read next.
    pub(super) at: usize,
    /// Blocks and brackets that are open.
    pub(super) depth: usize,
}

const END: Tok = Tok::End;

impl Parser {
    pub(super) fn peek(&self) -> &Tok {
        self.tokens.get(self.at).map_or(&END, |token| &token.tok)
    }

    pub(super) fn span(&self) -> Span {
        self.tokens.get(self.at).map(|token| token.span).unwrap_or_default()
    }

    /// Where the token before the current one stands.
    pub(super) fn last_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map(|token| token.span).unwrap_or_default()
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Tok::Sign(found) if *found == sign)
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Tok::Name(found) if found == name)
    }

    /// Goes past the sign when it is there.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    /// Goes past the keyword when it is there.
    pub(super) fn keyword(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("symbol '{sign}'"))) }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Fault {
        let found = match self.peek() {
            Tok::Name(name) if RESERVED.contains(&name.as_str()) => {
                return Fault::syntax(self.span(), format!("cannot use reserved keyword `{name}`"));
            }
            Tok::Name(name) => format!("name '{name}'"),
            Tok::Str(_) => "string literal".to_owned(),
            Tok::Int(_) => "integer literal".to_owned(),
            Tok::Sign(sign) => format!("symbol '{sign}'"),
            Tok::NewLine => "new line".to_owned(),
            Tok::Indent => "indentation".to_owned(),
            Tok::Dedent => "end of the block".to_owned(),
            Tok::End => "end of the file".to_owned(),
        };
        Fault::syntax(self.span(), format!("unexpected {found}, expected {wanted}"))
    }

    pub(super) fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(too_deep(self.span())) } else { Ok(()) }
    }

    fn statement(&mut self, into: &mut Vec<Statement>) -> Result<(), Fault> {
        self.deeper()?;
        let Tok::Name(name) = self.peek() else {
            self.simple_line(into)?;
            self.depth -= 1;
            return Ok(());
        };
        match name.as_str() {
            "def" => into.push(self.definition()?),
            "for" => into.push(self.for_loop()?),
            "if" => into.push(self.if_block()?),
            _ => self.simple_line(into)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Statements on one line, with semicolons between.
    fn simple_line(&mut self, into: &mut Vec<Statement>) -> Result<(), Fault> {
        loop {
            into.push(self.simple()?);
            let more = self.sign(";");
            if *self.peek() == Tok::NewLine {
                self.at += 1;
                return Ok(());
            }
            if !more {
                return Err(self.unexpected("new line"));
            }
        }
    }

    fn simple(&mut self) -> Result<Statement, Fault> {
        for (name, statement) in [
            ("pass", Statement::Pass),
            ("break", Statement::Break),
            ("continue", Statement::Continue),
        ] {
            if self.keyword(name) {
                return Ok(statement);
            }
        }
        if self.is_name("load") {
            return Err(self.load());
        }
        if self.keyword("return") {
            let none = self.is_sign(";") || *self.peek() == Tok::NewLine;
            return Ok(Statement::Return(if none { None } else { Some(self.list_or_one()?) }));
        }
        let target = self.list_or_one()?;
        if self.sign("=") {
            let names = names_of(&target)?;
            return Ok(Statement::Assign(names, self.list_or_one()?));
        }
        if self.sign("+=") {
            return match target.kind {
                ExprKind::Name(name) => Ok(Statement::AddTo(name, self.list_or_one()?)),
                _ => Err(Fault::syntax(target.span, "only a variable can be added to")),
            };
        }
        Ok(Statement::Expr(target))
    }

    /// There is nothing to load: a rule file stands alone.
    fn load(&mut self) -> Fault {
        let start = self.span();
        self.at += 1;
        let mut module = String::new();
        while !matches!(self.peek(), Tok::NewLine | Tok::End) {
            if let (Tok::Str(name), true) = (self.peek(), module.is_empty()) {
                module.clone_from(name);
            }
            self.at += 1;
        }
        let span = start.to(self.last_span());
        Fault::reading(span, format!("No imports are available, you tried `{module}`"))
    }

    fn block(&mut self) -> Result<Vec<Statement>, Fault> {
        self.expect(":")?;
        let mut body = Vec::new();
        if *self.peek() != Tok::NewLine {
            self.simple_line(&mut body)?;
            return Ok(body);
        }
        self.at += 1;
        if *self.peek() != Tok::Indent {
            return Err(self.unexpected("indentation"));
        }
        self.at += 1;
        while !matches!(self.peek(), Tok::Dedent | Tok::End) {
            self.statement(&mut body)?;
        }
        self.at += usize::from(*self.peek() == Tok::Dedent);
        Ok(body)
    }

    fn definition(&mut self) -> Result<Statement, Fault> {
        self.at += 1;
        let name = self.name()?;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.sign(")") {
            let param = self.name()?;
            let default = if self.sign("=") { Some(self.expr()?) } else { None };
            params.push((param, default));
            if !self.sign(",") {
                self.expect(")")?;
                break;
            }
        }
        let body = self.block()?;
        Ok(Statement::Def(Rc::new(Function { name, params, body })))
    }

    fn for_loop(&mut self) -> Result<Statement, Fault> {
        self.at += 1;
        let names = self.loop_names()?;
        let over = self.list_or_one()?;
        Ok(Statement::For(names, over, self.block()?))
    }

    /// The names between `for` and `in`, and the `in`.
    pub(super) fn loop_names(&mut self) -> Result<Vec<String>, Fault> {
        let mut names = vec![self.name()?];
        while self.sign(",") {
            names.push(self.name()?);
        }
        if self.keyword("in") { Ok(names) } else { Err(self.unexpected("`in`")) }
    }

    fn if_block(&mut self) -> Result<Statement, Fault> {
        let mut branches = Vec::new();
        let mut last = Vec::new();
        while self.keyword("if") || self.keyword("elif") {
            let condition = self.expr()?;
            branches.push((condition, self.block()?));
            if self.keyword("else") {
                last = self.block()?;
                break;
            }
            if !self.is_name("elif") {
                break;
            }
        }
        Ok(Statement::If(branches, last))
    }

    pub(super) fn name(&mut self) -> Result<String, Fault> {
        match self.peek() {
            Tok::Name(name) if !is_word_of_the_language(name) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }
}

/// Names on the left of `=`.
fn names_of(target: &Expr) -> Result<Vec<String>, Fault> {
    match &target.kind {
        ExprKind::Name(name) => Ok(vec![name.clone()]),
        ExprKind::Tuple(items) | ExprKind::List(items) if !items.is_empty() => {
            let names = items.iter().map(|item| match &item.kind {
                ExprKind::Name(name) => Ok(name.clone()),
                _ => Err(Fault::syntax(item.span, "only a variable can be assigned to")),
            });
            names.collect()
        }
        _ => Err(Fault::syntax(target.span, "only a variable can be assigned to")),
    }
}

/// Tells whether `name` cannot name a variable.
pub(super) fn is_word_of_the_language(name: &str) -> bool {
    KEYWORDS.contains(&name) || RESERVED.contains(&name)
}

pub(super) fn too_deep(span: Span) -> Fault {
    Fault::syntax(span, "nested too deeply")
}
