//! Scripts, files and patches made out of bytes, for tests that try many: whoever chooses the
//! bytes, a random generator or a fuzzer, chooses what is made. Needs the standard library only,
//! so that the fuzz targets can take the file as it is.

/// Bytes that choices are made by. When they are used up, the first choice is taken.
pub(crate) struct Source<'a>(pub(crate) &'a [u8]);

impl<'a> Source<'a> {
    /// Chooses a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first) % end
    }

    /// Chooses one of some things.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Takes up to `most` bytes as they are.
    pub(crate) fn bytes(&mut self, most: usize) -> &'a [u8] {
        let count = self.below(most + 1).min(self.0.len());
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }
}

/// The command that scripts of [`script`] run somewhere.
pub(crate) const FORBIDDEN: &str = "id";

/// Makes a script of the shell in which [`FORBIDDEN`] stands where a shell would run it: as one
/// of several commands, inside blocks, substitutions and nested scripts, with quotes, assignments
/// and redirections around it.
pub(crate) fn script(source: &mut Source<'_>) -> String {
    let depth = source.below(5);
    nested(source, depth)
}

fn nested(source: &mut Source<'_>, depth: usize) -> String {
    if depth == 0 {
        return simple(source);
    }
    let inner = nested(source, depth - 1);
    let quoted = format!("'{}'", inner.replace('\'', "'\\''"));
    let noise = noise(source);
    match source.below(24) {
        0 => format!("{noise}; {inner}"),
        1 => format!("{inner} && {noise}"),
        2 => format!("{noise} || {inner}"),
        3 => format!("{inner}\n{noise}"),
        4 => format!("{noise} | {inner}"),
        5 => format!("{noise} & {inner}"),
        6 => format!("( {inner} )"),
        7 => format!("{{ {inner}; }}"),
        8 => format!("! {inner}"),
        9 => format!("if {noise}; then {inner}; fi"),
        10 => format!("if {inner}; then {noise}; else {noise}; fi"),
        11 => format!("for x in a b; do {inner}; done"),
        12 => format!("while {inner}; do {noise}; done"),
        13 => format!("case a in b) {noise};; *) {inner};; esac"),
        14 => format!("f() {{ {inner}; }}; f"),
        15 => format!("echo $( {inner} )"),
        16 => format!("echo \"a $( {inner} ) b\""),
        17 => format!("cat <( {inner} )"),
        18 => format!("A=$( {inner} ) {noise}"),
        19 => format!("bash -c {quoted}"),
        20 => format!("/usr/bin/env -i A=b sh -c {quoted} x"),
        21 => format!("eval {quoted}"),
        22 => format!("bash <<'E{depth}'\n{inner}\nE{depth}\n{noise}"),
        _ => format!("# {noise}\n{inner}"),
    }
}

/// The forbidden command itself, with what may stand around the words of one command.
fn simple(source: &mut Source<'_>) -> String {
    let spelled = spelled(source);
    let before = source.pick(&[
        "",
        "A=1 ",
        "A=b C=\"$D\" ",
        "> out ",
        "2>&1 ",
        "env A=b ",
        "command ",
        "nice -n 5 ",
        "timeout 3 ",
        "nohup ",
        "builtin command ",
        "sudo ",
        "xargs ",
        "exec ",
        "time ",
        "env -u A -- ",
        "\\command ",
    ]);
    let after = source.pick(&[
        "",
        " -u",
        " $X",
        " \"a b\"",
        " *",
        " > out",
        " 2>/dev/null",
        " < in",
        " {a,b}",
        " -- 'x'",
        " $(true)",
        " <<< x",
    ]);
    format!("{before}{spelled}{after}")
}

/// The forbidden word in one of its spellings.
fn spelled(source: &mut Source<'_>) -> String {
    let folder = source.pick(&["", "", "", "/usr/bin/", "./", "../bin/"]);
    let mut text = folder.to_owned();
    for letter in FORBIDDEN.chars() {
        match source.below(7) {
            0 | 1 => text.push(letter),
            2 => text.extend(['\\', letter]),
            3 => text.extend(['\'', letter, '\'']),
            4 => text.extend(['"', letter, '"']),
            5 => text.extend(['\'', '\'', letter]),
            _ => text.push_str(&format!("$'\\x{:x}'", u32::from(letter))),
        }
    }
    text
}

/// A command that nobody minds.
fn noise(source: &mut Source<'_>) -> &'static str {
    source.pick(&[
        "true",
        "echo a",
        "ls -l",
        "cat 'f g'",
        "echo \"$A\" $B",
        ":",
        "X=1",
        "echo a > f",
    ])
}

/// A file as a test makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Its path below the folder of the test.
    pub(crate) path: &'static str,
    /// What is in it.
    pub(crate) bytes: Vec<u8>,
    /// Its permission bits.
    pub(crate) mode: u32,
}

const PATHS: [&str; 4] = ["a", "b.txt", "d/c", "d/e/f"];
/// Paths that patches may name although nothing is there.
const NEW_PATHS: [&str; 4] = ["new", "d/new", "n/n/new", "a"];

/// Makes some files: with either line end, with and without a last one, with a byte order mark,
/// with bytes that are no text.
pub(crate) fn files(source: &mut Source<'_>) -> Vec<File> {
    let count = source.below(PATHS.len()) + 1;
    PATHS.into_iter().take(count).map(|path| file(source, path)).collect()
}

fn file(source: &mut Source<'_>, path: &'static str) -> File {
    let mut bytes = source.pick(&[&b""[..], b"", b"\xef\xbb\xbf"]).to_vec();
    let end = source.pick(&["\n", "\n", "\r\n"]);
    for _ in 0..source.below(7) {
        match source.below(6) {
            0 => bytes.extend(b"same"),
            1 => bytes.extend(b"  indented  "),
            2 => bytes.extend(b"+ - @@ ***"),
            3 => bytes.extend(source.bytes(6)),
            4 => bytes.extend("it\u{2019}s".as_bytes()),
            _ => {}
        }
        bytes.extend(end.as_bytes());
    }
    if source.below(3) == 0 {
        bytes.extend(b"open end");
    }
    File { path, bytes, mode: source.pick(&[0o644, 0o600, 0o755, 0o444]) }
}

/// Makes a patch that has a chance to fit some files.
pub(crate) fn patch(source: &mut Source<'_>, files: &[File]) -> String {
    let mut text = "*** Begin Patch\n".to_owned();
    for _ in 0..=source.below(4) {
        let file = &files[source.below(files.len())];
        match source.below(6) {
            0 => text.push_str(&format!("*** Add File: {}\n+one\n+two\n", source.pick(&NEW_PATHS))),
            1 => text.push_str(&format!("*** Delete File: {}\n", file.path)),
            _ => update(source, file, &mut text),
        }
    }
    text.push_str("*** End Patch");
    text
}

fn update(source: &mut Source<'_>, file: &File, text: &mut String) {
    text.push_str(&format!("*** Update File: {}\n", file.path));
    if source.below(4) == 0 {
        text.push_str(&format!("*** Move to: {}\n", source.pick(&NEW_PATHS)));
    }
    let content = String::from_utf8_lossy(&file.bytes);
    let mut lines = content.lines().skip(source.below(3));
    for _ in 0..=source.below(2) {
        text.push_str(source.pick(&["@@\n", "@@\n", "@@ same\n"]));
        for line in lines.by_ref().take(source.below(4)) {
            match source.below(3) {
                0 => text.push_str(&format!("-{line}\n+{line}!\n")),
                1 => text.push_str(&format!("-{line}\n")),
                _ => text.push_str(&format!(" {line}\n")),
            }
        }
        text.push_str("+put in\n");
    }
}
