//! `write_stdin`: keystrokes for a running command, or a look at it.

use std::time::Duration;

use serde::Deserialize;
use spindle_schema::event::{EventMsg, TerminalInteraction};

use super::super::call::CallContext;
use super::super::output::ToolOutput;
use super::super::processes::Running;
use super::arguments;
use super::exec::{Answering, DEFAULT_OUTPUT_TOKENS, Looking, answer};

/// How long a call waits for output after it typed something, when the model does not say.
const DEFAULT_YIELD_MS: u64 = 250;
/// The shortest and the longest wait after typing. Milliseconds.
const TYPED_MS: std::ops::RangeInclusive<u64> = 250..=30_000;
/// The same for a mere look: a model that asks again and again costs more than it learns.
const LOOK_MS: std::ops::RangeInclusive<u64> = 5_000..=300_000;

#[derive(Deserialize)]
struct Arguments {
    session_id: i64,
    #[serde(default)]
    chars: String,
    #[serde(default)]
    yield_time_ms: Option<u64>,
    #[serde(default)]
    max_output_tokens: Option<u64>,
}

/// Types, waits, and gives what came out.
pub(in crate::tools) async fn run(context: CallContext) -> ToolOutput {
    let arguments: Arguments = match arguments(&context) {
        Ok(arguments) => arguments,
        Err(output) => return output,
    };
    let found =
        u32::try_from(arguments.session_id).ok().and_then(|id| context.rooms.processes.find(id));
    let Some(running) = found else {
        let id = arguments.session_id;
        return ToolOutput::text(format!("write_stdin failed: Unknown process id {id}"));
    };
    let limits = if arguments.chars.is_empty() { LOOK_MS } else { TYPED_MS };
    let asked = arguments.yield_time_ms.unwrap_or(DEFAULT_YIELD_MS);
    let answering = Answering {
        wait: Duration::from_millis(asked.clamp(*limits.start(), *limits.end())),
        tokens: arguments.max_output_tokens.unwrap_or(DEFAULT_OUTPUT_TOKENS),
    };
    if !arguments.chars.is_empty()
        && let Err(output) = write(&context, &running, &arguments.chars).await
    {
        return output;
    }
    answer(&context, &running, &answering, Looking::Again).await
}

async fn write(context: &CallContext, running: &Running, chars: &str) -> Result<(), ToolOutput> {
    running.process.write(chars.as_bytes()).await.map_err(|error| {
        tracing::debug!(%error, "stdin could not be written");
        ToolOutput::text(
            "write_stdin failed: stdin is closed for this session; rerun exec_command with \
             tty=true to keep stdin open",
        )
    })?;
    let event = EventMsg::TerminalInteraction(Box::new(TerminalInteraction {
        turn_id: context.turn_id().clone(),
        item_id: running.item_id().clone(),
        process_id: running.id.to_string().into(),
        stdin: chars.to_owned(),
    }));
    context.speaker.say(vec![event]).await;
    Ok(())
}
