//! A file or terminal, read or written by a thread of its own.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::thread;

use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use super::CHUNK_BYTES;

/// Reads a file in the background.
///
/// The thread may stay blocked in a read when this is dropped; it ends with the process.
#[derive(Debug)]
pub(super) struct Reader(mpsc::Receiver<io::Result<Vec<u8>>>);

impl Reader {
    pub(super) fn start(fd: OwnedFd) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(4);
        let mut file = File::from(fd);
        thread::Builder::new().name("stdin".into()).spawn(move || {
            let mut chunk = vec![0; CHUNK_BYTES];
            loop {
                let read = match file.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(len) => Ok(chunk[..len].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = read.is_err();
                if sender.blocking_send(read).is_err() || failed {
                    break;
                }
            }
        })?;
        Ok(Self(receiver))
    }

    /// Waits for the next chunk; `None` is the end.
    pub(super) async fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        self.0.recv().await
    }
}

/// Writes a file in the background.
#[derive(Debug)]
pub(crate) struct Writer(mpsc::Sender<Job>);

type Job = (Vec<Bytes>, oneshot::Sender<io::Result<()>>);

impl Writer {
    pub(super) fn start(fd: OwnedFd) -> io::Result<Self> {
        let (sender, mut receiver) = mpsc::channel::<Job>(1);
        let mut file = File::from(fd);
        thread::Builder::new().name("stdout".into()).spawn(move || {
            while let Some((texts, done)) = receiver.blocking_recv() {
                let result = texts.iter().try_for_each(|text| file.write_all(text));
                // The waiting side may have given up; the next job tells.
                let _ = done.send(result);
            }
        })?;
        Ok(Self(sender))
    }

    /// Writes the texts in order; waits until they are written.
    pub(super) async fn write(&self, texts: Vec<Bytes>) -> io::Result<()> {
        let (done, written) = oneshot::channel();
        self.0.send((texts, done)).await.map_err(|_| io::ErrorKind::BrokenPipe)?;
        written.await.map_err(|_| io::ErrorKind::BrokenPipe)?
    }
}
