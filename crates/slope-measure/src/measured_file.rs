//! A file with its facts.

use slope_model::measurement::Part;
use slope_syntax::Language;

use crate::discover::{self, FoundFile};
use crate::facts::FileFacts;

/// Measured file with its facts.
pub(crate) struct MeasuredFile {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) part: Part,
    pub(crate) facts: FileFacts,
}

impl MeasuredFile {
    pub(crate) fn of(file: FoundFile, facts: FileFacts) -> Self {
        let language = facts.language(file.language);
        Self {
            part: discover::part_of(&file.path, language.id(), facts.holds_tests),
            path: file.path,
            language,
            facts,
        }
    }
}
