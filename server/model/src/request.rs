//! One request to a provider.

use bytes::Bytes;

/// What is sent for one sampling. The provider adds its address, credentials and own headers.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Headers of this request, lower-case names. One that is named here replaces the
    /// provider's header of that name.
    pub headers: Vec<(String, String)>,
    /// The complete JSON body in the form of the Responses API, also for providers that
    /// speak another one: see [`crate::body::RequestBody`].
    pub body: Bytes,
}
