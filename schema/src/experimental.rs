//! What only clients may use that asked for the experimental API.
//!
//! Whole methods are marked in the tables of [`methods`](crate::methods). Here are the members
//! of stable methods, and the values.

use std::fmt;

use crate::maybe::Maybe;
use crate::methods::{ClientRequest, ServerRequest};
use crate::v2::AskForApproval;

/// A use of the experimental API. Its text is what a client without the capability is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// The method itself.
    Method(&'static str),
    /// A member of a stable method's params, by its name in Rust.
    Member {
        /// The method.
        method: &'static str,
        /// The member, in snake case.
        member: &'static str,
    },
    /// Approval by category.
    GranularApproval,
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method(method) => f.write_str(method)?,
            Self::Member { method, member } => write!(f, "{method}.{}", CamelCase(member))?,
            Self::GranularApproval => f.write_str("askForApproval.granular")?,
        }
        f.write_str(" requires experimentalApi capability")
    }
}

/// Shows a name of Rust as it is on the wire.
pub(crate) struct CamelCase(pub(crate) &'static str);

impl fmt::Display for CamelCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.split('_').enumerate() {
            let (head, tail) = word.split_at(usize::from(index > 0).min(word.len()));
            write!(f, "{}{tail}", head.to_ascii_uppercase())?;
        }
        Ok(())
    }
}

/// Whether a member is as if it were not there.
trait Unset {
    fn is_unset(&self) -> bool;
}

impl Unset for bool {
    fn is_unset(&self) -> bool {
        !*self
    }
}

impl<T> Unset for Option<T> {
    fn is_unset(&self) -> bool {
        self.is_none()
    }
}

impl<T> Unset for Maybe<T> {
    fn is_unset(&self) -> bool {
        !matches!(self, Self::Value(_))
    }
}

/// Makes the check and the list of names from lines `Variant(Params): member, member;`.
macro_rules! experimental_members {
    ($( $variant:ident($params:ident): $($member:ident),+; )*) => {
        /// The first experimental member that a request of a stable method has set.
        fn member(request: &ClientRequest) -> Option<&'static str> {
            match request {
                $( ClientRequest::$variant(params) => {
                    $( if !params.$member.is_unset() {
                        return Some(stringify!($member));
                    } )+
                    None
                } )*
                _ => None,
            }
        }

        /// The experimental members of stable methods: the params type, the names in Rust.
        #[cfg(any(test, feature = "export"))]
        pub(crate) const MEMBERS: &[(&str, &[&str])] =
            &[$( (stringify!($params), &[$( stringify!($member) ),+]) ),*];
    };
}

experimental_members! {
    ThreadStart(ThreadStartParams): allow_provider_model_fallback, daybreak_enabled, dynamic_tools, environments, experimental_raw_events, history_mode, mock_experimental_field, multi_agent_mode, permissions, project_id, runtime_workspace_roots, selected_capability_roots;
    ThreadResume(ThreadResumeParams): history, initial_turns_page, path, permissions, runtime_workspace_roots;
    ThreadFork(ThreadForkParams): attach_to_source, before_turn_id, defer_goal_continuation, experimental_disable_prediction_mcp, experimental_prediction_mode, path, permissions, runtime_workspace_roots;
    ThreadMetadataUpdate(ThreadMetadataUpdateParams): daybreak_enabled, project_id;
    ThreadList(ThreadListParams): ancestor_thread_id, attached_to_thread_id, include_attached_threads, parent_thread_id, project_id;
    TurnStart(TurnStartParams): additional_context, collaboration_mode, cyber_access_program, environments, multi_agent_mode, permissions, responsesapi_client_metadata, responsesapi_client_metadata_patch, runtime_workspace_roots;
    TurnSteer(TurnSteerParams): additional_context, responsesapi_client_metadata, responsesapi_client_metadata_patch;
    CommandExec(CommandExecParams): permission_profile;
}

impl ClientRequest {
    /// What this request uses of the experimental API, if anything: the method, a member whose
    /// value is not its default, or approval by category.
    pub fn experimental_requirement(&self) -> Option<Requirement> {
        if self.is_experimental() {
            return Some(Requirement::Method(self.method()));
        }
        if let Some(member) = member(self) {
            return Some(Requirement::Member { method: self.method(), member });
        }
        let is_granular = matches!(approval_policy(self), Some(AskForApproval::Granular { .. }));
        is_granular.then_some(Requirement::GranularApproval)
    }
}

fn approval_policy(request: &ClientRequest) -> Option<&AskForApproval> {
    match request {
        ClientRequest::ThreadStart(params) => params.approval_policy.as_ref(),
        ClientRequest::ThreadResume(params) => params.approval_policy.as_ref(),
        ClientRequest::ThreadFork(params) => params.approval_policy.as_ref(),
        ClientRequest::TurnStart(params) => params.approval_policy.as_ref(),
        _ => None,
    }
}

impl ServerRequest {
    /// Takes out what a client without the experimental API does not know.
    pub fn strip_experimental(&mut self) {
        if let Self::ItemCommandExecutionRequestApproval(params) = self {
            params.additional_permissions = None;
        }
    }
}

#[cfg(test)]
mod tests;
