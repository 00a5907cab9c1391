//! Ways to files outside, and to protected ones inside.

use std::fs::File;
use std::os::fd::OwnedFd;

use super::*;
use crate::spawn::{self, Image};

#[tokio::test]
async fn work_inside_the_workspace_goes_on_as_usual() {
    let script = "set -e; echo x > new; mkdir -p a/b; mv new a/b/; ln a/b/new hard; ln -s a soft
        chmod 700 a; touch -t 200001010000 a; rm soft; cat hard > /dev/null
        test -w /dev/null; echo y > /dev/stdout; echo m > /dev/shm/own$$; rm /dev/shm/own$$; cat /etc/passwd > copy
        cd a && rm -r b; git init -q sub 2> /dev/null || true";
    for support in every().await {
        let yard = Yard::new();
        let outcome = yard.sh(&support, script).await;
        assert_eq!((outcome.text.as_str(), outcome.code), ("y\n", 0), "{:?}", support.strategy());
        assert_eq!(fs::read_to_string(yard.workspace().join("hard")).expect("it is there"), "x\n");
    }
}

#[tokio::test]
async fn writing_outside_fails_as_on_a_read_only_disk() {
    for support in every().await {
        let yard = Yard::new();
        let (file, new) = (shown(&yard.secret()), shown(&yard.outside().join("new")));
        for words in [
            vec!["write", &file],
            vec!["truncate", &file],
            vec!["create", &new],
            vec!["rename", &file, &new],
            vec!["rename", "file", &new],
            vec!["link", "file", &new],
            vec!["link", &file, "taken"],
        ] {
            let result = yard.attempt(&support, &words).await;
            let ordinary = ["EROFS", "EXDEV", "EACCES", "EPERM"].contains(&result.as_str());
            assert!(ordinary, "{words:?} by {:?}: {result}", support.strategy());
            yard.assert_untouched(&format!("{words:?}"));
        }
    }
}

#[tokio::test]
async fn modes_times_and_attributes_outside_stay_as_they_are() {
    for support in with_mounts().await {
        let yard = Yard::new();
        for attempt in ["chmod", "times", "attribute"] {
            let result = yard.attempt(&support, &[attempt, &shown(&yard.secret())]).await;
            assert_eq!(result, "EROFS", "{attempt}");
            yard.assert_untouched(attempt);
        }
    }
}

#[tokio::test]
async fn links_lead_nowhere_else() {
    for support in every().await {
        let yard = Yard::new();
        symlink(yard.secret(), yard.workspace().join("way-out")).expect("a link");
        symlink(yard.outside(), yard.workspace().join("door")).expect("a link");
        let script = format!(
            "echo x > way-out; echo x > door/new; ln -s {0} another; echo x > another/file
             ln {0}/file hard && echo x > hard; cp -a {0} door2; echo x > door2/../door/file",
            yard.outside().display()
        );
        yard.sh(&support, &script).await;
        yard.assert_untouched("links");
    }
}

#[tokio::test]
async fn a_workspace_that_becomes_a_link_meanwhile_opens_nothing() {
    for support in every().await {
        let yard = Yard::new();
        let mut command = yard.command(&["sh", "-c", "echo x > ws/file; echo x > ws/new"]);
        command.cwd = yard.folder.path().into();
        let walls = support.confine(&command, None).expect("it is planned");
        fs::rename(yard.workspace(), yard.folder.path().join("moved")).expect("it is moved");
        symlink(yard.outside(), yard.workspace()).expect("a link");
        let nowhere =
            || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
        let stdio = [nowhere(), nowhere(), nowhere()].map(|fd| fd.expect("it opens"));
        let image = Image::new(&command, stdio, walls).expect("it is laid out");
        if let Ok(group) = spawn::start(image).await {
            while group.try_reap().is_none() {
                tokio::task::yield_now().await;
            }
        }
        let secret = fs::read_to_string(yard.secret()).expect("it is there");
        assert_eq!(secret, "safe", "{:?}", support.strategy());
        assert_eq!(fs::read_dir(yard.outside()).expect("it is there").count(), 1);
    }
}

#[tokio::test]
async fn nothing_is_written_in_read_only_mode() {
    for support in every().await {
        let yard = Yard::new();
        let mut command = yard.command(&["sh", "-c", "echo x > new || echo x > file; mkdir d"]);
        command.sandbox = Mode::ReadOnly { network: false };
        let outcome = yard.run(&support, command).await;
        assert_ne!(outcome.code, 0);
        assert_eq!(fs::read_dir(yard.workspace()).expect("it is there").count(), 2);
        assert_eq!(fs::read_to_string(yard.workspace().join("file")).expect("a file"), "mine");
    }
}

#[tokio::test]
async fn the_repository_keeps_its_configuration_and_gets_no_hooks() {
    let script = "echo x > .git/config; echo x > .git/hooks/pre-commit; ln -s /bin/sh .git/hooks/h
        rm -rf .git; mv .git old; mv file .git/; ln .git/config mine && echo x > mine
        chmod 777 .git/config; ln -s .git way; echo x > way/config; echo x > ./../ws/.git/config
        cp -a .git copy; echo x > copy/config";
    for support in with_mounts().await {
        let yard = Yard::new();
        yard.sh(&support, script).await;
        yard.assert_untouched("repository");
        let hooks = fs::read_dir(yard.workspace().join(".git/hooks")).expect("it is there");
        assert_eq!(hooks.count(), 0);
        assert!(yard.workspace().join("copy/config").exists(), "a copy may be changed");
    }
}

#[tokio::test]
async fn refusals_in_the_repository_look_like_a_read_only_disk() {
    for support in with_mounts().await {
        let yard = Yard::new();
        assert_eq!(yard.attempt(&support, &["write", ".git/config"]).await, "EROFS");
        assert_eq!(yard.attempt(&support, &["rename", ".git", "old"]).await, "EBUSY");
        assert_eq!(yard.attempt(&support, &["read", ".git/config"]).await, "ok");
    }
}

#[tokio::test]
async fn a_missing_repository_cannot_be_made_with_hooks() {
    let script = "mkdir -p .git/hooks; echo x > .git/hooks/post-checkout; ln -s /tmp .git
        mkdir other; mv other .git; mkdir -p .codex; echo x > .codex/config.toml; ls -A .git";
    for support in with_mounts().await {
        let yard = Yard::new();
        fs::remove_dir_all(yard.workspace().join(".git")).expect("it is removed");
        yard.sh(&support, script).await;
        for name in [".git", ".codex", ".agents"] {
            let left = fs::read_dir(yard.workspace().join(name));
            assert!(left.is_err() || left.is_ok_and(|names| names.count() == 0), "{name}");
        }
    }
}

#[tokio::test]
async fn a_folder_above_a_protected_one_cannot_be_moved_away() {
    let script =
        "mv a b; mv a/deep a/shallow; rm -rf a; mkdir -p a/deep/home; echo x > a/deep/home/f";
    for support in with_mounts().await {
        let mut yard = Yard::new();
        let home = yard.workspace().join("a/deep/home");
        fs::create_dir_all(&home).expect("folders");
        fs::write(home.join("f"), "safe").expect("a file");
        yard.protected = vec![home.clone()];
        yard.sh(&support, script).await;
        assert_eq!(fs::read_to_string(home.join("f")).expect("it is there"), "safe");
        assert_eq!(fs::read_dir(yard.workspace().join("a")).expect("it is there").count(), 1);
    }
}

#[tokio::test]
async fn a_linked_repository_is_kept_with_its_link() {
    for support in with_mounts().await {
        let yard = Yard::new();
        let (git, real) = (yard.workspace().join(".git"), yard.workspace().join("real"));
        fs::rename(&git, &real).expect("it is moved");
        symlink("real", &git).expect("a link");
        let script = "echo x > .git/config; echo x > real/config; mv real r; rm .git; mkdir .git
            ln -sfn /tmp .git; echo x > .git/hooks/h";
        if is_wrapped(&support) {
            let command = Clearance::sandboxed(yard.command(&["sh", "-c", script]));
            let refused = Process::spawn_in(command, &support).await;
            assert!(matches!(
                refused,
                Err(SpawnError::Sandbox(SandboxError::ProtectedLink(link))) if link.ends_with(".git")
            ));
            continue;
        }
        yard.sh(&support, script).await;
        yard.assert_untouched("linked repository");
        assert_eq!(fs::read_link(&git).expect("still a link"), Path::new("real"));
    }
}

#[tokio::test]
async fn a_worktree_keeps_the_repository_that_it_names() {
    for support in with_mounts().await {
        let yard = Yard::new();
        let main = yard.workspace().join("main/.git");
        fs::create_dir_all(main.join("worktrees/t")).expect("folders");
        fs::write(main.join("config"), "safe").expect("a file");
        fs::remove_dir_all(yard.workspace().join(".git")).expect("it is removed");
        let pointer = format!("gitdir: {}\n", main.join("worktrees/t").display());
        fs::write(yard.workspace().join(".git"), &pointer).expect("a file");
        let script = "echo x > .git; rm .git; mv .git g; echo x > main/.git/config; mv main m
            mv main/.git main/g; rm -rf main";
        yard.sh(&support, script).await;
        let kept = fs::read_to_string(yard.workspace().join(".git")).expect("it is there");
        assert_eq!(kept, pointer);
        assert_eq!(fs::read_to_string(main.join("config")).expect("it is there"), "safe");
    }
}

#[tokio::test]
async fn shell_start_files_stay_as_they_are_even_when_home_is_the_workspace() {
    for support in with_mounts().await {
        let yard = Yard::new();
        let start = yard.workspace().join(".bashrc");
        fs::write(&start, "safe").expect("a file");
        let script = "echo x >> .bashrc; rm .bashrc; mv .bashrc b; echo x > n; mv n .bashrc";
        let mut command = yard.command(&["sh", "-c", script]);
        command.env.push(("HOME".into(), yard.workspace().into()));
        yard.run(&support, command).await;
        assert_eq!(fs::read_to_string(&start).expect("it is there"), "safe");
    }
}

#[tokio::test]
async fn folders_for_temporary_files_are_writable_unless_taken_out() {
    for support in every().await {
        let yard = Yard::new();
        let mut command = yard.command(&["sh", "-c", "echo x > $TMPDIR/inside"]);
        command.env.push(("TMPDIR".into(), yard.outside().into()));
        let Mode::WorkspaceWrite { roots, .. } = yard.mode() else { unreachable!() };
        let open = |exclude_tmp| Mode::WorkspaceWrite {
            roots: roots.clone(),
            exclude_tmp,
            exclude_slash_tmp: true,
            network: false,
            protected: vec![],
        };
        command.sandbox = open(true);
        assert_ne!(yard.run(&support, command.clone()).await.code, 0);
        command.sandbox = open(false);
        assert_eq!(yard.run(&support, command).await.code, 0);
        assert!(yard.outside().join("inside").exists());
    }
}

#[tokio::test]
async fn no_device_can_be_made() {
    for support in every().await {
        let yard = Yard::new();
        let result = yard.attempt(&support, &["device", "disk"]).await;
        assert!(result == "EPERM" || result == "EACCES", "{result}");
    }
}

#[tokio::test]
async fn what_the_kernel_is_told_through_files_stays_as_it_is() {
    for support in every().await {
        let yard = Yard::new();
        for path in ["/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger"]
        {
            let result = yard.attempt(&support, &["write", path]).await;
            assert!(["EROFS", "EACCES", "EPERM", "ENOENT"].contains(&&*result), "{path}: {result}");
        }
    }
}
