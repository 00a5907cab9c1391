//! The grammar that a model is given for the freeform `apply_patch` tool.

/// Lark grammar of a patch, as the tool's `format.definition`.
pub const GRAMMAR: &str = r#"start: begin file+ end

begin: "*** Begin Patch" NL
end: "*** End Patch" NL?

file: add | delete | update

add: "*** Add File: " PATH NL added+
delete: "*** Delete File: " PATH NL
update: "*** Update File: " PATH NL move? change?

move: "*** Move to: " PATH NL
added: "+" TEXT NL

change: (place | line)+ last?
place: ("@@" | "@@ " TEXT) NL
line: ("+" | "-" | " ") TEXT NL
last: "*** End of File" NL

PATH: /(.+)/
TEXT: /(.*)/

%import common.LF -> NL
"#;
