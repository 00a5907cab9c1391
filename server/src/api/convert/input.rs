//! What a person says, in both directions.

use serde_json::Value;
use spindle_schema::item::UserInput as Core;
use spindle_schema::v2::{ImageDetail, UserImageSource, UserInput};

/// A part as the engine takes it.
pub(in crate::api) fn from_wire(part: UserInput) -> Core {
    match part {
        UserInput::Text { text, text_elements } => Core::Text {
            text,
            text_elements: text_elements
                .iter()
                .filter_map(|e| serde_json::to_value(e).ok())
                .collect(),
        },
        UserInput::Image { detail, source: UserImageSource::Url { url } } => {
            Core::Image { detail: detail.map(detail_name), image_url: url }
        }
        UserInput::LocalImage { path, detail } => {
            Core::LocalImage { detail: detail.map(detail_name), path }
        }
        UserInput::Skill { name, path } => Core::Skill { name, path },
        UserInput::Mention { name, path } => Core::Mention { name, path },
        // The engine keeps what it does not know in the form of rollouts, which these share
        // with the wire but for the name of the kind.
        other @ (UserInput::Image { .. }
        | UserInput::Audio { .. }
        | UserInput::LocalAudio { .. }) => {
            Core::Other(serde_json::to_value(other).unwrap_or_default())
        }
    }
}

/// A part as clients are shown it. `None` for a kind that the protocol does not know.
pub(in crate::api) fn to_wire(part: &Core) -> Option<UserInput> {
    Some(match part.clone() {
        Core::Text { text, text_elements } => UserInput::Text {
            text,
            text_elements: serde_json::from_value(Value::Array(text_elements)).unwrap_or_default(),
        },
        Core::Image { detail, image_url } => UserInput::Image {
            detail: detail.as_deref().and_then(detail_of),
            source: UserImageSource::Url { url: image_url },
        },
        Core::LocalImage { detail, path } => {
            UserInput::LocalImage { path, detail: detail.as_deref().and_then(detail_of) }
        }
        Core::Skill { name, path } => UserInput::Skill { name, path },
        Core::Mention { name, path } => UserInput::Mention { name, path },
        Core::Other(value) => serde_json::from_value(value).ok()?,
    })
}

fn detail_name(detail: ImageDetail) -> Box<str> {
    match detail {
        ImageDetail::Auto => "auto",
        ImageDetail::Low => "low",
        ImageDetail::High => "high",
        ImageDetail::Original => "original",
    }
    .into()
}

fn detail_of(name: &str) -> Option<ImageDetail> {
    Some(match name {
        "auto" => ImageDetail::Auto,
        "low" => ImageDetail::Low,
        "high" => ImageDetail::High,
        "original" => ImageDetail::Original,
        _ => return None,
    })
}
