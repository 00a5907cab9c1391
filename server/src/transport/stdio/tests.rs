use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use rustix::fs::OFlags;

use super::*;
use crate::rpc::Packet;

fn packet(text: &str) -> Packet {
    Packet::response(text.as_bytes().to_vec())
}

async fn lines_of(inlet: &mut StdioInlet) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(Inbound::Message(line)) = inlet.next().await.expect("the input is readable") {
        lines.push(String::from_utf8(line.to_vec()).expect("the test writes text"));
    }
    lines
}

#[tokio::test]
async fn a_pipe_gives_its_lines_and_its_end() {
    let (reader, mut writer) = io::pipe().expect("a pipe");
    let mut inlet = StdioInlet::new(reader.into(), Arc::default()).expect("a pipe is input");
    assert!(matches!(inlet.source, Source::Polled { .. }));
    writer.write_all(b"one\ntwo").expect("the pipe takes it");
    drop(writer);
    assert_eq!(lines_of(&mut inlet).await, ["one", "two"]);
}

#[tokio::test]
async fn a_file_gives_its_lines_and_its_end() {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(b"one\ntwo\n").expect("the file takes it");
    io::Seek::rewind(&mut file).expect("a file can be rewound");
    let mut inlet = StdioInlet::new(file.into(), Arc::default()).expect("a file is input");
    assert!(matches!(inlet.source, Source::Threaded(_)));
    assert_eq!(lines_of(&mut inlet).await, ["one", "two"]);
}

#[tokio::test]
async fn packets_larger_than_the_pipe_arrive_whole_and_in_order() {
    let (mut reader, writer) = io::pipe().expect("a pipe");
    let mut outlet = StdioOutlet::new(writer.into(), Arc::default()).expect("a pipe is output");
    let packets: Vec<Packet> = (0..200)
        .map(|n| packet(&format!("{{\"n\":{n},\"pad\":\"{}\"}}\n", "x".repeat(5000))))
        .collect();
    let expected: Vec<u8> = packets.iter().flat_map(|packet| packet.text().to_vec()).collect();
    let seen = std::thread::spawn(move || {
        let mut seen = Vec::new();
        reader.read_to_end(&mut seen).expect("the pipe is readable");
        seen
    });
    outlet.write(&packets).await.expect("the pipe takes it");
    drop(outlet);
    assert!(seen.join().expect("the reader ends") == expected, "bytes differ");
}

#[tokio::test]
async fn a_file_is_written_in_order() {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    let output = file.reopen().expect("the file can be opened twice");
    let mut outlet = StdioOutlet::new(output.into(), Arc::default()).expect("a file is output");
    outlet.write(&[packet("{1}\n"), packet("{2}\n")]).await.expect("the file takes it");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("the file is readable");
    assert_eq!(text, "{1}\n{2}\n");
}

#[tokio::test]
async fn a_pipe_without_reader_is_noticed_while_nothing_is_written() {
    let (reader, writer) = io::pipe().expect("a pipe");
    let outlet = StdioOutlet::new(writer.into(), Arc::default()).expect("a pipe is output");
    drop(reader);
    outlet.broken().await;
}

#[tokio::test]
async fn the_mode_of_a_shared_file_is_put_back() {
    let (ours, _theirs) = UnixStream::pair().expect("a socket pair");
    let flags = || rustix::fs::fcntl_getfl(&ours).expect("flags can be read");
    let copy = || ours.try_clone().expect("a copy").into();
    let inlet = StdioInlet::new(copy(), Arc::default()).expect("a socket is input");
    let outlet = StdioOutlet::new(copy(), Arc::default()).expect("and output");
    assert!(flags().contains(OFlags::NONBLOCK));
    drop(outlet);
    drop(inlet);
    assert!(!flags().contains(OFlags::NONBLOCK));
}

#[tokio::test]
async fn a_client_that_sends_headers_gets_headers() {
    let (reader, mut writer) = io::pipe().expect("a pipe");
    let (mut theirs, output) = io::pipe().expect("a pipe");
    let is_headed = Arc::new(AtomicBool::new(false));
    let mut inlet = StdioInlet::new(reader.into(), is_headed.clone()).expect("a pipe is input");
    let mut outlet = StdioOutlet::new(output.into(), is_headed).expect("a pipe is output");
    writer.write_all(b"Content-Length: 2\r\n\r\n{}").expect("the pipe takes it");
    drop(writer);
    assert_eq!(lines_of(&mut inlet).await, ["{}"]);
    outlet.write(&[packet("{1}\n"), packet("{22}\n")]).await.expect("the pipe takes it");
    drop(outlet);
    let mut text = String::new();
    theirs.read_to_string(&mut text).expect("the pipe is readable");
    assert_eq!(text, "Content-Length: 3\r\n\r\n{1}Content-Length: 4\r\n\r\n{22}");
}
