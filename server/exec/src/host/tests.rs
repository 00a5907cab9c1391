use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::IntoRawFd;

use super::*;

#[test]
fn a_file_is_taken_by_its_number_and_kept_from_programs() {
    let (mut reader, writer) = io::pipe().expect("a pipe");
    let number = OwnedFd::from(writer).into_raw_fd();
    let taken = take_inherited(number).expect("the file is open");
    let flags = rustix::io::fcntl_getfd(&taken).expect("flags can be read");
    assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
    File::from(taken).write_all(b"x").expect("the pipe takes it");
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("the pipe ends");
    assert_eq!(text, "x");
}

#[test]
fn standard_streams_and_missing_files_are_not_taken() {
    assert!(take_inherited(1).is_err());
    assert!(take_inherited(9_999).is_err());
}
