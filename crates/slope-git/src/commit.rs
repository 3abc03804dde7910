//! Commits.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use gix::ObjectId;

use crate::Id;

/// A person of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// Name, as written.
    pub name: String,
    /// Address, as written, without the angle brackets.
    pub email: String,
    /// Seconds since 1970 in UTC; 0 if the commit has no readable time.
    pub seconds: i64,
    /// Minutes that their clock was ahead of UTC.
    pub offset_minutes: i32,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its name.
    pub id: Id,
    /// Its tree.
    pub tree: Id,
    /// Its parents in order: none for a root, two for a merge, more for an octopus merge.
    pub parents: Vec<Id>,
    /// Author of the change.
    pub author: Person,
    /// Committer of the change.
    pub committer: Person,
    /// The message, decoded.
    pub message: String,
}

impl Commit {
    /// Parses a commit. Text in an unknown encoding is read as UTF-8 if it is valid, else as
    /// Windows-1252, which covers every byte.
    pub(crate) fn parse(id: Id, data: &[u8]) -> Result<Self, String> {
        let (head, message) = split_message(data);
        let mut commit = Self {
            id,
            tree: id,
            parents: Vec::new(),
            author: Person::default(),
            committer: Person::default(),
            message: String::new(),
        };
        let headers = || head.split(|&b| b == b'\n').filter_map(header);
        let encoding = headers().find(|(key, _)| *key == b"encoding");
        let encoding = encoding.and_then(|(_, label)| Encoding::for_label(label));
        let mut tree = None;
        for (key, value) in headers() {
            match key {
                b"tree" => tree = tree.or(object_id(value)),
                b"parent" => commit.parents.extend(object_id(value)),
                b"author" => commit.author = person(value, encoding),
                b"committer" => commit.committer = person(value, encoding),
                _ => {}
            }
        }
        commit.tree = tree.ok_or_else(|| "it names no tree".to_owned())?;
        commit.message = decode(message, encoding);
        Ok(commit)
    }

    /// The first line of the message.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.message
            .trim_start()
            .lines()
            .next()
            .unwrap_or("")
            .trim_end()
    }
}

fn split_message(data: &[u8]) -> (&[u8], &[u8]) {
    let end = data.windows(2).position(|pair| pair == b"\n\n");
    match end {
        Some(end) => (&data[..end], &data[end + 2..]),
        None => (data, &[]),
    }
}

/// Key and value of a header; continuation lines are skipped.
fn header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = line.iter().position(|&b| b == b' ')?;
    (space > 0).then(|| (&line[..space], &line[space + 1..]))
}

fn object_id(hex: &[u8]) -> Option<Id> {
    ObjectId::from_hex(hex.trim_ascii()).ok().map(Id)
}

/// Parses `NAME <ADDRESS> SECONDS ZONE`. Missing parts are empty or 0.
fn person(value: &[u8], encoding: Option<&'static Encoding>) -> Person {
    let text = decode(value, encoding);
    let (who, when) = match text.rfind('>') {
        Some(end) => text.split_at(end),
        None => (text.as_str(), ""),
    };
    let (name, email) = who.split_once('<').unwrap_or((who, ""));
    let mut words = when.trim_start_matches('>').split_whitespace();
    let seconds = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
    let zone: i32 = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
    Person {
        name: name.trim().to_owned(),
        email: email.trim().to_owned(),
        seconds,
        offset_minutes: zone / 100 * 60 + zone % 100,
    }
}

fn decode(bytes: &[u8], encoding: Option<&'static Encoding>) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && encoding.is_none_or(|e| e == UTF_8)
    {
        return text.to_owned();
    }
    let encoding = encoding.filter(|e| *e != UTF_8).unwrap_or(WINDOWS_1252);
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &[u8]) -> Commit {
        let id = Id(ObjectId::null(gix::hash::Kind::Sha1));
        let tree = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";
        Commit::parse(id, &[tree, text].concat()).unwrap()
    }

    #[test]
    fn signature_parses_name_address_time() {
        let commit = parsed(b"author A <b> C <a@b.c> 1700000000 -0330\n\nhello\n");
        assert_eq!(commit.author.email, "b> C <a@b.c");
        let commit = parsed(b"author A B <a@b.c> 1700000000 -0330\n\nhello\n");
        assert_eq!(commit.author.name, "A B");
        assert_eq!(commit.author.seconds, 1_700_000_000);
        assert_eq!(commit.author.offset_minutes, -210);
        assert_eq!(parsed(b"author nonsense\n\nx").author.name, "nonsense");
    }

    #[test]
    fn commit_text_is_decoded_with_fallback() {
        let said = parsed(b"author J\xf6rg <j@x> 1 +0000\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n");
        assert_eq!(
            (said.author.name.as_str(), said.subject()),
            ("Jörg", "Grüße")
        );
        let unsaid = parsed(b"author J\xf6rg <j@x> 1 +0000\n\nGr\xc3\xbc\xc3\x9fe\n");
        assert_eq!(
            (unsaid.author.name.as_str(), unsaid.subject()),
            ("Jörg", "Grüße")
        );
    }

    #[test]
    fn commit_without_tree_is_rejected() {
        let id = Id(ObjectId::null(gix::hash::Kind::Sha1));
        assert!(Commit::parse(id, b"author A <a> 1 +0000\n\nx").is_err());
    }
}
