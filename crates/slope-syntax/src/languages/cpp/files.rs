//! Files: names and contents of tests, comments at the head, generated files, versions.

use super::levels;
use crate::files::{Files, HeadComments, Levels};

pub(super) const FILES: Files = Files {
    head: HeadComments {
        block: Some(("/*", "*/")),
        passed: &["#"],
        ..HeadComments::PLAIN
    },
    are_amalgamated: true,
    have_directives: true,
    have_rules: true,
    levels: Levels {
        oldest: levels::oldest,
        ..Levels::PLAIN
    },
    ..Files::PLAIN
};
