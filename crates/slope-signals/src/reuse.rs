//! Names of a code base that new code uses.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::facts::{FileSignals, Mention};
use crate::file_paths::is_test;
use crate::words::Map;

/// A mention that uses a definition. An import alone does not.
const USED: u8 = Mention::CALLED | Mention::MEMBER_CALLED | Mention::BASE;

/// Maximum number of definitions of a name that tells what is used: `get` and `run` are of many classes.
const MAX_DEFINITIONS: u32 = 3;

/// Minimum length of a name that tells what is used.
const MIN_LENGTH: usize = 3;

/// The functions and classes of a code base by name, and how many files mention each.
#[derive(Debug, Default)]
pub struct Vocabulary {
    names: Map<String, Known>,
    files: u32,
}

#[derive(Debug, Default)]
struct Known {
    definitions: u32,
    /// The file of the first definition.
    path: Arc<str>,
    /// Line of it, from 1.
    line: u32,
    /// Number of files that mention the name.
    files: u32,
}

/// A use of a function or class of the base.
#[derive(Debug, Clone, PartialEq)]
pub struct Reused {
    /// The name.
    pub name: String,
    /// The file that defines it.
    pub path: String,
    /// Line of the definition, from 1.
    pub line: u32,
    /// How rare it is, from 0 for a name of all files to 1 for one of a single file.
    pub rarity: f64,
}

impl Vocabulary {
    /// The vocabulary of these files.
    #[must_use]
    pub fn new(files: &[(&str, &FileSignals)]) -> Self {
        let mut this = Self {
            files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            ..Self::default()
        };
        for &(path, facts) in files.iter().filter(|(path, facts)| !is_test(path, facts)) {
            let path: Arc<str> = path.into();
            for (name, line) in definitions(facts) {
                let known = this.names.entry(name.to_owned()).or_default();
                if known.definitions == 0 {
                    (known.path, known.line) = (path.clone(), line);
                }
                known.definitions += 1;
            }
        }
        for (_, facts) in files {
            for name in facts.names.iter() {
                if let Some(known) = this.names.get_mut(name) {
                    known.files += 1;
                }
            }
        }
        this
    }

    /// Names of the base that the file uses after a change and did not mention before, rarest first.
    #[must_use]
    pub fn reused(
        &self,
        path: &str,
        before: Option<&FileSignals>,
        after: &FileSignals,
    ) -> Vec<Reused> {
        let had: Map<&str, ()> = before
            .into_iter()
            .flat_map(|facts| facts.names.iter())
            .map(|name| (name, ()))
            .collect();
        let own: BTreeMap<&str, u32> = definitions(after).collect();
        let names = after.names.iter().zip(&after.mentions);
        let used = names.filter(|(name, bits)| **bits & USED != 0 && !had.contains_key(name));
        let mut found: Vec<Reused> = used
            .filter(|(name, _)| name.len() >= MIN_LENGTH && !own.contains_key(name))
            .filter_map(|(name, _)| {
                let known = self.names.get(name)?;
                let is_clear = known.definitions <= MAX_DEFINITIONS && *known.path != *path;
                is_clear.then(|| Reused {
                    name: name.to_owned(),
                    path: known.path.to_string(),
                    line: known.line,
                    rarity: self.rarity(known.files),
                })
            })
            .collect();
        found.sort_by(|a, b| {
            b.rarity
                .total_cmp(&a.rarity)
                .then_with(|| a.name.cmp(&b.name))
        });
        found
    }

    /// Number of files that mention a function or class; 0 if the base has none of that name.
    #[must_use]
    pub fn dependents(&self, name: &str) -> u32 {
        self.names.get(name).map_or(0, |known| known.files)
    }

    /// `1 - ln(files) / ln(all files)`.
    fn rarity(&self, files: u32) -> f64 {
        let all = f64::from(self.files.max(2)).ln();
        (1.0 - f64::from(files.max(1)).ln() / all).clamp(0.0, 1.0)
    }
}

/// Names of functions and classes with their lines.
fn definitions(facts: &FileSignals) -> impl Iterator<Item = (&str, u32)> {
    let functions = facts.functions.iter().map(|one| (one.name, one.place));
    let classes = facts.classes.iter().map(|one| (one.name, one.place));
    functions.chain(classes).filter_map(|(name, place)| {
        let name = facts.names.get(name as usize)?;
        Some((name, place.span.start_line))
    })
}
