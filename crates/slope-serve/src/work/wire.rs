//! Messages between the server and a worker: a kind, a length and bytes.

use std::io::{self, Read, Write};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest message, in bytes.
pub(crate) const MAX_BYTES: usize = 128 << 20;

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The worker waits for a job.
    Ready,
    /// A job, as JSON.
    Job,
    /// The document of a job.
    Document,
    /// An error of `slope-embed`, as JSON.
    Error,
    /// slope panicked.
    Panic,
    /// The document of a job is larger than [`MAX_BYTES`].
    TooLarge,
}

const KINDS: [Kind; 6] = [
    Kind::Ready,
    Kind::Job,
    Kind::Document,
    Kind::Error,
    Kind::Panic,
    Kind::TooLarge,
];

/// A message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    pub(crate) bytes: Vec<u8>,
}

/// The bytes before those of a message.
const HEAD: usize = 9;

impl Message {
    pub(crate) fn new(kind: Kind, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self { kind, bytes }
    }

    fn head(&self) -> [u8; HEAD] {
        let at = KINDS.iter().position(|kind| *kind == self.kind);
        let kind = at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX);
        let mut head = [kind; HEAD];
        head[1..].copy_from_slice(&(self.bytes.len() as u64).to_le_bytes());
        head
    }

    fn kind_and_length(head: [u8; HEAD]) -> io::Result<(Kind, usize)> {
        let [kind, length @ ..] = head;
        let kind = KINDS.get(usize::from(kind)).copied();
        let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
        match kind {
            Some(kind) if length <= MAX_BYTES => Ok((kind, length)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Writes it, in a worker.
    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.head())?;
        to.write_all(&self.bytes)
    }

    /// Reads one, in a worker.
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; HEAD];
        from.read_exact(&mut head)?;
        let (kind, length) = Self::kind_and_length(head)?;
        let mut bytes = vec![0; length];
        from.read_exact(&mut bytes)?;
        Ok(Self { kind, bytes })
    }

    /// Writes it, in the server.
    pub(crate) async fn send(&self, to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        to.write_all(&self.head()).await?;
        to.write_all(&self.bytes).await
    }

    /// Reads one, in the server.
    pub(crate) async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Self> {
        let mut head = [0; HEAD];
        from.read_exact(&mut head).await?;
        let (kind, length) = Self::kind_and_length(head)?;
        // A hostile worker may name a length and send less, so memory grows with what arrives.
        let mut bytes = Vec::new();
        let mut limited = from.take(length as u64);
        limited.read_to_end(&mut bytes).await?;
        if bytes.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { kind, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, KINDS, Kind, Message};

    #[tokio::test]
    async fn messages_arrive_as_sent() {
        for kind in KINDS {
            let sent = Message::new(kind, "text");
            let mut bytes = Vec::new();
            sent.write(&mut bytes).unwrap();
            assert_eq!(Message::read(&mut bytes.as_slice()).unwrap(), sent);
            assert_eq!(Message::receive(&mut bytes.as_slice()).await.unwrap(), sent);
        }
    }

    #[tokio::test]
    async fn faulty_messages_are_refused() {
        let mut long = Vec::new();
        Message::new(Kind::Document, "").write(&mut long).unwrap();
        long[HEAD - 1] = 1;
        for bytes in [&[99; 20][..], &[0; 3], &long] {
            assert!(Message::receive(&mut &*bytes).await.is_err(), "{bytes:?}");
        }
    }
}
