//! The grammar that a model is given for the freeform `apply_patch` tool.

/// Lark grammar of a patch, as the tool's `format.definition`.
pub const GRAMMAR: &str = r#"start: begin file+ end

begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

file: add | delete | update

add: "*** Add File: " PATH LF added+
delete: "*** Delete File: " PATH LF
update: "*** Update File: " PATH LF move? change?

move: "*** Move to: " PATH LF
added: "+" TEXT? LF

change: (place | line)+ last?
place: "@@" (" " TEXT)? LF
line: ("+" | "-" | " ") TEXT? LF
last: "*** End of File" LF

PATH: /[^\n]+/
TEXT: /[^\n]+/

%import common.LF
"#;

#[cfg(test)]
mod tests;
