//! What the server asks and tells.

use serde_json::value::RawValue;

use super::{MethodInfo, ParseError, Request, read};
#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the table names most of them")
)]
use crate::v2::*;

server_requests! {
    "item/commandExecution/requestApproval" ItemCommandExecutionRequestApproval(CommandExecutionRequestApprovalParams) -> CommandExecutionRequestApprovalResponse;
    "item/fileChange/requestApproval" ItemFileChangeRequestApproval(FileChangeRequestApprovalParams) -> FileChangeRequestApprovalResponse;
    "item/tool/requestUserInput" ItemToolRequestUserInput(ToolRequestUserInputParams) -> ToolRequestUserInputResponse;
    "mcpServer/elicitation/request" McpServerElicitationRequest(McpServerElicitationRequestParams) -> McpServerElicitationRequestResponse;
    "item/permissions/requestApproval" ItemPermissionsRequestApproval(PermissionsRequestApprovalParams) -> PermissionsRequestApprovalResponse;
    "item/tool/call" ItemToolCall(DynamicToolCallParams) -> DynamicToolCallResponse;
    "account/chatgptAuthTokens/refresh" AccountChatgptAuthTokensRefresh(ChatgptAuthTokensRefreshParams) -> ChatgptAuthTokensRefreshResponse;
    "attestation/generate" AttestationGenerate(AttestationGenerateParams) -> AttestationGenerateResponse;
    "applyPatchApproval" ApplyPatchApproval(ApplyPatchApprovalParams) -> ApplyPatchApprovalResponse;
    "execCommandApproval" ExecCommandApproval(ExecCommandApprovalParams) -> ExecCommandApprovalResponse;
}

server_notifications! {
    "error" Error(ErrorNotification);
    "thread/started" ThreadStarted(ThreadStartedNotification);
    "thread/status/changed" ThreadStatusChanged(ThreadStatusChangedNotification);
    "thread/readState/changed" ThreadReadStateChanged(ThreadReadStateChangedNotification);
    "thread/archived" ThreadArchived(ThreadArchivedNotification);
    "thread/deleted" ThreadDeleted(ThreadDeletedNotification);
    "thread/unarchived" ThreadUnarchived(ThreadUnarchivedNotification);
    "thread/closed" ThreadClosed(ThreadClosedNotification);
    "thread/reverted" ThreadReverted(ThreadRevertedNotification);
    "skills/changed" SkillsChanged(SkillsChangedNotification);
    "thread/name/updated" ThreadNameUpdated(ThreadNameUpdatedNotification);
    "thread/section/changed" ThreadSectionChanged(ThreadSectionChangedNotification);
    "thread/attachment/updated" ThreadAttachmentUpdated(ThreadAttachmentUpdatedNotification);
    "thread/goal/updated" ThreadGoalUpdated(ThreadGoalUpdatedNotification);
    "thread/prediction/updated" ThreadPredictionUpdated(ThreadPredictionUpdatedNotification);
    "thread/goal/cleared" ThreadGoalCleared(ThreadGoalClearedNotification);
    "thread/queue/changed" ThreadQueueChanged(ThreadQueueChangedNotification);
    "project/changed" ProjectChanged(ProjectChangedNotification);
    "thread/project/updated" ThreadProjectUpdated(ThreadProjectUpdatedNotification);
    "thread/environment/connected" ThreadEnvironmentConnected(EnvironmentConnectionNotification);
    "thread/environment/disconnected" ThreadEnvironmentDisconnected(EnvironmentConnectionNotification);
    "thread/settings/updated" ThreadSettingsUpdated(ThreadSettingsUpdatedNotification);
    "thread/tokenUsage/updated" ThreadTokenUsageUpdated(ThreadTokenUsageUpdatedNotification);
    "turn/started" TurnStarted(TurnStartedNotification);
    "hook/started" HookStarted(HookStartedNotification);
    "turn/completed" TurnCompleted(TurnCompletedNotification);
    "hook/completed" HookCompleted(HookCompletedNotification);
    "turn/diff/updated" TurnDiffUpdated(TurnDiffUpdatedNotification);
    "turn/plan/updated" TurnPlanUpdated(TurnPlanUpdatedNotification);
    "item/started" ItemStarted(ItemStartedNotification);
    "item/autoApprovalReview/started" ItemAutoApprovalReviewStarted(ItemGuardianApprovalReviewStartedNotification);
    "item/autoApprovalReview/completed" ItemAutoApprovalReviewCompleted(ItemGuardianApprovalReviewCompletedNotification);
    "autoApprovalReview/strictReviewRequired" AutoApprovalReviewStrictReviewRequired(StrictReviewRequiredNotification);
    "item/completed" ItemCompleted(ItemCompletedNotification);
    "item/agentMessage/delta" ItemAgentMessageDelta(AgentMessageDeltaNotification);
    "item/plan/delta" ItemPlanDelta(PlanDeltaNotification);
    "command/exec/outputDelta" CommandExecOutputDelta(CommandExecOutputDeltaNotification);
    "process/outputDelta" ProcessOutputDelta(ProcessOutputDeltaNotification);
    "thread/search/partial" ThreadSearchPartial(ThreadSearchPartialNotification);
    "process/exited" ProcessExited(ProcessExitedNotification);
    "item/commandExecution/outputDelta" ItemCommandExecutionOutputDelta(CommandExecutionOutputDeltaNotification);
    "item/commandExecution/terminalInteraction" ItemCommandExecutionTerminalInteraction(TerminalInteractionNotification);
    "item/fileChange/outputDelta" ItemFileChangeOutputDelta(FileChangeOutputDeltaNotification);
    "item/fileChange/patchUpdated" ItemFileChangePatchUpdated(FileChangePatchUpdatedNotification);
    "serverRequest/resolved" ServerRequestResolved(ServerRequestResolvedNotification);
    "item/mcpToolCall/progress" ItemMcpToolCallProgress(McpToolCallProgressNotification);
    "mcpServer/oauthLogin/completed" McpServerOauthLoginCompleted(McpServerOauthLoginCompletedNotification);
    "mcpServer/startupStatus/updated" McpServerStartupStatusUpdated(McpServerStatusUpdatedNotification);
    "mcpServer/event/stream/notification" McpServerEventStreamNotification(McpServerEventStreamNotification);
    "account/updated" AccountUpdated(AccountUpdatedNotification);
    "account/gatewayOAuth/changed" AccountGatewayOAuthChanged(GatewayOAuthChangedNotification);
    "account/rateLimits/updated" AccountRateLimitsUpdated(AccountRateLimitsUpdatedNotification);
    "app/list/updated" AppListUpdated(AppListUpdatedNotification);
    "remoteControl/status/changed" RemoteControlStatusChanged(RemoteControlStatusChangedNotification);
    "externalAgentConfig/import/progress" ExternalAgentConfigImportProgress(ExternalAgentConfigImportProgressNotification);
    "externalAgentConfig/import/completed" ExternalAgentConfigImportCompleted(ExternalAgentConfigImportCompletedNotification);
    "fs/changed" FsChanged(FsChangedNotification);
    "item/reasoning/summaryTextDelta" ItemReasoningSummaryTextDelta(ReasoningSummaryTextDeltaNotification);
    "item/reasoning/summaryPartAdded" ItemReasoningSummaryPartAdded(ReasoningSummaryPartAddedNotification);
    "item/reasoning/textDelta" ItemReasoningTextDelta(ReasoningTextDeltaNotification);
    "thread/compacted" ThreadCompacted(ContextCompactedNotification);
    "model/rerouted" ModelRerouted(ModelReroutedNotification);
    "model/verification" ModelVerification(ModelVerificationNotification);
    "modelProvider/authRecoveryStarted" ModelProviderAuthRecoveryStarted(AuthRecoveryNotification);
    "modelProvider/authRecoveryCompleted" ModelProviderAuthRecoveryCompleted(AuthRecoveryNotification);
    "turn/moderationMetadata" TurnModerationMetadata(TurnModerationMetadataNotification);
    "model/safetyBuffering/updated" ModelSafetyBufferingUpdated(ModelSafetyBufferingUpdatedNotification);
    "warning" Warning(WarningNotification);
    "guardianWarning" GuardianWarning(GuardianWarningNotification);
    "deprecationNotice" DeprecationNotice(DeprecationNoticeNotification);
    "configWarning" ConfigWarning(ConfigWarningNotification);
    "fuzzyFileSearch/sessionUpdated" FuzzyFileSearchSessionUpdated(FuzzyFileSearchSessionUpdatedNotification);
    "fuzzyFileSearch/sessionCompleted" FuzzyFileSearchSessionCompleted(FuzzyFileSearchSessionCompletedNotification);
    "thread/realtime/started" ThreadRealtimeStarted(ThreadRealtimeStartedNotification);
    "thread/realtime/itemAdded" ThreadRealtimeItemAdded(ThreadRealtimeItemAddedNotification);
    "thread/realtime/item/started" ThreadRealtimeItemStarted(ThreadRealtimeItemStartedNotification);
    "thread/realtime/item/transcript/delta" ThreadRealtimeItemTranscriptDelta(ThreadRealtimeItemTranscriptDeltaNotification);
    "thread/realtime/item/completed" ThreadRealtimeItemCompleted(ThreadRealtimeItemCompletedNotification);
    "thread/realtime/transcript/delta" ThreadRealtimeTranscriptDelta(ThreadRealtimeTranscriptDeltaNotification);
    "thread/realtime/transcript/done" ThreadRealtimeTranscriptDone(ThreadRealtimeTranscriptDoneNotification);
    "thread/realtime/outputAudio/delta" ThreadRealtimeOutputAudioDelta(ThreadRealtimeOutputAudioDeltaNotification);
    "thread/realtime/sdp" ThreadRealtimeSdp(ThreadRealtimeSdpNotification);
    "thread/realtime/error" ThreadRealtimeError(ThreadRealtimeErrorNotification);
    "thread/realtime/closed" ThreadRealtimeClosed(ThreadRealtimeClosedNotification);
    "windows/worldWritableWarning" WindowsWorldWritableWarning(WindowsWorldWritableWarningNotification);
    "windowsSandbox/setupCompleted" WindowsSandboxSetupCompleted(WindowsSandboxSetupCompletedNotification);
    "account/login/completed" AccountLoginCompleted(AccountLoginCompletedNotification);
}
