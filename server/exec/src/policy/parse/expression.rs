//! Puts tokens together to expressions.

use super::ast::{Arg, Clause, Expr, ExprKind, Operator};
use super::error::{Fault, Span};
use super::lex::Tok;
use super::syntax::{MAX_DEPTH, Parser, is_word_of_the_language, too_deep};

impl Parser {
    /// One expression, or several with commas: a tuple without brackets.
    pub(super) fn list_or_one(&mut self) -> Result<Expr, Fault> {
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

    pub(super) fn expr(&mut self) -> Result<Expr, Fault> {
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

fn node(kind: ExprKind, span: Span, inner: usize) -> Result<Expr, Fault> {
    let depth = inner + 1;
    if depth > MAX_DEPTH { Err(too_deep(span)) } else { Ok(Expr { kind, span, depth }) }
}

fn many(kind: fn(Vec<Expr>) -> ExprKind, items: Vec<Expr>, span: Span) -> Result<Expr, Fault> {
    let inner = items.iter().map(|item| item.depth).max().unwrap_or_default();
    node(kind(items), span, inner)
}
