//! Oldest language versions that a project supports.
//!
//! Advice that needs a newer version breaks the code for some of its users. The versions are read
//! from the files of the package manager or compiler.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use slope_rules::Rule;
use slope_syntax::Language;

/// Major and minor version; for JavaScript, TypeScript and C++ the year of the standard.
type Version = (u32, u32);

/// The oldest supported versions, by language id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels(BTreeMap<&'static str, Version>);

/// Files that state the version of each language, with the pattern to find it.
static PLACES: LazyLock<Vec<(Language, &str, Regex)>> = LazyLock::new(|| {
    let places = Language::all().flat_map(|language| {
        let places = language.files().levels.places.iter();
        places.map(move |(file, find)| (language, *file, *find))
    });
    places
        .filter_map(|(language, file, find)| Some((language, file, Regex::new(find).ok()?)))
        .collect()
});

impl Levels {
    /// Levels stated by the project of a path: for each language by the nearest folder, up to the
    /// top of its git repository, that states one.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let mut levels = Self::default();
        let start = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        for folder in start.ancestors().filter(|folder| folder.is_dir()) {
            levels.read(folder);
            if folder.join(".git").exists() {
                break;
            }
        }
        levels
    }

    fn read(&mut self, folder: &Path) {
        for (language, file, find) in PLACES.iter() {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            let found = find.captures(&text);
            let number = |group: usize| found.as_ref()?.get(group)?.as_str().parse().ok();
            if let Some(major) = number(1) {
                let version = (major, number(2).unwrap_or(0));
                self.0.entry(language.id()).or_insert(version);
            }
        }
        for language in Language::all() {
            if let Some(major) = (language.files().levels.oldest)(folder) {
                self.0.entry(language.id()).or_insert((major, 0));
            }
        }
    }

    /// Whether the project supports a version in which a rule's advice cannot be followed.
    pub(crate) fn lack(&self, rule: &Rule) -> bool {
        rule.since.iter().any(|(language, since)| {
            let is_of_rule = rule.languages.iter().any(|one| one.id() == language);
            let oldest = self.0.get(language.as_str()).filter(|_| is_of_rule);
            oldest.is_some_and(|oldest| *oldest < version(since))
        })
    }
}

/// Parses a version in a rule: `3.9`, `1.70`, `2021`.
fn version(text: &str) -> Version {
    let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
    (major.parse().unwrap_or(0), minor.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(file: &str, text: &str) -> Levels {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
        Levels::of(folder.path())
    }

    #[test]
    fn every_version_pattern_compiles() {
        let places = Language::all().flat_map(|language| language.files().levels.places);
        assert_eq!(PLACES.len(), places.count());
    }

    #[test]
    fn oldest_language_version_is_read() {
        for (file, text, language, oldest) in [
            (
                "pyproject.toml",
                "[project]\nrequires-python = \">=3.5\"\n",
                "python",
                (3, 5),
            ),
            (
                "pyproject.toml",
                "[project]\nrequires-python = \"<4,>=3.10\"\n",
                "python",
                (3, 10),
            ),
            (
                "pyproject.toml",
                "[tool.poetry.dependencies]\npython = \"^3.8\"\n",
                "python",
                (3, 8),
            ),
            (
                "setup.cfg",
                "[options]\npython_requires = >=3.7\n",
                "python",
                (3, 7),
            ),
            (
                "setup.py",
                "setup(python_requires='>=3.6')\n",
                "python",
                (3, 6),
            ),
            ("go.mod", "module a\n\ngo 1.20\n", "go", (1, 20)),
            (
                "Cargo.toml",
                "[package]\nrust-version = \"1.65\"\n",
                "rust",
                (1, 65),
            ),
            (
                "tsconfig.json",
                "{\n  \"target\": \"ES2018\"\n}\n",
                "tsx",
                (2018, 0),
            ),
            (
                "CMakeLists.txt",
                "set(CMAKE_CXX_STANDARD 11)\n",
                "cpp",
                (11, 0),
            ),
            (
                "package.json",
                "{\"engines\": {\"node\": \">=14\"}}",
                "javascript",
                (2020, 0),
            ),
        ] {
            assert_eq!(levels(file, text).0.get(language), Some(&oldest), "{text}");
        }
        assert_eq!(levels("pyproject.toml", "[project]\n"), Levels::default());
    }
}
