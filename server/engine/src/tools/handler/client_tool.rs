//! A tool that a client runs: it is asked, and its answer goes to the model.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use spindle_schema::event::{AnswerMsg, DynamicToolQuestion, EventMsg, QuestionKind};
use spindle_schema::item::{DynamicToolCall, DynamicToolStatus, TurnItem};
use spindle_schema::model::ContentPart;
use tokio::time::Instant;

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::super::truncate::middle_out;
use super::arguments;
use crate::approvals::{About, Asked};

/// Bytes of text that one call may give back to the model.
const MAX_TEXT_BYTES: usize = 40_000;

/// What the model is told of a call that the end of the turn cut short.
const CANCELLED: &str = "dynamic tool call was cancelled before receiving a response";

/// What a client answers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    content_items: Vec<Value>,
    success: bool,
}

/// A part of an answer that the model can be shown.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
enum Part {
    #[serde(rename = "inputText")]
    Text { text: String },
    #[serde(rename = "inputImage")]
    Image { image_url: String },
    #[serde(rename = "inputAudio")]
    Audio,
}

/// Has the client run the tool.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    let arguments: Value = match arguments(&context) {
        Ok(arguments) => arguments,
        Err(output) => return output,
    };
    let call = &context.call;
    let mut item = DynamicToolCall {
        id: call.item_id(),
        namespace: call.namespace.clone(),
        tool: call.name.clone(),
        arguments: arguments.clone(),
        status: DynamicToolStatus::InProgress,
        content_items: None,
        success: None,
        error: None,
        duration: None,
    };
    let question = QuestionKind::DynamicTool(Box::new(DynamicToolQuestion {
        call_id: call.call_id.clone(),
        namespace: call.namespace.clone(),
        tool: call.name.clone(),
        arguments,
    }));
    let since = Instant::now();
    let started = context.speaker.started(TurnItem::DynamicToolCall(Box::new(item.clone())));
    let started_at_ms = started.item.started_at_ms.unwrap_or_default();
    let asked = context.ask(question, About::Item(started)).await;
    let (answer, output) = match asked {
        Asked::Answered(AnswerMsg::DynamicTool(answer)) => read(&answer),
        Asked::Answered(_) => failed(),
        Asked::Cancelled(_) => {
            item.error = Some(CANCELLED.to_owned());
            let nothing = Answer { content_items: Vec::new(), success: false };
            (nothing, ToolOutput::text(CANCELLED))
        }
    };
    let whole = whole(item, answer, since.elapsed());
    match complete(&context, whole, started_at_ms).await {
        Ok(()) => output,
        Err(error) => ToolOutput::text(format!("unable to record the tool's result: {error}")),
    }
}

fn whole(item: DynamicToolCall, answer: Answer, took: Duration) -> TurnItem {
    let status =
        if answer.success { DynamicToolStatus::Completed } else { DynamicToolStatus::Failed };
    TurnItem::DynamicToolCall(Box::new(DynamicToolCall {
        status,
        content_items: Some(answer.content_items),
        success: Some(answer.success),
        duration: Some(took.into()),
        ..item
    }))
}

async fn complete(
    context: &CallContext,
    item: TurnItem,
    started_at_ms: i64,
) -> Result<(), spindle_store::Error> {
    context.record_completed(&item, started_at_ms).await?;
    let completed = context.speaker.completed(item, started_at_ms);
    context.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
    Ok(())
}

/// An answer, and what the model is told of it: a text when it is text only.
fn read(answer: &Value) -> (Answer, ToolOutput) {
    let Ok(answer) = Answer::deserialize(answer) else { return failed() };
    let parts: Result<Vec<Part>, _> = answer.content_items.iter().map(Part::deserialize).collect();
    let Ok(parts) = parts else { return failed() };
    let output = shown(&parts);
    (answer, output)
}

fn failed() -> (Answer, ToolOutput) {
    let text = "dynamic tool request failed";
    let content_items = vec![json!({ "type": "inputText", "text": text })];
    (Answer { content_items, success: false }, ToolOutput::text(text))
}

fn shown(parts: &[Part]) -> ToolOutput {
    let text = |text: &str| middle_out(text, MAX_TEXT_BYTES);
    if let [Part::Text { text: only }] = parts {
        return ToolOutput::text(text(only));
    }
    if parts.iter().all(|part| matches!(part, Part::Text { .. })) {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            _ => None,
        });
        return ToolOutput::text(text(&texts.collect::<Vec<_>>().join("\n")));
    }
    let shown = parts.iter().map(|part| match part {
        Part::Text { text: one } => ContentPart::InputText { text: text(one) },
        Part::Image { image_url } => ContentPart::InputImage {
            image_url: image_url.clone(),
            detail: Some("original".into()),
        },
        Part::Audio => ContentPart::InputText {
            text: "audio content omitted because you do not support audio input".to_owned(),
        },
    });
    ToolOutput::parts(shown.collect())
}

#[cfg(test)]
mod tests;
