//! Runs the statements of a rule file. Bounded in steps, depth and memory.

use std::collections::HashMap;
use std::rc::Rc;

use super::ast::{Arg, Clause, Expr, ExprKind, Function, Operator, Statement};
use super::builtin::{Builtin, Collected};
use super::error::{Fault, Span};
use super::value::{Items, Value};

/// Steps and copied parts after which a file counts as endless.
const MAX_COST: usize = 1_000_000;
/// Calls inside calls.
const MAX_CALLS: usize = 8;

/// Runs all statements and returns the rules that they made.
pub(super) fn run(statements: &[Statement]) -> Result<Collected, Fault> {
    let globals = Builtin::ALL.map(|builtin| (builtin.name().to_owned(), Value::Builtin(builtin)));
    let mut machine = Machine {
        scopes: vec![globals.into()],
        collected: Collected::default(),
        cost: 0,
        calls: 0,
    };
    machine.block(statements)?;
    Ok(machine.collected)
}

struct Machine {
    /// Variables: the file's own, then those of functions and comprehensions, innermost last.
    scopes: Vec<HashMap<String, Value>>,
    collected: Collected,
    cost: usize,
    calls: usize,
}

/// How a block ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl Machine {
    fn spend(&mut self, cost: usize, span: Span) -> Result<(), Fault> {
        self.cost = self.cost.saturating_add(cost);
        let over = self.cost > MAX_COST;
        if over { Err(Fault::running(span, "the rules take too long to evaluate")) } else { Ok(()) }
    }

    fn block(&mut self, statements: &[Statement]) -> Result<Flow, Fault> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Expr(expr) => {
                self.eval(expr)?;
            }
            Statement::Assign(names, expr) => {
                let value = self.eval(expr)?;
                self.assign(names, value, expr.span)?;
            }
            Statement::AddTo(name, expr) => {
                let old = self.lookup(name, expr.span)?;
                let more = self.eval(expr)?;
                let sum = self.add(&old, &more, expr.span)?;
                self.set(name, sum);
            }
            Statement::If(branches, last) => {
                for (condition, body) in branches {
                    if self.eval(condition)?.is_true() {
                        return self.block(body);
                    }
                }
                return self.block(last);
            }
            Statement::For(names, over, body) => return self.for_loop(names, over, body),
            Statement::Def(function) => {
                self.set(&function.name, Value::Function(Rc::clone(function)));
            }
            Statement::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::None), |value| self.eval(value))?;
                return Ok(Flow::Return(value));
            }
            Statement::Pass => {}
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn for_loop(
        &mut self,
        names: &[String],
        over: &Expr,
        body: &[Statement],
    ) -> Result<Flow, Fault> {
        for item in self.items(over)?.iter() {
            self.spend(1, over.span)?;
            self.assign(names, item.clone(), over.span)?;
            match self.block(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn items(&mut self, over: &Expr) -> Result<Items, Fault> {
        match self.eval(over)? {
            Value::List(list) | Value::Tuple(list) => Ok(list),
            other => {
                let message = format!("Type `{}` is not iterable", other.type_name());
                Err(Fault::running(over.span, message))
            }
        }
    }

    fn assign(&mut self, names: &[String], value: Value, span: Span) -> Result<(), Fault> {
        if let [name] = names {
            self.set(name, value);
            return Ok(());
        }
        match value {
            Value::List(items) | Value::Tuple(items) if items.len() == names.len() => {
                for (name, item) in names.iter().zip(items.iter()) {
                    self.set(name, item.clone());
                }
                Ok(())
            }
            _ => Err(Fault::running(span, format!("expected {} values to unpack", names.len()))),
        }
    }

    fn set(&mut self, name: &str, value: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    fn lookup(&self, name: &str, span: Span) -> Result<Value, Fault> {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        found.cloned().ok_or_else(|| Fault::reading(span, format!("Variable `{name}` not found")))
    }

    fn eval(&mut self, expr: &Expr) -> Result<Value, Fault> {
        self.spend(1, expr.span)?;
        Ok(match &expr.kind {
            ExprKind::None => Value::None,
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Int(number) => Value::Int(*number),
            ExprKind::Str(text) => Value::Str(Rc::clone(text)),
            ExprKind::Name(name) => self.lookup(name, expr.span)?,
            ExprKind::List(items) => Value::List(self.all(items, expr.span)?),
            ExprKind::Tuple(items) => Value::Tuple(self.all(items, expr.span)?),
            ExprKind::Not(inner) => Value::Bool(!self.eval(inner)?.is_true()),
            ExprKind::Negative(inner) => match self.eval(inner)? {
                Value::Int(number) => Value::Int(number.saturating_neg()),
                other => return Err(unfit("-", &other, expr.span)),
            },
            ExprKind::If(value, condition, other) => {
                let branch = if self.eval(condition)?.is_true() { value } else { other };
                self.eval(branch)?
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right)?,
            ExprKind::Index(list, index) => self.index(list, index)?,
            ExprKind::Call(function, args) => self.call(function, args, expr.span)?,
            ExprKind::Comprehension(value, clauses) => {
                let mut items = Vec::new();
                self.scopes.push(HashMap::new());
                let done = self.comprehend(value, clauses, &mut items);
                self.scopes.pop();
                done?;
                Value::List(Items::new(items, expr.span)?)
            }
        })
    }

    fn all(&mut self, items: &[Expr], span: Span) -> Result<Items, Fault> {
        let values: Result<Vec<Value>, Fault> = items.iter().map(|item| self.eval(item)).collect();
        Items::new(values?, span)
    }

    fn comprehend(
        &mut self,
        value: &Expr,
        clauses: &[Clause],
        items: &mut Vec<Value>,
    ) -> Result<(), Fault> {
        match clauses.split_first() {
            None => {
                let item = self.eval(value)?;
                items.push(item);
            }
            Some((Clause::If(condition), rest)) => {
                if self.eval(condition)?.is_true() {
                    self.comprehend(value, rest, items)?;
                }
            }
            Some((Clause::For(names, over), rest)) => {
                for item in self.items(over)?.iter() {
                    self.assign(names, item.clone(), over.span)?;
                    self.comprehend(value, rest, items)?;
                }
            }
        }
        Ok(())
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr) -> Result<Value, Fault> {
        let span = left.span.to(right.span);
        let a = self.eval(left)?;
        match operator {
            Operator::Or if a.is_true() => return Ok(a),
            Operator::And if !a.is_true() => return Ok(a),
            Operator::Or | Operator::And => return self.eval(right),
            _ => {}
        }
        let b = self.eval(right)?;
        if let Value::List(items) | Value::Tuple(items) = &b {
            self.spend(items.size(), span)?;
        }
        let number = || match (&a, &b) {
            (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
            (Value::Str(a), Value::Str(b)) => Ok(a.cmp(b)),
            _ => Err(unfit("comparison", &b, span)),
        };
        Ok(match operator {
            Operator::Add => self.add(&a, &b, span)?,
            Operator::Subtract => match (&a, &b) {
                (Value::Int(a), Value::Int(b)) => Value::Int(a.saturating_sub(*b)),
                _ => return Err(unfit("-", &b, span)),
            },
            Operator::Equal => Value::Bool(a.equals(&b)),
            Operator::NotEqual => Value::Bool(!a.equals(&b)),
            Operator::Less => Value::Bool(number()?.is_lt()),
            Operator::Greater => Value::Bool(number()?.is_gt()),
            Operator::LessOrEqual => Value::Bool(number()?.is_le()),
            Operator::GreaterOrEqual => Value::Bool(number()?.is_ge()),
            Operator::In => Value::Bool(contains(&b, &a, span)?),
            Operator::NotIn => Value::Bool(!contains(&b, &a, span)?),
            Operator::Or | Operator::And => Value::None,
        })
    }

    fn add(&mut self, a: &Value, b: &Value, span: Span) -> Result<Value, Fault> {
        Ok(match (a, b) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a.saturating_add(*b)),
            (Value::Str(a), Value::Str(b)) => {
                self.spend(a.len() + b.len(), span)?;
                Value::Str([&**a, &**b].concat().into())
            }
            (Value::List(a), Value::List(b)) => {
                self.spend(a.len() + b.len(), span)?;
                Value::List(Items::new([&**a, &**b].concat(), span)?)
            }
            (Value::Tuple(a), Value::Tuple(b)) => {
                self.spend(a.len() + b.len(), span)?;
                Value::Tuple(Items::new([&**a, &**b].concat(), span)?)
            }
            _ => {
                let (a, b) = (a.type_name(), b.type_name());
                let message = format!("Operation `+` not supported for types `{a}` and `{b}`");
                return Err(Fault::running(span, message));
            }
        })
    }

    fn index(&mut self, list: &Expr, index: &Expr) -> Result<Value, Fault> {
        let span = list.span.to(index.span);
        let items = self.items(list)?;
        let Value::Int(number) = self.eval(index)? else {
            return Err(Fault::running(index.span, "an index is an int"));
        };
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let place = if number < 0 { number.saturating_add(length) } else { number };
        let found = usize::try_from(place).ok().and_then(|place| items.get(place));
        found
            .cloned()
            .ok_or_else(|| Fault::running(span, format!("Index `{number}` is out of bound")))
    }

    fn call(&mut self, function: &Expr, args: &[Arg], span: Span) -> Result<Value, Fault> {
        let function = self.eval(function)?;
        let mut given = Vec::with_capacity(args.len());
        for arg in args {
            given.push((arg.name.clone(), self.eval(&arg.value)?));
        }
        match function {
            Value::Builtin(builtin) => {
                let value = builtin.call(given, &mut self.collected, span)?;
                if let Value::List(items) = &value {
                    self.spend(items.len(), span)?;
                }
                Ok(value)
            }
            Value::Function(function) => self.call_own(&function, given, span),
            other => {
                let message =
                    format!("Operation `call()` not supported on type `{}`", other.type_name());
                Err(Fault::running(span, message))
            }
        }
    }

    fn call_own(
        &mut self,
        function: &Function,
        given: Vec<(Option<String>, Value)>,
        span: Span,
    ) -> Result<Value, Fault> {
        if self.calls >= MAX_CALLS {
            return Err(Fault::running(span, "functions call each other too deeply"));
        }
        let names: Vec<&str> = function.params.iter().map(|(name, _)| name.as_str()).collect();
        let bound = bind(&function.name, &names, given, span)?;
        let mut scope = HashMap::new();
        for ((name, default), value) in function.params.iter().zip(bound) {
            let value = match (value, default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.eval(default)?,
                (None, None) => return Err(missing(name, &function.name, span)),
            };
            scope.insert(name.clone(), value);
        }
        // A function sees the file's variables and its own, not those of its caller.
        let callers: Vec<_> = self.scopes.drain(1..).collect();
        self.scopes.push(scope);
        self.calls += 1;
        let flow = self.block(&function.body);
        self.calls -= 1;
        self.scopes.truncate(1);
        self.scopes.extend(callers);
        Ok(match flow? {
            Flow::Return(value) => value,
            Flow::Next | Flow::Break | Flow::Continue => Value::None,
        })
    }
}

/// Sorts arguments into parameters.
pub(super) fn bind(
    function: &str,
    names: &[&str],
    given: Vec<(Option<String>, Value)>,
    span: Span,
) -> Result<Vec<Option<Value>>, Fault> {
    let mut bound: Vec<Option<Value>> = names.iter().map(|_| None).collect();
    for (at, (name, value)) in given.into_iter().enumerate() {
        let place = match &name {
            None => at,
            Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
                let message =
                    format!("Found `{name}` extra named parameter(s) for call to {function}");
                Fault::running(span, message)
            })?,
        };
        match bound.get_mut(place) {
            None => {
                let message = format!("Found extra positional argument(s) for call to {function}");
                return Err(Fault::running(span, message));
            }
            Some(Some(_)) => {
                let name = names.get(place).copied().unwrap_or_default();
                let message = format!("Argument `{name}` occurs more than once");
                return Err(Fault::running(span, message));
            }
            Some(slot) => *slot = Some(value),
        }
    }
    Ok(bound)
}

pub(super) fn missing(param: &str, function: &str, span: Span) -> Fault {
    Fault::running(span, format!("Missing parameter `{param}` for call to {function}"))
}

fn unfit(operation: &str, value: &Value, span: Span) -> Fault {
    let name = value.type_name();
    Fault::running(span, format!("Operation `{operation}` not supported on type `{name}`"))
}

fn contains(list: &Value, item: &Value, span: Span) -> Result<bool, Fault> {
    match (list, item) {
        (Value::List(items) | Value::Tuple(items), _) => {
            Ok(items.iter().any(|one| one.equals(item)))
        }
        (Value::Str(text), Value::Str(part)) => Ok(text.contains(&**part)),
        _ => Err(unfit("in", list, span)),
    }
}
