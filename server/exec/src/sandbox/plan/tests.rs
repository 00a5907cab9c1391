use std::collections::HashMap;

use super::*;

/// A file system made up of a list: paths end with `/` for folders, `a -> b` is a link.
#[derive(Default)]
struct Made {
    kinds: HashMap<PathBuf, Kind>,
    links: HashMap<PathBuf, PathBuf>,
    git_folders: HashMap<PathBuf, PathBuf>,
}

fn made(list: &[&str]) -> Made {
    let mut made = Made::default();
    made.kinds.insert("/".into(), Kind::Folder);
    for entry in list {
        let (path, target) = entry.split_once(" -> ").unwrap_or((entry, ""));
        let kind = match (path.ends_with('/'), target) {
            (true, _) => Kind::Folder,
            (false, "") => Kind::Other,
            (false, _) => Kind::Link,
        };
        let path = PathBuf::from(path.trim_end_matches('/'));
        for above in path.ancestors().skip(1) {
            made.kinds.entry(above.into()).or_insert(Kind::Folder);
        }
        if kind == Kind::Link {
            made.links.insert(path.clone(), target.into());
        }
        made.kinds.insert(path, kind);
    }
    made
}

impl Look for Made {
    fn kind(&self, path: &Path) -> Kind {
        self.kinds.get(path).copied().unwrap_or(Kind::Missing)
    }

    fn canonical(&self, path: &Path) -> Option<PathBuf> {
        for above in path.ancestors() {
            if let Some(target) = self.links.get(above) {
                let rest = path.strip_prefix(above).expect("it is above");
                return self.canonical(&target.join(rest).components().collect::<PathBuf>());
            }
        }
        self.kinds.contains_key(path).then(|| path.to_path_buf())
    }

    fn git_folder(&self, file: &Path) -> Option<PathBuf> {
        self.git_folders.get(file).cloned()
    }
}

fn workspace(roots: &[&str], protected: &[&str]) -> Mode {
    Mode::WorkspaceWrite {
        roots: roots.iter().map(PathBuf::from).collect(),
        exclude_tmp: true,
        exclude_slash_tmp: true,
        network: false,
        protected: protected.iter().map(PathBuf::from).collect(),
    }
}

fn plan(mode: &Mode, look: &Made) -> Plan {
    Plan::new(mode, &Surroundings::default(), look).expect("the mode takes a plan")
}

/// Writes the mounts as `w /path` and `r /path`.
fn binds(plan: &Plan) -> Vec<String> {
    let letter = |access| if access == Access::Write { 'w' } else { 'r' };
    plan.binds.iter().map(|b| format!("{} {}", letter(b.access), b.path.display())).collect()
}

const WHOLE: [&str; 3] = ["/w/.git/", "/w/.agents/", "/w/.codex/"];

#[test]
fn full_access_and_external_take_no_plan() {
    for mode in [Mode::FullAccess, Mode::External] {
        assert_eq!(Plan::new(&mode, &Surroundings::default(), &made(&[])), None);
    }
}

#[test]
fn read_only_takes_no_mounts_of_its_own() {
    let plan = plan(&Mode::ReadOnly { network: true }, &made(&["/w/.git/"]));
    assert_eq!(plan, Plan { network: true, ..Plan::default() });
}

#[test]
fn what_git_and_we_run_is_read_only_below_each_root() {
    let plan = plan(&workspace(&["/w"], &[]), &made(&WHOLE));
    assert_eq!(binds(&plan), ["w /w", "r /w/.agents", "r /w/.codex", "r /w/.git"]);
    assert_eq!(plan.placeholders, Vec::<PathBuf>::new());
}

#[test]
fn what_is_missing_gets_a_placeholder_that_is_read_only() {
    let plan = plan(&workspace(&["/w"], &[]), &made(&["/w/.git/", "/w/.codex/"]));
    assert_eq!(binds(&plan), ["w /w", "r /w/.agents", "r /w/.codex", "r /w/.git"]);
    assert_eq!(plan.placeholders, [PathBuf::from("/w/.agents")]);
}

#[test]
fn folders_for_temporary_files_get_no_placeholders() {
    let mode = Mode::WorkspaceWrite {
        roots: vec![],
        exclude_tmp: false,
        exclude_slash_tmp: false,
        network: false,
        protected: vec![],
    };
    let around = Surroundings { tmpdir: Some(Path::new("/var/tmp/me")), ..Surroundings::default() };
    let look = made(&["/tmp/.git/", "/var/tmp/me/"]);
    let plan = Plan::new(&mode, &around, &look).expect("a plan");
    assert_eq!(binds(&plan), ["w /tmp", "r /tmp/.git", "w /var/tmp/me"]);
    assert_eq!(plan.placeholders, Vec::<PathBuf>::new());
}

#[test]
fn roots_are_taken_without_links_and_once() {
    let mut list = vec!["/link -> /w"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/link", "/w", "/missing"], &[]), &made(&list));
    assert_eq!(plan.roots, [PathBuf::from("/w")]);
}

#[test]
fn folders_above_a_protected_path_cannot_be_renamed() {
    let mut list = vec!["/w/a/b/home/"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/w"], &["/w/a/b/home"]), &made(&list));
    let expected =
        ["w /w", "r /w/.agents", "r /w/.codex", "r /w/.git", "w /w/a", "w /w/a/b", "r /w/a/b/home"];
    assert_eq!(binds(&plan), expected);
}

#[test]
fn a_root_inside_a_root_keeps_its_place() {
    let list = ["/w/.git/", "/w/.agents/", "/w/.codex/", "/w/x/in/.git/", "/w/x/in/.agents/"];
    let plan = plan(&workspace(&["/w/x/in", "/w"], &[]), &made(&list));
    let expected = [
        "w /w",
        "r /w/.agents",
        "r /w/.codex",
        "r /w/.git",
        "w /w/x",
        "w /w/x/in",
        "r /w/x/in/.agents",
        "r /w/x/in/.codex",
        "r /w/x/in/.git",
    ];
    assert_eq!(binds(&plan), expected);
    assert_eq!(plan.placeholders, [PathBuf::from("/w/x/in/.codex")]);
}

#[test]
fn a_root_below_a_protected_path_is_writable_and_the_way_to_it_is_not() {
    let mut list = vec!["/w/home/trees/one/.git/"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/w", "/w/home/trees/one"], &["/w/home"]), &made(&list));
    let binds = binds(&plan);
    assert!(binds.contains(&"r /w/home".to_owned()));
    assert!(binds.contains(&"w /w/home/trees/one".to_owned()));
    assert!(!binds.iter().any(|bind| bind.ends_with("/trees")), "{binds:?}");
}

#[test]
fn a_root_that_is_protected_itself_is_read_only() {
    let plan = plan(&workspace(&["/w"], &["/w"]), &made(&WHOLE));
    assert_eq!(binds(&plan)[0], "r /w");
}

#[test]
fn a_linked_git_folder_is_protected_with_its_link() {
    let list = ["/w/.git -> /w/real", "/w/real/", "/w/.agents/", "/w/.codex/"];
    let plan = plan(&workspace(&["/w"], &[]), &made(&list));
    let expected = ["w /w", "r /w/.agents", "r /w/.codex", "r /w/.git", "r /w/real"];
    assert_eq!(binds(&plan), expected);
}

#[test]
fn a_link_out_of_the_roots_is_protected_alone() {
    let list = ["/w/.git -> /elsewhere", "/elsewhere/", "/w/.agents/", "/w/.codex/"];
    let plan = plan(&workspace(&["/w"], &[]), &made(&list));
    assert_eq!(binds(&plan), ["w /w", "r /w/.agents", "r /w/.codex", "r /w/.git"]);
}

#[test]
fn a_worktree_protects_the_repository_that_it_belongs_to() {
    let mut look = made(&["/w/tree/.git", "/w/main/.git/worktrees/tree/"]);
    look.git_folders.insert("/w/tree/.git".into(), "/w/main/.git/worktrees/tree".into());
    let plan = plan(&workspace(&["/w/tree", "/w"], &[]), &look);
    let binds = binds(&plan);
    for expected in ["r /w/tree/.git", "r /w/main/.git", "w /w/main", "w /w/tree"] {
        assert!(binds.contains(&expected.to_owned()), "{expected}: {binds:?}");
    }
}

#[test]
fn relative_protected_paths_count_for_each_root() {
    let mut list = vec!["/w/secret", "/v/secret", "/v/.git/"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/w", "/v"], &["secret"]), &made(&list));
    let binds = binds(&plan);
    assert!(binds.contains(&"r /w/secret".to_owned()) && binds.contains(&"r /v/secret".to_owned()));
}

#[test]
fn protected_paths_outside_of_the_roots_take_nothing() {
    let mut list = vec!["/home/me/.spindle/"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/w"], &["/home/me/.spindle", "/missing"]), &made(&list));
    assert_eq!(plan.binds.len(), 4);
}

#[test]
fn shell_start_files_are_protected_when_home_can_be_written() {
    let list = ["/home/me/.bashrc", "/home/me/.ssh/", "/home/me/.git/"];
    let around = Surroundings { home: Some(Path::new("/home/me")), ..Surroundings::default() };
    let mode = workspace(&["/home/me"], &[]);
    let binds = binds(&Plan::new(&mode, &around, &made(&list)).expect("a plan"));
    assert!(binds.contains(&"r /home/me/.bashrc".to_owned()));
    assert!(binds.contains(&"r /home/me/.ssh".to_owned()));
    let mode = workspace(&["/w"], &[]);
    let plan = Plan::new(&mode, &around, &made(&["/w/", "/home/me/.bashrc"])).expect("a plan");
    assert!(plan.binds.iter().all(|bind| bind.path.starts_with("/w")));
}

#[test]
fn the_servers_own_sockets_are_covered_always_and_others_with_the_network() {
    let hidden = [PathBuf::from("/run/spindle"), PathBuf::from("/home/me/spindle.sock")];
    let around = Surroundings {
        runtime: Some(Path::new("/run/user/7")),
        user: 7,
        hidden: &hidden,
        ..Surroundings::default()
    };
    let look = made(&[
        "/run/spindle/",
        "/home/me/spindle.sock",
        "/run/user/7/",
        "/run/docker.sock",
        "/tmp/tmux-7/",
    ]);
    let covers =
        |network| Plan::new(&Mode::ReadOnly { network }, &around, &look).expect("a plan").covers;
    let own = [Cover::Folder("/run/spindle".into()), Cover::File("/home/me/spindle.sock".into())];
    assert_eq!(covers(false), own);
    let with_network = covers(true);
    for cover in [
        Cover::File("/run/docker.sock".into()),
        Cover::Folder("/run/user/7".into()),
        Cover::Folder("/tmp/tmux-7".into()),
    ] {
        assert!(with_network.contains(&cover), "{cover:?}");
    }
}

#[test]
fn outer_mounts_come_before_inner_ones() {
    let mut list = vec!["/w/a/b/c/d/"];
    list.extend(WHOLE);
    let plan = plan(&workspace(&["/w"], &["/w/a/b/c/d"]), &made(&list));
    for (place, bind) in plan.binds.iter().enumerate() {
        let later = &plan.binds[place + 1..];
        assert!(later.iter().all(|other| !bind.path.starts_with(&other.path)));
    }
}

fn widened(base: Mode, writable: &[&str], protected: &[&str]) -> Mode {
    let list = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
    Mode::Widened { base: Box::new(base), writable: list(writable), protected: list(protected) }
}

#[test]
fn what_was_allowed_by_name_can_be_written_besides() {
    let mode = widened(Mode::ReadOnly { network: false }, &["/o", "/gone"], &[]);
    let plan = plan(&mode, &made(&["/o/"]));
    assert_eq!((binds(&plan), plan.network), (vec!["w /o".to_owned()], false));
    assert_eq!(plan.roots, [PathBuf::from("/o")]);
}

#[test]
fn a_place_that_became_a_link_is_no_longer_what_was_allowed() {
    let mode = widened(Mode::ReadOnly { network: false }, &["/o", "/l/sub"], &[]);
    let plan = plan(&mode, &made(&["/o -> /etc", "/etc/", "/l -> /etc", "/etc/sub/"]));
    assert_eq!(plan.roots, Vec::<PathBuf>::new());
}

#[test]
fn what_git_runs_stays_read_only_below_what_was_allowed_unless_it_was_named() {
    let look = made(&["/o/.git/hooks/", "/o/.codex/"]);
    let base = || Mode::ReadOnly { network: false };
    let around = plan(&widened(base(), &["/o"], &[]), &look);
    assert_eq!(binds(&around), ["w /o", "r /o/.codex", "r /o/.git"]);
    assert_eq!(around.placeholders, Vec::<PathBuf>::new(), "nothing is made in such a folder");
    let named = plan(&widened(base(), &["/o/.git"], &[]), &look);
    assert_eq!(binds(&named), ["w /o/.git"]);
    let both = plan(&widened(workspace(&["/o"], &[]), &["/o/.git/hooks"], &[]), &look);
    let both = binds(&both);
    assert!(both.contains(&"r /o/.git".to_owned()) && both.contains(&"w /o/.git/hooks".to_owned()));
}

#[test]
fn our_own_home_is_never_opened_by_a_name() {
    let look = made(&["/u/home/rules/", "/u/x/"]);
    let base = || Mode::ReadOnly { network: false };
    let inside = plan(&widened(base(), &["/u/home/rules", "/u/home"], &["/u/home"]), &look);
    assert_eq!(inside.roots, Vec::<PathBuf>::new());
    let above = plan(&widened(base(), &["/u"], &["/u/home"]), &look);
    assert_eq!(binds(&above), ["w /u", "r /u/home"]);
}

/// Patches are written by the server, which keeps to the same limits.
#[test]
fn the_nearest_mount_says_what_may_be_written() {
    let look = made(&["/w/.git/config", "/w/src/", "/w/.agents/", "/w/.codex/", "/u/"]);
    let around = Surroundings { hidden: &[PathBuf::from("/w/src")], ..Surroundings::default() };
    let open = plan(&workspace(&["/w"], &["/w/home"]), &look);
    let hidden = Plan::new(&workspace(&["/w"], &[]), &around, &look).expect("a plan");
    for path in ["/w", "/w/new", "/w/src/deep/new"] {
        assert!(open.may_write(Path::new(path)), "{path}");
    }
    for path in ["/", "/u/x", "/wide", "/w/.git", "/w/.git/config", "/w/.codex/new"] {
        assert!(!open.may_write(Path::new(path)), "{path}");
    }
    assert!(!hidden.may_write(Path::new("/w/src/new")));
    let none = plan(&Mode::ReadOnly { network: true }, &look);
    assert!(!none.may_write(Path::new("/w/new")));
}

#[test]
fn the_network_of_a_widened_mode_is_that_of_the_other_one() {
    let open = widened(Mode::ReadOnly { network: true }, &["/o"], &[]);
    let closed = open.clone().offline();
    assert!(!open.is_offline() && closed.is_offline() && closed != open);
    assert_eq!(closed.online(), open);
    assert!(!plan(&widened(workspace(&["/w"], &[]), &[], &[]), &made(&[])).network);
}
