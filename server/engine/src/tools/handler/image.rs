//! `view_image`: a picture for the model.

use serde::Deserialize;
use spindle_schema::event::EventMsg;
use spindle_schema::item::{ImageView, TurnItem};
use spindle_schema::model::ContentPart;

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::arguments;
use crate::context::data_url;

/// Files larger than this are refused, in bytes.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

#[derive(Deserialize)]
struct Arguments {
    path: String,
}

/// Shows the picture to the model and tells the clients so.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    match show(&context).await {
        Ok(output) | Err(output) => output,
    }
}

async fn show(context: &CallContext) -> Result<ToolOutput, ToolOutput> {
    if !context.sees_images {
        return Err(ToolOutput::text(
            "view_image is not allowed because you do not support image inputs",
        ));
    }
    let Arguments { path } = arguments(context)?;
    let path = context.absolute(&path);
    let missing = |error: std::io::Error| {
        ToolOutput::text(format!("unable to locate image at `{}`: {error}", path.display()))
    };
    let metadata = tokio::fs::metadata(&path).await.map_err(missing)?;
    if !metadata.is_file() {
        return Err(ToolOutput::text(format!("image path `{}` is not a file", path.display())));
    }
    if metadata.len() > MAX_BYTES {
        return Err(ToolOutput::text(format!(
            "unable to process image: it has {} bytes, more than the limit of {MAX_BYTES}",
            metadata.len()
        )));
    }
    let bytes = tokio::fs::read(&path).await.map_err(missing)?;
    let image_url = data_url(&bytes).ok_or_else(|| {
        ToolOutput::text("unable to process image: invalid or unsupported image data")
    })?;
    let url = format!("file://{}", path.display());
    let item = TurnItem::ImageView(ImageView { id: context.call.item_id(), path: url });
    let started = context.speaker.started(item.clone());
    let started_at_ms = started.item.started_at_ms.unwrap_or_default();
    context.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
    if let Err(error) = context.record_completed(&item, started_at_ms).await {
        return Err(ToolOutput::text(format!("unable to record the image: {error}")));
    }
    let completed = context.speaker.completed(item, started_at_ms);
    context.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
    let detail = Some("original".into());
    Ok(ToolOutput::parts(vec![ContentPart::InputImage { image_url, detail }]))
}
