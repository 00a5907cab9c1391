//! Turns and how they fail.

use spindle_schema::event::{
    ErrorInfo, ItemsView, TurnError as CoreError, TurnSnapshot, TurnStatus as CoreStatus,
};
use spindle_schema::v2::{CodexErrorInfo, Turn, TurnError, TurnItemsView, TurnStatus};

use super::item;

/// A turn with the entries that its view holds.
pub(in crate::api) fn of(turn: &TurnSnapshot) -> Turn {
    Turn {
        id: turn.id.to_string(),
        root_turn_id: turn.root_turn_id.as_deref().map(str::to_owned),
        items: turn.items.iter().filter_map(item::of).collect(),
        items_view: match turn.view {
            ItemsView::NotLoaded => TurnItemsView::NotLoaded,
            ItemsView::Summary => TurnItemsView::Summary,
            ItemsView::Full => TurnItemsView::Full,
        },
        status: match turn.status {
            CoreStatus::InProgress => TurnStatus::InProgress,
            CoreStatus::Completed => TurnStatus::Completed,
            CoreStatus::Interrupted => TurnStatus::Interrupted,
            CoreStatus::Failed => TurnStatus::Failed,
        },
        error: turn.error.as_ref().map(error),
        started_at: turn.started_at,
        completed_at: turn.completed_at,
        duration_ms: turn.duration_ms,
    }
}

/// Why a turn failed or stalls.
pub(in crate::api) fn error(error: &CoreError) -> TurnError {
    TurnError {
        message: error.message.clone(),
        additional_details: error.additional_details.clone(),
        codex_error_info: error.codex_error_info.as_ref().map(error_info),
        misalignment: None,
    }
}

fn error_info(info: &ErrorInfo) -> CodexErrorInfo {
    match info {
        ErrorInfo::ContextWindowExceeded => CodexErrorInfo::ContextWindowExceeded,
        ErrorInfo::UsageLimitExceeded => CodexErrorInfo::UsageLimitExceeded,
        ErrorInfo::RateLimitExceeded => CodexErrorInfo::RateLimitExceeded,
        ErrorInfo::ServerOverloaded => CodexErrorInfo::ServerOverloaded,
        ErrorInfo::ModelNotFound => CodexErrorInfo::ModelNotFound,
        ErrorInfo::InternalServerError => CodexErrorInfo::InternalServerError,
        ErrorInfo::Unauthorized => CodexErrorInfo::Unauthorized,
        ErrorInfo::BadRequest => CodexErrorInfo::BadRequest,
        ErrorInfo::SandboxError => CodexErrorInfo::SandboxError,
        &ErrorInfo::HttpConnectionFailed { http_status_code } => {
            CodexErrorInfo::HttpConnectionFailed { http_status_code }
        }
        &ErrorInfo::ResponseStreamConnectionFailed { http_status_code } => {
            CodexErrorInfo::ResponseStreamConnectionFailed { http_status_code }
        }
        &ErrorInfo::ResponseStreamDisconnected { http_status_code } => {
            CodexErrorInfo::ResponseStreamDisconnected { http_status_code }
        }
        &ErrorInfo::ResponseTooManyFailedAttempts { http_status_code } => {
            CodexErrorInfo::ResponseTooManyFailedAttempts { http_status_code }
        }
        ErrorInfo::Other => CodexErrorInfo::Other,
        ErrorInfo::Unknown(value) => CodexErrorInfo::Unknown(value.clone()),
    }
}
