//! The texts that the program itself says to the model.

/// The base prompt. Its opening is fixed: other programs know it by that.
pub(crate) const BASE_INSTRUCTIONS: &str = include_str!("base_instructions.md");

/// What plan mode asks of the model. Its opening is fixed.
pub(crate) const PLAN_MODE: &str = include_str!("plan_mode.md");

/// What asks for a summary that can take the place of the history. Its opening is fixed.
pub(crate) const COMPACT: &str = include_str!("compact.md");

/// The message that takes the place of what was left out of a history.
pub(super) fn summary_message(summary: &str) -> String {
    format!(
        "The conversation up to here had grown too long to be kept word for word. Of what the \
         person said, the latest messages stand above; everything else, the commands and their \
         output included, is gone, and this summary of it was written by the model that did the \
         work. Go on from it, and look again at files where their exact text matters:\n{summary}"
    )
}

/// What the history says after a person ended a turn (SPEC T11).
pub(crate) const TURN_ABORTED: &str = "<turn_aborted>\n\
The person ended the previous turn on purpose. A command or tool that was running then may have \
done part of its work: look at the state of things before you go on from it.\n\
</turn_aborted>";

/// What the model is told when another model takes over.
pub(super) fn model_switch(model: &str) -> String {
    format!(
        "<model_switch>\nThe person has chosen another model for this conversation: from here on \
         the answers come from {model}. Everything above was said by the model before it, with \
         the same tools in the same folder. Take the conversation over as it stands, keep to what \
         was agreed in it, and go on with the work without starting again or repeating what is \
         already done.\n</model_switch>"
    )
}

/// What the model is told about what it may do.
pub(super) fn permissions(mode: &str, approval: &str, roots: &[Box<str>]) -> String {
    let files = match mode {
        "danger-full-access" => {
            "Commands run without a sandbox: they can read and write every file this account can, \
             and use the network."
        }
        "workspace-write" => {
            "Commands run in a sandbox: they can read every file, but write only below the \
             writable folders named here. Folders such as `.git` stay read-only inside them. The \
             network is closed unless it was opened."
        }
        "external-sandbox" => {
            "A sandbox that is not part of this program surrounds everything; what it forbids \
             fails like any forbidden operation."
        }
        _ => {
            "Commands run in a sandbox: they can read every file but write none, and the network \
             is closed."
        }
    };
    let asking = match approval {
        "never" => {
            "Nobody is asked for approval. What would need one is refused at once, so find a way \
             that stays inside these limits, or say what is missing."
        }
        "untrusted" => {
            "The person is asked before every command that is not known to be harmless. Expect \
             to wait, and keep commands small and easy to judge."
        }
        _ => {
            "When a command needs more than this, call the tool with `sandbox_permissions` set to \
             `require_escalated` and a one-sentence question in `justification`; the person is \
             then asked. Ask only for what the task needs."
        }
    };
    let mut text = format!(
        "<permissions instructions>\nSandbox mode: `{mode}`. {files}\nApproval policy: \
         `{approval}`. {asking}\n"
    );
    if mode == "workspace-write" {
        text.push_str("Writable folders:");
        for root in roots {
            text.push_str("\n- ");
            text.push_str(root);
        }
        text.push('\n');
    }
    text.push_str("</permissions instructions>");
    text
}
