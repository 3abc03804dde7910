//! Files of a language besides their code: names of tests, comments at the head, generated files, versions.

use std::path::Path;

/// Whether folders of specifications are tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Specs {
    /// No.
    None,
    /// Yes, in lower case. A folder with a capital is part of the module names.
    InLowerCase,
    /// Yes, outside of the program's code.
    OutsideCode,
}

/// Names and contents of tests in a language.
pub(crate) struct TestFiles {
    /// Whether only files with these names are tests.
    pub(crate) only_named: bool,
    /// Whether a name, up to its first dot, is definitely that of a test.
    pub(crate) is_test: fn(&str) -> bool,
    /// Whether such a name may be that of a test, in addition to the names of most languages.
    pub(crate) may_be_test: fn(&str) -> bool,
    /// Whether `test` alone may be a test.
    pub(crate) may_be_whole: bool,
    /// Whether tools number the tests that they make.
    pub(crate) are_numbered: bool,
    /// Words between the dots of names of tests, besides `test` and `spec`.
    pub(crate) words: &'static [&'static str],
    /// Whether folders of specifications are tests.
    pub(crate) specs: Specs,
    /// Texts that occur in files with tests.
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

/// Marks of comments at the head of a file.
pub struct HeadComments {
    /// Marks of comments up to the end of the line.
    pub line: &'static [&'static str],
    /// Marks around comments of several lines.
    pub block: Option<(&'static str, &'static str)>,
    /// Beginnings of other lines that may be in the head.
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

/// Places where a project declares its supported language versions.
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
    /// Reason that a text is generated; `None` if it is not.
    pub generated: fn(&str) -> Option<&'static str>,
    /// Whether files are minified, and copied under the names of their libraries.
    pub are_minified: bool,
    /// Whether libraries are distributed as one file for others to copy.
    pub are_amalgamated: bool,
    /// Whether directives split statements.
    pub have_directives: bool,
    /// Whether formatters add and remove braces around expressions.
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
    /// Whether template marks `{{` and `${` are code.
    pub have_template_marks: bool,
    /// Wraps a draft so that it parses.
    pub draft: Option<fn(&str) -> String>,
    /// Places where a project declares its supported versions.
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
