//! Names of the tracks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language that programs are written in.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum TrackName {
    /// Python.
    #[default]
    Python,
    /// TypeScript on Node.js.
    TypeScript,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C++.
    Cpp,
}

impl TrackName {
    /// All tracks.
    pub const ALL: [Self; 6] = [
        Self::Python,
        Self::TypeScript,
        Self::Rust,
        Self::Go,
        Self::Java,
        Self::Cpp,
    ];

    /// The name in files and on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        TRACKS[self as usize].0
    }

    /// The folder of a problem with reference solutions in the language.
    #[must_use]
    pub fn solutions(self) -> String {
        match self {
            Self::Python => "solutions".to_owned(),
            other => format!("solutions-{other}"),
        }
    }

    /// The folder of a problem with legacy code in the language, from which refactorings start.
    #[must_use]
    pub fn legacy(self) -> String {
        self.solutions().replacen("solutions", "legacy", 1)
    }

    /// Its configuration, as text.
    pub(super) fn configuration(self) -> &'static str {
        TRACKS[self as usize].1
    }
}

/// Name and configuration of each track, in the order of [`TrackName`].
const TRACKS: [(&str, &str); 6] = [
    ("python", include_str!("../../tracks/python.toml")),
    ("typescript", include_str!("../../tracks/typescript.toml")),
    ("rust", include_str!("../../tracks/rust.toml")),
    ("go", include_str!("../../tracks/go.toml")),
    ("java", include_str!("../../tracks/java.toml")),
    ("cpp", include_str!("../../tracks/cpp.toml")),
];

impl fmt::Display for TrackName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TrackName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|t| t.name() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            format!("unknown track `{text}`: expected one of {known}")
        })
    }
}
