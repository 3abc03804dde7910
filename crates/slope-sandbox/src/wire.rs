//! Framed messages between processes over a socket: the host process and a sandbox's first process,
//! a coordinator and its workers.
//!
//! A frame is a little-endian length and JSON of that length. Descriptors are sent with the length.

use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// No message is larger; a sandbox that claims so is broken.
const MAX_FRAME: usize = 256 << 20;

/// Messages of the first process to the host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// A listening socket is attached, in the order of the request.
    Listening,
    /// The command runs.
    Running,
    /// The sandbox could not be built.
    Setup(String),
    /// The kernel refused something that a remedy exists for.
    Refused {
        /// Feature in words.
        feature: String,
        /// Kernel error.
        why: String,
        /// Remedy.
        remedy: String,
    },
    /// The executable could not be started.
    Exec {
        /// The requested program.
        program: String,
        /// Reason.
        why: String,
    },
    /// Everything is over, volumes are collected.
    Ended(Outcome),
}

/// Sends one frame, with a descriptor if given.
///
/// In one piece, because several threads of the host may give orders at once; and without SIGPIPE,
/// because the other side may be gone and a host may not ignore that signal.
///
/// # Errors
/// If the other side is gone, or the message cannot be written as JSON.
pub fn send<T: Serialize>(
    stream: &UnixStream,
    message: &T,
    fd: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?;
    let mut frame = length.to_le_bytes().to_vec();
    frame.extend_from_slice(&body);
    let fds: Vec<BorrowedFd<'_>> = fd.into_iter().collect();
    let mut sent = 0;
    while sent < frame.len() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if sent == 0 && !fds.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(&fds));
        }
        let rest = [IoSlice::new(&frame[sent..])];
        match sendmsg(stream, &rest, &mut control, SendFlags::NOSIGNAL) {
            Ok(bytes) => sent += bytes,
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// Receives one frame; `None` if the other side is gone.
///
/// # Errors
/// If the socket fails, the frame is too long, or it is not a message of this type.
pub fn receive<T: DeserializeOwned>(
    mut stream: &UnixStream,
) -> io::Result<Option<(T, Option<OwnedFd>)>> {
    let mut length = [0u8; 4];
    let mut got = 0;
    let mut fd = None;
    while got < length.len() {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = recvmsg(
            stream.as_fd(),
            &mut [IoSliceMut::new(&mut length[got..])],
            &mut control,
            RecvFlags::CMSG_CLOEXEC,
        );
        let bytes = match received {
            Ok(message) => message.bytes,
            Err(rustix::io::Errno::INTR) => continue,
            Err(rustix::io::Errno::CONNRESET) => 0,
            Err(e) => return Err(e.into()),
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(mut fds) = message {
                fd = fds.next().or(fd);
            }
        }
        if bytes == 0 {
            return Ok(None);
        }
        got += bytes;
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::other("a message is too long"));
    }
    let mut body = vec![0; length];
    match stream.read_exact(&mut body) {
        Ok(()) => Ok(Some((serde_json::from_slice(&body)?, fd))),
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_arrive_whole_and_with_their_descriptor() {
        let (here, there) = UnixStream::pair().unwrap();
        let long = "x".repeat(3 << 20);
        let sender = std::thread::spawn(move || {
            send(&here, &"short", None).unwrap();
            send(&here, &long, Some(here.as_fd())).unwrap();
        });
        let (short, none) = receive::<String>(&there).unwrap().unwrap();
        assert_eq!((short.as_str(), none.is_none()), ("short", true));
        let (long, fd) = receive::<String>(&there).unwrap().unwrap();
        assert_eq!((long.len(), fd.is_some()), (3 << 20, true));
        sender.join().unwrap();
        drop(fd);
        assert!(receive::<String>(&there).unwrap().is_none());
        assert_eq!(
            send(&there, &"gone", None).unwrap_err().kind(),
            io::ErrorKind::BrokenPipe
        );
    }
}
