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
    pub elicitation: McpElicitation,
}

/// The part of [`McpServerElicitationRequestParams`] that differs by `mode`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "mode", rename_all = "camelCase")]
pub enum McpElicitation {
    #[serde(rename = "openai/userVerification")]
    UserVerification(Box<McpElicitationUserVerification>),
    Form(Box<McpElicitationForm>),
    #[serde(rename = "openai/form")]
    OpenaiForm(Box<McpElicitationOpenaiForm>),
    #[serde(rename = "openaiForm")]
    OpenaiFormUnslashed(Box<McpElicitationOpenaiFormUnslashed>),
    Url(Box<McpElicitationUrl>),
}

/// The form `openai/userVerification` of [`McpElicitation`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct McpElicitationUserVerification {
    pub challenge: String,
    pub description: String,
    pub title: String,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// The form `form` of [`McpElicitation`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationForm {
    pub message: String,
    pub requested_schema: McpElicitationSchema,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// The form `openai/form` of [`McpElicitation`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationOpenaiForm {
    pub message: String,
    pub requested_schema: Value,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// The form `openaiForm` of [`McpElicitation`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationOpenaiFormUnslashed {
    pub message: String,
    pub requested_schema: Value,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// The form `url` of [`McpElicitation`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct McpElicitationUrl {
    pub elicitation_id: String,
    pub message: String,
    pub url: String,
    #[serde(rename = "_meta")]
    pub meta: Option<Value>,
}

/// A form.
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

/// A field of a form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationPrimitiveSchema {
    Enum(McpElicitationEnumSchema),
    String(McpElicitationStringSchema),
    Number(McpElicitationNumberSchema),
    Boolean(McpElicitationBooleanSchema),
}

/// A field that takes one or several of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationEnumSchema {
    SingleSelect(McpElicitationSingleSelectEnumSchema),
    MultiSelect(McpElicitationMultiSelectEnumSchema),
    LegacyTitledEnum(McpElicitationLegacyTitledEnumSchema),
}

/// A field that takes one of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationSingleSelectEnumSchema {
    UntitledSingleSelect(McpElicitationUntitledSingleSelectEnumSchema),
    TitledSingleSelect(McpElicitationTitledSingleSelectEnumSchema),
}

/// One of a list without titles.
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

/// The type name of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationStringType {
    String,
}

/// One of a list with titles.
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

/// A choice with a title.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationConstOption {
    pub r#const: String,
    pub title: String,
}

/// A field that takes several of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum McpElicitationMultiSelectEnumSchema {
    UntitledMultiSelect(McpElicitationUntitledMultiSelectEnumSchema),
    TitledMultiSelect(McpElicitationTitledMultiSelectEnumSchema),
}

/// Several of a list without titles.
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

/// Choices without titles.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct McpElicitationUntitledEnumItems {
    pub r#enum: Vec<String>,
    #[serde(rename = "type")]
    pub kind: McpElicitationStringType,
}

/// The type name of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationArrayType {
    Array,
}

/// Several of a list with titles.
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

/// Choices with titles.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct McpElicitationTitledEnumItems {
    pub any_of: Vec<McpElicitationConstOption>,
}

/// A choice whose titles stand in a list of their own.
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

/// A field that takes a text.
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

/// What a text must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum McpElicitationStringFormat {
    Email,
    Uri,
    Date,
    DateTime,
}

/// A field that takes a number.
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

/// The type names of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationNumberType {
    Number,
    Integer,
}

/// A field that takes yes or no.
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

/// The type name of yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpElicitationBooleanType {
    Boolean,
}

/// The type name of forms.
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
    /// What the client adds for the tool server.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// The filled form, when the person accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
}

/// What the person did with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum McpServerElicitationAction {
    Accept,
    Decline,
    Cancel,
}
