//! `account/read` and `account/rateLimits/read`.

use spindle_engine::auth;
use spindle_schema::v2::{Account, GetAccountResponse};

use super::context::Context;
use super::errors::{Refusal, of_config};
use crate::rpc::RpcError;

/// The account that the configured provider is used with.
pub(super) fn read(context: &Context) -> Result<GetAccountResponse, RpcError> {
    let loader = context.engine.config();
    let config = loader.load(None, None).map_err(|error| of_config(&error))?;
    let provider = config.provider(&config.model.provider);
    let facts = provider.map(|provider| loader.credentials().facts(&provider));
    // A provider that cannot be used is told when a thread starts; here it just has no account.
    let (account, requires_openai_auth) =
        facts.map_or((None, false), |facts| (facts.account, facts.requires_openai_auth));
    Ok(GetAccountResponse {
        account: account.map(|auth::Account::ApiKey| Account::ApiKey),
        user_id: None,
        requires_openai_auth,
        workspace_routing: None,
    })
}

/// Limits belong to accounts that nobody can log in with here.
pub(super) fn rate_limits(context: &Context) -> RpcError {
    let is_key = read(context).is_ok_and(|account| account.account.is_some());
    let kind = if is_key { "chatgpt" } else { "codex account" };
    Refusal::NoAccount { kind, purpose: "read rate limits" }.into()
}
