//! The tool calls of one response (SPEC C2 to C5, C8).

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::run::Turn;
use crate::tools::{CallContext, Gate, ToolCall, ToolOutput};

/// How long a cancelled tool may take to clean up before it is dropped.
const CLEAN_UP: Duration = Duration::from_secs(8);

/// The calls of one response: started as they come, joined in the order they came.
#[derive(Default)]
pub(super) struct Calls {
    running: Vec<Running>,
    gate: Gate,
}

struct Running {
    call: ToolCall,
    task: JoinHandle<ToolOutput>,
}

impl Calls {
    /// Starts a call while the model may still be streaming.
    pub(super) fn start(&mut self, turn: &Turn, call: ToolCall) {
        let tool = turn.tools.find(&call);
        let ticket = self.gate.enter(tool.concurrency());
        let context = CallContext {
            call: call.clone(),
            rooms: turn.rooms.clone(),
            speaker: turn.speaker.clone(),
            recorder: turn.conversation.recorder.clone(),
            settings: Arc::new(turn.plan.settings.clone()),
            cancel: turn.plan.cancel.clone(),
            diff: turn.diff.clone(),
            undo: turn.undo.clone(),
            sees_images: turn.model.takes_images(),
        };
        let task = tokio::spawn(async move {
            let _pass = tokio::select! {
                biased;
                () = context.cancel.cancelled() => return ToolOutput::aborted(Duration::ZERO),
                pass = ticket.wait() => pass,
            };
            tool.run(context).await
        });
        self.running.push(Running { call, task });
    }

    /// Whether the response called no tool.
    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Waits for all calls and gives their outputs in call order. Each call has one.
    pub(super) async fn join(self, cancel: &CancellationToken) -> Vec<(ToolCall, ToolOutput)> {
        let mut outputs = Vec::with_capacity(self.running.len());
        for Running { call, mut task } in self.running {
            let joined = tokio::select! {
                joined = &mut task => Some(joined),
                () = too_late(cancel) => None,
            };
            let output = match joined {
                Some(Ok(output)) => output,
                Some(Err(error)) => {
                    tracing::error!(tool = %call.name, %error, "a tool broke down");
                    ToolOutput::text("the tool failed in an unexpected way")
                }
                None => {
                    tracing::warn!(tool = %call.name, "a cancelled tool did not clean up in time");
                    task.abort();
                    ToolOutput::aborted(CLEAN_UP)
                }
            };
            outputs.push((call, output));
        }
        outputs
    }
}

/// Comes back when a cancelled turn has waited long enough for its parts to clean up.
pub(super) async fn too_late(cancel: &CancellationToken) {
    cancel.cancelled().await;
    tokio::time::sleep(CLEAN_UP).await;
}
