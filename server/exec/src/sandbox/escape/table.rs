//! The table of `docs/exec.md`: every way out by name, and what stops it under each strategy. A
//! page that promises more or less than the attempts show is a failed test.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use super::processes::living_in;
use super::*;

const PAGE: &str = include_str!("../../../../../docs/exec.md");

/// One way out: its name, what is tried, and what stops it: under namespaces, under bubblewrap,
/// and under file rules alone. The error that the attempt gets stands in brackets.
struct Way {
    name: &'static str,
    tried: Tried,
    network: bool,
    cells: [&'static str; 3],
    /// Not looked at where the strategy itself says that it does not hold this.
    gap: Option<Gap>,
}

/// What is tried. In words, `@secret`, `@outside`, `@server`, `@tcp` and the like stand for what is
/// there when the attempt is made.
enum Tried {
    Words(&'static [&'static str]),
    /// A script that prints `ok` when it got out.
    Script(&'static str),
}

const fn way(name: &'static str, words: &'static [&'static str], cells: [&'static str; 3]) -> Way {
    Way { name, tried: Tried::Words(words), network: false, cells, gap: None }
}

const fn script(name: &'static str, text: &'static str, cells: [&'static str; 3]) -> Way {
    Way { name, tried: Tried::Script(text), network: false, cells, gap: None }
}

impl Way {
    const fn online(self) -> Self {
        Self { network: true, ..self }
    }

    const fn unless(self, gap: Gap) -> Self {
        Self { gap: Some(gap), ..self }
    }
}

const OPEN: &str = "**open**";
const READ_ONLY: &str = "read-only mount (EROFS)";
const RULES: &str = "file rules (EACCES)";
const FILTER: &str = "filter (EPERM)";
const RIGHTS: &str = "no capabilities (EPERM)";
const UNSEEN: &str = "own processes (ENOENT)";

const WAYS: &[Way] = &[
    way("write a file outside", &["write", "@secret"], [READ_ONLY, READ_ONLY, RULES]),
    way("make a file outside", &["create", "@outside/new"], [READ_ONLY, READ_ONLY, RULES]),
    way("cut a file outside off", &["truncate", "@secret"], [READ_ONLY, READ_ONLY, RULES])
        .unless(Gap::Truncation),
    way("write through a symbolic link", &["write", "door/file"], [READ_ONLY, READ_ONLY, RULES]),
    way(
        "write through `/proc/SERVER/root`",
        &["write", "/proc/@server/root@secret"],
        [UNSEEN, UNSEEN, RULES],
    ),
    way(
        "hard link to a file outside",
        &["link", "@secret", "taken"],
        ["border of a mount (EXDEV)", "border of a mount (EXDEV)", "file rules (EXDEV)"],
    ),
    way(
        "move a file from outside in",
        &["rename", "@secret", "taken"],
        ["border of a mount (EXDEV)", "border of a mount (EXDEV)", RULES],
    ),
    way(
        "move the workspace itself",
        &["rename", "@yard/ws", "@yard/moved"],
        [READ_ONLY, READ_ONLY, RULES],
    ),
    way("change the root folder", &["chroot", "."], [RIGHTS, RIGHTS, RIGHTS]),
    way("change the mode of a file outside", &["chmod", "@secret"], [READ_ONLY, READ_ONLY, OPEN]),
    way("change the times of a file outside", &["times", "@secret"], [READ_ONLY, READ_ONLY, OPEN]),
    way("write `.git/config`", &["write", ".git/config"], [READ_ONLY, READ_ONLY, OPEN]),
    way(
        "put a hook into `.git/hooks`",
        &["create", ".git/hooks/pre-commit"],
        [READ_ONLY, READ_ONLY, OPEN],
    ),
    way(
        "move `.git` away",
        &["rename", ".git", "old"],
        ["mount point (EBUSY)", "mount point (EBUSY)", OPEN],
    ),
    script(
        "write a start file of the shell, home being the workspace",
        "echo x >> .bashrc && echo ok",
        ["read-only mount", "read-only mount", OPEN],
    ),
    way("unmount a protected folder", &["umount", ".git"], [FILTER, FILTER, FILTER]),
    way("make a namespace of its own", &["unshare", "268435456"], [FILTER, FILTER, FILTER]),
    way(
        "write to the kernel's settings in `/proc`",
        &["write", "/proc/sys/vm/swappiness"],
        ["read-only mount", "read-only mount", "file rules"],
    ),
    way("make a device", &["device", "disk"], [RULES, RIGHTS, RULES]),
    way("read the server's memory", &["read", "/proc/@server/mem"], [UNSEEN, UNSEEN, RULES]),
    way(
        "read the server's environment",
        &["read", "/proc/@server/environ"],
        [UNSEEN, UNSEEN, RULES],
    ),
    way(
        "trace the server",
        &["ptrace", "@server"],
        ["own processes (ESRCH)", "own processes (ESRCH)", "file rules (EPERM)"],
    ),
    way(
        "signal the server",
        &["signal", "@server"],
        ["own processes (ESRCH)", "own processes (ESRCH)", "file rules (EPERM)"],
    )
    .unless(Gap::Signals),
    script(
        "see other processes",
        "test -e /proc/@server && echo ok",
        ["own processes", "own processes", OPEN],
    ),
    script("leave a daemon behind", DAEMON, ["ends with process 1", "ends with process 1", OPEN]),
    script(
        "use a descriptor of the server",
        "for n in 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$n && echo ok; done",
        ["closed before the start", "closed before the start", "closed before the start"],
    ),
    script(
        "gain rights by a set-user-id program",
        "grep -q 'NoNewPrivs:.0' /proc/self/status && echo ok",
        ["no new privileges", "no new privileges", "no new privileges"],
    ),
    way("type into the terminal", &["type"], [FILTER, FILTER, FILTER]),
    way("connect to loopback", &["tcp", "@tcp"], [FILTER, FILTER, FILTER]),
    way("send a datagram", &["udp", "@udp"], [FILTER, FILTER, FILTER]),
    way("ask for a name (DNS)", &["udp", "127.0.0.1:53"], [FILTER, FILTER, FILTER]),
    way("connect to a socket with a path", &["unix", "@outside/s"], [FILTER, FILTER, FILTER]),
    way("connect to an abstract socket", &["abstract", "@yard"], [FILTER, FILTER, FILTER]),
    way("use io_uring", &["call", "425"], [FILTER, FILTER, FILTER]),
    way(
        "network on: connect to an abstract socket",
        &["abstract", "@yard"],
        ["file rules (EPERM)", OPEN, "file rules (EPERM)"],
    )
    .online()
    .unless(Gap::AbstractSockets),
    way(
        "network on: connect to another's socket with a path",
        &["unix", "@outside/s"],
        [OPEN, OPEN, OPEN],
    )
    .online(),
    way(
        "network on: reach the host of a virtual machine",
        &["socket", "40", "1"],
        [FILTER, FILTER, FILTER],
    )
    .online(),
];

/// A daemon as daemons are made: in a session of its own, and nobody's child.
const DAEMON: &str = "(setsid sh -c 'trap \"\" TERM HUP INT; echo up > up; while test -e up; do sleep 0.02; done' \
    < /dev/null > /dev/null 2>&1 &) ; while ! test -e up; do :; done";

/// What the attempts lead to.
struct Surroundings {
    _inheritable: fs::File,
    tcp: TcpListener,
    udp: UdpSocket,
    _path: UnixListener,
    _abstract: UnixListener,
}

impl Surroundings {
    fn of(yard: &Yard) -> Self {
        let (path, name) = (yard.outside().join("s"), shown(yard.folder.path()));
        let name = SocketAddr::from_abstract_name(name).expect("an address");
        std::os::unix::fs::symlink(yard.outside(), yard.workspace().join("door")).expect("a link");
        fs::write(yard.workspace().join(".bashrc"), "safe").expect("a file");
        let inheritable = fs::File::open(yard.outside()).expect("it opens");
        rustix::io::fcntl_setfd(&inheritable, rustix::io::FdFlags::empty()).expect("it is open");
        Self {
            _inheritable: inheritable,
            tcp: TcpListener::bind("127.0.0.1:0").expect("a listener"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a socket"),
            _path: UnixListener::bind(path).expect("a listener"),
            _abstract: UnixListener::bind_addr(&name).expect("a listener"),
        }
    }

    fn fill(&self, yard: &Yard, text: &str) -> String {
        let tcp = self.tcp.local_addr().expect("an address").to_string();
        let udp = self.udp.local_addr().expect("an address").to_string();
        let server = std::process::id().to_string();
        let places = [
            ("@secret", shown(&yard.secret())),
            ("@outside", shown(&yard.outside())),
            ("@yard", shown(yard.folder.path())),
            ("@server", server),
            ("@tcp", tcp),
            ("@udp", udp),
        ];
        places.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// Makes the attempt; returns `ok` or the error's name.
async fn result(way: &Way, support: &Support) -> String {
    let mut yard = Yard::new();
    yard.network = way.network;
    let around = Surroundings::of(&yard);
    match &way.tried {
        Tried::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| around.fill(&yard, word)).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            yard.attempt(support, &words).await
        }
        Tried::Script(text) => {
            let mut command = yard.command(&["sh", "-c", &around.fill(&yard, text)]);
            command.env.push(("HOME".into(), yard.workspace().into()));
            let printed = yard.run(support, command).await.text;
            // A daemon that is left behind ends with the folder.
            if *text == DAEMON && living_in(&shown(&yard.workspace())) > 0 {
                return "ok".into();
            }
            if printed.lines().any(|line| line == "ok") { "ok".into() } else { "refused".into() }
        }
    }
}

/// Whether a cell tells what came of the attempt. Where no error is told, any will do.
fn tells(cell: &str, result: &str) -> bool {
    match result {
        "ok" => cell == OPEN,
        "refused" => cell != OPEN,
        error => cell != OPEN && (!cell.contains('(') || cell.contains(&format!("({error})"))),
    }
}

/// Makes all attempts under one strategy, whose cells are those at `column`.
async fn make_all(support: &Support, column: usize) {
    let mut wrong = Vec::new();
    for way in WAYS {
        if way.gap.is_some_and(|gap| support.gaps().contains(&gap)) && way.cells[column] != OPEN {
            println!("skipped: {}: not held here, as the strategy says", way.name);
            continue;
        }
        let result = result(way, support).await;
        if !tells(way.cells[column], &result) {
            wrong.push(format!("{}: {result}, not {}", way.name, way.cells[column]));
        }
    }
    assert!(wrong.is_empty(), "{:?}:\n{}", support.strategy(), wrong.join("\n"));
}

#[tokio::test]
async fn every_way_out_is_as_the_page_says_under_namespaces() {
    for support in working(&[WHOLE]).await {
        make_all(&support, 0).await;
    }
}

#[tokio::test]
async fn every_way_out_is_as_the_page_says_under_bubblewrap() {
    if let Some(support) = bubblewrap() {
        make_all(&support, 1).await;
    }
}

#[tokio::test]
async fn every_way_out_is_as_the_page_says_under_file_rules_alone() {
    for support in working(&[Strategy::Rules]).await {
        make_all(&support, 2).await;
    }
}

#[test]
fn the_page_holds_the_table() {
    for Way { name, cells: [namespaces, wrapped, rules], .. } in WAYS {
        let line = format!("| {name} | {namespaces} | {wrapped} | {rules} |");
        assert!(PAGE.contains(&line), "docs/exec.md lacks this line:\n{line}");
    }
    let lines = PAGE
        .lines()
        .skip_while(|line| *line != "| attempt | namespaces | bubblewrap | file rules alone |");
    assert_eq!(lines.skip(2).take_while(|line| line.starts_with('|')).count(), WAYS.len());
}
