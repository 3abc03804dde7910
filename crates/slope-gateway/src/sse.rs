//! Server-sent events: cutting a stream of bytes into events, with bounded memory.

use bytes::{Bytes, BytesMut};

/// Longest single event, in bytes; a stream with a longer one is forwarded but not parsed any more.
const LONGEST: usize = 16 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The event's bytes, its final blank line included.
    pub(crate) raw: Bytes,
    /// Its data; lines joined by line ends.
    pub(crate) data: String,
}

/// Cuts a stream into events.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    buffer: BytesMut,
    /// Bytes of the buffer that are known to contain no end of an event.
    scanned: usize,
    overflowed: bool,
}

impl Splitter {
    /// Adds a chunk. Returns the events that it completes.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        if self.overflowed {
            return events;
        }
        self.buffer.extend_from_slice(chunk);
        while let Some(end) = self.end() {
            self.scanned = 0;
            let raw = self.buffer.split_to(end).freeze();
            let data = data_of(&raw);
            events.push(Event { raw, data });
        }
        if self.buffer.len() > LONGEST {
            self.overflowed = true;
            self.buffer = BytesMut::new();
        }
        events
    }

    /// Whether an event was too long to be understood.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The last event of the stream, if its blank line never came.
    pub(crate) fn rest(&mut self) -> Option<Event> {
        let raw = std::mem::take(&mut self.buffer).freeze();
        self.scanned = 0;
        (!raw.is_empty()).then(|| Event {
            data: data_of(&raw),
            raw,
        })
    }

    fn end(&mut self) -> Option<usize> {
        let bytes = &self.buffer;
        let mut at = self.scanned;
        while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'\n') {
            let next = at + found + 1;
            match (bytes.get(next), bytes.get(next + 1)) {
                (Some(b'\n'), _) => return Some(next + 1),
                (Some(b'\r'), Some(b'\n')) => return Some(next + 2),
                // The line end may be the first half of the blank line: look again later.
                (None, _) | (Some(b'\r'), None) => {
                    self.scanned = at + found;
                    return None;
                }
                _ => at = next,
            }
        }
        self.scanned = bytes.len();
        None
    }
}

fn data_of(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let mut data = String::new();
    for line in text.lines() {
        if let Some(value) = line.strip_prefix("data:") {
            if !data.is_empty() {
                data.push('\n');
            }
            data.push_str(value.strip_prefix(' ').unwrap_or(value));
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn data(events: Vec<Event>) -> Vec<String> {
        events.into_iter().map(|event| event.data).collect()
    }

    #[test]
    fn events_split_at_any_blank_line() {
        let mut splitter = Splitter::default();
        let events =
            splitter.push(b"event: a\ndata: 1\n\n: note\r\ndata: 2\r\ndata:3\r\n\r\ndata: 4");
        assert_eq!(data(events), ["1", "2\n3"]);
        assert_eq!(
            splitter.rest().map(|event| event.data).as_deref(),
            Some("4")
        );
        assert!(splitter.rest().is_none());
    }

    #[test]
    fn endless_event_is_dropped_from_memory() {
        let mut splitter = Splitter::default();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..40 {
            assert!(splitter.push(&chunk).is_empty());
            assert!(splitter.buffer.len() <= LONGEST + chunk.len());
        }
        assert!(splitter.overflowed());
        assert!(splitter.buffer.is_empty());
    }

    proptest! {
        #[test]
        fn stream_cuts_do_not_affect_events(cuts in proptest::collection::vec(0usize..60, 0..8)) {
            let whole = b"data: one\n\nevent: x\r\ndata: two\r\n\r\ndata: th\ndata: ree\n\n";
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(whole.len())).collect();
            cuts.sort_unstable();
            let mut splitter = Splitter::default();
            let mut from = 0;
            let mut events = Vec::new();
            for cut in cuts.into_iter().chain([whole.len()]) {
                events.extend(splitter.push(&whole[from..cut]));
                from = cut;
            }
            let raw: Vec<u8> = events.iter().flat_map(|event| event.raw.to_vec()).collect();
            prop_assert_eq!(raw, whole.to_vec());
            prop_assert_eq!(data(events), vec!["one", "two", "th\nree"]);
        }
    }
}
