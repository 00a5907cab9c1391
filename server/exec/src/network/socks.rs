//! The beginning of a SOCKS connection, version 5.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::policy::Protocol;

use super::host::Host;
use super::limit::Target;

/// The byte that such a connection begins with.
pub(super) const VERSION: u8 = 5;

/// What a client is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// Everything is passed on from here.
    Connected = 0,
    /// It may not be.
    NotAllowed = 2,
    /// The host is not known or cannot be reached.
    Unreachable = 4,
    /// Something other than a connection is asked for.
    UnknownCommand = 7,
    /// The host is not written as hosts are.
    UnknownAddress = 8,
}

/// Reads what a client wants; `None` when it was told that it cannot have it. The first byte, the
/// version, is still to be read.
pub(super) async fn greet<S>(stream: &mut S) -> io::Result<Option<Target>>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    const NO_PASSWORD: u8 = 0;
    const NONE_FITS: u8 = 0xff;
    expect_version(stream).await?;
    let mut methods = vec![0; stream.read_u8().await?.into()];
    stream.read_exact(&mut methods).await?;
    if !methods.contains(&NO_PASSWORD) {
        stream.write_all(&[VERSION, NONE_FITS]).await?;
        return Ok(None);
    }
    stream.write_all(&[VERSION, NO_PASSWORD]).await?;
    expect_version(stream).await?;
    let command = stream.read_u8().await?;
    let _reserved = stream.read_u8().await?;
    let host = read_host(stream).await?;
    let port = stream.read_u16().await?;
    let wanted = match host {
        _ if command != 1 => Err(Reply::UnknownCommand),
        Some(host) if port != 0 => Ok(Target { protocol: Protocol::Socks5Tcp, host, port }),
        _ => Err(Reply::UnknownAddress),
    };
    match wanted {
        Ok(target) => Ok(Some(target)),
        Err(reply) => {
            answer(stream, reply).await?;
            Ok(None)
        }
    }
}

/// Answers a client.
pub(super) async fn answer(stream: &mut (impl AsyncWrite + Unpin), reply: Reply) -> io::Result<()> {
    // The address that the connection is made from is nobody's business.
    stream.write_all(&[VERSION, reply as u8, 0, 1, 0, 0, 0, 0, 0, 0]).await
}

async fn expect_version(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
    if stream.read_u8().await? == VERSION { Ok(()) } else { Err(malformed()) }
}

/// Reads a host in one of its three forms; `None` when it is no host.
async fn read_host(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Host>> {
    let address = |address: IpAddr| Some(Host::Address(address.to_canonical()));
    Ok(match stream.read_u8().await? {
        1 => address(Ipv4Addr::from_bits(stream.read_u32().await?).into()),
        4 => address(Ipv6Addr::from_bits(stream.read_u128().await?).into()),
        3 => {
            let mut name = vec![0; stream.read_u8().await?.into()];
            stream.read_exact(&mut name).await?;
            std::str::from_utf8(&name).ok().and_then(Host::parse)
        }
        // What follows has no length that we know.
        _ => return Err(malformed()),
    })
}

fn malformed() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
