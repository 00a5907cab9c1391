//! The table of methods: one arm each.

use spindle_schema::methods::ClientRequest;
use spindle_schema::methods::client::ThreadSearchStream;
use spindle_schema::v2::{MockExperimentalMethodResponse, ThreadSearchParams};

use super::absent::absent;
use super::context::Context;
use super::errors::Refusal;
use super::thread::search::Told;
use super::thread::{attachment, notes, search, section, timeline};
use super::{
    account, clients, command, config, diagnostics, model, process, project, thread, turn, undo,
};
use crate::rpc::{Responder, RpcError};

/// Hands a request to its handler.
#[expect(clippy::too_many_lines, reason = "a table of one line per method, whole in one place")]
pub(super) fn dispatch(context: &Context, request: ClientRequest, responder: Responder) {
    if !context.client.identity.is_experimental
        && let Some(requirement) = request.experimental_requirement()
    {
        return responder.err(&Refusal::Experimental(requirement).into());
    }
    match request {
        ClientRequest::Initialize(_) => responder.err(&RpcError::already_initialized()),
        ClientRequest::MockExperimentalMethod(params) => {
            responder.ok(&MockExperimentalMethodResponse { echoed: params.value });
        }
        ClientRequest::ThreadStart(it) => thread::start::start(context, *it, responder.typed()),
        ClientRequest::ThreadResume(it) => thread::resume::resume(context, *it, responder.typed()),
        ClientRequest::ThreadFork(it) => thread::fork::fork(context, *it, responder.typed()),
        ClientRequest::ThreadRead(it) => thread::read::read(context, *it, responder.typed()),
        ClientRequest::ThreadTurnsList(it) => thread::read::turns(context, *it, responder.typed()),
        ClientRequest::ThreadItemsList(it) => thread::read::items(context, *it, responder.typed()),
        ClientRequest::ThreadList(it) => thread::list::list(context, *it, responder.typed()),
        ClientRequest::ThreadLoadedList(it) => {
            responder.settle(thread::list::loaded(context, &it));
        }
        ClientRequest::ThreadNameSet(it) => thread::life::set_name(context, &it, responder.typed()),
        ClientRequest::ThreadArchive(it) => thread::life::archive(context, &it, responder.typed()),
        ClientRequest::ThreadUnarchive(it) => {
            thread::life::unarchive(context, &it, responder.typed());
        }
        ClientRequest::ThreadDelete(it) => thread::life::delete(context, &it, responder.typed()),
        ClientRequest::ThreadUnsubscribe(it) => {
            responder.settle(thread::life::unsubscribe(context, &it));
        }
        ClientRequest::ThreadSettingsUpdate(it) => {
            thread::settings::update(context, *it, responder.typed());
        }
        ClientRequest::ThreadReadStateUpdate(it) => {
            notes::update_read_state(context, *it, responder.typed());
        }
        ClientRequest::ThreadMetadataUpdate(it) => {
            notes::update_metadata(context, *it, responder.typed());
        }
        ClientRequest::ThreadMemoryModeSet(it) => {
            notes::set_memory_mode(context, *it, responder.typed());
        }
        ClientRequest::ThreadSectionMove(it) => section::place(context, *it, responder.typed()),
        ClientRequest::ThreadSectionList(it) => section::list(context, *it, responder.typed()),
        ClientRequest::ThreadSectionCreate(it) => section::create(context, *it, responder.typed()),
        ClientRequest::ThreadSectionUpdate(it) => section::update(context, *it, responder.typed()),
        ClientRequest::ThreadSectionDelete(it) => section::delete(context, *it, responder.typed()),
        ClientRequest::ThreadAttachmentAdd(it) => attachment::add(context, *it, responder.typed()),
        ClientRequest::ThreadAttachmentList(it) => {
            attachment::list(context, *it, responder.typed());
        }
        ClientRequest::ThreadAttachmentOwnerList(it) => {
            attachment::owners(context, *it, responder.typed());
        }
        ClientRequest::ThreadAttachmentRemove(it) => {
            attachment::remove(context, *it, responder.typed());
        }
        ClientRequest::ThreadSearch(it) => {
            search::search(context, *it, Told::AtOnce, responder.typed::<ThreadSearchParams>());
        }
        ClientRequest::ThreadSearchStream(it) => {
            search::search(context, *it, Told::ByAndBy, responder.typed::<ThreadSearchStream>());
        }
        ClientRequest::ThreadSearchCancel(it) | ClientRequest::ThreadSearchStreamCancel(it) => {
            responder.ok(&search::cancel(context, &it));
        }
        ClientRequest::ThreadSearchOccurrences(it) => {
            search::occurrences(context, *it, responder.typed());
        }
        ClientRequest::ThreadTimelineList(it) => timeline::list(context, *it, responder.typed()),
        ClientRequest::ThreadItemsRead(it) => timeline::read_items(context, *it, responder.typed()),
        ClientRequest::GetConversationSummary(it) => {
            timeline::summary(context, *it, responder.typed());
        }
        ClientRequest::ProjectList(it) => project::list(context, *it, responder.typed()),
        ClientRequest::ProjectRead(it) => project::read(context, *it, responder.typed()),
        ClientRequest::ProjectCreate(it) => project::create(context, *it, responder.typed()),
        ClientRequest::ProjectImport(it) => project::import(context, *it, responder.typed()),
        ClientRequest::ProjectUpdate(it) => project::update(context, *it, responder.typed()),
        ClientRequest::ProjectMove(it) => project::place(context, *it, responder.typed()),
        ClientRequest::ProjectDelete(it) => project::delete(context, *it, responder.typed()),
        ClientRequest::ThreadBackgroundTerminalsList(it) => {
            responder.settle(thread::background::list(context, &it));
        }
        ClientRequest::ThreadBackgroundTerminalsTerminate(it) => {
            thread::background::terminate(context, &it, responder.typed());
        }
        ClientRequest::ThreadBackgroundTerminalsClean(it) => {
            thread::background::clean(context, &it, responder.typed());
        }
        ClientRequest::ThreadCompactStart(it) => {
            thread::task::compact(context, &it, responder.typed());
        }
        ClientRequest::ThreadShellCommand(it) => {
            thread::task::shell(context, *it, responder.typed());
        }
        ClientRequest::TurnStart(it) => turn::start(context, *it, responder.typed()),
        ClientRequest::TurnSteer(it) => turn::steer(context, *it, responder.typed()),
        ClientRequest::TurnInterrupt(it) => turn::interrupt(context, *it, responder.typed()),
        ClientRequest::CommandExec(it) => command::exec(context, *it, responder.typed()),
        ClientRequest::CommandExecWrite(it) => command::write(context, &it, responder.typed()),
        ClientRequest::CommandExecTerminate(it) => {
            responder.settle(command::terminate(context, &it));
        }
        ClientRequest::CommandExecResize(it) => responder.settle(command::resize(context, &it)),
        ClientRequest::ProcessSpawn(it) => process::spawn(context, *it, responder.typed()),
        ClientRequest::ProcessWriteStdin(it) => process::write(context, &it, responder.typed()),
        ClientRequest::ProcessKill(it) => responder.settle(process::kill(context, &it)),
        ClientRequest::ProcessResizePty(it) => responder.settle(process::resize(context, &it)),
        ClientRequest::ModelList(it) => responder.settle(model::list(context, &it)),
        ClientRequest::CollaborationModeList(it) => responder.ok(&model::modes(&it)),
        ClientRequest::PermissionProfileList(it) => responder.settle(model::profiles(&it)),
        ClientRequest::AccountRead(_) => responder.settle(account::read(context)),
        ClientRequest::AccountRateLimitsRead(_) => responder.err(&account::rate_limits(context)),
        ClientRequest::ConfigRead(it) => responder.settle(config::read(context, &it)),
        ClientRequest::ConfigValueWrite(it) => responder.settle(config::write_value(context, *it)),
        ClientRequest::ConfigBatchWrite(it) => responder.settle(config::write_batch(context, *it)),
        ClientRequest::ConfigRequirementsRead => responder.ok(&config::requirements(context)),
        ClientRequest::SpindleClients(_) => responder.ok(&clients::list(context)),
        ClientRequest::ServerDiagnostics(_) => responder.ok(&diagnostics::read(context)),
        ClientRequest::SpindleUndoPreview(it) => undo::preview(context, *it, responder.typed()),
        ClientRequest::SpindleUndoApply(it) => undo::apply(context, *it, responder.typed()),
        other @ absent!() => responder.err(&Refusal::Absent(other.method()).into()),
    }
}
