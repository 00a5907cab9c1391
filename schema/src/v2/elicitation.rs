//! Questions of tool servers to the person.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Params of `mcpServer/elicitation/request`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpServerElicitationRequestParams {
    pub thread_id: String,
    pub turn_id: Option<String>,
    pub server_name: String,
    pub environment_id: Option<String>,
    #[serde(flatten)]
    pub form: McpElicitationForm,
}

/// The part of [`McpServerElicitationRequestParams`] that differs by `mode`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "mode", rename_all = "camelCase")]
pub enum McpElicitationForm {
    #[serde(rename = "openai/userVerification")]
    UserVerification(Box<McpElicitationFormUserVerification>),
    Form(Box<McpElicitationFormForm>),
    #[serde(rename = "openai/form")]
    OpenaiForm(Box<McpElicitationFormOpenaiForm>),
    #[serde(rename = "openaiForm")]
    OpenaiFormUnslashed(Box<McpElicitationFormOpenaiFormUnslashed>),
    Url(Box<McpElicitationFormUrl>),
}

/// Form `openai/userVerification` of [`McpElicitationForm`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct McpElicitationFormUserVerification {
    pub challenge: String,
    pub description: String,
    pub title: String,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// Form `form` of [`McpElicitationForm`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationFormForm {
    pub message: String,
    pub requested_schema: McpElicitationSchema,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// Form `openai/form` of [`McpElicitationForm`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationFormOpenaiForm {
    pub message: String,
    pub requested_schema: Value,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// Form `openaiForm` of [`McpElicitationForm`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationFormOpenaiFormUnslashed {
    pub message: String,
    pub requested_schema: Value,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// Form `url` of [`McpElicitationForm`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationFormUrl {
    pub elicitation_id: String,
    pub message: String,
    pub url: String,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// `requestedSchema` of [`McpServerElicitationRequestParams`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationSchema {
    pub properties: BTreeMap<String, McpElicitationPrimitiveSchema>,
    #[serde(rename = "type")]
    pub kind: McpElicitationObjectType,
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

/// `properties` of [`McpElicitationSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationPrimitiveSchema {
    Enum(McpElicitationEnumSchema),
    String(McpElicitationStringSchema),
    Number(McpElicitationNumberSchema),
    Boolean(McpElicitationBooleanSchema),
}

/// One form of [`McpElicitationPrimitiveSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationEnumSchema {
    SingleSelect(McpElicitationSingleSelectEnumSchema),
    MultiSelect(McpElicitationMultiSelectEnumSchema),
    LegacyTitledEnum(McpElicitationLegacyTitledEnumSchema),
}

/// One form of [`McpElicitationEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationSingleSelectEnumSchema {
    UntitledSingleSelect(McpElicitationUntitledSingleSelectEnumSchema),
    TitledSingleSelect(McpElicitationTitledSingleSelectEnumSchema),
}

/// One form of [`McpElicitationSingleSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationUntitledSingleSelectEnumSchema {
    pub r#enum: Vec<String>,
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `type` of [`McpElicitationLegacyTitledEnumSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationStringType {
    String,
}

/// One form of [`McpElicitationSingleSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationTitledSingleSelectEnumSchema {
    pub one_of: Vec<McpElicitationConstOption>,
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `anyOf` of [`McpElicitationTitledEnumItems`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationConstOption {
    pub r#const: String,
    pub title: String,
}

/// One form of [`McpElicitationEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationMultiSelectEnumSchema {
    UntitledMultiSelect(McpElicitationUntitledMultiSelectEnumSchema),
    TitledMultiSelect(McpElicitationTitledMultiSelectEnumSchema),
}

/// One form of [`McpElicitationMultiSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationUntitledMultiSelectEnumSchema {
    pub items: McpElicitationUntitledEnumItems,
    #[serde(rename = "type")]
    pub kind: McpElicitationArrayType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `items` of [`McpElicitationUntitledMultiSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationUntitledEnumItems {
    pub r#enum: Vec<String>,
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
}

/// `type` of [`McpElicitationTitledMultiSelectEnumSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationArrayType {
    Array,
}

/// One form of [`McpElicitationMultiSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationTitledMultiSelectEnumSchema {
    pub items: McpElicitationTitledEnumItems,
    #[serde(rename = "type")]
    pub kind: McpElicitationArrayType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `items` of [`McpElicitationTitledMultiSelectEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationTitledEnumItems {
    pub any_of: Vec<McpElicitationConstOption>,
}

/// One form of [`McpElicitationEnumSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationLegacyTitledEnumSchema {
    pub r#enum: Vec<String>,
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One form of [`McpElicitationPrimitiveSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationStringSchema {
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<McpElicitationStringFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `format` of [`McpElicitationStringSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum McpElicitationStringFormat {
    Email,
    Uri,
    Date,
    DateTime,
}

/// One form of [`McpElicitationPrimitiveSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationNumberSchema {
    #[serde(rename = "type")]
    pub kind: McpElicitationNumberType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `type` of [`McpElicitationNumberSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationNumberType {
    Number,
    Integer,
}

/// One form of [`McpElicitationPrimitiveSchema`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationBooleanSchema {
    #[serde(rename = "type")]
    pub kind: McpElicitationBooleanType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// `type` of [`McpElicitationBooleanSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationBooleanType {
    Boolean,
}

/// `type` of [`McpElicitationSchema`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationObjectType {
    Object,
}

/// Answer to `mcpServer/elicitation/request`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct McpServerElicitationRequestResponse {
    pub action: McpServerElicitationAction,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
}

/// `action` of [`McpServerElicitationRequestResponse`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpServerElicitationAction {
    Accept,
    Decline,
    Cancel,
}
