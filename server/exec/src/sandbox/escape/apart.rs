//! A network of a command's own.

use std::net::TcpListener;
use std::sync::Arc;

use super::*;
use crate::network::{Gate, Limits, Pattern, Proxy, Refusal, Soon, System, Target, Verdict};
use crate::policy::Rules;

/// Says whether it can be had here; if not, says why it is not tested.
async fn is_possible() -> bool {
    let found = Support::own_network().await;
    if let Err(why) = found {
        println!("skipped: a network of a command's own: {why}");
    }
    found.is_ok()
}

struct Doorman(Limits);

impl Gate for Doorman {
    fn limits(&self) -> &Limits {
        &self.0
    }

    fn judge<'a>(&'a self, target: &'a Target) -> Soon<'a, Result<(), Refusal>> {
        let verdict = self.0.judge(&Rules::default(), target);
        Box::pin(
            async move { if verdict == Verdict::Allow { Ok(()) } else { Err(Refusal::NotListed) } },
        )
    }

    fn refused(&self, _: &Target, _: Refusal) {}
}

/// Has this program make an attempt in a network of its own, out of which a proxy leads to what
/// `allow` names.
async fn attempt(yard: &Yard, allow: &str, words: &[&str]) -> String {
    let program = shown(&std::env::current_exe().expect("the test program"));
    let role = "sandbox::escape::attempts::attempt_from_inside";
    let mut command = yard.command(&[&program, "--exact", role, "--ignored", "--nocapture", "-q"]);
    command.env.push((attempts::VARIABLE.into(), words.join("\n").into()));
    let started = Process::spawn_apart(Clearance::sandboxed(command)).await;
    let (process, entrance) = started.expect("the command starts");
    let allow = vec![Pattern::parse(allow).expect("a pattern")];
    let gate = Doorman(Limits { allow, ..Limits::default() });
    let _proxy = Proxy::serve(entrance, Arc::new(gate), Arc::new(System));
    process.wait().await;
    let text = process.collected().text();
    let result = text.split(attempts::MARK).nth(1);
    result.map_or(format!("no answer: {text}"), |text| text.trim().to_owned())
}

#[tokio::test]
async fn a_command_in_a_network_of_its_own_reaches_what_is_allowed_by_the_proxy_alone() {
    if !is_possible().await {
        return;
    }
    let yard = Yard::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address").to_string();
    assert_eq!(attempt(&yard, "127.0.0.1", &["tunnel", &address]).await, "200");
    assert_eq!(attempt(&yard, "a.example", &["tunnel", &address]).await, "403");
    assert_eq!(attempt(&yard, "127.0.0.1", &["tcp", &address]).await, "ECONNREFUSED");
}

#[tokio::test]
async fn a_network_of_its_own_has_nothing_but_the_command() {
    if !is_possible().await {
        return;
    }
    for network in [false, true] {
        let mut yard = Yard::new();
        yard.network = network;
        assert_eq!(attempt(&yard, "*", &["tcp", "192.0.2.1:80"]).await, "ENETUNREACH");
        assert_eq!(attempt(&yard, "*", &["tcp", "[2001:db8::1]:80"]).await, "ENETUNREACH");
        assert_eq!(attempt(&yard, "*", &["listen"]).await, "ok");
        assert_eq!(attempt(&yard, "*", &["listen-at", "127.0.0.1:3128"]).await, "EADDRINUSE");
    }
}

#[tokio::test]
async fn in_a_network_of_its_own_no_local_socket_of_the_machine_can_be_used() {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
    if !is_possible().await {
        return;
    }
    let yard = Yard::new();
    let (path, datagrams) = (yard.outside().join("s"), yard.outside().join("d"));
    let name = shown(yard.folder.path());
    let _stream = UnixListener::bind(&path).expect("a listener");
    let _datagram = UnixDatagram::bind(&datagrams).expect("a socket");
    let address = SocketAddr::from_abstract_name(&name).expect("an address");
    let _abstract = UnixListener::bind_addr(&address).expect("a listener");
    for words in [
        ["unix", &shown(&path)],
        ["abstract", &name],
        ["unix-datagram", &shown(&datagrams)],
        ["unix-pair-datagram", &shown(&datagrams)],
    ] {
        assert_eq!(attempt(&yard, "*", &words).await, "EPERM", "{words:?}");
    }
    assert_eq!(attempt(&yard, "*", &["unix-pair"]).await, "ok");
}

#[tokio::test]
async fn a_command_that_nothing_holds_gets_no_network_of_its_own() {
    let mut command = Yard::new().command(&["true"]);
    command.sandbox = Mode::FullAccess;
    let started = Process::spawn_apart(Clearance::full_access(command)).await;
    assert!(matches!(started, Err(SpawnError::Sandbox(SandboxError::NotHeld))));
}
