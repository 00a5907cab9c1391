//! The name of this installation.

use std::fs;
use std::path::Path;

use uuid::Uuid;

use crate::auth::write_private;

/// Returns the name of this installation: a UUID, kept in the home.
///
/// It is made when it is first asked for. Where nothing can be written, it lasts as long as
/// its caller keeps it.
pub fn installation_id(home: &Path) -> String {
    let path = home.join("installation_id");
    let stored = fs::read_to_string(&path).ok().and_then(|text| Uuid::parse_str(text.trim()).ok());
    if let Some(id) = stored {
        return id.to_string();
    }
    let id = Uuid::new_v4().to_string();
    if let Err(error) = write_private(&path, id.as_bytes()) {
        tracing::warn!(path = %path.display(), %error, "cannot keep the installation's name");
    }
    id
}

#[cfg(test)]
mod tests;
