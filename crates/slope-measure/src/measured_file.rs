//! A file with its facts.

use slope_model::measurement::Part;
use slope_syntax::Language;

use crate::discover::FoundFile;
use crate::facts::FileFacts;
use crate::options::Options;

/// Measured file with its facts.
pub(crate) struct MeasuredFile {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) part: Part,
    pub(crate) facts: FileFacts,
}

impl MeasuredFile {
    pub(crate) fn of(file: FoundFile, facts: FileFacts, options: &Options) -> Self {
        let language = facts.language(file.language);
        Self {
            part: options.part_of(&file.path, language.id(), facts.holds_tests),
            path: file.path,
            language,
            facts,
        }
    }
}
