//! What a turn is started or steered with.

use serde::{Deserialize, Serialize};

use crate::v2::{ByteRange, FunctionCallOutputBody, ImageDetail};

/// A text for the model that a client adds beside the input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AdditionalContextEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub kind: AdditionalContextKind,
    pub value: String,
}

/// How far an [`AdditionalContextEntry`] is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AdditionalContextKind {
    Untrusted,
    Application,
}

/// A part of a text that stands for something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextElement {
    pub byte_range: ByteRange,
    pub placeholder: Option<String>,
}

/// The output of a tool that starts a turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct TurnToolOutput {
    pub name: String,
    pub output: FunctionCallOutputBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    #[serde(default)]
    pub retain: bool,
}

/// A part of what a person says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum UserInput {
    Text {
        text: String,
        #[serde(default)]
        text_elements: Vec<TextElement>,
    },
    Image {
        detail: Option<ImageDetail>,
        #[serde(flatten)]
        source: UserImageSource,
    },
    LocalImage {
        path: String,
        detail: Option<ImageDetail>,
    },
    Audio {
        #[serde(flatten)]
        source: UserAudioSource,
    },
    LocalAudio {
        path: String,
    },
    Skill {
        name: String,
        path: String,
    },
    Mention {
        name: String,
        path: String,
    },
}

/// Where a picture that a person sends is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum UserImageSource {
    Url {
        url: String,
    },
    FileId {
        #[serde(rename = "fileId")]
        file_id: String,
    },
}

/// Where a sound that a person sends is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum UserAudioSource {
    Url {
        url: String,
    },
    FileId {
        #[serde(rename = "fileId")]
        file_id: String,
    },
}
