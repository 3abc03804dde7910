//! Files of a language besides their code: tests by name, comments at their head, generated files, levels.

use std::path::Path;

/// Whether folders of specifications are tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Specs {
    /// No.
    None,
    /// Yes. A folder with a capital is none, nor one of tests: it is a part of the names of modules.
    InLowerCase,
    /// Yes, if they are not below the program's code.
    OutsideCode,
}

/// How the tests of a language are named, and what they hold.
pub(crate) struct TestFiles {
    /// Whether no other files are tests, whatever they are called.
    pub(crate) only_named: bool,
    /// Whether a name before its first dot is surely that of a test.
    pub(crate) is_test: fn(&str) -> bool,
    /// Whether such a name may be that of a test, besides the names that most languages share.
    pub(crate) may_be_test: fn(&str) -> bool,
    /// Whether `test` alone may be a test.
    pub(crate) may_be_whole: bool,
    /// Whether tools number the tests that they make.
    pub(crate) are_numbered: bool,
    /// Words between the dots of names of tests, besides `test` and `spec`.
    pub(crate) words: &'static [&'static str],
    /// Whether folders of specifications are tests.
    pub(crate) specs: Specs,
    /// Texts of files that hold tests.
    pub(crate) signs: &'static [&'static str],
    /// Beginnings of lines of such files.
    pub(crate) lines: &'static [&'static str],
}

impl TestFiles {
    pub(crate) const PLAIN: Self = Self {
        only_named: false,
        is_test: |_| false,
        may_be_test: |_| false,
        may_be_whole: true,
        are_numbered: false,
        words: &[],
        specs: Specs::None,
        signs: &[],
        lines: &[],
    };
}

/// How comments at the head of a file are marked.
pub struct HeadComments {
    /// Marks of comments up to the end of the line.
    pub line: &'static [&'static str],
    /// Marks around comments of several lines.
    pub block: Option<(&'static str, &'static str)>,
    /// How lines of a head begin other than comments.
    pub passed: &'static [&'static str],
    /// Whether a text that is a statement is documentation.
    pub has_texts: bool,
}

impl HeadComments {
    /// Comments of an unknown language.
    pub const PLAIN: Self = Self {
        line: &["//"],
        block: None,
        passed: &[],
        has_texts: false,
    };
}

/// Where a project says which versions of a language it supports.
pub struct Levels {
    /// Files, and patterns with one or two groups: major and minor version.
    pub places: &'static [(&'static str, &'static str)],
    /// Reads the oldest version, or the year of the standard, from other files of a folder.
    pub oldest: fn(&Path) -> Option<u32>,
}

impl Levels {
    pub(crate) const PLAIN: Self = Self {
        places: &[],
        oldest: |_| None,
    };
}

/// Files of a language besides their code.
pub struct Files {
    /// Comments at the head.
    pub head: HeadComments,
    /// Marks of a comment behind code.
    pub comments_behind: &'static [&'static str],
    /// Why a text is not written by people, if it is not.
    pub generated: fn(&str) -> Option<&'static str>,
    /// Whether files are minified, and copied under the names of their libraries.
    pub are_minified: bool,
    /// Whether libraries are put into one file for others to copy.
    pub are_amalgamated: bool,
    /// Whether directives cut statements apart.
    pub have_directives: bool,
    /// Whether formatters put braces around an expression as there is room.
    pub have_layout_braces: bool,
    /// Whether attributes allow lints.
    pub allow_lints: bool,
    /// Whether functions of default values list the fields of their type.
    pub list_defaults: bool,
    /// Whether the published definitions are of this language.
    pub are_published: bool,
    /// Whether rules may be written for it.
    pub have_rules: bool,
    /// Whether its compiler refuses texts that are not UTF-8.
    pub are_utf8: bool,
    /// Whether the marks `{{` and `${` of templates are code.
    pub have_template_marks: bool,
    /// Code inside the wrapper that a draft of it requires.
    pub draft: Option<fn(&str) -> String>,
    /// Where a project says which versions it supports.
    pub levels: Levels,
}

impl Files {
    pub(crate) const PLAIN: Self = Self {
        head: HeadComments::PLAIN,
        comments_behind: &["//", "/*"],
        generated: |_| None,
        are_minified: false,
        are_amalgamated: false,
        have_directives: false,
        have_layout_braces: false,
        allow_lints: false,
        list_defaults: false,
        are_published: false,
        have_rules: false,
        are_utf8: false,
        have_template_marks: false,
        draft: None,
        levels: Levels::PLAIN,
    };
}
