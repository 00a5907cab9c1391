//! The body of a request, joined from pieces that are encoded already (SPEC M2).
//!
//! History lives as encoded items, so that a body costs one copy of its bytes, whatever the
//! length of the thread.

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;

/// How hard the model thinks and what it shows of it. Absent members are not sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Reasoning {
    /// What of earlier reasoning the model sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Box<str>>,
    /// `low`, `medium`, `high` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Box<str>>,
    /// `auto`, `concise`, `detailed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Box<str>>,
}

/// How the answer's text is to be. Absent members are not sent.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Text {
    /// A JSON Schema that the answer must follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// `low`, `medium`, `high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Box<str>>,
}

/// A JSON Schema that the answer must follow.
///
/// Shape: `{"name":"codex_output_schema","schema":{…},"strict":true,"type":"json_schema"}`.
#[derive(Debug, Clone, Serialize)]
pub struct Format {
    name: &'static str,
    schema: Box<RawValue>,
    strict: bool,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl Format {
    /// A strict schema, or one that only guides.
    pub fn json_schema(schema: Box<RawValue>, strict: bool) -> Self {
        Self { name: "codex_output_schema", schema, strict, kind: "json_schema" }
    }
}

/// All members of a request. `None` and empty lists that may be absent are not sent.
///
/// Shape: the Responses API's, members in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct RequestBody<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The items, each one encoded. Whoever encodes them leaves internal metadata out.
    pub input: &'a [Bytes],
    /// The tools, each one encoded; `None` where they travel another way.
    pub tools: Option<&'a [Bytes]>,
    /// Whether the model may call several tools at once.
    pub parallel_tool_calls: bool,
    /// `None` for a model that does not reason.
    pub reasoning: Option<Reasoning>,
    /// Whether the provider keeps the response. True for Azure only.
    pub store: bool,
    /// What else is to be sent back: `reasoning.encrypted_content`.
    pub include: &'a [&'a str],
    /// Requests with the same key share what the provider has cached.
    pub prompt_cache_key: Option<&'a str>,
    /// How the answer's text is to be.
    pub text: Option<Text>,
    /// How fast the provider is asked to be.
    pub service_tier: Option<&'a str>,
    /// Facts about the client, an encoded object.
    pub client_metadata: Option<&'a RawValue>,
    /// The response this one continues; the input is then only what came after it.
    pub previous_response_id: Option<&'a str>,
}

impl RequestBody<'_> {
    /// Joins the body. One allocation, one copy of every piece.
    pub fn join(&self) -> Bytes {
        let mut out = Writer { bytes: Vec::with_capacity(self.size()), first: true };
        out.bytes.push(b'{');
        out.maybe("client_metadata", self.client_metadata);
        out.member("include", &self.include);
        out.list("input", self.input);
        out.member("model", &self.model);
        out.member("parallel_tool_calls", &self.parallel_tool_calls);
        out.maybe("previous_response_id", self.previous_response_id);
        out.maybe("prompt_cache_key", self.prompt_cache_key);
        out.maybe("reasoning", self.reasoning.as_ref());
        out.maybe("service_tier", self.service_tier);
        out.member("store", &self.store);
        out.member("stream", &true);
        out.maybe("text", self.text.as_ref());
        out.member("tool_choice", &"auto");
        if let Some(tools) = self.tools {
            out.list("tools", tools);
        }
        out.bytes.push(b'}');
        out.bytes.into()
    }

    fn size(&self) -> usize {
        let pieces = self.input.iter().chain(self.tools.unwrap_or_default());
        let metadata = self.client_metadata.map_or(0, |raw| raw.get().len());
        let schema = self.text.as_ref().and_then(|text| text.format.as_ref());
        let schema = schema.map_or(0, |format| format.schema.get().len());
        pieces.map(|piece| piece.len() + 1).sum::<usize>() + metadata + schema + 1_024
    }
}

struct Writer {
    bytes: Vec<u8>,
    first: bool,
}

impl Writer {
    fn name(&mut self, name: &str) {
        if !self.first {
            self.bytes.push(b',');
        }
        self.first = false;
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(b"\":");
    }

    fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        self.name(name);
        serde_json::to_writer(&mut self.bytes, value)
            .expect("text, flags and raw JSON always serialise into memory");
    }

    fn maybe<T: Serialize + ?Sized>(&mut self, name: &str, value: Option<&T>) {
        if let Some(value) = value {
            self.member(name, value);
        }
    }

    fn list(&mut self, name: &str, pieces: &[Bytes]) {
        self.name(name);
        self.bytes.push(b'[');
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 {
                self.bytes.push(b',');
            }
            self.bytes.extend_from_slice(piece);
        }
        self.bytes.push(b']');
    }
}

#[cfg(test)]
mod tests;
