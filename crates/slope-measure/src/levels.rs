//! The oldest language versions that a project supports.
//!
//! Advice that needs a newer version breaks the code for some of its users. The versions come
//! from what a project says to its package manager or compiler.

mod cpp;
mod java;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use slope_rules::Rule;

/// Major and minor version; for JavaScript, TypeScript and C++ the year of the standard.
type Version = (u32, u32);

/// The oldest supported versions, by language id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels(BTreeMap<&'static str, Version>);

/// Where a version is said: language ids, file, pattern with one or two groups.
type Place = (&'static [&'static str], &'static str, &'static str);

const PLACES: &[Place] = &[
    (
        &["python"],
        "pyproject.toml",
        r#"(?m)^requires-python\s*=\s*["'][^"'\n]*?(?:>=|~=|==)\s*(\d+)(?:\.(\d+))?"#,
    ),
    (
        &["python"],
        "pyproject.toml",
        r#"(?m)^python\s*=\s*["'](?:\^|>=|~)\s*(\d+)(?:\.(\d+))?"#,
    ),
    (
        &["python"],
        "setup.cfg",
        r"(?m)^python_requires\s*=\s*(?:>=|~=)\s*(\d+)(?:\.(\d+))?",
    ),
    (
        &["python"],
        "setup.py",
        r#"python_requires\s*=\s*["'](?:>=|~=)\s*(\d+)(?:\.(\d+))?"#,
    ),
    (&["go"], "go.mod", r"(?m)^go\s+(\d+)\.(\d+)"),
    (
        &["rust"],
        "Cargo.toml",
        r#"(?m)^rust-version\s*=\s*["'](\d+)(?:\.(\d+))?"#,
    ),
    (
        &["typescript", "tsx"],
        "tsconfig.json",
        r#"(?im)^\s*"target"\s*:\s*"es(20\d\d)"#,
    ),
];

/// The oldest version of Node that a package supports.
const NODE: &str = r#""engines"\s*:\s*\{[^}]*"node"\s*:\s*"[^"\d]*(\d+)"#;

/// Major versions of Node, and the standard of JavaScript that each has in full.
const STANDARDS: &[(u32, u32)] = &[
    (8, 2017),
    (10, 2018),
    (12, 2019),
    (14, 2020),
    (15, 2021),
    (18, 2022),
    (20, 2023),
    (22, 2024),
];

static COMPILED: LazyLock<Vec<(&Place, Regex)>> = LazyLock::new(|| {
    let each = PLACES.iter();
    each.filter_map(|place| Some((place, Regex::new(place.2).ok()?)))
        .collect()
});
static NODE_VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NODE).ok());

impl Levels {
    /// What the project says that a path is of: the nearest folder upwards, to the top of its git
    /// repository, that says anything of a language.
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
        for ((languages, file, _), find) in COMPILED.iter() {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            let found = find.captures(&text);
            let number = |group: usize| found.as_ref()?.get(group)?.as_str().parse().ok();
            let Some(major) = number(1) else {
                continue;
            };
            for &language in *languages {
                let version = (major, number(2).unwrap_or(0));
                self.0.entry(language).or_insert(version);
            }
        }
        if let Some(major) = java::oldest(folder) {
            self.0.entry("java").or_insert((major, 0));
        }
        if let Some(year) = cpp::oldest(folder) {
            self.0.entry("cpp").or_insert((year, 0));
        }
        let text = std::fs::read_to_string(folder.join("package.json")).unwrap_or_default();
        let node = NODE_VERSION.as_ref().and_then(|find| find.captures(&text));
        let major = node.and_then(|found| found.get(1)?.as_str().parse::<u32>().ok());
        if let Some(major) = major {
            let known = STANDARDS.iter().rev().find(|(node, _)| *node <= major);
            let year = known.map_or(2015, |(_, year)| *year);
            self.0.entry("javascript").or_insert((year, 0));
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

/// A version as a rule has it: `3.9`, `1.70`, `2021`.
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
        assert_eq!(COMPILED.len(), PLACES.len());
        assert!(NODE_VERSION.is_some());
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
