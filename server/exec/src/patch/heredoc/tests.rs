use super::*;

const TEXT: &str = "*** Begin Patch\n*** Add File: a\n+$x `y` EOF\n*** End Patch\n";

fn found(script: &str) -> Option<ShellPatch> {
    let argv = ["/bin/bash".to_owned(), "-lc".to_owned(), script.to_owned()];
    patch_in_argv(&argv)
}

fn patch(folder: Option<&str>) -> ShellPatch {
    ShellPatch { folder: folder.map(str::to_owned), text: TEXT.to_owned() }
}

#[test]
fn every_spelling_of_the_here_document_is_found() {
    for head in [
        "apply_patch <<'EOF'",
        "apply_patch <<\"EOF\"",
        "apply_patch <<EOF",
        "apply_patch << EOF",
        "applypatch <<'EOF'",
    ] {
        assert_eq!(found(&format!("{head}\n{TEXT}EOF\n")), Some(patch(None)), "{head}");
        assert_eq!(found(&format!("\n{head}\n{TEXT}EOF")), Some(patch(None)), "{head}");
    }
    assert_eq!(found(&format!("apply_patch <<'PATCH'\n{TEXT}PATCH\n")), Some(patch(None)));
}

#[test]
fn a_folder_may_be_entered_first() {
    for (cd, folder) in
        [("cd sub", "sub"), ("cd /a/b", "/a/b"), ("cd 'a b'", "a b"), ("cd \"a\"", "a")]
    {
        let script = format!("{cd} && apply_patch <<'EOF'\n{TEXT}EOF\n");
        assert_eq!(found(&script), Some(patch(Some(folder))), "{cd}");
    }
}

#[test]
fn the_program_alone_takes_the_patch_as_its_argument() {
    assert_eq!(patch_in_argv(&["apply_patch".to_owned(), TEXT.to_owned()]), Some(patch(None)));
    assert_eq!(patch_in_argv(&["/x/apply_patch".to_owned(), TEXT.to_owned()]), Some(patch(None)));
    let quoted = found("apply_patch '*** Begin Patch\n*** Delete File: a\n*** End Patch'");
    assert_eq!(
        quoted.map(|p| p.text),
        Some("*** Begin Patch\n*** Delete File: a\n*** End Patch".to_owned())
    );
}

#[test]
fn a_script_that_does_more_is_left_to_the_shell() {
    for script in [
        format!("apply_patch <<'EOF'\n{TEXT}EOF\nrm x\n"),
        format!("apply_patch <<'EOF' && rm x\n{TEXT}EOF\n"),
        format!("rm x; apply_patch <<'EOF'\n{TEXT}EOF\n"),
        format!("cd $X && apply_patch <<'EOF'\n{TEXT}EOF\n"),
        format!("cd a; apply_patch <<'EOF'\n{TEXT}EOF\n"),
        format!("cd a || apply_patch <<'EOF'\n{TEXT}EOF\n"),
        format!("apply_patch <<'EOF'\n{TEXT}"),
        format!("apply_patch_x <<'EOF'\n{TEXT}EOF\n"),
        "apply_patch \"$x\"".to_owned(),
        "apply_patch".to_owned(),
        "cd a".to_owned(),
        String::new(),
    ] {
        assert_eq!(found(&script), None, "{script}");
    }
    assert_eq!(patch_in_argv(&["cat".to_owned(), TEXT.to_owned()]), None);
}

#[test]
fn the_closing_word_ends_the_patch_only_alone_on_its_line() {
    let script = "apply_patch <<'EOF'\n+ EOF\n+EOFX\nEOF\n";
    assert_eq!(found(script).map(|p| p.text), Some("+ EOF\n+EOFX\n".to_owned()));
    let indented = "apply_patch <<-EOF\n\t*** Begin Patch\n\tEOF\n";
    assert_eq!(found(indented).map(|p| p.text), Some("*** Begin Patch\n".to_owned()));
}
