//! Which thread a notification is about.

use spindle_schema::methods::ServerNotification as Said;

/// The thread, for those notifications that clients here act on; nothing for the others.
pub(crate) fn thread_of(said: &Said) -> Option<&str> {
    Some(match said {
        Said::TurnStarted(about) => &about.thread_id,
        Said::TurnCompleted(about) => &about.thread_id,
        Said::ItemStarted(about) => &about.thread_id,
        Said::ItemCompleted(about) => &about.thread_id,
        Said::ItemAgentMessageDelta(about) => &about.thread_id,
        Said::ItemCommandExecutionOutputDelta(about) => &about.thread_id,
        Said::ItemReasoningSummaryTextDelta(about) => &about.thread_id,
        Said::TurnPlanUpdated(about) => &about.thread_id,
        Said::TurnDiffUpdated(about) => &about.thread_id,
        Said::ThreadTokenUsageUpdated(about) => &about.thread_id,
        Said::ThreadStatusChanged(about) => &about.thread_id,
        Said::ThreadNameUpdated(about) => &about.thread_id,
        Said::ServerRequestResolved(about) => &about.thread_id,
        Said::Error(about) => &about.thread_id,
        Said::Warning(about) => about.thread_id.as_deref()?,
        _ => return None,
    })
}
