//! Sends requests and gives back streams of model events.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio_util::sync::CancellationToken;

use crate::error::{ErrorKind, HttpFailure, ModelError, from_http};
use crate::provider::{Auth, Provider};
use crate::request::Request;
use crate::responses::limits;
use crate::stream::Stream;
use crate::transport::{Transport, is_lost_network};
use crate::wire::Reader;
use crate::{retry, wire};

/// The most of a refusal's body that is read.
const MAX_REFUSAL_BYTES: usize = 64 << 10;
/// How long the body of a refusal may take.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(10);

/// Talks to providers. Cheap to clone; nothing is opened or built before the first request.
#[derive(Debug, Clone, Default)]
pub struct Client {
    transport: Arc<Transport>,
}

/// A request that is ready to go out, as often as need be.
struct Call {
    url: reqwest::Url,
    headers: HeaderMap,
    body: bytes::Bytes,
}

impl Client {
    /// Makes a client.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a client that also trusts the certificates of a PEM text, for example those of
    /// a company's proxy.
    ///
    /// Errors: the text holds no certificate.
    pub fn with_roots(pem: &[u8]) -> Result<Self, ModelError> {
        Ok(Self { transport: Arc::new(Transport::with_roots(pem)?) })
    }

    /// Sends `request` and returns the stream of its answer, once the provider agreed to answer.
    ///
    /// A failing provider is asked again up to `request_max_retries` times before this
    /// returns. The stream holds `cancel` and ends when it is cancelled; the connection is
    /// dropped at once then.
    ///
    /// Errors: everything but a broken stream. Cancel safety: dropping the future drops the
    /// connection.
    pub async fn stream(
        &self,
        provider: &Provider,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<Stream, ModelError> {
        let address = self.transport.address_of(provider).await?;
        let (call, reader) = prepare(address, provider, request)?;
        let response = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ErrorKind::Cancelled.into()),
            response = self.open(provider, &call) => response?,
        };
        let limits = limits::read(response.headers());
        Ok(Stream::new(response, reader, limits, provider.retry.stream_idle_timeout, cancel))
    }

    async fn open(
        &self,
        provider: &Provider,
        call: &Call,
    ) -> Result<reqwest::Response, ModelError> {
        let client = self.transport.client_for(&call.url)?;
        let mut tries = 0;
        loop {
            let error = match attempt(client, provider, call).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let settings = &provider.retry;
            if tries >= settings.request_max_retries
                || !retry::is_request_retryable(&error, settings)
            {
                return Err(error);
            }
            let delay = retry::backoff(tries, error.retry_after());
            tracing::debug!(provider = provider.id, %error, ?delay, "request is sent again");
            tokio::time::sleep(delay).await;
            tries += 1;
        }
    }
}

fn prepare(
    address: &str,
    provider: &Provider,
    request: Request,
) -> Result<(Call, Reader), ModelError> {
    let path = wire::path(provider.wire);
    let mut url = reqwest::Url::parse(&format!("{}/{path}", address.trim_end_matches('/')))
        .map_err(|error| ErrorKind::InvalidRequest(error.to_string()))?;
    if !provider.query.is_empty() {
        url.query_pairs_mut().extend_pairs(&provider.query);
    }
    let headers = headers(provider, &request)?;
    let (body, reader) = wire::encode(provider.wire, request.body)?;
    Ok((Call { url, headers, body }, reader))
}

fn headers(provider: &Provider, request: &Request) -> Result<HeaderMap, ModelError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.extend(wire::headers(provider.wire));
    match &provider.auth {
        Auth::None => {}
        Auth::Bearer(secret) => {
            let (name, value) = wire::credential(provider.wire, secret);
            let mut value = header_value(name.as_str(), &value)?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Auth::EnvKey { var, instructions } => {
            let (var, instructions) = (var.clone(), instructions.clone());
            return Err(ErrorKind::MissingKey { var, instructions }.into());
        }
    }
    for (name, value) in provider.headers.iter().chain(&request.headers) {
        let name = HeaderName::try_from(name.as_str())
            .map_err(|_| ErrorKind::InvalidRequest(format!("`{name}` is no header name")))?;
        let value = header_value(name.as_str(), value)?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// The value may be a credential, so that the error names the header only.
fn header_value(name: &str, value: &str) -> Result<HeaderValue, ModelError> {
    HeaderValue::from_str(value).map_err(|_| {
        ErrorKind::InvalidRequest(format!(
            "the value of header `{name}` has characters that no header may have"
        ))
        .into()
    })
}

async fn attempt(
    client: &reqwest::Client,
    provider: &Provider,
    call: &Call,
) -> Result<reqwest::Response, ModelError> {
    let sent =
        client.post(call.url.clone()).headers(call.headers.clone()).body(call.body.clone()).send();
    let response = within(provider.retry.stream_idle_timeout, sent)
        .await
        .ok_or(ErrorKind::Idle)?
        .map_err(|error| send_error(&error))?;
    if response.status().is_success() {
        return expect_stream(response, &call.url);
    }
    Err(refusal(response, &call.url).await)
}

async fn within<F: Future>(limit: Duration, future: F) -> Option<F::Output> {
    tokio::time::timeout(limit, future).await.ok()
}

fn send_error(error: &reqwest::Error) -> ModelError {
    tracing::debug!(?error, "request could not be sent");
    if error.is_connect() {
        return ErrorKind::Connect { network: is_lost_network(error) }.into();
    }
    ErrorKind::Disconnected("Transport error: network error: error sending request".into()).into()
}

/// A page or a document instead of a stream: most often the address lacks its `/v1`.
fn expect_stream(
    response: reqwest::Response,
    url: &reqwest::Url,
) -> Result<reqwest::Response, ModelError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    match kind.and_then(|kind| kind.split(';').next()).map(str::trim) {
        Some(kind @ ("text/html" | "application/json")) => {
            Err(ErrorKind::NoStream { content_type: kind.into(), url: shown(url) }.into())
        }
        _ => Ok(response),
    }
}

async fn refusal(response: reqwest::Response, url: &reqwest::Url) -> ModelError {
    let status = response.status().as_u16();
    let headers = response.headers();
    let retry_after = retry_after(headers);
    let limits = limits::read(headers);
    let request_id = headers.get("x-request-id").and_then(|id| id.to_str().ok()).map(Into::into);
    let body = refusal_body(response).await;
    let body = &String::from_utf8_lossy(&body);
    from_http(HttpFailure { status, body, url: shown(url), retry_after, request_id, limits })
}

/// What came of the body in time; a refusal counts even if its text does not arrive.
async fn refusal_body(mut response: reqwest::Response) -> Vec<u8> {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = MAX_REFUSAL_BYTES - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if body.len() == MAX_REFUSAL_BYTES {
                break;
            }
        }
    };
    let _ = within(REFUSAL_TIMEOUT, read).await;
    body
}

/// Milliseconds or seconds; a date is not understood and counts as no wish.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds =
        number("retry-after-ms").map(|ms| ms / 1_000.0).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// An address without what may be private in it.
fn shown(url: &reqwest::Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    let _ = url.set_password(None);
    url.into()
}

#[cfg(test)]
mod tests;
