//! `update_plan`: the model's list of steps.

use serde::Deserialize;
use spindle_schema::event::{EventMsg, PlanStep, PlanUpdated};
use spindle_schema::settings::ModeKind;

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::arguments;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    explanation: Option<String>,
    plan: Vec<PlanStep>,
}

/// Tells the clients the steps.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    if context.settings.mode == ModeKind::Plan {
        return ToolOutput::text(
            "update_plan is a TODO/checklist tool and is not allowed in Plan mode",
        );
    }
    let Arguments { explanation, plan } = match arguments(&context) {
        Ok(arguments) => arguments,
        Err(output) => return output,
    };
    let turn_id = context.turn_id().clone();
    let event = EventMsg::PlanUpdated(Box::new(PlanUpdated { turn_id, explanation, plan }));
    context.speaker.say(vec![event]).await;
    ToolOutput::text("Plan updated")
}
