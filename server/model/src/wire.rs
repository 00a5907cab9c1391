//! The wire form of a provider: path, body and the reading of its events.

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;
use crate::foreign::{chat, messages};
use crate::provider::WireApi;
use crate::responses;
use crate::secret::Secret;
use crate::sse::Scanner;

/// The path that is added to a provider's address.
pub(crate) fn path(wire: WireApi) -> &'static str {
    match wire {
        WireApi::Responses => "responses",
        WireApi::Chat => "chat/completions",
        WireApi::Messages => "messages",
    }
}

/// Headers that belong to the form.
pub(crate) fn headers(wire: WireApi) -> Option<(HeaderName, HeaderValue)> {
    let version = || HeaderValue::from_static(messages::VERSION);
    (wire == WireApi::Messages).then(|| (HeaderName::from_static("anthropic-version"), version()))
}

/// The header that carries the credential, and its value.
pub(crate) fn credential(wire: WireApi, secret: &Secret) -> (HeaderName, String) {
    match wire {
        WireApi::Responses | WireApi::Chat => {
            (AUTHORIZATION, format!("Bearer {}", secret.reveal()))
        }
        WireApi::Messages => (HeaderName::from_static("x-api-key"), secret.reveal().to_owned()),
    }
}

/// Returns the body in the provider's form, and what reads the answer to it.
pub(crate) fn encode(wire: WireApi, body: Bytes) -> Result<(Bytes, Reader), ModelError> {
    let (body, decoder) = match wire {
        WireApi::Responses => (body, Decoder::Responses(responses::decode::Decoder::default())),
        WireApi::Chat => {
            let (body, names) = chat::body::from_responses(&body)?;
            (body, Decoder::Chat(Box::new(chat::decode::Decoder::new(names))))
        }
        WireApi::Messages => {
            let (body, names) = messages::body::from_responses(&body)?;
            (body, Decoder::Messages(Box::new(messages::decode::Decoder::new(names))))
        }
    };
    Ok((body, Reader { scanner: Scanner::default(), decoder }))
}

/// Reads the body of an answer, chunk by chunk.
#[derive(Debug)]
pub(crate) struct Reader {
    scanner: Scanner,
    decoder: Decoder,
}

#[derive(Debug)]
enum Decoder {
    Responses(responses::decode::Decoder),
    Chat(Box<chat::decode::Decoder>),
    Messages(Box<messages::decode::Decoder>),
}

impl Reader {
    /// Reads a chunk and adds what it says to `events`. After an error nothing more is read.
    pub(crate) fn push(
        &mut self,
        chunk: &[u8],
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        let Self { scanner, decoder } = self;
        match decoder {
            Decoder::Responses(decoder) => scanner.push(chunk, |data| decoder.event(data, events)),
            Decoder::Chat(decoder) => scanner.push(chunk, |data| decoder.event(data, events)),
            Decoder::Messages(decoder) => scanner.push(chunk, |data| decoder.event(data, events)),
        }
    }

    /// The body ended before the response was whole.
    pub(crate) fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        match &mut self.decoder {
            Decoder::Chat(decoder) => decoder.end(events),
            Decoder::Responses(_) | Decoder::Messages(_) => {
                let why = "stream closed before response.completed";
                Err(ErrorKind::Disconnected(why.into()).into())
            }
        }
    }

    /// Whether the response is whole.
    pub(crate) fn is_completed(&self) -> bool {
        match &self.decoder {
            Decoder::Responses(decoder) => decoder.is_completed(),
            Decoder::Chat(decoder) => decoder.is_completed(),
            Decoder::Messages(decoder) => decoder.is_completed(),
        }
    }
}

#[cfg(test)]
mod tests;
