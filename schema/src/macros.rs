//! What turns a table of methods into enums, parsers and lists of names.

/// Makes [`ClientRequest`](crate::methods::ClientRequest) and its companions from the table.
///
/// A line is `"name" Variant(Params) -> Result, stability, scope;`. `(Params as Marker)` makes
/// a type of its own for a method that shares its params with another; `(Params = default)`
/// lets the params be left out; no parentheses means no params. The scope names the field that
/// holds its key; `none(field)` is a request about a thread that needs no order.
macro_rules! client_requests {
    ($(
        $method:literal $variant:ident $( (
            $params:ident $(as $marker:ident)? $(= $default:ident)?
        ) )? -> $result:ident, $stability:ident, $scope:ident $( ($key:ident) )?;
    )*) => {
        /// A request of a client, with its params.
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "each variant is a method of the protocol")]
        pub enum ClientRequest {
            $( $variant $( (Box<$params>) )?, )*
        }

        /// All requests a client can make, in the order of the table.
        pub const CLIENT_REQUESTS: &[MethodInfo] = &[
            $( MethodInfo {
                name: $method,
                params: optional_name!($($params)?),
                params_optional: params_optional!($($params $(= $default)?)?),
                result: Some(stringify!($result)),
                is_experimental: is_experimental!($stability),
            }, )*
        ];

        impl ClientRequest {
            /// Reads a request from its method and the raw text of its params.
            pub fn parse(method: &str, params: Option<&RawValue>) -> Result<Self, ParseError> {
                match method {
                    $( $method => read_params!(
                        $method, params, $variant $(, $params $(= $default)?)?
                    ), )*
                    unknown => Err(ParseError::UnknownMethod(unknown.to_owned())),
                }
            }

            /// The method's name on the wire.
            pub fn method(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => $method, )*
                }
            }

            /// Whether the method is only for clients that asked for the experimental API.
            pub fn is_experimental(&self) -> bool {
                match self {
                    $( Self::$variant { .. } => is_experimental!($stability), )*
                }
            }

            /// Which requests this one must keep its order with.
            pub fn scope(&self) -> Scope<'_> {
                match self {
                    $( Self::$variant { .. } => scope_of!(
                        $scope, request_key!(self, $variant $(, $key)?)
                    ), )*
                }
            }

            /// The thread that the request is about, as the client wrote it.
            pub fn thread_id(&self) -> Option<&str> {
                match self {
                    $( Self::$variant { .. } => thread_of!(
                        $scope, request_key!(self, $variant $(, $key)?)
                    ), )*
                }
            }
        }

        /// Has the generator define the types of all methods.
        #[cfg(feature = "export")]
        pub(crate) fn define(generator: &mut schemars::SchemaGenerator) {
            $( define_types!(generator, $result $(, $params)?); )*
        }

        /// Reads the result of a method and writes it again.
        #[cfg(test)]
        pub(crate) fn rewrite_result(
            method: &str,
            result: serde_json::Value,
        ) -> serde_json::Result<serde_json::Value> {
            match method {
                $( $method => serde_json::from_value::<$result>(result)
                    .and_then(serde_json::to_value), )*
                unknown => panic!("unknown method {unknown}"),
            }
        }

        /// Writes the params of a request again.
        #[cfg(test)]
        pub(crate) fn rewrite_params(
            request: &ClientRequest,
        ) -> serde_json::Result<serde_json::Value> {
            match request {
                $( ClientRequest::$variant { .. } => params_of!(
                    request, $variant $(, $params)?
                ), )*
            }
        }

        $( request_type!($method, $variant, $result $(, $params $(as $marker)?)?); )*
    };
}

macro_rules! request_type {
    ($method:literal, $variant:ident, $result:ident) => {
        #[doc = concat!("The request `", $method, "`, which has no params.")]
        #[derive(Debug, Clone, Copy, Default, serde::Serialize)]
        pub struct $variant;
        impl Request for $variant {
            const METHOD: &'static str = $method;
            type Result = $result;
        }
    };
    ($method:literal, $variant:ident, $result:ident, $params:ident) => {
        impl Request for $params {
            const METHOD: &'static str = $method;
            type Result = $result;
        }
    };
    ($method:literal, $variant:ident, $result:ident, $params:ident as $marker:ident) => {
        #[doc = concat!("The request `", $method, "`.")]
        #[derive(Debug, Clone, serde::Serialize)]
        #[serde(transparent)]
        pub struct $marker(pub $params);
        impl Request for $marker {
            const METHOD: &'static str = $method;
            type Result = $result;
        }
    };
}

macro_rules! read_params {
    ($method:literal, $raw:ident, $variant:ident) => {
        Ok(Self::$variant)
    };
    ($method:literal, $raw:ident, $variant:ident, $params:ident) => {
        read($method, $raw).map(Self::$variant)
    };
    ($method:literal, $raw:ident, $variant:ident, $params:ident = default) => {
        read_or_default($method, $raw).map(Self::$variant)
    };
}

#[cfg(feature = "export")]
macro_rules! define_types {
    ($generator:ident, $($name:ident),+) => {
        $( $generator.subschema_for::<$name>(); )+
    };
}

#[cfg(test)]
macro_rules! params_of {
    ($request:ident, $variant:ident) => {
        Ok(serde_json::Value::Null)
    };
    ($request:ident, $variant:ident, $params:ident) => {
        match $request {
            ClientRequest::$variant(params) => serde_json::to_value(params),
            _ => unreachable!("the arm names the variant"),
        }
    };
}

macro_rules! request_key {
    ($self:ident, $variant:ident) => {
        None
    };
    ($self:ident, $variant:ident, $key:ident) => {
        match $self {
            Self::$variant(params) => params.$key.key(),
            _ => None,
        }
    };
}

macro_rules! scope_of {
    (none, $key:expr) => {
        Scope::None
    };
    (connection, $key:expr) => {
        Scope::Connection
    };
    (global, $key:expr) => {
        Scope::Global
    };
    (thread, $key:expr) => {
        $key.map_or(Scope::None, Scope::Thread)
    };
    (handle, $key:expr) => {
        $key.map_or(Scope::None, Scope::Handle)
    };
}

macro_rules! thread_of {
    (none, $key:expr) => {
        $key
    };
    (thread, $key:expr) => {
        $key
    };
    ($other:ident, $key:expr) => {
        None
    };
}

macro_rules! is_experimental {
    (stable) => {
        false
    };
    (experimental) => {
        true
    };
}

macro_rules! optional_name {
    () => {
        None
    };
    ($name:ident) => {
        Some(stringify!($name))
    };
}

macro_rules! params_optional {
    ($($params:ident)?) => {
        false
    };
    ($params:ident = default) => {
        true
    };
}

/// Makes [`ServerRequest`](crate::methods::ServerRequest) from lines
/// `"name" Variant(Params) -> Answer;`.
macro_rules! server_requests {
    ($( $method:literal $variant:ident($params:ident) -> $result:ident; )*) => {
        server_messages! {
            /// A request of the server to a client, with its params.
            ServerRequest { $( $method $variant($params), )* }
        }

        /// All requests the server can make, in the order of the table.
        pub const SERVER_REQUESTS: &[MethodInfo] = &[
            $( MethodInfo {
                name: $method,
                params: Some(stringify!($params)),
                params_optional: false,
                result: Some(stringify!($result)),
                is_experimental: false,
            }, )*
        ];

        /// Has the generator define the types of all requests.
        #[cfg(feature = "export")]
        pub(crate) fn define_requests(generator: &mut schemars::SchemaGenerator) {
            $( define_types!(generator, $params, $result); )*
        }

        $(
            impl Request for $params {
                const METHOD: &'static str = $method;
                type Result = $result;
            }
        )*
    };
}

/// Makes [`ServerNotification`](crate::methods::ServerNotification) from lines
/// `"name" Variant(Params);`.
macro_rules! server_notifications {
    ($( $method:literal $variant:ident($params:ident); )*) => {
        server_messages! {
            /// What the server tells a client unasked.
            ServerNotification { $( $method $variant($params), )* }
        }

        /// All notifications the server can send, in the order of the table.
        pub const SERVER_NOTIFICATIONS: &[MethodInfo] = &[
            $( MethodInfo {
                name: $method,
                params: Some(stringify!($params)),
                params_optional: false,
                result: None,
                is_experimental: false,
            }, )*
        ];

        /// Has the generator define the types of all notifications.
        #[cfg(feature = "export")]
        pub(crate) fn define_notifications(generator: &mut schemars::SchemaGenerator) {
            $( define_types!(generator, $params); )*
        }
    };
}

macro_rules! server_messages {
    ($(#[$doc:meta])* $name:ident { $( $method:literal $variant:ident($params:ident), )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        #[expect(missing_docs, reason = "each variant is a method of the protocol")]
        pub enum $name {
            $( $variant(Box<$params>), )*
        }

        impl $name {
            /// Reads a message from its method and the raw text of its params.
            pub fn parse(method: &str, params: Option<&RawValue>) -> Result<Self, ParseError> {
                match method {
                    $( $method => read($method, params).map(Self::$variant), )*
                    unknown => Err(ParseError::UnknownMethod(unknown.to_owned())),
                }
            }

            /// The method's name on the wire.
            pub fn method(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => $method, )*
                }
            }

            /// Appends the params as JSON text.
            pub fn write_params(&self, out: &mut Vec<u8>) {
                match self {
                    $( Self::$variant(params) => crate::envelope::write_json(out, params), )*
                }
            }
        }
    };
}
