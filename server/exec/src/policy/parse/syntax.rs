//! Puts tokens together to statements.

use std::rc::Rc;

use super::ast::{Arg, Clause, Expr, ExprKind, Function, Operator, Statement};
use super::error::{Fault, Span};
use super::lex::{Tok, Token, tokens};

/// Deepest nesting of expressions, and of blocks.
const MAX_DEPTH: usize = 48;

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

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

const END: Tok = Tok::End;

impl Parser {
    fn peek(&self) -> &Tok {
        self.tokens.get(self.at).map_or(&END, |token| &token.tok)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map(|token| token.span).unwrap_or_default()
    }

    /// Where the token before the current one stands.
    fn last_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map(|token| token.span).unwrap_or_default()
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Tok::Sign(found) if *found == sign)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Tok::Name(found) if found == name)
    }

    /// Goes past the sign when it is there.
    fn sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    /// Goes past the keyword when it is there.
    fn keyword(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("symbol '{sign}'"))) }
    }

    fn unexpected(&self, wanted: &str) -> Fault {
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

    fn deeper(&mut self) -> Result<(), Fault> {
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
    fn loop_names(&mut self) -> Result<Vec<String>, Fault> {
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

    fn name(&mut self) -> Result<String, Fault> {
        match self.peek() {
            Tok::Name(name) if !is_word_of_the_language(name) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// One expression, or several with commas: a tuple without brackets.
    fn list_or_one(&mut self) -> Result<Expr, Fault> {
        let first = self.expr()?;
        if !self.is_sign(",") {
            return Ok(first);
        }
        let start = first.span;
        let mut items = vec![first];
        while self.sign(",") {
            if matches!(self.peek(), Tok::NewLine | Tok::Sign("=" | ":" | ")")) {
                break;
            }
            items.push(self.expr()?);
        }
        many(ExprKind::Tuple, items, start.to(self.last_span()))
    }

    fn expr(&mut self) -> Result<Expr, Fault> {
        self.deeper()?;
        let value = self.binary(0)?;
        let value = if self.keyword("if") {
            let condition = self.binary(0)?;
            if !self.keyword("else") {
                return Err(self.unexpected("`else`"));
            }
            let other = self.expr()?;
            let span = value.span.to(other.span);
            let depth = value.depth.max(condition.depth).max(other.depth);
            let kind = ExprKind::If(Box::new(value), Box::new(condition), Box::new(other));
            node(kind, span, depth)?
        } else {
            value
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Binary operators by rank: or, and, not, comparisons, sums.
    fn binary(&mut self, rank: usize) -> Result<Expr, Fault> {
        if rank == 2 && self.is_name("not") {
            let start = self.span();
            self.at += 1;
            self.deeper()?;
            let inner = self.binary(2)?;
            self.depth -= 1;
            let (span, depth) = (start.to(inner.span), inner.depth);
            return node(ExprKind::Not(Box::new(inner)), span, depth);
        }
        if rank > 4 {
            return self.postfix();
        }
        let mut left = self.binary(rank + 1)?;
        while let Some(operator) = self.operator(rank) {
            let right = self.binary(rank + 1)?;
            let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth));
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = node(kind, span, depth)?;
        }
        Ok(left)
    }

    fn operator(&mut self, rank: usize) -> Option<Operator> {
        let signs: &[(&str, Operator)] = match rank {
            0 => return self.keyword("or").then_some(Operator::Or),
            1 => return self.keyword("and").then_some(Operator::And),
            3 => &[
                ("==", Operator::Equal),
                ("!=", Operator::NotEqual),
                ("<=", Operator::LessOrEqual),
                (">=", Operator::GreaterOrEqual),
                ("<", Operator::Less),
                (">", Operator::Greater),
            ],
            4 => &[("+", Operator::Add), ("-", Operator::Subtract)],
            _ => return None,
        };
        if rank == 3 && self.keyword("in") {
            return Some(Operator::In);
        }
        let next = self.tokens.get(self.at + 1).map(|token| &token.tok);
        if rank == 3 && self.is_name("not") && next == Some(&Tok::Name("in".to_owned())) {
            self.at += 2;
            return Some(Operator::NotIn);
        }
        signs.iter().find(|(sign, _)| self.sign(sign)).map(|(_, operator)| *operator)
    }

    /// A value with the calls and indexes behind it.
    fn postfix(&mut self) -> Result<Expr, Fault> {
        let mut value = self.atom()?;
        loop {
            let (kind, depth, start) = if self.sign("(") {
                let start = value.span;
                let args = self.args()?;
                let depth = args.iter().map(|arg| arg.value.depth).fold(value.depth, usize::max);
                (ExprKind::Call(Box::new(value), args), depth, start)
            } else if self.sign("[") {
                let start = value.span;
                let index = self.expr()?;
                self.expect("]")?;
                let depth = value.depth.max(index.depth);
                (ExprKind::Index(Box::new(value), Box::new(index)), depth, start)
            } else if self.is_sign(".") {
                return Err(Fault::syntax(self.span(), "methods are not supported in rule files"));
            } else {
                return Ok(value);
            };
            value = node(kind, start.to(self.last_span()), depth)?;
        }
    }

    fn args(&mut self) -> Result<Vec<Arg>, Fault> {
        let mut args: Vec<Arg> = Vec::new();
        while !self.sign(")") {
            let start = self.span();
            let value = self.expr()?;
            let arg = match value.kind {
                ExprKind::Name(name) if self.sign("=") => {
                    Arg { name: Some(name), value: self.expr()? }
                }
                _ if args.last().is_some_and(|arg| arg.name.is_some()) => {
                    return Err(Fault::syntax(start, "positional argument after named argument"));
                }
                kind => Arg { name: None, value: Expr { kind, ..value } },
            };
            args.push(arg);
            if !self.sign(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(args)
    }

    fn atom(&mut self) -> Result<Expr, Fault> {
        let span = self.span();
        let leaf = |kind| Ok(Expr { kind, span, depth: 1 });
        let kind = match self.peek().clone() {
            Tok::Str(text) => {
                self.at += 1;
                return leaf(ExprKind::Str(self.adjacent(text).into()));
            }
            Tok::Int(number) => ExprKind::Int(number),
            Tok::Name(name) => match name.as_str() {
                "True" => ExprKind::Bool(true),
                "False" => ExprKind::Bool(false),
                "None" => ExprKind::None,
                "lambda" => {
                    return Err(Fault::syntax(span, "lambda is not supported in rule files"));
                }
                _ if is_word_of_the_language(&name) => return Err(self.unexpected("an expression")),
                _ => ExprKind::Name(name),
            },
            Tok::Sign("[") => return self.list(),
            Tok::Sign("(") => return self.bracketed(),
            Tok::Sign("-") => {
                self.at += 1;
                self.deeper()?;
                let inner = self.postfix()?;
                self.depth -= 1;
                let (span, depth) = (span.to(inner.span), inner.depth);
                return node(ExprKind::Negative(Box::new(inner)), span, depth);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.at += 1;
        leaf(kind)
    }

    /// String literals that stand side by side are one.
    fn adjacent(&mut self, mut text: String) -> String {
        while let Tok::Str(more) = self.peek() {
            text.push_str(more);
            self.at += 1;
        }
        text
    }

    fn list(&mut self) -> Result<Expr, Fault> {
        let start = self.span();
        self.at += 1;
        let mut items = Vec::new();
        while !self.sign("]") {
            items.push(self.expr()?);
            if items.len() == 1 && self.is_name("for") {
                return self.comprehension(start, items);
            }
            if !self.sign(",") {
                self.expect("]")?;
                break;
            }
        }
        many(ExprKind::List, items, start.to(self.last_span()))
    }

    fn comprehension(&mut self, start: Span, items: Vec<Expr>) -> Result<Expr, Fault> {
        let Some(value) = items.into_iter().next() else { return Err(self.unexpected("a value")) };
        let mut depth = value.depth;
        let mut clauses = Vec::new();
        while !self.sign("]") {
            let clause = if self.keyword("for") {
                let names = self.loop_names()?;
                Clause::For(names, self.binary(0)?)
            } else if self.keyword("if") {
                Clause::If(self.binary(0)?)
            } else {
                return Err(self.unexpected("symbol ']'"));
            };
            let (Clause::For(_, part) | Clause::If(part)) = &clause;
            depth = depth.max(part.depth);
            clauses.push(clause);
        }
        // Each `for` is one more level when it runs.
        depth += clauses.len();
        let kind = ExprKind::Comprehension(Box::new(value), clauses);
        node(kind, start.to(self.last_span()), depth)
    }

    /// A value in brackets, or a tuple.
    fn bracketed(&mut self) -> Result<Expr, Fault> {
        let start = self.span();
        self.at += 1;
        if self.sign(")") {
            return many(ExprKind::Tuple, Vec::new(), start.to(self.last_span()));
        }
        let inner = self.list_or_one()?;
        self.expect(")")?;
        Ok(inner)
    }
}

fn is_word_of_the_language(name: &str) -> bool {
    KEYWORDS.contains(&name) || RESERVED.contains(&name)
}

fn too_deep(span: Span) -> Fault {
    Fault::syntax(span, "nested too deeply")
}

fn node(kind: ExprKind, span: Span, inner: usize) -> Result<Expr, Fault> {
    let depth = inner + 1;
    if depth > MAX_DEPTH { Err(too_deep(span)) } else { Ok(Expr { kind, span, depth }) }
}

fn many(kind: fn(Vec<Expr>) -> ExprKind, items: Vec<Expr>, span: Span) -> Result<Expr, Fault> {
    let inner = items.iter().map(|item| item.depth).max().unwrap_or_default();
    node(kind(items), span, inner)
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
