use super::*;

fn line(plan: &Plan) -> String {
    let words = arguments(plan, Path::new("/usr/bin/bwrap"), Path::new("/w"));
    let words: Vec<&str> = words.iter().map(|word| word.to_str().expect("plain")).collect();
    words.join(" ")
}

#[test]
fn mounts_follow_the_plan_in_its_order() {
    let bind = |path: &str, access| Bind { path: path.into(), access };
    let plan = Plan {
        roots: vec!["/w".into()],
        binds: vec![bind("/w", Access::Write), bind("/w/.git", Access::Read)],
        covers: vec![Cover::Folder("/run/s".into()), Cover::File("/x.sock".into())],
        ..Plan::default()
    };
    let line = line(&plan);
    assert!(line.contains("--ro-bind / / --dev /dev --proc /proc"), "{line}");
    assert!(line.contains("--bind /w /w --ro-bind /w/.git /w/.git"), "{line}");
    assert!(line.contains("--tmpfs /run/s --remount-ro /run/s"), "{line}");
    assert!(line.contains("--ro-bind /dev/null /x.sock"), "{line}");
    assert!(line.ends_with("--seccomp 3 --chdir /w --"), "{line}");
}

#[test]
fn a_writable_root_of_all_stays_writable() {
    let plan = Plan {
        roots: vec!["/".into()],
        binds: vec![Bind { path: "/".into(), access: Access::Write }],
        ..Plan::default()
    };
    let line = line(&plan);
    assert!(line.contains("--bind / / --dev") && !line.contains("--ro-bind / /"), "{line}");
}

#[test]
fn a_filter_is_written_in_the_kernels_form() {
    let filter = seccomp::filter(seccomp::Network::Off).expect("a filter");
    let file = filter_file(filter).expect("a file");
    let mut bytes = [0; 8];
    assert_eq!(rustix::io::read(&file, &mut bytes).expect("it is read"), 8);
    let first = &filter[0];
    assert_eq!(bytes[..2], first.code.to_ne_bytes());
    assert_eq!(bytes[4..], first.k.to_ne_bytes());
    let rest = std::io::copy(&mut std::fs::File::from(file), &mut std::io::sink());
    assert_eq!(rest.expect("it is read"), 8 * (filter.len() as u64 - 1));
}
