//! What a rule file consists of.

use std::rc::Rc;

use super::error::Span;

/// An expression.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
    /// How deep its parts are nested; bounded, since it is evaluated by recursion.
    pub(super) depth: usize,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    None,
    Bool(bool),
    Int(i64),
    Str(Rc<str>),
    Name(String),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Call(Box<Expr>, Vec<Arg>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// Value if true, condition, value if false.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Comprehension(Box<Expr>, Vec<Clause>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    In,
    NotIn,
    Add,
    Subtract,
}

/// One argument of a call.
#[derive(Debug)]
pub(super) struct Arg {
    pub(super) name: Option<String>,
    pub(super) value: Expr,
}

/// `for NAMES in EXPR` or `if EXPR` of a comprehension.
#[derive(Debug)]
pub(super) enum Clause {
    For(Vec<String>, Expr),
    If(Expr),
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement {
    Expr(Expr),
    Assign(Vec<String>, Expr),
    AddTo(String, Expr),
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    For(Vec<String>, Expr, Vec<Statement>),
    Def(Rc<Function>),
    Return(Option<Expr>),
    Pass,
    Break,
    Continue,
}

/// A function that the file defines.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) params: Vec<(String, Option<Expr>)>,
    pub(super) body: Vec<Statement>,
}
