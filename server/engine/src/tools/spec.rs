//! What the model is told about each tool. The words are ours, names and shapes the protocol's.

use serde_json::{Value, json};
use spindle_exec::patch::GRAMMAR;

fn function(name: &str, description: &str, properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "function",
        "name": name,
        "description": description,
        "strict": false,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

fn field(kind: &str, description: &str) -> Value {
    json!({ "type": kind, "description": description })
}

/// `exec_command`; with `additional_permissions`, a command may ask for a wider sandbox.
pub(super) fn exec_command(additional_permissions: bool) -> Value {
    let mut properties = json!({
        "cmd": field("string", "The shell command to run."),
        "workdir": field("string", "Folder to run it in; the working folder if left out."),
        "shell": field("string", "Shell program to use instead of the person's own."),
        "login": field("boolean", "Whether the shell reads login profiles. True if left out."),
        "tty": field("boolean", "Whether to give the command a terminal, so that it can be typed to."),
        "yield_time_ms": field("number", "How long to wait for the end, in milliseconds, before returning what there is so far."),
        "max_output_tokens": field("number", "How much of the output to return, in tokens; the middle of more is cut out."),
        "sandbox_permissions": {
            "type": "string",
            "enum": ["use_default", "require_escalated"],
            "description": "Set to require_escalated to ask for running without the sandbox.",
        },
        "justification": field("string", "With require_escalated: a short question to the person that says why."),
        "prefix_rule": {
            "type": "array",
            "items": { "type": "string" },
            "description": "With require_escalated: the words that later commands of this kind begin with, so that they can be allowed at once.",
        },
    });
    if additional_permissions {
        properties["sandbox_permissions"]["enum"] =
            json!(["use_default", "with_additional_permissions", "require_escalated"]);
        properties["sandbox_permissions"]["description"] = WAYS_OUT.into();
        properties["additional_permissions"] = permissions(
            "With with_additional_permissions: what the sandbox is to allow this command besides.",
        );
    }
    let description = "Runs a shell command. Returns its output, or a session ID when it is \
                       still running after the wait.";
    function("exec_command", description, &properties, &["cmd"])
}

/// What a value of `sandbox_permissions` means where there are three.
const WAYS_OUT: &str = "Set to with_additional_permissions to ask for a wider sandbox, or, when \
                        that cannot be enough, to require_escalated to ask for none.";

/// A member that asks for permissions.
fn permissions(description: &str) -> Value {
    let paths = |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    json!({
        "type": "object",
        "description": description,
        "properties": {
            "network": {
                "type": "object",
                "description": "The network.",
                "properties": { "enabled": field("boolean", "True asks for it.") },
                "additionalProperties": false,
            },
            "file_system": {
                "type": "object",
                "description": "Files and folders.",
                "properties": {
                    "read": paths("Paths to read."),
                    "write": paths(
                        "Paths to write, with all that is below them. They must exist: to make \
                         something new, name the folder it goes into.",
                    ),
                },
                "additionalProperties": false,
            },
        },
        "additionalProperties": false,
    })
}

/// `request_permissions`.
pub(super) fn request_permissions() -> Value {
    let properties = json!({
        "reason": field("string", "One sentence for the person: what it is needed for."),
        "permissions": permissions("What is asked for; at least one of its members."),
        "environment_id": field("string", "The environment; leave it out for this machine."),
    });
    let description = "Asks the person to let commands do more than the sandbox allows: to write \
                       other folders, or to use the network. The answer says what was granted, \
                       and whether for this turn or for the session; it may be less than was \
                       asked. Commands stay in the sandbox and need no further approval for it.";
    function("request_permissions", description, &properties, &["permissions"])
}

/// `write_stdin`.
pub(super) fn write_stdin() -> Value {
    let properties = json!({
        "session_id": field("number", "The session that exec_command returned."),
        "chars": field("string", "What to type. Leave it empty to only look at new output."),
        "yield_time_ms": field("number", "How long to wait for output, in milliseconds."),
        "max_output_tokens": field("number", "How much of the output to return, in tokens."),
    });
    let description = "Types into a running command, or looks at its new output.";
    function("write_stdin", description, &properties, &["session_id"])
}

/// `apply_patch`, as free text of a grammar.
pub(super) fn apply_patch() -> Value {
    json!({
        "type": "custom",
        "name": "apply_patch",
        "description": "Changes files by a patch in the form of the grammar. Write the patch as \
                        it is, not as JSON.",
        "format": { "type": "grammar", "syntax": "lark", "definition": GRAMMAR },
    })
}

/// `view_image`.
pub(super) fn view_image() -> Value {
    let properties = json!({ "path": field("string", "Path of the picture file.") });
    let description = "Shows you a picture from the file system. Use it when a picture matters \
                       for the task and you have its path.";
    function("view_image", description, &properties, &["path"])
}

/// `update_plan`.
pub(super) fn update_plan() -> Value {
    let properties = json!({
        "explanation": field("string", "Why the plan changes; may be left out."),
        "plan": {
            "type": "array",
            "description": "All steps, in order.",
            "items": {
                "type": "object",
                "properties": {
                    "step": field("string", "What is to be done."),
                    "status": {
                        "type": "string",
                        "enum": ["pending", "in_progress", "completed"],
                        "description": "At most one step is in progress at a time.",
                    },
                },
                "required": ["step", "status"],
                "additionalProperties": false,
            },
        },
    });
    let description = "Shows the person your steps and how far you are.";
    function("update_plan", description, &properties, &["plan"])
}

/// `request_user_input`.
pub(super) fn request_user_input() -> Value {
    let option = json!({
        "type": "object",
        "properties": {
            "label": field("string", "A few words to choose by."),
            "description": field("string", "One sentence on what follows from this choice."),
        },
        "required": ["label", "description"],
        "additionalProperties": false,
    });
    let question = json!({
        "type": "object",
        "properties": {
            "id": field("string", "A short name for the answer."),
            "header": field("string", "A heading of a few words."),
            "question": field("string", "The question, in one sentence."),
            "options": {
                "type": "array",
                "items": option,
                "description": "Two or three choices that exclude each other, the one you advise first.",
            },
        },
        "required": ["id", "header", "question", "options"],
        "additionalProperties": false,
    });
    let properties = json!({
        "questions": {
            "type": "array",
            "items": question,
            "description": "One to three questions.",
        },
    });
    let description = "Asks the person one to three short questions and waits for the answers.";
    function("request_user_input", description, &properties, &["questions"])
}
