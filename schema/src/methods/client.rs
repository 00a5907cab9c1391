//! What clients ask and tell.

use serde_json::value::RawValue;

use super::{Key, MethodInfo, ParseError, Request, Scope, read, read_or_default};
#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the table names most of them")
)]
use crate::v2::*;

client_requests! {
    // Greeting and diagnostics
    "initialize" Initialize(InitializeParams) -> InitializeResponse, stable, connection;
    "server/diagnostics" ServerDiagnostics(ServerDiagnosticsParams) -> ServerDiagnosticsResponse, experimental, none;
    "mock/experimentalMethod" MockExperimentalMethod(MockExperimentalMethodParams) -> MockExperimentalMethodResponse, experimental, none;
    // Threads
    "thread/start" ThreadStart(ThreadStartParams) -> ThreadStartResponse, stable, none;
    "thread/resume" ThreadResume(ThreadResumeParams) -> ThreadResumeResponse, stable, thread(thread_id);
    "thread/fork" ThreadFork(ThreadForkParams) -> ThreadForkResponse, stable, thread(thread_id);
    "thread/sample" ThreadSample(ThreadSampleParams) -> ThreadSampleResponse, experimental, none(thread_id);
    "thread/sample/cancel" ThreadSampleCancel(ThreadSampleCancelParams) -> ThreadSampleCancelResponse, experimental, none;
    "thread/archive" ThreadArchive(ThreadArchiveParams) -> ThreadArchiveResponse, stable, thread(thread_id);
    "thread/delete" ThreadDelete(ThreadDeleteParams) -> ThreadDeleteResponse, stable, thread(thread_id);
    "thread/unsubscribe" ThreadUnsubscribe(ThreadUnsubscribeParams) -> ThreadUnsubscribeResponse, stable, thread(thread_id);
    "thread/increment_elicitation" ThreadIncrementElicitation(ThreadIncrementElicitationParams) -> ThreadIncrementElicitationResponse, experimental, thread(thread_id);
    "thread/decrement_elicitation" ThreadDecrementElicitation(ThreadDecrementElicitationParams) -> ThreadDecrementElicitationResponse, experimental, thread(thread_id);
    "thread/name/set" ThreadNameSet(ThreadSetNameParams) -> ThreadSetNameResponse, stable, thread(thread_id);
    "thread/prediction/request" ThreadPredictionRequest(ThreadPredictionRequestParams) -> ThreadPredictionRequestResponse, experimental, none(thread_id);
    "thread/metadata/update" ThreadMetadataUpdate(ThreadMetadataUpdateParams) -> ThreadMetadataUpdateResponse, stable, thread(thread_id);
    "thread/settings/update" ThreadSettingsUpdate(ThreadSettingsUpdateParams) -> ThreadSettingsUpdateResponse, experimental, thread(thread_id);
    "thread/memoryMode/set" ThreadMemoryModeSet(ThreadMemoryModeSetParams) -> ThreadMemoryModeSetResponse, experimental, thread(thread_id);
    "thread/memory/read" ThreadMemoryRead(ThreadMemoryReadParams) -> ThreadMemoryReadResponse, experimental, none(thread_id);
    "thread/unarchive" ThreadUnarchive(ThreadUnarchiveParams) -> ThreadUnarchiveResponse, stable, thread(thread_id);
    "thread/compact/start" ThreadCompactStart(ThreadCompactStartParams) -> ThreadCompactStartResponse, stable, thread(thread_id);
    "thread/shellCommand" ThreadShellCommand(ThreadShellCommandParams) -> ThreadShellCommandResponse, stable, thread(thread_id);
    "thread/approveGuardianDeniedAction" ThreadApproveGuardianDeniedAction(ThreadApproveGuardianDeniedActionParams) -> ThreadApproveGuardianDeniedActionResponse, stable, thread(thread_id);
    "thread/backgroundTerminals/clean" ThreadBackgroundTerminalsClean(ThreadBackgroundTerminalsCleanParams) -> ThreadBackgroundTerminalsCleanResponse, experimental, thread(thread_id);
    "thread/backgroundTerminals/list" ThreadBackgroundTerminalsList(ThreadBackgroundTerminalsListParams) -> ThreadBackgroundTerminalsListResponse, experimental, none(thread_id);
    "thread/backgroundTerminals/terminate" ThreadBackgroundTerminalsTerminate(ThreadBackgroundTerminalsTerminateParams) -> ThreadBackgroundTerminalsTerminateResponse, experimental, thread(thread_id);
    "thread/revert" ThreadRevert(ThreadRevertParams) -> ThreadRevertResponse, stable, thread(thread_id);
    "thread/list" ThreadList(ThreadListParams) -> ThreadListResponse, stable, none;
    "thread/loaded/list" ThreadLoadedList(ThreadLoadedListParams) -> ThreadLoadedListResponse, stable, none;
    "thread/read" ThreadRead(ThreadReadParams) -> ThreadReadResponse, stable, none(thread_id);
    "thread/readState/update" ThreadReadStateUpdate(ThreadReadStateUpdateParams) -> ThreadReadStateUpdateResponse, experimental, thread(thread_id);
    "thread/turns/list" ThreadTurnsList(ThreadTurnsListParams) -> ThreadTurnsListResponse, stable, none(thread_id);
    "thread/items/list" ThreadItemsList(ThreadItemsListParams) -> ThreadItemsListResponse, stable, none(thread_id);
    "thread/items/read" ThreadItemsRead(ThreadItemsReadParams) -> ThreadItemsReadResponse, experimental, none(thread_id);
    "thread/guardianReview" ThreadGuardianReview(ThreadGuardianReviewParams) -> ThreadGuardianReviewResponse, experimental, none(thread_id);
    "thread/inject_items" ThreadInjectItems(ThreadInjectItemsParams) -> ThreadInjectItemsResponse, stable, thread(thread_id);
    "thread/prepareApprovedPlan" ThreadPrepareApprovedPlan(ThreadPrepareApprovedPlanParams) -> ThreadPrepareApprovedPlanResponse, experimental, thread(thread_id);
    "thread/timeline/list" ThreadTimelineList(ThreadTimelineListParams) -> ThreadTimelineListResponse, experimental, none(thread_id);
    // Goals, queues, sections, attachments
    "thread/goal/set" ThreadGoalSet(ThreadGoalSetParams) -> ThreadGoalSetResponse, stable, thread(thread_id);
    "thread/goal/get" ThreadGoalGet(ThreadGoalGetParams) -> ThreadGoalGetResponse, stable, none(thread_id);
    "thread/goal/clear" ThreadGoalClear(ThreadGoalClearParams) -> ThreadGoalClearResponse, stable, thread(thread_id);
    "thread/queue/add" ThreadQueueAdd(ThreadQueueAddParams) -> ThreadQueueAddResponse, experimental, thread(thread_id);
    "thread/queue/list" ThreadQueueList(ThreadQueueListParams) -> ThreadQueueListResponse, experimental, none(thread_id);
    "thread/queue/update" ThreadQueueUpdate(ThreadQueueUpdateParams) -> ThreadQueueUpdateResponse, experimental, thread(thread_id);
    "thread/queue/delete" ThreadQueueDelete(ThreadQueueDeleteParams) -> ThreadQueueDeleteResponse, experimental, thread(thread_id);
    "thread/queue/reorder" ThreadQueueReorder(ThreadQueueReorderParams) -> ThreadQueueReorderResponse, experimental, thread(thread_id);
    "thread/queue/start" ThreadQueueStart(ThreadQueueStartParams) -> ThreadQueueStartResponse, experimental, thread(thread_id);
    "thread/attachment/add" ThreadAttachmentAdd(ThreadAttachmentAddParams) -> ThreadAttachmentAddResponse, stable, thread(thread_id);
    "thread/attachment/list" ThreadAttachmentList(ThreadAttachmentListParams) -> ThreadAttachmentListResponse, stable, none(thread_id);
    "thread/attachmentOwner/list" ThreadAttachmentOwnerList(ThreadAttachmentOwnerListParams) -> ThreadAttachmentOwnerListResponse, stable, none;
    "thread/attachment/remove" ThreadAttachmentRemove(ThreadAttachmentRemoveParams) -> ThreadAttachmentRemoveResponse, stable, thread(thread_id);
    "thread/section/move" ThreadSectionMove(ThreadSectionMoveParams) -> ThreadSectionMoveResponse, stable, thread(thread_id);
    "threadSection/list" ThreadSectionList(ThreadSectionListParams) -> ThreadSectionListResponse, stable, none;
    "threadSection/create" ThreadSectionCreate(ThreadSectionCreateParams) -> ThreadSectionCreateResponse, stable, global;
    "threadSection/update" ThreadSectionUpdate(ThreadSectionUpdateParams) -> ThreadSectionUpdateResponse, stable, global;
    "threadSection/delete" ThreadSectionDelete(ThreadSectionDeleteParams) -> ThreadSectionDeleteResponse, stable, global;
    // Search
    "thread/search" ThreadSearch(ThreadSearchParams) -> ThreadSearchResponse, experimental, none;
    "thread/search/stream" ThreadSearchStream(ThreadSearchParams as ThreadSearchStream) -> ThreadSearchResponse, experimental, none;
    "thread/search/cancel" ThreadSearchCancel(ThreadSearchCancelParams) -> ThreadSearchCancelResponse, experimental, none;
    "thread/search/stream/cancel" ThreadSearchStreamCancel(ThreadSearchCancelParams as ThreadSearchStreamCancel) -> ThreadSearchCancelResponse, experimental, none;
    "thread/searchOccurrences" ThreadSearchOccurrences(ThreadSearchOccurrencesParams) -> ThreadSearchOccurrencesResponse, experimental, none(thread_id);
    // Projects and memory
    "memory/status" MemoryStatus(MemoryStatusParams) -> MemoryStatusResponse, experimental, none;
    "memory/reset" MemoryReset -> MemoryResetResponse, experimental, global;
    "rollout/compress" RolloutCompress -> RolloutCompressResponse, experimental, global;
    "project/list" ProjectList(ProjectListParams) -> ProjectListResponse, experimental, none;
    "project/read" ProjectRead(ProjectReadParams) -> ProjectReadResponse, experimental, none;
    "project/create" ProjectCreate(ProjectCreateParams) -> ProjectCreateResponse, experimental, global;
    "project/import" ProjectImport(ProjectImportParams) -> ProjectImportResponse, experimental, global;
    "project/update" ProjectUpdate(ProjectUpdateParams) -> ProjectUpdateResponse, experimental, global;
    "project/move" ProjectMove(ProjectMoveParams) -> ProjectMoveResponse, experimental, global;
    "project/delete" ProjectDelete(ProjectDeleteParams) -> ProjectDeleteResponse, experimental, global;
    // Turns and review
    "turn/start" TurnStart(TurnStartParams) -> TurnStartResponse, stable, thread(thread_id);
    "turn/settings/update" TurnSettingsUpdate(TurnSettingsUpdateParams) -> TurnSettingsUpdateResponse, experimental, thread(thread_id);
    "turn/steer" TurnSteer(TurnSteerParams) -> TurnSteerResponse, stable, thread(thread_id);
    "turn/interrupt" TurnInterrupt(TurnInterruptParams) -> TurnInterruptResponse, stable, thread(thread_id);
    "review/start" ReviewStart(ReviewStartParams) -> ReviewStartResponse, stable, thread(thread_id);
    // Realtime
    "thread/realtime/start" ThreadRealtimeStart(ThreadRealtimeStartParams) -> ThreadRealtimeStartResponse, experimental, thread(thread_id);
    "thread/realtime/appendAudio" ThreadRealtimeAppendAudio(ThreadRealtimeAppendAudioParams) -> ThreadRealtimeAppendAudioResponse, experimental, thread(thread_id);
    "thread/realtime/appendText" ThreadRealtimeAppendText(ThreadRealtimeAppendTextParams) -> ThreadRealtimeAppendTextResponse, experimental, thread(thread_id);
    "thread/realtime/appendSpeech" ThreadRealtimeAppendSpeech(ThreadRealtimeAppendSpeechParams) -> ThreadRealtimeAppendSpeechResponse, experimental, thread(thread_id);
    "thread/realtime/stop" ThreadRealtimeStop(ThreadRealtimeStopParams) -> ThreadRealtimeStopResponse, experimental, thread(thread_id);
    "thread/realtime/list" ThreadRealtimeList(ThreadRealtimeListParams) -> ThreadRealtimeListResponse, experimental, none(thread_id);
    "thread/realtime/listVoices" ThreadRealtimeListVoices(ThreadRealtimeListVoicesParams) -> ThreadRealtimeListVoicesResponse, experimental, none;
    // Skills, hooks, plugins, apps
    "skills/list" SkillsList(SkillsListParams) -> SkillsListResponse, stable, none;
    "skills/extraRoots/set" SkillsExtraRootsSet(SkillsExtraRootsSetParams) -> SkillsExtraRootsSetResponse, stable, global;
    "hooks/list" HooksList(HooksListParams) -> HooksListResponse, stable, none(thread_id);
    "marketplace/add" MarketplaceAdd(MarketplaceAddParams) -> MarketplaceAddResponse, stable, global;
    "marketplace/remove" MarketplaceRemove(MarketplaceRemoveParams) -> MarketplaceRemoveResponse, stable, global;
    "marketplace/upgrade" MarketplaceUpgrade(MarketplaceUpgradeParams) -> MarketplaceUpgradeResponse, stable, global;
    "plugin/list" PluginList(PluginListParams) -> PluginListResponse, stable, none;
    "plugin/search" PluginSearch(PluginSearchParams) -> PluginSearchResponse, experimental, none;
    "plugin/installed" PluginInstalled(PluginInstalledParams) -> PluginInstalledResponse, stable, global;
    "plugin/reconcile" PluginReconcile(PluginReconcileParams) -> PluginReconcileResponse, stable, global;
    "plugin/read" PluginRead(PluginReadParams) -> PluginReadResponse, stable, none;
    "plugin/skill/read" PluginSkillRead(PluginSkillReadParams) -> PluginSkillReadResponse, stable, none;
    "plugin/share/save" PluginShareSave(PluginShareSaveParams) -> PluginShareSaveResponse, stable, none;
    "plugin/share/updateTargets" PluginShareUpdateTargets(PluginShareUpdateTargetsParams) -> PluginShareUpdateTargetsResponse, stable, none;
    "plugin/share/list" PluginShareList(PluginShareListParams) -> PluginShareListResponse, stable, none;
    "plugin/share/checkout" PluginShareCheckout(PluginShareCheckoutParams) -> PluginShareCheckoutResponse, stable, none;
    "plugin/share/delete" PluginShareDelete(PluginShareDeleteParams) -> PluginShareDeleteResponse, stable, none;
    "app/read" AppRead(AppsReadParams) -> AppsReadResponse, stable, none(thread_id);
    "app/list" AppList(AppsListParams) -> AppsListResponse, stable, none(thread_id);
    "app/installed" AppInstalled(AppsInstalledParams) -> AppsInstalledResponse, stable, none(thread_id);
    "skills/config/write" SkillsConfigWrite(SkillsConfigWriteParams) -> SkillsConfigWriteResponse, stable, global;
    "plugin/install" PluginInstall(PluginInstallParams) -> PluginInstallResponse, stable, global;
    "plugin/uninstall" PluginUninstall(PluginUninstallParams) -> PluginUninstallResponse, stable, global;
    // Files
    "fs/readFile" FsReadFile(FsReadFileParams) -> FsReadFileResponse, stable, none;
    "fs/writeFile" FsWriteFile(FsWriteFileParams) -> FsWriteFileResponse, stable, none;
    "fs/createDirectory" FsCreateDirectory(FsCreateDirectoryParams) -> FsCreateDirectoryResponse, stable, none;
    "fs/getMetadata" FsGetMetadata(FsGetMetadataParams) -> FsGetMetadataResponse, stable, none;
    "fs/readDirectory" FsReadDirectory(FsReadDirectoryParams) -> FsReadDirectoryResponse, stable, none;
    "fs/remove" FsRemove(FsRemoveParams) -> FsRemoveResponse, stable, none;
    "fs/copy" FsCopy(FsCopyParams) -> FsCopyResponse, stable, none;
    "fs/watch" FsWatch(FsWatchParams) -> FsWatchResponse, stable, handle(watch_id);
    "fs/unwatch" FsUnwatch(FsUnwatchParams) -> FsUnwatchResponse, stable, handle(watch_id);
    "fuzzyFileSearch" FuzzyFileSearch(FuzzyFileSearchParams) -> FuzzyFileSearchResponse, stable, none;
    "fuzzyFileSearch/sessionStart" FuzzyFileSearchSessionStart(FuzzyFileSearchSessionStartParams) -> FuzzyFileSearchSessionStartResponse, experimental, handle(session_id);
    "fuzzyFileSearch/sessionUpdate" FuzzyFileSearchSessionUpdate(FuzzyFileSearchSessionUpdateParams) -> FuzzyFileSearchSessionUpdateResponse, experimental, handle(session_id);
    "fuzzyFileSearch/sessionStop" FuzzyFileSearchSessionStop(FuzzyFileSearchSessionStopParams) -> FuzzyFileSearchSessionStopResponse, experimental, handle(session_id);
    // Commands and processes
    "command/exec" CommandExec(CommandExecParams) -> CommandExecResponse, stable, handle(process_id);
    "command/exec/write" CommandExecWrite(CommandExecWriteParams) -> CommandExecWriteResponse, stable, handle(process_id);
    "command/exec/terminate" CommandExecTerminate(CommandExecTerminateParams) -> CommandExecTerminateResponse, stable, handle(process_id);
    "command/exec/resize" CommandExecResize(CommandExecResizeParams) -> CommandExecResizeResponse, stable, handle(process_id);
    "process/spawn" ProcessSpawn(ProcessSpawnParams) -> ProcessSpawnResponse, experimental, handle(process_handle);
    "process/writeStdin" ProcessWriteStdin(ProcessWriteStdinParams) -> ProcessWriteStdinResponse, experimental, handle(process_handle);
    "process/kill" ProcessKill(ProcessKillParams) -> ProcessKillResponse, experimental, handle(process_handle);
    "process/resizePty" ProcessResizePty(ProcessResizePtyParams) -> ProcessResizePtyResponse, experimental, handle(process_handle);
    // Models and providers
    "model/list" ModelList(ModelListParams) -> ModelListResponse, stable, none;
    "modelProvider/list" ModelProviderList(ModelProviderListParams) -> ModelProviderListResponse, stable, none;
    "modelProvider/config/write" ModelProviderConfigWrite(ModelProviderConfigWriteParams) -> ModelProviderConfigWriteResponse, stable, global;
    "modelProvider/default/set" ModelProviderDefaultSet(ModelProviderDefaultSetParams) -> ConfigWriteResponse, stable, global;
    "modelProvider/capabilities/read" ModelProviderCapabilitiesRead(ModelProviderCapabilitiesReadParams) -> ModelProviderCapabilitiesReadResponse, stable, none;
    "experimentalFeature/list" ExperimentalFeatureList(ExperimentalFeatureListParams) -> ExperimentalFeatureListResponse, stable, none(thread_id);
    "permissionProfile/list" PermissionProfileList(PermissionProfileListParams) -> PermissionProfileListResponse, stable, none;
    "experimentalFeature/enablement/set" ExperimentalFeatureEnablementSet(ExperimentalFeatureEnablementSetParams) -> ExperimentalFeatureEnablementSetResponse, stable, global;
    "collaborationMode/list" CollaborationModeList(CollaborationModeListParams) -> CollaborationModeListResponse, experimental, none;
    // Accounts
    "userVerification/status" UserVerificationStatus(UserVerificationStatusParams) -> UserVerificationStatusResponse, experimental, none;
    "userVerification/enroll" UserVerificationEnroll(UserVerificationEnrollParams) -> UserVerificationEnrollResponse, experimental, none;
    "userVerification/delete" UserVerificationDelete(UserVerificationDeleteParams) -> UserVerificationDeleteResponse, experimental, none;
    "userVerification/verify" UserVerificationVerify(UserVerificationVerifyParams) -> UserVerificationVerifyResponse, experimental, none;
    "userVerification/cancel" UserVerificationCancel(UserVerificationCancelParams) -> UserVerificationCancelResponse, experimental, none;
    "account/gatewayOAuth/read" AccountGatewayOAuthRead(GatewayOAuthReadParams = default) -> GatewayOAuthReadResponse, stable, none;
    "account/gatewayOAuth/login" AccountGatewayOAuthLogin(GatewayOAuthLoginParams = default) -> GatewayOAuthLoginResponse, stable, global;
    "account/gatewayOAuth/cancel" AccountGatewayOAuthCancel -> GatewayOAuthCancelResponse, stable, global;
    "account/login/start" AccountLoginStart(LoginAccountParams) -> LoginAccountResponse, stable, global;
    "account/bedrock/discover" AccountBedrockDiscover(BedrockDiscoverParams) -> BedrockDiscoverResponse, experimental, global;
    "account/bedrock/setup" AccountBedrockSetup(BedrockSetupParams) -> BedrockSetupResponse, experimental, global;
    "account/gcp/setup" AccountGcpSetup(GcpSetupParams) -> GcpSetupResponse, experimental, global;
    "account/bedrock/checkGovCloudRequirements" AccountBedrockCheckGovCloudRequirements(BedrockCheckGovCloudRequirementsParams) -> BedrockCheckGovCloudRequirementsResponse, experimental, global;
    "account/login/cancel" AccountLoginCancel(CancelLoginAccountParams) -> CancelLoginAccountResponse, stable, global;
    "accountSession/list" AccountSessionList(AccountSessionsListParams) -> AccountSessionsResponse, experimental, none;
    "accountSession/switch" AccountSessionSwitch(AccountSessionsSwitchParams) -> AccountSessionsSwitchResponse, experimental, global;
    "account/logout" AccountLogout -> LogoutAccountResponse, stable, global;
    "account/securitySetup/read" AccountSecuritySetupRead -> GetAccountSecuritySetupResponse, stable, none;
    "account/rateLimits/read" AccountRateLimitsRead(GetAccountRateLimitsParams = default) -> GetAccountRateLimitsResponse, stable, none;
    "account/rateLimitResetCredit/consume" AccountRateLimitResetCreditConsume(ConsumeAccountRateLimitResetCreditParams) -> ConsumeAccountRateLimitResetCreditResponse, stable, none;
    "account/usage/read" AccountUsageRead(GetAccountTokenUsageParams = default) -> GetAccountTokenUsageResponse, stable, none(thread_id);
    "account/workspaceMessages/read" AccountWorkspaceMessagesRead -> GetWorkspaceMessagesResponse, stable, none;
    "account/sendAddCreditsNudgeEmail" AccountSendAddCreditsNudgeEmail(SendAddCreditsNudgeEmailParams) -> SendAddCreditsNudgeEmailResponse, stable, none;
    "account/read" AccountRead(GetAccountParams) -> GetAccountResponse, stable, none;
    // Configuration
    "config/mcpServer/reload" ConfigMcpServerReload -> McpServerRefreshResponse, stable, global;
    "config/read" ConfigRead(ConfigReadParams) -> ConfigReadResponse, stable, none;
    "externalAgentConfig/detect" ExternalAgentConfigDetect(ExternalAgentConfigDetectParams) -> ExternalAgentConfigDetectResponse, stable, none;
    "externalAgentConfig/import" ExternalAgentConfigImport(ExternalAgentConfigImportParams) -> ExternalAgentConfigImportResponse, stable, global;
    "externalAgentConfig/import/recordHistory" ExternalAgentConfigImportRecordHistory(ExternalAgentConfigImportHistoryRecordParams) -> ExternalAgentConfigImportHistoryRecordResponse, stable, global;
    "externalAgentConfig/import/readHistories" ExternalAgentConfigImportReadHistories -> ExternalAgentConfigImportHistoriesReadResponse, stable, none;
    "config/value/write" ConfigValueWrite(ConfigValueWriteParams) -> ConfigWriteResponse, stable, global;
    "config/batchWrite" ConfigBatchWrite(ConfigBatchWriteParams) -> ConfigWriteResponse, stable, global;
    "configRequirements/read" ConfigRequirementsRead -> ConfigRequirementsReadResponse, stable, none;
    // Tool servers and environments
    "environment/add" EnvironmentAdd(EnvironmentAddParams) -> EnvironmentAddResponse, experimental, global;
    "environment/info" EnvironmentInfo(EnvironmentInfoParams) -> EnvironmentInfoResponse, experimental, none;
    "environment/status" EnvironmentStatus(EnvironmentStatusParams) -> EnvironmentStatusResponse, experimental, none;
    "mcpServer/oauth/login" McpServerOauthLogin(McpServerOauthLoginParams) -> McpServerOauthLoginResponse, stable, none(thread_id);
    "mcpServerStatus/list" McpServerStatusList(ListMcpServerStatusParams) -> ListMcpServerStatusResponse, stable, none(thread_id);
    "mcpServer/resource/read" McpServerResourceRead(McpResourceReadParams) -> McpResourceReadResponse, stable, none(thread_id);
    "mcpServer/event/stream/start" McpServerEventStreamStart(McpServerEventStreamStartParams) -> McpServerEventStreamStartResponse, experimental, handle(subscription_id);
    "mcpServer/event/stream/stop" McpServerEventStreamStop(McpServerEventStreamStopParams) -> McpServerEventStreamStopResponse, experimental, handle(subscription_id);
    "mcpServer/tool/call" McpServerToolCall(McpServerToolCallParams) -> McpServerToolCallResponse, stable, none(thread_id);
    // Remote control, Windows, feedback
    "remoteControl/enable" RemoteControlEnable(RemoteControlEnableParams = default) -> RemoteControlEnableResponse, experimental, global;
    "remoteControl/disable" RemoteControlDisable(RemoteControlDisableParams = default) -> RemoteControlDisableResponse, experimental, global;
    "remoteControl/status/read" RemoteControlStatusRead -> RemoteControlStatusReadResponse, experimental, none;
    "remoteControl/pairing/start" RemoteControlPairingStart(RemoteControlPairingStartParams) -> RemoteControlPairingStartResponse, experimental, global;
    "remoteControl/pairing/status" RemoteControlPairingStatus(RemoteControlPairingStatusParams) -> RemoteControlPairingStatusResponse, experimental, none;
    "remoteControl/client/list" RemoteControlClientList(RemoteControlClientsListParams) -> RemoteControlClientsListResponse, experimental, none;
    "remoteControl/client/revoke" RemoteControlClientRevoke(RemoteControlClientsRevokeParams) -> RemoteControlClientsRevokeResponse, experimental, global;
    "windowsSandbox/setupStart" WindowsSandboxSetupStart(WindowsSandboxSetupStartParams) -> WindowsSandboxSetupStartResponse, stable, global;
    "windowsSandbox/readiness" WindowsSandboxReadiness -> WindowsSandboxReadinessResponse, stable, none;
    "feedback/upload" FeedbackUpload(FeedbackUploadParams) -> FeedbackUploadResponse, stable, none(thread_id);
    "feedback/save" FeedbackSave(FeedbackSaveParams) -> FeedbackSaveResponse, stable, none(thread_id);
    // Our own
    "spindle/clients" SpindleClients(SpindleClientsParams = default) -> SpindleClientsResponse, stable, none;
    "spindle/undo/preview" SpindleUndoPreview(SpindleUndoPreviewParams) -> SpindleUndoResponse, stable, none(thread_id);
    "spindle/undo/apply" SpindleUndoApply(SpindleUndoApplyParams) -> SpindleUndoResponse, stable, thread(thread_id);
    // The older API
    "getConversationSummary" GetConversationSummary(GetConversationSummaryParams) -> GetConversationSummaryResponse, stable, none;
    "gitDiffToRemote" GitDiffToRemote(GitDiffToRemoteParams) -> GitDiffToRemoteResponse, stable, none;
    "getAuthStatus" GetAuthStatus(GetAuthStatusParams) -> GetAuthStatusResponse, stable, none;
}

/// What a client tells the server without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientNotification {
    /// The client has read the answer to `initialize`.
    Initialized,
}

/// All notifications a client can send.
pub const CLIENT_NOTIFICATIONS: &[MethodInfo] = &[MethodInfo {
    name: "initialized",
    params: None,
    params_optional: false,
    result: None,
    is_experimental: false,
}];

impl ClientNotification {
    /// Reads a notification from its method; params are ignored.
    pub fn parse(method: &str) -> Result<Self, ParseError> {
        match method {
            "initialized" => Ok(Self::Initialized),
            unknown => Err(ParseError::UnknownMethod(unknown.to_owned())),
        }
    }

    /// The method's name on the wire.
    pub fn method(self) -> &'static str {
        match self {
            Self::Initialized => "initialized",
        }
    }
}
