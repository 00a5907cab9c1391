//! A person's input as the model sees it.

use std::path::Path;

use base64::Engine as _;
use serde_json::{Value, json};
use spindle_schema::item::UserInput;
use spindle_schema::model::ContentPart;

/// Pictures larger than this are not sent, in bytes of the file.
const MAX_IMAGE_BYTES: u64 = 32 * 1024 * 1024;

/// Content parts, and what each of them is.
#[derive(Debug, Default)]
pub(crate) struct UserContent {
    /// The parts.
    pub(crate) parts: Vec<ContentPart>,
    /// A kind for each part.
    pub(crate) kinds: Vec<&'static str>,
    /// A provenance for each part.
    pub(crate) provenance: Vec<Value>,
}

impl UserContent {
    fn push(&mut self, kind: &'static str, part: ContentPart) {
        self.parts.push(part);
        self.kinds.push(kind);
        self.provenance.push(json!({ "provenance": { "type": "user" } }));
    }

    fn text(&mut self, kind: &'static str, text: impl Into<String>) {
        self.push(kind, ContentPart::InputText { text: text.into() });
    }
}

/// Turns input into content parts. Pictures in files are read here.
///
/// A picture that cannot be read becomes a text that says so; skills and mentions add nothing.
pub(crate) async fn to_content(input: &[UserInput], cwd: &Path, sees_images: bool) -> UserContent {
    let mut content = UserContent::default();
    let mut pictures = 0;
    for part in input {
        match part {
            UserInput::Text { text, .. } => content.text("user.text", text.clone()),
            UserInput::Image { .. } | UserInput::LocalImage { .. } if !sees_images => {
                content.text(
                    "user.image",
                    "image content omitted because you do not support image input",
                );
            }
            UserInput::Image { image_url, .. } => content.push(
                "user.image",
                ContentPart::InputImage {
                    image_url: image_url.clone(),
                    detail: Some("original".into()),
                },
            ),
            UserInput::LocalImage { path, .. } => {
                pictures += 1;
                local_image(&mut content, &cwd.join(path), pictures).await;
            }
            UserInput::Skill { .. } | UserInput::Mention { .. } | UserInput::Other(_) => {}
        }
    }
    content
}

async fn local_image(content: &mut UserContent, path: &Path, number: usize) {
    let bytes = match read_image(path).await {
        Ok(bytes) => bytes,
        Err(error) => {
            let text =
                format!("the local image at `{}` could not be read: {error}", path.display());
            return content.text("user.text", text);
        }
    };
    let open = format!("<image name=[Image #{number}] path=\"{}\">", path.display());
    content.text("user.text", open);
    match data_url(&bytes) {
        Some(image_url) => content.push(
            "user.image",
            ContentPart::InputImage { image_url, detail: Some("original".into()) },
        ),
        None => {
            content.text(
                "images.preparation_error",
                "image content omitted because it could not be processed",
            );
        }
    }
    content.text("user.text", "</image>");
}

async fn read_image(path: &Path) -> std::io::Result<Vec<u8>> {
    let size = tokio::fs::metadata(path).await?.len();
    if size > MAX_IMAGE_BYTES {
        return Err(std::io::Error::other(format!(
            "it has {size} bytes, more than the limit of {MAX_IMAGE_BYTES}"
        )));
    }
    tokio::fs::read(path).await
}

/// A picture as a data URL; `None` when the bytes are no picture of a kind that models take.
pub(crate) fn data_url(bytes: &[u8]) -> Option<String> {
    let mime = match imagesize::image_type(bytes).ok()? {
        imagesize::ImageType::Png => "image/png",
        imagesize::ImageType::Jpeg => "image/jpeg",
        imagesize::ImageType::Gif => "image/gif",
        imagesize::ImageType::Webp => "image/webp",
        _ => return None,
    };
    // A header alone is no picture.
    imagesize::blob_size(bytes).ok()?;
    let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
    Some(format!("data:{mime};base64,{encoded}"))
}

/// The words that stand for a thread in lists; `None` when there are none.
pub(crate) fn preview_of(input: &[UserInput]) -> Option<String> {
    let texts: Vec<&str> = input
        .iter()
        .filter_map(|part| match part {
            UserInput::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let joined = texts.join("\n");
    (!joined.trim().is_empty()).then_some(joined)
}
