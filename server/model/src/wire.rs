//! The wire form of a provider: path, body and the reading of its events.

use crate::error::ModelError;
use crate::event::ModelEvent;
use crate::provider::WireApi;
use crate::responses;
use crate::sse::Scanner;

/// The path that is added to a provider's address.
pub(crate) fn path(wire: WireApi) -> &'static str {
    match wire {
        WireApi::Responses => "responses",
        WireApi::Chat => "chat/completions",
    }
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
}

impl Reader {
    pub(crate) fn new(wire: WireApi) -> Self {
        let decoder = match wire {
            WireApi::Responses | WireApi::Chat => {
                Decoder::Responses(responses::decode::Decoder::default())
            }
        };
        Self { scanner: Scanner::default(), decoder }
    }

    /// Reads a chunk and adds what it says to `events`. After an error nothing more is read.
    pub(crate) fn push(
        &mut self,
        chunk: &[u8],
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        match &mut self.decoder {
            Decoder::Responses(decoder) => {
                self.scanner.push(chunk, |data| decoder.event(data, events))
            }
        }
    }

    /// Whether the response is whole.
    pub(crate) fn is_completed(&self) -> bool {
        match &self.decoder {
            Decoder::Responses(decoder) => decoder.is_completed(),
        }
    }
}
