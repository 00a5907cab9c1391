//! The answer of a provider as it comes in.

use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use spindle_schema::event::RateLimits;
use tokio_util::sync::CancellationToken;

use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;
use crate::wire::Reader;

/// The most bytes that are gathered into one batch when the provider is faster than we are.
const MAX_BATCH_BYTES: usize = 256 << 10;
/// How long the rest of a whole response is waited for, so that its connection can be used again.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// One answer. Dropping it drops the connection.
#[derive(Debug)]
pub struct Stream {
    /// `None` when nothing more is read.
    response: Option<reqwest::Response>,
    reader: Reader,
    /// What was read and not handed out.
    events: Vec<ModelEvent>,
    /// Why the stream ended; told after `events`.
    failure: Option<ModelError>,
    idle: Duration,
    cancel: CancellationToken,
}

impl Stream {
    pub(crate) fn new(
        response: reqwest::Response,
        reader: Reader,
        limits: RateLimits,
        idle: Duration,
        cancel: CancellationToken,
    ) -> Self {
        Self {
            response: Some(response),
            reader,
            events: vec![ModelEvent::RateLimits(Box::new(limits))],
            failure: None,
            idle,
            cancel,
        }
    }

    /// Waits for what comes next and returns all of it: one batch for all chunks that are
    /// there, never one wake-up per delta. Batches are not empty.
    ///
    /// Order: events as the provider sent them; after [`ModelEvent::Completed`] or an error
    /// comes `None`. Cancel safety: nothing is lost when the future is dropped.
    pub async fn next_batch(&mut self) -> Option<Result<Vec<ModelEvent>, ModelError>> {
        while self.events.is_empty() && self.failure.is_none() {
            self.response.as_ref()?;
            let chunk = tokio::select! {
                biased;
                () = self.cancel.cancelled() => Err(ErrorKind::Cancelled.into()),
                chunk = tokio::time::timeout(self.idle, next_chunk(&mut self.response)) => {
                    chunk.unwrap_or_else(|_| Err(ErrorKind::Idle.into()))
                }
            };
            self.take(chunk);
            self.take_what_is_there().await;
        }
        if !self.events.is_empty() {
            return Some(Ok(std::mem::take(&mut self.events)));
        }
        self.failure.take().map(Err)
    }

    /// A server that sends each event in a chunk of its own would cost one batch per event:
    /// the connection's task hands over one chunk at a time, so it is let run between two.
    async fn take_what_is_there(&mut self) {
        let mut bytes = 0;
        while self.response.is_some() && bytes < MAX_BATCH_BYTES {
            tokio::task::yield_now().await;
            let Some(chunk) = next_chunk(&mut self.response).now_or_never() else { return };
            bytes += chunk.as_ref().map_or(0, |chunk| chunk.as_ref().map_or(0, Bytes::len));
            self.take(chunk);
        }
    }

    fn take(&mut self, chunk: Result<Option<Bytes>, ModelError>) {
        let read = match chunk {
            Ok(Some(chunk)) => self.reader.push(&chunk, &mut self.events),
            Ok(None) => self.reader.end(&mut self.events),
            Err(error) => Err(error),
        };
        if self.reader.is_completed() {
            if let Some(response) = self.response.take() {
                drain(response);
            }
        } else if let Err(error) = read {
            self.response = None;
            self.failure = Some(error);
        }
    }
}

async fn next_chunk(response: &mut Option<reqwest::Response>) -> Result<Option<Bytes>, ModelError> {
    let Some(response) = response else { return Ok(None) };
    response.chunk().await.map_err(|error| {
        tracing::debug!(?error, "stream broke");
        let why = format!("Transport error: network error: {}", error.without_url());
        ErrorKind::Disconnected(why).into()
    })
}

/// Reads the end of the body in the background: a connection whose body was not read to its
/// end is closed, and the next request would have to open another one.
fn drain(mut response: reqwest::Response) {
    let mut rest = Box::pin(async move { while let Ok(Some(_)) = response.chunk().await {} });
    if rest.as_mut().now_or_never().is_none() {
        tokio::spawn(tokio::time::timeout(DRAIN_TIMEOUT, rest));
    }
}
