//! Commands that do harm which cannot be taken back, as far as their words tell.

use super::word::Word;

/// Why a command is dangerous.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Danger {
    /// The form of the command, such as `rm -f`.
    pub form: &'static str,
    /// What it does, as the end of a sentence that starts with the form.
    pub effect: &'static str,
    /// What follows from it.
    pub grade: Grade,
}

/// How much a danger weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// Destroys work inside the workspace too: is asked about in a sandbox, and refused where
    /// nobody may be asked.
    Destroys,
    /// Destroys the machine or its data; a sandbox holds it. Without one it is as `Destroys`.
    DestroysMachine,
    /// May lose work: is asked about in a sandbox too, but runs where nobody may be asked.
    Risks,
    /// Reaches beyond the workspace; a sandbox holds it. Without one it is as `Risks`.
    Reaches,
}

impl Danger {
    /// Returns the text for a person who is asked.
    pub fn reason(&self) -> String {
        format!("{} {}", self.form, self.effect)
    }

    /// Returns the text for a model that is refused.
    pub fn refusal(&self) -> String {
        format!("{} style commands are not permitted. Use a safer approach", self.form)
    }
}

const fn danger(form: &'static str, effect: &'static str, grade: Grade) -> Danger {
    Danger { form, effect, grade }
}

/// Programs that are dangerous with any arguments.
const PROGRAMS: &[(&[&str], Danger)] = &[
    (&["shred"], danger("shred", "overwrites files for good", Grade::Destroys)),
    (
        &[
            "mkfs",
            "mke2fs",
            "mkswap",
            "wipefs",
            "blkdiscard",
            "fdisk",
            "sfdisk",
            "sgdisk",
            "parted",
        ],
        danger("mkfs", "overwrites a disk", Grade::DestroysMachine),
    ),
    (
        &["shutdown", "reboot", "halt", "poweroff", "telinit"],
        danger("shutdown", "stops the machine", Grade::DestroysMachine),
    ),
    (
        &["sudo", "doas", "su", "pkexec", "run0", "runuser"],
        danger("sudo", "runs with the rights of another user", Grade::Reaches),
    ),
    (
        &["kill", "pkill", "killall", "skill", "xkill", "fuser"],
        danger("kill", "ends processes", Grade::Reaches),
    ),
    (
        &["passwd", "chpasswd", "useradd", "usermod", "userdel", "groupadd", "groupdel", "visudo"],
        danger("passwd", "changes the machine's users", Grade::Reaches),
    ),
    (
        &["mount", "umount", "insmod", "modprobe", "rmmod", "iptables", "nft", "ufw", "chroot"],
        danger("mount", "changes how the machine is set up", Grade::Reaches),
    ),
];

const SHRINKS_FILES: Danger = danger("truncate", "cuts files off", Grade::Risks);
const WRITES_DISK: Danger = danger("dd", "writes to a device", Grade::DestroysMachine);
const WRITES_FILE: Danger = danger("dd", "writes over a file", Grade::Risks);
const DELETES: Danger = danger("rm -f", "deletes files without asking", Grade::Destroys);
const DELETES_FOLDERS: Danger = danger("rm -r", "deletes whole folders", Grade::Risks);
const DELETES_FOUND: Danger =
    danger("find -delete", "deletes every file that it finds", Grade::Destroys);
const DELETES_EACH: Danger =
    danger("rm for each file", "deletes every file that is found", Grade::Destroys);
const CHANGES_RIGHTS: Danger =
    danger("chmod -R", "changes the rights of whole folders", Grade::Risks);
const GIVES_RIGHTS: Danger =
    danger("chmod u+s", "lets everybody run a program with its owner's rights", Grade::Reaches);
const STOPS_SERVICE: Danger = danger("systemctl", "stops the machine's services", Grade::Reaches);
const CLEARS_CRON: Danger = danger("crontab -r", "removes all timed jobs", Grade::DestroysMachine);
const REMOVES_REMOTE: Danger =
    danger("remote delete", "removes things that are not on this machine", Grade::Reaches);
const GIT_CLEAN: Danger =
    danger("git clean", "deletes files that git does not keep", Grade::Destroys);
const GIT_RESET: Danger =
    danger("git reset --hard", "throws away changes that are not committed", Grade::Destroys);
const GIT_CHECKOUT: Danger =
    danger("git checkout", "may throw away changes that are not committed", Grade::Risks);
const GIT_PUSH: Danger = danger("git push --force", "rewrites what others see", Grade::Risks);
const GIT_FORGETS: Danger =
    danger("git branch -D", "removes commits that nothing else may hold", Grade::Risks);

/// Says why the command of these words is dangerous.
pub(super) fn danger_of(words: &[Word]) -> Option<Danger> {
    let (first, rest) = words.split_first()?;
    let name = first.base_name()?;
    let args: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if let Some((_, danger)) = PROGRAMS.iter().find(|(names, _)| names.contains(&name)) {
        return Some(*danger).filter(|_| !only_asks(name, &args));
    }
    match name {
        "rm" if flag(&args, 'f', "force") => Some(DELETES),
        "rm" if flag(&args, 'r', "recursive") || flag(&args, 'R', "recursive") => {
            Some(DELETES_FOLDERS)
        }
        "find" if args.contains(&"-delete") => Some(DELETES_FOUND),
        "chmod" | "chown" | "chgrp" if flag(&args, 'R', "recursive") => Some(CHANGES_RIGHTS),
        "chmod" if args.iter().any(|arg| sets_owner_rights(arg)) => Some(GIVES_RIGHTS),
        "dd" => writes_with_dd(&args),
        "truncate" => Some(SHRINKS_FILES),
        "crontab" if flag(&args, 'r', "remove") => Some(CLEARS_CRON),
        "init" if matches!(args.first(), Some(&("0" | "6"))) => {
            Some(danger("init 0", "stops the machine", Grade::DestroysMachine))
        }
        "systemctl" => systemctl(&args),
        "git" => git(rest),
        "kubectl" | "aws" | "gcloud" | "az" | "terraform" | "docker" | "podman" => {
            let removes = ["delete", "destroy", "rm", "rmi", "prune", "rb"];
            let found = args.iter().any(|arg| removes.contains(arg));
            found.then_some(REMOVES_REMOTE)
        }
        _ if name.starts_with("mkfs.") => {
            Some(danger("mkfs", "overwrites a disk", Grade::DestroysMachine))
        }
        _ => None,
    }
}

/// Says why a command is dangerous that another one runs for each of many files.
pub(super) fn danger_of_each(runner: &[Word], words: &[Word]) -> Option<Danger> {
    let runs_many =
        matches!(runner.first()?.base_name()?, "find" | "xargs" | "fd" | "fdfind" | "parallel");
    let deletes = matches!(words.first()?.base_name()?, "rm" | "unlink" | "rmdir");
    (runs_many && deletes).then_some(DELETES_EACH)
}

/// Tells whether the arguments only ask for help or a list.
fn only_asks(name: &str, args: &[&str]) -> bool {
    match (name, args) {
        ("kill" | "mount", []) => true,
        ("kill", ["-l" | "-L", ..]) => true,
        (_, [only]) => matches!(*only, "--help" | "--version" | "-V"),
        _ => false,
    }
}

/// Tells whether a flag is given, alone, among others (`-rf`) or as the beginning of its long form.
fn flag(args: &[&str], short: char, long: &str) -> bool {
    args.iter().take_while(|arg| **arg != "--").any(|arg| match arg.strip_prefix("--") {
        Some(name) => !name.is_empty() && long.starts_with(name),
        None => arg.strip_prefix('-').is_some_and(|letters| letters.contains(short)),
    })
}

/// `u+s`, `4755` and their like.
fn sets_owner_rights(mode: &str) -> bool {
    let is_octal = mode.len() == 4 && mode.bytes().all(|b| (b'0'..=b'7').contains(&b));
    let by_letters = mode.contains("+s") || mode.contains("=s");
    by_letters || (is_octal && mode.starts_with(['2', '4', '6']))
}

fn writes_with_dd(args: &[&str]) -> Option<Danger> {
    let target = args.iter().find_map(|arg| arg.strip_prefix("of="))?;
    match target {
        "/dev/null" | "/dev/stdout" | "/dev/stderr" => None,
        _ if target.starts_with("/dev/") => Some(WRITES_DISK),
        _ => Some(WRITES_FILE),
    }
}

fn systemctl(args: &[&str]) -> Option<Danger> {
    let verb = args.iter().find(|arg| !arg.starts_with('-'))?;
    match *verb {
        "poweroff" | "reboot" | "halt" | "kexec" | "rescue" | "emergency" | "suspend"
        | "hibernate" => Some(danger("shutdown", "stops the machine", Grade::DestroysMachine)),
        "stop" | "restart" | "kill" | "disable" | "mask" | "isolate" | "set-default" | "revert" => {
            Some(STOPS_SERVICE)
        }
        _ => None,
    }
}

fn git(words: &[Word]) -> Option<Danger> {
    let rest = after_git_options(words);
    let args: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let (verb, args) = args.split_first()?;
    let given = |short: char, long: &str| flag(args, short, long);
    match *verb {
        "clean" if !given('n', "dry-run") => Some(GIT_CLEAN),
        "reset" if args.contains(&"--hard") || args.contains(&"--merge") => Some(GIT_RESET),
        "checkout" if args.contains(&"--") || args.contains(&".") || given('f', "force") => {
            Some(GIT_CHECKOUT)
        }
        "restore" if !given('S', "staged") || given('W', "worktree") => Some(GIT_CHECKOUT),
        "switch" if given('f', "force") || args.contains(&"--discard-changes") => {
            Some(GIT_CHECKOUT)
        }
        "push" if pushes_over(args) => Some(GIT_PUSH),
        "branch" if given('D', "delete") || given('d', "delete") => Some(GIT_FORGETS),
        "stash" if matches!(args.first(), Some(&("drop" | "clear"))) => Some(GIT_FORGETS),
        "reflog" if matches!(args.first(), Some(&("expire" | "delete"))) => Some(GIT_FORGETS),
        "filter-branch" | "filter-repo" | "gc" | "prune" | "update-ref" => {
            let harmless = *verb == "gc" && !args.iter().any(|arg| arg.starts_with("--prune"));
            (!harmless).then_some(GIT_FORGETS)
        }
        _ => None,
    }
}

fn pushes_over(args: &[&str]) -> bool {
    let forced = args.iter().any(|arg| {
        arg.starts_with("--force") || matches!(*arg, "--mirror" | "--delete" | "--prune" | "-d")
    });
    let refspec = args.iter().any(|arg| arg.starts_with('+') || arg.starts_with(':'));
    forced || refspec || flag(args, 'f', "force")
}

/// Skips git's own options, such as `-C DIR`, which stand before the subcommand.
pub(super) fn after_git_options(words: &[Word]) -> &[Word] {
    let mut rest = words;
    while let [first, tail @ ..] = rest {
        let text = first.text.as_str();
        if !text.starts_with('-') {
            break;
        }
        let takes_value = matches!(
            text,
            "-C" | "-c"
                | "--git-dir"
                | "--work-tree"
                | "--namespace"
                | "--super-prefix"
                | "--config-env"
        );
        rest = if takes_value { tail.get(1..).unwrap_or_default() } else { tail };
    }
    rest
}

#[cfg(test)]
mod tests;
