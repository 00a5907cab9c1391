//! What a client is told of a command of its own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use spindle_engine::commands::{CommandEvent, CommandKind, CommandMsg, Finished, OutputStream};
use spindle_schema::methods::ServerNotification as Told;
use spindle_schema::v2;

pub(super) fn told(event: &CommandEvent<'_>) -> Told {
    let name = event.key.name.text().to_owned();
    match (event.msg, event.key.kind) {
        (CommandMsg::Output { stream, bytes, is_cap_reached }, CommandKind::Exec) => {
            let params = v2::CommandExecOutputDeltaNotification {
                process_id: name,
                stream: match stream {
                    OutputStream::Stdout => v2::CommandExecOutputStream::Stdout,
                    OutputStream::Stderr => v2::CommandExecOutputStream::Stderr,
                },
                delta_base64: STANDARD.encode(bytes),
                cap_reached: is_cap_reached,
            };
            Told::CommandExecOutputDelta(Box::new(params))
        }
        (CommandMsg::Output { stream, bytes, is_cap_reached }, CommandKind::Process) => {
            let params = v2::ProcessOutputDeltaNotification {
                process_handle: name,
                stream: match stream {
                    OutputStream::Stdout => v2::ProcessOutputStream::Stdout,
                    OutputStream::Stderr => v2::ProcessOutputStream::Stderr,
                },
                delta_base64: STANDARD.encode(bytes),
                cap_reached: is_cap_reached,
            };
            Told::ProcessOutputDelta(Box::new(params))
        }
        (CommandMsg::Exited(finished), _) => exited(name, finished),
    }
}

fn exited(process_handle: String, finished: &Finished) -> Told {
    Told::ProcessExited(Box::new(v2::ProcessExitedNotification {
        process_handle,
        exit_code: finished.exit_code,
        output_drain_timed_out: Some(finished.output_was_held_open),
        stdout: finished.stdout.text.clone(),
        stdout_cap_reached: finished.stdout.is_cap_reached,
        stderr: finished.stderr.text.clone(),
        stderr_cap_reached: finished.stderr.is_cap_reached,
    }))
}
