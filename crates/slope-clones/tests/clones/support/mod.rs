//! What the tests of clones share.

use slope_clones::{Class, CloneReport, FileClones, Options, analyse, classes};
use slope_model::measurement::CloneKind;
use slope_syntax::{Language, Limits, Profile, parse};

/// The facts of one file.
pub(crate) fn facts(language: &str, code: &str, profile: Profile) -> FileClones {
    let language = Language::by_id(language).unwrap();
    let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(tree.errors(), None, "{code}");
    analyse(&tree, &tree.source_lines(profile), profile)
}

/// The clones of files of one language by slope's own definitions.
pub(crate) fn report_in(language: &str, files: &[&str]) -> CloneReport {
    let facts: Vec<FileClones> = files
        .iter()
        .map(|code| facts(language, code, Profile::Slope))
        .collect();
    let all: Vec<&FileClones> = facts.iter().collect();
    classes(&all, &Options::of(Profile::Slope))
}

/// The clones of Python files.
pub(crate) fn report(files: &[&str]) -> CloneReport {
    report_in("python", files)
}

/// File and first line (from 1) of each member.
pub(crate) fn places(class: &Class) -> Vec<(u32, u32)> {
    class
        .members
        .iter()
        .map(|member| (member.file, member.first_row + 1))
        .collect()
}

/// Kind and places of each class.
pub(crate) fn summary(report: &CloneReport) -> Vec<(CloneKind, Vec<(u32, u32)>)> {
    let classes = report.classes.iter();
    classes.map(|class| (class.kind, places(class))).collect()
}
