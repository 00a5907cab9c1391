use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite};

use super::*;
use crate::network::{Pattern, Reach, Verdict, hide};
use crate::policy::Rules;

/// Lets through what its limits allow and asks nobody.
struct Doorman {
    limits: Limits,
    refused: Mutex<Vec<(String, Refusal)>>,
}

impl Gate for Doorman {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn judge<'a>(&'a self, target: &'a Target) -> Soon<'a, Result<(), Refusal>> {
        Box::pin(async {
            match self.limits.judge(&Rules::default(), target) {
                Verdict::Allow => Ok(()),
                Verdict::Ask => Err(Refusal::NotListed),
                Verdict::Refuse(refusal) => Err(refusal),
            }
        })
    }

    fn refused(&self, target: &Target, refusal: Refusal) {
        self.refused.lock().push((target.to_string(), refusal));
    }
}

/// Knows some names; counts how often it is asked.
#[derive(Default)]
struct Names {
    known: HashMap<&'static str, Vec<SocketAddr>>,
    asked: AtomicUsize,
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, name: &'a str, _: u16) -> Soon<'a, io::Result<Vec<SocketAddr>>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let found = self.known.get(name).cloned().unwrap_or_default();
        Box::pin(async { Ok(found) })
    }
}

/// A proxy, and a server that stands for every host.
struct Scene {
    proxy: Proxy,
    address: SocketAddr,
    origin: TcpListener,
    gate: Arc<Doorman>,
    names: Arc<Names>,
}

const TRUSTING: Limits =
    Limits { allow: Vec::new(), deny: Vec::new(), reach: Reach::Full, local: true, closed: false };

impl Scene {
    async fn new(limits: Limits) -> Self {
        let allow = ["a.example", "*.wild.example", "nowhere.example"];
        let allow = allow.map(|text| Pattern::parse(text).expect("a pattern"));
        let limits = Limits { allow: [limits.allow, allow.to_vec()].concat(), ..limits };
        let gate = Arc::new(Doorman { limits, refused: Mutex::default() });
        let origin = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let place = origin.local_addr().expect("an address");
        let mut names = Names::default();
        names.known.insert("a.example", vec![place]);
        let names = Arc::new(names);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
        let address = listener.local_addr().expect("an address");
        let proxy = Proxy::serve(Entrance(listener), gate.clone(), names.clone());
        Self { proxy, address, origin, gate, names }
    }

    async fn client(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// Says something and returns all that is answered.
    async fn answer(&self, text: impl AsRef<[u8]>) -> String {
        let mut client = self.client().await;
        client.write_all(text.as_ref()).await.expect("written");
        rest(&mut client).await
    }

    async fn visitor(&self) -> TcpStream {
        self.origin.accept().await.expect("a visitor").0
    }

    /// Nobody has come to the server that stands for every host.
    async fn assert_unvisited(&self) {
        let visit = timeout(Duration::from_millis(1), self.origin.accept()).await;
        assert!(visit.is_err(), "somebody came");
    }

    fn heard(&self) -> Vec<(String, Refusal)> {
        self.gate.refused.lock().clone()
    }
}

async fn rest(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    // A connection that is cut is one that has ended.
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads until `end` has come.
async fn until(stream: &mut (impl AsyncRead + Unpin), end: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(end.as_bytes()) {
        bytes.push(stream.read_u8().await.expect("more comes"));
    }
    String::from_utf8(bytes).expect("text")
}

async fn write(stream: &mut (impl AsyncWrite + Unpin), text: impl AsRef<[u8]>) {
    stream.write_all(text.as_ref()).await.expect("written");
}

#[tokio::test]
async fn a_request_reaches_its_host_and_only_one_does() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "POST http://a.example/x HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").await;
    write(&mut client, "GET http://other.example/ HTTP/1.1\r\n\r\n").await;
    let mut server = scene.visitor().await;
    let asked = until(&mut server, "abc").await;
    assert!(asked.starts_with("POST /x HTTP/1.1\r\nHost: a.example\r\n"), "{asked}");
    write(&mut server, "HTTP/1.1 200 OK\r\n\r\nyes").await;
    server.shutdown().await.expect("ended");
    assert!(rest(&mut client).await.ends_with("\r\n\r\nyes"));
    assert_eq!(rest(&mut server).await, "", "the second request goes nowhere");
    scene.assert_unvisited().await;
}

#[tokio::test]
async fn a_tunnel_passes_both_ways_and_ends_one_way_at_a_time() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "CONNECT a.example:443 HTTP/1.1\r\n\r\nearly").await;
    let mut server = scene.visitor().await;
    assert_eq!(until(&mut client, "\r\n\r\n").await, http::CONNECTED);
    until(&mut server, "early").await;
    write(&mut client, "hello").await;
    client.shutdown().await.expect("ended");
    assert_eq!(rest(&mut server).await, "hello");
    write(&mut server, "world").await;
    server.shutdown().await.expect("ended");
    assert_eq!(rest(&mut client).await, "world");
}

#[tokio::test]
async fn much_passes_a_tunnel_in_both_directions_at_once() {
    const MUCH: usize = 4 * 1024 * 1024;
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
    let server = scene.visitor().await;
    until(&mut client, "\r\n\r\n").await;
    let send_and_count = |stream: TcpStream| async move {
        let (mut from, mut to) = stream.into_split();
        let sending = async {
            to.write_all(&vec![7; MUCH]).await.expect("written");
            to.shutdown().await.expect("ended");
        };
        let mut nowhere = tokio::io::sink();
        tokio::join!(sending, tokio::io::copy(&mut from, &mut nowhere)).1.expect("read")
    };
    let (one, other) = tokio::join!(send_and_count(client), send_and_count(server));
    assert_eq!((one, other), (MUCH as u64, MUCH as u64));
}

/// What a SOCKS client says that wants to reach `name`.
fn socks(command: u8, name: &str, port: u16) -> Vec<u8> {
    let length = u8::try_from(name.len()).expect("short");
    let [high, low] = port.to_be_bytes();
    [&[5, 1, 0, 5, command, 0, 3, length][..], name.as_bytes(), &[high, low]].concat()
}

#[tokio::test]
async fn socks_reaches_hosts_by_name_and_by_address() {
    let scene = Scene::new(Limits {
        allow: vec![Pattern::parse("127.0.0.1").expect("a pattern")],
        ..TRUSTING
    })
    .await;
    let port = scene.origin.local_addr().expect("an address").port();
    let [high, low] = port.to_be_bytes();
    let by_address = [5, 2, 9, 0, 5, 1, 0, 1, 127, 0, 0, 1, high, low].to_vec();
    let mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1];
    let by_mapped = [&[5, 1, 0, 5, 1, 0, 4][..], &mapped, &[high, low]].concat();
    for wish in [socks(1, "a.example", 9), by_address, by_mapped] {
        let mut client = scene.client().await;
        write(&mut client, wish).await;
        let mut server = scene.visitor().await;
        let mut answer = [0; 12];
        client.read_exact(&mut answer).await.expect("an answer");
        assert_eq!(answer[..4], [5, 0, 5, 0]);
        write(&mut client, "ping").await;
        until(&mut server, "ping").await;
    }
}

#[tokio::test]
async fn a_host_that_is_not_allowed_is_refused_in_words_and_the_gate_hears_of_it() {
    let scene = Scene::new(Limits::default()).await;
    let text = "domain is not on the allowlist";
    let plain = scene.answer("GET http://other.example/ HTTP/1.1\r\n\r\n").await;
    assert!(plain.starts_with("HTTP/1.1 403 ") && plain.contains(text), "{plain}");
    let tunnel = scene.answer("CONNECT other.example:443 HTTP/1.1\r\n\r\n").await;
    assert!(tunnel.starts_with("HTTP/1.1 403 ") && tunnel.contains(text), "{tunnel}");
    let socks = scene.answer(socks(1, "other.example", 22)).await;
    assert_eq!(socks.as_bytes()[..4], [5, 0, 5, 2]);
    let heard: Vec<String> = scene.heard().into_iter().map(|(target, _)| target).collect();
    assert_eq!(heard, ["other.example:80", "other.example:443", "other.example:22"]);
}

#[tokio::test]
async fn an_allowed_name_that_leads_to_this_machine_is_refused() {
    let scene = Scene::new(Limits::default()).await;
    let answer = scene.answer("GET http://a.example/ HTTP/1.1\r\n\r\n").await;
    assert!(answer.contains("local/private network addresses are blocked"), "{answer}");
    assert_eq!(scene.heard(), [("a.example:80".to_owned(), Refusal::Local)]);
    assert_eq!(scene.names.asked.load(Ordering::Relaxed), 1, "the name is looked up once");
    scene.assert_unvisited().await;
}

#[tokio::test]
async fn the_servers_own_listener_cannot_be_reached_by_any_setting() {
    let scene = Scene::new(TRUSTING).await;
    hide(scene.origin.local_addr().expect("an address"));
    let answer = scene.answer("CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    scene.assert_unvisited().await;
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_no_refusal() {
    let scene = Scene::new(Limits::default()).await;
    let answer = scene.answer("GET http://nowhere.example/ HTTP/1.1\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    assert!(answer.contains("nowhere.example cannot be resolved"), "{answer}");
    let socks = scene.answer(socks(1, "nowhere.example", 22)).await;
    assert_eq!(socks.as_bytes()[..4], [5, 0, 5, 4]);
    assert_eq!(scene.heard(), []);
}

#[tokio::test]
async fn a_limited_reach_refuses_what_it_cannot_see_or_that_changes_something() {
    let scene = Scene::new(Limits { reach: Reach::Limited, ..TRUSTING }).await;
    let text = "request method is blocked by the current network mode";
    for wish in [
        "POST http://a.example/ HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        "CONNECT a.example:443 HTTP/1.1\r\n\r\n",
    ] {
        let answer = scene.answer(wish).await;
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains(text), "{answer}");
    }
    assert_eq!(scene.answer(socks(1, "a.example", 80)).await.as_bytes()[..4], [5, 0, 5, 2]);
    scene.assert_unvisited().await;
}

#[tokio::test]
async fn what_cannot_be_understood_is_answered_or_dropped_and_goes_nowhere() {
    let scene = Scene::new(TRUSTING).await;
    let nonsense = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
    assert!(scene.answer(nonsense).await.starts_with("HTTP/1.1 400 "));
    assert!(scene.answer(b"\x04\x01\0\x50rest\0\r\n\r\n").await.starts_with("HTTP/1.1 400 "));
    assert_eq!(scene.answer([5, 1, 2]).await.into_bytes(), "\u{5}\u{fffd}".as_bytes());
    assert_eq!(scene.answer(socks(2, "a.example", 80)).await.as_bytes()[..4], [5, 0, 5, 7]);
    assert_eq!(scene.answer(socks(1, "a example", 80)).await.as_bytes()[..4], [5, 0, 5, 8]);
    assert_eq!(scene.answer(socks(1, "a.example", 0)).await.as_bytes()[..4], [5, 0, 5, 8]);
    assert_eq!(scene.heard(), []);
    scene.assert_unvisited().await;
}

#[tokio::test]
async fn a_body_that_is_malformed_ends_the_request() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    let head = "POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    write(&mut client, head).await;
    let mut server = scene.visitor().await;
    until(&mut server, "\r\n\r\n").await;
    write(&mut client, "3\r\nabcGET /smuggled HTTP/1.1\r\n\r\n").await;
    assert_eq!(rest(&mut client).await, "");
    assert!(!rest(&mut server).await.contains("smuggled"));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_says_nothing_is_dropped() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "GET http://a.exam").await;
    assert_eq!(rest(&mut client).await, "");
    scene.assert_unvisited().await;
}

#[tokio::test(start_paused = true)]
async fn a_tunnel_of_which_one_end_is_left_open_is_given_up() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
    let mut server = scene.visitor().await;
    until(&mut client, "\r\n\r\n").await;
    client.shutdown().await.expect("ended");
    assert_eq!(rest(&mut server).await, "");
    assert_eq!(rest(&mut client).await, "", "the server never ended its side");
}

#[tokio::test]
async fn connections_end_with_their_proxy() {
    let scene = Scene::new(TRUSTING).await;
    let mut client = scene.client().await;
    write(&mut client, "CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
    let mut server = scene.visitor().await;
    until(&mut client, "\r\n\r\n").await;
    drop(scene.proxy);
    assert_eq!((rest(&mut client).await, rest(&mut server).await), (String::new(), String::new()));
    assert!(TcpStream::connect(scene.address).await.is_err());
}

#[tokio::test]
async fn no_more_connections_than_there_is_room_for_are_taken() {
    let scene = Scene::new(TRUSTING).await;
    let mut clients = Vec::new();
    for _ in 0..MAX_CONNECTIONS {
        let mut client = scene.client().await;
        write(&mut client, "CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
        until(&mut client, "\r\n\r\n").await;
        clients.push((client, scene.visitor().await));
    }
    let mut one_more = scene.client().await;
    write(&mut one_more, "CONNECT a.example:443 HTTP/1.1\r\n\r\n").await;
    scene.assert_unvisited().await;
    drop(clients.pop());
    until(&mut one_more, "\r\n\r\n").await;
}
