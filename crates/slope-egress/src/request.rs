//! Reads a client's request.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Largest head of a request in bytes.
const LARGEST: usize = 8 << 10;
/// Time that a client may take for it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request, and bytes that already followed it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Host and port as the client names them.
    pub(crate) target: String,
    pub(crate) rest: Vec<u8>,
}

/// Reads the head of a request, keeping at most [`LARGEST`] bytes of any client.
pub(crate) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Request> {
    let reading = async {
        let mut head = Vec::new();
        loop {
            if let Some(end) = head.windows(4).position(|part| part == b"\r\n\r\n") {
                let rest = head.split_off(end + 4);
                return parse(&head, rest);
            }
            if head.len() >= LARGEST {
                return Err(io::Error::other("the head of the request is too long"));
            }
            let mut part = [0; 1024];
            let most = part.len().min(LARGEST - head.len());
            match from.read(&mut part[..most]).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                got => head.extend_from_slice(&part[..got]),
            }
        }
    };
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(read) => read,
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

fn parse(head: &[u8], rest: Vec<u8>) -> io::Result<Request> {
    let wrong = || io::Error::other("no request of HTTP");
    let line = head.split(|b| *b == b'\r').next().unwrap_or(&[]);
    let line = std::str::from_utf8(line).map_err(|_| wrong())?;
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        [method, target, version] if version.starts_with("HTTP/1.") => Ok(Request {
            method: method.to_owned(),
            target: target.to_owned(),
            rest,
        }),
        _ => Err(wrong()),
    }
}

/// Host and port of a target `HOST:PORT`.
pub(crate) fn authority(target: &str) -> Option<(&str, u16)> {
    let (host, port) = target.rsplit_once(':')?;
    let bracketed = host.starts_with('[') && host.ends_with(']');
    if host.is_empty() || host.len() > 253 || (host.contains(':') && !bracketed) {
        return None;
    }
    Some((host, port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn request_head_is_read_rest_kept() {
        let mut sent: &[u8] = b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\nhello";
        let read = read(&mut sent).await.unwrap();
        assert_eq!(
            (read.method.as_str(), read.target.as_str()),
            ("CONNECT", "a:443")
        );
        assert_eq!(read.rest, b"hello");
    }

    #[tokio::test]
    async fn invalid_request_is_refused() {
        let long = vec![b'x'; 3 * LARGEST];
        for bad in [
            &b"\x16\x03\x01"[..],
            b"GET /\r\n\r\n",
            b"CONNECT a HTTP/2\r\n\r\n",
            b"",
            &long,
        ] {
            assert!(read(&mut &*bad).await.is_err());
        }
    }

    #[test]
    fn targets_have_a_host_and_a_port() {
        assert_eq!(authority("a.b:443"), Some(("a.b", 443)));
        assert_eq!(authority("[::1]:80"), Some(("[::1]", 80)));
        for bad in ["a.b", "a:b:80", ":80", "a:99999", "http://a/"] {
            assert_eq!(authority(bad), None, "{bad}");
        }
    }
}
