//! Proof that running a command was allowed.
//!
//! `Process::spawn` takes nothing else, and the only way to make one is to say by whose word.

/// Something that was allowed to happen, and by whom.
#[derive(Debug)]
pub struct Cleared<T> {
    value: T,
    by: By,
}

/// By whose word something was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The user turned the sandbox off for everything.
    FullAccess,
    /// The user, or a reviewer in their place, said yes to this very command.
    Approval(Approval),
    /// A client runs it itself.
    User,
    /// The sandbox holds it, so that nobody needs to be asked.
    Sandbox,
    /// A rule of the user's allows it.
    Rule,
}

/// Who said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    /// The user, for this time.
    Once,
    /// The user, for the rest of the session.
    Session,
    /// The automatic reviewer.
    Reviewer,
}

impl<T> Cleared<T> {
    pub(crate) fn new(value: T, by: By) -> Self {
        Self { value, by }
    }

    /// Returns what was cleared.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns by whose word it was cleared.
    pub fn by(&self) -> By {
        self.by
    }

    pub(crate) fn into_value(self) -> T {
        self.value
    }
}

/// The named ways to clear something without a rule.
#[derive(Debug, Clone, Copy)]
pub struct Clearance;

impl Clearance {
    /// Clears `value` because the user chose full access: nothing is asked and nothing is held.
    pub fn full_access<T>(value: T) -> Cleared<T> {
        Cleared::new(value, By::FullAccess)
    }

    /// Clears `value` because somebody who may said yes to it.
    pub fn approved<T>(value: T, approval: Approval) -> Cleared<T> {
        Cleared::new(value, By::Approval(approval))
    }

    /// Clears a command that a client runs itself.
    pub fn by_user<T>(value: T) -> Cleared<T> {
        Cleared::new(value, By::User)
    }

    /// Clears a command that the sandbox holds. Its mode is enforced or it does not start.
    pub fn sandboxed<T>(value: T) -> Cleared<T> {
        Cleared::new(value, By::Sandbox)
    }

    /// Clears a command that a rule of the user's allows.
    pub fn by_rule<T>(value: T) -> Cleared<T> {
        Cleared::new(value, By::Rule)
    }
}
