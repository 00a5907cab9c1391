//! `model/list`, `collaborationMode/list` and `permissionProfile/list`.

use spindle_engine::catalog::{Modality, ModelInfo, Visibility};
use spindle_engine::config;
use spindle_schema::maybe::Maybe;
use spindle_schema::v2::{
    CollaborationModeListParams, CollaborationModeListResponse, CollaborationModeMask,
    InputModality, ModeKind, Model, ModelAvailabilityNux, ModelListParams, ModelListResponse,
    ModelServiceTier, ModelUpgradeInfo, MultiAgentVersion, PermissionProfileListParams,
    PermissionProfileListResponse, PermissionProfileSummary, ReasoningEffortOption,
};

use super::context::Context;
use super::errors::{Refusal, of_config};
use super::page::page;
use crate::rpc::RpcError;

/// The effort of a model that does not say.
const USUAL_EFFORT: &str = "medium";

/// The models of a provider, or of the one in the configuration.
pub(super) fn list(
    context: &Context,
    params: &ModelListParams,
) -> Result<ModelListResponse, RpcError> {
    let config = context.engine.config().load(None, None).map_err(|error| of_config(&error))?;
    let provider = params.model_provider.as_deref().unwrap_or(&config.model.provider);
    if let Err(config::Error::ProviderNotFound(_)) = config.provider(provider) {
        return Err(Refusal::UnknownProvider(provider).into());
    }
    let catalog = context.engine.catalog().for_provider(provider);
    let default = &catalog.default_model().slug;
    let is_listed = |model: &&std::sync::Arc<ModelInfo>| match model.visibility {
        Visibility::List => true,
        Visibility::Hide => params.include_hidden.unwrap_or_default(),
        Visibility::None => false,
    };
    let models = catalog.models().iter().filter(is_listed);
    let models = models.map(|info| model(info, info.slug == *default)).collect();
    let (data, next_cursor) = page(models, params.cursor.as_deref(), params.limit)?;
    Ok(ModelListResponse { data, next_cursor })
}

fn model(info: &ModelInfo, is_default: bool) -> Model {
    let effort = info.default_reasoning_level.as_deref().unwrap_or(USUAL_EFFORT);
    Model {
        id: info.slug.clone(),
        model: info.slug.clone(),
        upgrade: info.upgrade.as_ref().map(|upgrade| upgrade.model.clone()),
        upgrade_info: info.upgrade.as_ref().map(|upgrade| ModelUpgradeInfo {
            model: upgrade.model.clone(),
            upgrade_copy: None,
            model_link: None,
            migration_markdown: upgrade.migration_markdown.clone(),
            retirement_at: None,
        }),
        availability_nux: info
            .availability_nux
            .as_ref()
            .map(|notice| ModelAvailabilityNux { message: notice.message.clone() }),
        display_name: info.display_name.clone(),
        description: info.description.clone().unwrap_or_default(),
        model_specialty: None,
        hidden: info.visibility != Visibility::List,
        supported_reasoning_efforts: efforts(info),
        default_reasoning_effort: effort.into(),
        input_modalities: info.input_modalities.iter().filter_map(modality).collect(),
        supports_personality: false,
        multi_agent_version: info.multi_agent_version.as_deref().and_then(generation),
        additional_speed_tiers: info.additional_speed_tiers.clone(),
        service_tiers: tiers(info),
        default_service_tier: info.default_service_tier.clone(),
        available_access_programs: None,
        is_default,
    }
}

fn efforts(info: &ModelInfo) -> Vec<ReasoningEffortOption> {
    let efforts = info.supported_reasoning_levels.iter();
    efforts
        .map(|level| ReasoningEffortOption {
            reasoning_effort: level.effort.as_str().into(),
            description: level.description.clone(),
        })
        .collect()
}

fn tiers(info: &ModelInfo) -> Vec<ModelServiceTier> {
    let tiers = info.service_tiers.iter();
    tiers
        .map(|tier| ModelServiceTier {
            id: tier.id.clone(),
            name: tier.name.clone(),
            description: tier.description.clone(),
        })
        .collect()
}

fn modality(modality: &Modality) -> Option<InputModality> {
    match modality {
        Modality::Text => Some(InputModality::Text),
        Modality::Image => Some(InputModality::Image),
        Modality::Audio => Some(InputModality::Audio),
        Modality::Other(_) => None,
    }
}

fn generation(name: &str) -> Option<MultiAgentVersion> {
    match name {
        "disabled" => Some(MultiAgentVersion::Disabled),
        "v1" => Some(MultiAgentVersion::V1),
        "v2" => Some(MultiAgentVersion::V2),
        _ => None,
    }
}

/// The modes of working together.
pub(super) fn modes(_: &CollaborationModeListParams) -> CollaborationModeListResponse {
    let mode = |name: &str, mode, reasoning_effort| CollaborationModeMask {
        name: name.to_owned(),
        mode: Some(mode),
        model: None,
        reasoning_effort,
    };
    CollaborationModeListResponse {
        data: vec![
            mode("Plan", ModeKind::Plan, Maybe::Value(USUAL_EFFORT.into())),
            mode("Default", ModeKind::Default, Maybe::Null),
        ],
    }
}

/// The built-in permission profiles.
pub(super) fn profiles(
    params: &PermissionProfileListParams,
) -> Result<PermissionProfileListResponse, RpcError> {
    let profiles = [":read-only", ":workspace", ":danger-full-access"]
        .map(|id| PermissionProfileSummary { id: id.to_owned(), description: None, allowed: true });
    let (data, next_cursor) = page(profiles.into(), params.cursor.as_deref(), params.limit)?;
    Ok(PermissionProfileListResponse { data, next_cursor })
}
