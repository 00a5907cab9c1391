//! `request_permissions`: the model asks for more than the sandbox allows.

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::event::{AnswerMsg, PermissionsQuestion, QuestionKind};
use spindle_schema::settings::ApprovalPolicy;

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::arguments;
use crate::approvals::{About, Answered, Asked, Grant, Lasting, ModelForm};

#[derive(Deserialize)]
struct Arguments {
    #[serde(default)]
    reason: Option<String>,
    permissions: Value,
}

const NOTHING: &str = "request_permissions requires at least one permission";
const OWN_HOME: &str = "request_permissions cannot open the folder that holds this program's own \
    settings and rules";

/// Asks the person, remembers what was granted, and tells the model.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    let (asked, reason) = match read(&context) {
        Ok(asked) => asked,
        Err(output) => return output,
    };
    let (granted, lasting) = if may_ask(context.settings.approval_policy) {
        match context.ask(question(&context, &asked, reason), About::Nothing).await {
            Asked::Answered(AnswerMsg::Permissions(result)) => {
                let (answer, lasting) = Answered::read(&result);
                (asked.granted(&answer), lasting)
            }
            Asked::Answered(_) => (Grant::default(), Lasting::Turn),
            Asked::Cancelled(after) => return ToolOutput::aborted(&context.call, after),
        }
    } else {
        (Grant::default(), Lasting::Turn)
    };
    match lasting {
        Lasting::Turn => context.grants.add(&granted),
        Lasting::Session => context.rooms.grants.add(&granted),
    }
    ToolOutput::text(granted.for_model(lasting))
}

/// What is asked for, and why.
fn read(context: &CallContext) -> Result<(Grant, Option<String>), ToolOutput> {
    let Arguments { reason, permissions } = arguments(context)?;
    let form = ModelForm::deserialize(permissions);
    let form = form.map_err(|error| ToolOutput::bad_arguments(&error))?;
    let asked = Grant::asked(form, context.settings.cwd.as_ref().as_ref());
    if asked.is_empty() {
        return Err(ToolOutput::text(NOTHING));
    }
    let asked = asked.without(&context.rooms.home);
    if asked.is_empty() { Err(ToolOutput::text(OWN_HOME)) } else { Ok((asked, reason)) }
}

/// Whether the policy lets people be asked.
fn may_ask(policy: ApprovalPolicy) -> bool {
    match policy {
        ApprovalPolicy::Untrusted | ApprovalPolicy::OnRequest => true,
        ApprovalPolicy::Never => false,
        ApprovalPolicy::Granular(kinds) => kinds.request_permissions,
    }
}

fn question(context: &CallContext, asked: &Grant, reason: Option<String>) -> QuestionKind {
    QuestionKind::Permissions(Box::new(PermissionsQuestion {
        cwd: context.settings.cwd.clone(),
        reason,
        permissions: asked.to_protocol(),
    }))
}
