//! Names of files in a diff: with a prefix, quoted, or as in git's header.

use slope_model::path::shown_bytes;

/// Both names of a header `a/NAME b/NAME`. Unless later lines show a rename, both sides have the
/// same name, so they differ only in the prefixes of the settings `diff.mnemonicPrefix` and
/// `diff.noprefix`: `i/NAME w/NAME`, or `NAME NAME`.
pub(super) fn git_names(names: &[u8]) -> Option<(String, String)> {
    let (old, new) = halves(names)?;
    if old == new {
        return Some((old, new));
    }
    let name = |side: &str| side.split_once('/').map(|(_, name)| name.to_owned());
    name(&old).zip(name(&new)).filter(|(old, new)| old == new)
}

/// Both names of git's header; `None` if they have not the same length.
fn halves(names: &[u8]) -> Option<(String, String)> {
    let half = names.len().checked_sub(1)? / 2;
    let (old, new) = (names.get(..half)?, names.get(half + 1..)?);
    let is_even = names.get(half) == Some(&b' ') && old.len() == new.len();
    is_even.then(|| (unquoted(old), unquoted(new)))
}

/// The path of a `---` or `+++` line; `None` for `/dev/null`.
pub(super) fn path(text: &[u8]) -> Option<String> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    // Other tools write a time after a tab.
    let text = text.split(|&b| b == b'\t').next().unwrap_or(text);
    let name = unquoted(text);
    (name != "/dev/null").then_some(name)
}

/// A function that removes the prefix of a path.
type Take = fn(&str) -> Option<&str>;

/// Both paths without a diff's prefixes, by the first function after which the base contains the
/// old path. This is safe, because the hunks have to fit as well.
pub(super) fn without_prefixes(
    old: Option<String>,
    new: Option<String>,
    has: &dyn Fn(&str) -> bool,
) -> (Option<String>, Option<String>) {
    let git: Take = |name| name.strip_prefix("a/").or_else(|| name.strip_prefix("b/"));
    let none: Take = |name| Some(name);
    let mnemonic: Take = |name| {
        let (before, name) = name.split_once('/')?;
        matches!(before, "i" | "w" | "c" | "o" | "1" | "2").then_some(name)
    };
    // If both sides have the same name, there is no prefix.
    let ways = if old.is_some() && old == new {
        [none, git, mnemonic]
    } else {
        [git, none, mnemonic]
    };
    let fits = |take: &&Take| old.as_deref().and_then(**take).is_some_and(has);
    let take = ways.iter().find(fits).unwrap_or(&git);
    let taken = |name: String| take(&name).map(str::to_owned).unwrap_or(name);
    (old.map(taken), new.map(taken))
}

/// A name without git's quotes and escapes for unusual characters.
pub(super) fn unquoted(text: &[u8]) -> String {
    let inner = text.strip_prefix(b"\"").and_then(|t| t.strip_suffix(b"\""));
    let Some(inner) = inner else {
        return shown_bytes(text).into_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(next) = rest.next_if(|b| (b'0'..=b'7').contains(b)) {
                        value = value * 8 + u32::from(next - b'0');
                    }
                }
                bytes.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    shown_bytes(&bytes).into_owned()
}
