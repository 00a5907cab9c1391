//! Ways over the network and over sockets.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

use super::*;

#[tokio::test]
async fn without_the_network_no_socket_leads_anywhere() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let tcp = tcp.local_addr().expect("an address").to_string();
    let udp = udp.local_addr().expect("an address").to_string();
    let word = |number: i32| number.to_string();
    let family = |family, kind| vec!["socket".to_owned(), word(family), word(kind)];
    for support in every().await {
        let yard = Yard::new();
        let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        for attempt in [
            words(&["tcp", &tcp]),
            words(&["udp", &udp]),
            words(&["listen"]),
            words(&["unix-listen", "own.sock"]),
            family(libc::AF_INET, libc::SOCK_DGRAM),
            family(libc::AF_INET6, libc::SOCK_STREAM),
            family(libc::AF_NETLINK, libc::SOCK_RAW),
            family(libc::AF_PACKET, libc::SOCK_RAW),
            family(libc::AF_VSOCK, libc::SOCK_STREAM),
            family(libc::AF_ALG, libc::SOCK_SEQPACKET),
        ] {
            let attempt: Vec<&str> = attempt.iter().map(String::as_str).collect();
            assert_eq!(yard.attempt(&support, &attempt).await, "EPERM", "{attempt:?}");
        }
        assert_eq!(yard.attempt(&support, &["unix-pair"]).await, "ok");
    }
}

#[tokio::test]
async fn without_the_network_no_socket_of_the_machine_can_be_used() {
    for support in every().await {
        let yard = Yard::new();
        let (path, name) = (yard.outside().join("s"), shown(yard.folder.path()));
        let _stream = UnixListener::bind(&path).expect("a listener");
        let abstract_address = SocketAddr::from_abstract_name(&name).expect("an address");
        let _abstract = UnixListener::bind_addr(&abstract_address).expect("a listener");
        let datagrams = yard.outside().join("d");
        let _datagram = UnixDatagram::bind(&datagrams).expect("a socket");
        for words in [
            ["unix", &shown(&path)],
            ["abstract", &name],
            ["unix-datagram", &shown(&datagrams)],
            ["unix-pair-datagram", &shown(&datagrams)],
        ] {
            assert_eq!(yard.attempt(&support, &words).await, "EPERM", "{words:?}");
        }
    }
}

#[tokio::test]
async fn with_the_network_addresses_can_be_reached() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = tcp.local_addr().expect("an address").to_string();
    for support in every().await {
        let mut yard = Yard::new();
        yard.network = true;
        assert_eq!(yard.attempt(&support, &["tcp", &address]).await, "ok");
        assert_eq!(yard.attempt(&support, &["listen"]).await, "ok");
    }
}

#[tokio::test]
async fn with_the_network_abstract_sockets_of_others_stay_closed() {
    for support in every().await {
        if support.gaps().contains(&Gap::AbstractSockets) {
            println!("skipped: {:?} says that it does not hold them", support.strategy());
            continue;
        }
        let mut yard = Yard::new();
        yard.network = true;
        let name = shown(yard.folder.path());
        let address = SocketAddr::from_abstract_name(&name).expect("an address");
        let _listener = UnixListener::bind_addr(&address).expect("a listener");
        assert_eq!(yard.attempt(&support, &["abstract", &name]).await, "EPERM");
    }
}

#[tokio::test]
async fn with_the_network_the_servers_own_sockets_stay_hidden() {
    for support in with_mounts().await {
        let mut yard = Yard::new();
        yard.network = true;
        let run = yard.folder.path().join("run");
        fs::create_dir(&run).expect("a folder");
        let (in_folder, alone) = (run.join("daemon.sock"), yard.outside().join("alone.sock"));
        let _one = UnixListener::bind(&in_folder).expect("a listener");
        let _two = UnixListener::bind(&alone).expect("a listener");
        assert_eq!(yard.attempt(&support, &["unix", &shown(&alone)]).await, "ok");
        crate::sandbox::hide(run);
        crate::sandbox::hide(alone.clone());
        assert_eq!(yard.attempt(&support, &["unix", &shown(&in_folder)]).await, "ENOENT");
        assert_eq!(yard.attempt(&support, &["unix", &shown(&alone)]).await, "ECONNREFUSED");
    }
}
