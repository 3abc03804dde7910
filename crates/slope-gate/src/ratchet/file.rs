//! The file of a ratchet.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use jiff::civil::Date;

use slope_model::measurement::Part;

use super::{Found, Item, Scope, compare};
use crate::Error;

/// Format version that is written, and the newest that can be read.
const VERSION: u32 = 1;

const HEAD: &str = "\
# What this code base holds at most, one item a line: kind, value, path, function, fingerprint.
# `slope check --ratchet` fails on anything that is not here or worse than here;
# `slope check --ratchet --update` writes what became better. Merge both sides of a conflict:
# of an item that is here twice the better one counts.
# A waiver: waive FINGERPRINT YYYY-MM-DD REASON, separated by tabs.
";

/// A violation that does not count until a date.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiver {
    /// Fingerprint of the violation.
    pub(crate) print: String,
    /// Last day of the waiver.
    pub(crate) until: Date,
    pub(crate) reason: String,
}

/// A parsed ratchet file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ratchet {
    /// Sorted items without duplicates.
    pub(crate) items: Vec<Item>,
    pub(crate) waivers: Vec<Waiver>,
}

impl Ratchet {
    /// Reads a ratchet; `None` if the file does not exist.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, Error> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text)
                .map(Some)
                .map_err(|(line, message)| Error::Config {
                    path: path.to_owned(),
                    line,
                    message,
                }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::File {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Number of items that are missing or better in an older ratchet. Renames and moves do not
    /// count.
    pub(crate) fn worse_than(&self, older: &Self) -> usize {
        let found = self.items.iter().map(|item| Found {
            item: item.clone(),
            part: Part::Product,
            line: 1,
            end_line: 1,
        });
        let found: Vec<Found> = found.collect();
        let difference = compare(&found, &older.items, Scope::default());
        difference.violations.len()
    }

    pub(crate) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().unwrap_or((0, ""));
        if is_conflict(first) {
            return Err((1, CONFLICT.to_owned()));
        }
        let version = first.trim().strip_prefix("slope-ratchet ");
        match version.and_then(|v| v.parse::<u32>().ok()) {
            Some(VERSION) => {}
            Some(version) => {
                let message = format!(
                    "the ratchet has version {version}, and this slope reads version {VERSION}\nhelp: update slope, or create the ratchet again with `slope check --ratchet --update`"
                );
                return Err((1, message));
            }
            None => {
                let message = "missing first line `slope-ratchet 1`\nhelp: add the line, or remove the file and run `slope check --ratchet --update`";
                return Err((1, message.to_owned()));
            }
        }
        let mut waivers = Vec::new();
        let mut seen: BTreeMap<Item, usize> = BTreeMap::new();
        for (index, line) in lines {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if is_conflict(line) {
                return Err((index + 1, CONFLICT.to_owned()));
            }
            let failed = |message: String| (index + 1, message);
            if line.starts_with("waive") {
                waivers.push(waiver(line).map_err(failed)?);
                continue;
            }
            *seen.entry(item(line).map_err(failed)?).or_default() += 1;
        }
        waivers.sort();
        waivers.dedup();
        Ok(Self {
            items: better(seen),
            waivers,
        })
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut out = format!("slope-ratchet {VERSION}\n{HEAD}");
        for waiver in &self.waivers {
            // Writing to a String cannot fail.
            let _ = writeln!(
                out,
                "waive\t{}\t{}\t{}",
                waiver.print,
                waiver.until,
                escaped(&waiver.reason)
            );
        }
        for item in &self.items {
            let function = match item.function.is_empty() {
                true => "-".to_owned(),
                false => escaped(&item.function),
            };
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{function}\t{}",
                item.kind,
                item.value,
                escaped(&item.path),
                item.print
            );
        }
        out
    }
}

/// Keeps the better value of items that a merge left twice. Equal findings in one place are
/// separate lines and stay.
fn better(seen: BTreeMap<Item, usize>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::with_capacity(seen.len());
    // The smallest value of an item comes first.
    for (item, count) in seen {
        let is_known = items.last().is_some_and(|last| {
            Item {
                value: last.value,
                ..item.clone()
            } == *last
        });
        if !is_known {
            items.extend(std::iter::repeat_n(item, count));
        }
    }
    items
}

const CONFLICT: &str = "unresolved merge conflict\nhelp: keep the lines of both sides and delete the conflict markers, since the better one of two equal items counts";

fn is_conflict(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

fn waiver(line: &str) -> Result<Waiver, String> {
    let wrong = "write a waiver as waive FINGERPRINT YYYY-MM-DD REASON";
    let mut words = line.splitn(4, [' ', '\t']).map(str::trim);
    let (word, print, until) = (words.next(), words.next(), words.next());
    let reason = words.next().filter(|reason| !reason.is_empty());
    let (Some("waive"), Some(print), Some(until)) = (word, print, until) else {
        return Err(format!("invalid waiver\nhelp: {wrong}"));
    };
    let Some(reason) = reason else {
        return Err(format!("the waiver has no reason\nhelp: {wrong}"));
    };
    let until: Date = until
        .parse()
        .map_err(|_| format!("invalid date `{until}`\nhelp: {wrong}"))?;
    Ok(Waiver {
        print: print.to_owned(),
        until,
        reason: plain(reason),
    })
}

fn item(line: &str) -> Result<Item, String> {
    let wrong = || {
        "invalid item: expected KIND VALUE PATH FUNCTION FINGERPRINT, separated by tabs".to_owned()
    };
    let fields: Vec<&str> = line.split('\t').collect();
    let [kind, value, path, function, print] = fields.as_slice() else {
        return Err(wrong());
    };
    Ok(Item {
        kind: (*kind).to_owned(),
        value: value.parse().map_err(|_| wrong())?,
        path: plain(path),
        function: if *function == "-" {
            String::new()
        } else {
            plain(function)
        },
        print: (*print).to_owned(),
    })
}

/// Text with tabs and line endings escaped.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, false) => out.push(c),
            (_, true) => match chars.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "slope-ratchet 1\n# x\nwaive\tabc\t2026-12-31\tuntil the rewrite\n\
        complexity\t20\ta b.py\tf\t1111\ncomplexity\t17\ta b.py\tf\t1111\n\
        complexity\t30\ta b.py\tf\t2222\nfinding/bare-except\t1\ta.py\t-\tq\n\
        finding/bare-except\t1\ta.py\t-\tq\n";

    #[test]
    fn better_duplicate_after_merge_is_kept() {
        let ratchet = Ratchet::parse(TEXT).unwrap();
        let items: Vec<_> = ratchet
            .items
            .iter()
            .map(|i| (i.kind.as_str(), i.value, i.function.as_str()))
            .collect();
        let finding = ("finding/bare-except", 1, "");
        let both = [("complexity", 17, "f"), ("complexity", 30, "f")];
        assert_eq!(items, [both[0], both[1], finding, finding]);
        assert_eq!(ratchet.waivers[0].reason, "until the rewrite");
        assert_eq!(Ratchet::parse(&ratchet.text()).unwrap(), ratchet);
    }

    #[test]
    fn malformed_ratchet_errors_name_remedy() {
        for (text, line, words) in [
            ("slope-ratchet 2\n", 1, "update slope"),
            ("complexity\t1\n", 1, "first line"),
            ("slope-ratchet 1\n<<<<<<< HEAD\n", 2, "both sides"),
            ("slope-ratchet 1\n\ncomplexity 3 x\n", 3, "tabs"),
            ("slope-ratchet 1\nwaive abc 2026-12-31\n", 2, "reason"),
            ("slope-ratchet 1\nwaive abc soon x\n", 2, "invalid date"),
        ] {
            let (at, message) = Ratchet::parse(text).unwrap_err();
            assert_eq!(at, line, "{message}");
            assert!(message.contains(words), "{message}");
        }
    }
}
