//! `config/read`, `config/value/write`, `config/batchWrite` and `configRequirements/read`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;
use spindle_engine::config::{
    Edit, LayerMetadata, MergeStrategy, OnBroken, Overridden, WriteRequest, Written,
};
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{
    self, ConfigBatchWriteParams, ConfigReadParams, ConfigValueWriteParams,
    ConfigWarningNotification, WriteStatus,
};

use super::context::Context;
use super::errors::of_config;
use crate::rpc::RpcError;

/// Result of `config/read`. The engine's values have the protocol's form already; unlike the
/// protocol's type this lets a value through that no client was made for.
#[derive(Debug, Serialize)]
pub(super) struct Configuration {
    config: Value,
    origins: BTreeMap<String, LayerMetadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layers: Option<Vec<Layer>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    #[serde(flatten)]
    metadata: LayerMetadata,
    config: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<String>,
}

/// The configuration as it counts, and where each value comes from.
pub(super) fn read(
    context: &Context,
    params: &ConfigReadParams,
) -> Result<Configuration, RpcError> {
    let cwd =
        params.cwd.as_deref().map(|cwd| std::path::absolute(cwd).unwrap_or_else(|_| cwd.into()));
    let config =
        context.engine.config().load(cwd.as_deref(), None).map_err(|error| of_config(&error))?;
    let layers = config.layers().map(|layer| Layer {
        metadata: layer.metadata().clone(),
        config: layer.settings(),
        disabled_reason: layer.disabled_reason().map(str::to_owned),
    });
    Ok(Configuration {
        config: config.effective(),
        origins: config.origins(),
        layers: params.include_layers.then(|| layers.collect()),
    })
}

/// What the owner of the machine demands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Requirements {
    supports_independent_speed_modes: bool,
    requirements: Option<Value>,
}

/// What the owner of the machine demands; null where there is no such file.
pub(super) fn requirements(context: &Context) -> Requirements {
    let requirements = context.engine.config().requirements().to_protocol();
    Requirements { supports_independent_speed_modes: true, requirements }
}

/// Result of a write.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    status: WriteStatus,
    version: std::sync::Arc<str>,
    file_path: PathBuf,
    overridden_metadata: Option<OverriddenMetadata>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OverriddenMetadata {
    effective_value: Value,
    message: String,
    overriding_layer: LayerMetadata,
}

/// Changes one setting of the user's file.
pub(super) fn write_value(
    context: &Context,
    params: ConfigValueWriteParams,
) -> Result<Change, RpcError> {
    let edit = Edit {
        key_path: params.key_path,
        value: params.value,
        strategy: strategy(params.merge_strategy),
    };
    write(context, &[edit], params.file_path.as_deref(), params.expected_version.as_deref())
}

/// Changes several settings of the user's file, or none.
pub(super) fn write_batch(
    context: &Context,
    params: ConfigBatchWriteParams,
) -> Result<Change, RpcError> {
    let edits: Vec<Edit> = params
        .edits
        .into_iter()
        .map(|edit| Edit {
            key_path: edit.key_path,
            value: edit.value,
            strategy: strategy(edit.merge_strategy),
        })
        .collect();
    write(context, &edits, params.file_path.as_deref(), params.expected_version.as_deref())
}

fn strategy(strategy: v2::MergeStrategy) -> MergeStrategy {
    match strategy {
        v2::MergeStrategy::Replace => MergeStrategy::Replace,
        v2::MergeStrategy::Upsert => MergeStrategy::Upsert,
    }
}

/// A file that cannot be read is set aside, so that a client can repair the configuration.
fn write(
    context: &Context,
    edits: &[Edit],
    file: Option<&str>,
    expected_version: Option<&str>,
) -> Result<Change, RpcError> {
    let on_broken = OnBroken::Replace;
    let request = WriteRequest { edits, file, expected_version, on_broken };
    let written = context.engine.config().write(&request).map_err(|error| of_config(&error))?;
    if let Some(backup) = &written.backup {
        tell_of_backup(context, &written, backup);
    }
    let is_overridden = written.overridden.is_some();
    Ok(Change {
        status: if is_overridden { WriteStatus::OkOverridden } else { WriteStatus::Ok },
        version: written.version,
        file_path: written.file,
        overridden_metadata: written.overridden.map(overridden),
    })
}

fn overridden(overridden: Overridden) -> OverriddenMetadata {
    OverriddenMetadata {
        effective_value: overridden.effective_value,
        message: overridden.message,
        overriding_layer: overridden.layer,
    }
}

fn tell_of_backup(context: &Context, written: &Written, backup: &std::path::Path) {
    let warning = ConfigWarningNotification {
        summary: "The configuration could not be read and was replaced.".to_owned(),
        details: Some(format!("{} is kept as {}", written.file.display(), backup.display())),
        path: Some(written.file.display().to_string()),
        range: None,
    };
    context.client.tell(&ServerNotification::ConfigWarning(Box::new(warning)));
}
