//! `request_user_input`: the model asks the person.

use serde::Deserialize;
use serde_json::{Value, json};
use spindle_schema::event::{AnswerMsg, QuestionKind, UserInputQuestion};
use spindle_schema::settings::ModeKind;

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::arguments;
use crate::approvals::{About, Asked};

#[derive(Deserialize)]
struct Arguments {
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    header: String,
    #[serde(rename = "question")]
    text: String,
    options: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    label: String,
    description: String,
}

/// Asks, and gives the answers to the model as JSON text.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    let planning = context.settings.mode == ModeKind::Plan;
    if !planning && !context.rooms.config.features.enabled("default_mode_request_user_input") {
        return ToolOutput::text("request_user_input is unavailable in Default mode");
    }
    let Arguments { questions } = match arguments(&context) {
        Ok(arguments) => arguments,
        Err(output) => return output,
    };
    if questions.is_empty() {
        return ToolOutput::text("request_user_input requires at least one question");
    }
    let questions = questions.iter().map(shown).collect();
    let kind = QuestionKind::UserInput(UserInputQuestion { questions, is_blocking: planning });
    match context.ask(kind, About::Nothing).await {
        Asked::Answered(AnswerMsg::UserInput(answers)) => {
            ToolOutput::text(json!({ "answers": answers }).to_string())
        }
        Asked::Answered(_) => ToolOutput::text("request_user_input was not answered"),
        Asked::Cancelled(after) => ToolOutput::aborted(&context.call, after),
    }
}

fn shown(question: &Question) -> Value {
    let options: Vec<Value> = question
        .options
        .iter()
        .map(|choice| json!({ "label": choice.label, "description": choice.description }))
        .collect();
    json!({
        "id": question.id,
        "header": question.header,
        "question": question.text,
        "isOther": true,
        "isSecret": false,
        "options": options,
    })
}
