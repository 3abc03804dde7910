//! Files and dependencies that nobody needs.

use crate::draft::{Draft, Edit, Site};
use crate::kind::Kind;
use crate::style::{Dependency, camel, fill};
use crate::subject::{beside, stem, suffix};
use crate::unit::{Unit, has_word};

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "scratch-file",
        "leaves a file of an experiment behind",
        scratch,
    ),
    Kind::slop(
        "backup-file",
        "leaves a copy of the old file behind",
        backup,
    ),
    Kind::slop(
        "new-dependency",
        "uses a package for what the language has",
        dependency,
    )
    .not_in(&["c", "cpp", "typescript"]),
];

/// What templates of files may name.
pub(crate) fn filled(unit: &Unit, template: &str) -> Option<String> {
    let name = stem(&unit.path);
    let package = match unit.style.id() {
        "go" => unit
            .text()
            .lines()
            .find_map(|line| line.strip_prefix("package "))
            .unwrap_or_default()
            .trim()
            .to_owned(),
        "java" => unit
            .text()
            .lines()
            .find(|line| line.starts_with("package "))
            .map_or(String::new(), |line| format!("{line}\n\n")),
        _ => String::new(),
    };
    if template.contains("{package}") && package.is_empty() && unit.style.id() == "go" {
        return None;
    }
    let humps = camel(&format!("x {}", name.replace('-', "_")))[1..].to_owned();
    let text = fill(
        template,
        &[
            ("stem", name),
            ("Stem", &humps),
            ("suffix", suffix(&unit.path)),
            ("package", &package),
        ],
    );
    Some(text)
}

fn scratch(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let mut found: Option<Draft> = None;
    let all = site.pick.shuffled(unit.style.scratch);
    for (name, text) in all.into_iter().take(site.many(1, 2)) {
        let path = beside(&unit.path, &filled(unit, name)?);
        let is_name = stem(&unit.path)
            .chars()
            .all(|c| c.is_alphanumeric() || "_-".contains(c));
        if site.subject.has(&path) || !is_name {
            continue;
        }
        let text = filled(unit, text)?.replace("    ", &unit.step);
        let draft = Draft::file(path.clone(), text, format!("leaves {path} behind"));
        found = Some(match found {
            Some(first) => first.and(draft),
            None => draft,
        });
    }
    if site.is_high {
        let path = "NOTES_FIX.md".to_owned();
        let text = format!(
            "# What was done\n\n- Updated `{}`\n- Ran it by hand, works\n\nTODO: clean up\n",
            unit.path
        );
        let notes = Draft::file(path, text, "leaves notes behind");
        found = found.map(|first| first.and(notes));
    }
    found
}

fn backup(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let names = if site.is_high {
        ["{stem}_old{suffix}", "{stem}_backup{suffix}"]
    } else {
        ["{path}.bak", "{path}.orig"]
    };
    let old = site.subject.before(&unit.path)?;
    if site.is_high && matches!(unit.style.id(), "java" | "go") {
        // The copy would define everything twice.
        return None;
    }
    let template = site.pick.one(&names)?;
    let file = unit.path.rsplit('/').next()?;
    let name = fill(&filled(unit, template)?, &[("path", file)]);
    let path = beside(&unit.path, &name);
    let message = format!("leaves {path}, the old {}, behind", unit.path);
    (!site.subject.has(&path)).then(|| Draft::file(path, old.to_owned(), message))
}

fn dependency(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let mut found: Option<Draft> = None;
    for dependency in site.pick.shuffled(unit.style.dependencies) {
        let Some(draft) = other_package(unit, dependency) else {
            continue;
        };
        let (file, line) = dependency.manifest;
        let listed = site
            .subject
            .after(file)
            .and_then(|text| with_line(file, text, line));
        let mut draft = draft;
        if let Some(text) = listed {
            draft.files.insert(file.to_owned(), Some(text));
        } else if file == "requirements.txt" && site.is_high {
            draft
                .files
                .insert(file.to_owned(), Some(format!("{line}\n")));
        }
        found = Some(draft);
        break;
    }
    found
}

/// Edits that take a package instead of a facility.
fn other_package(unit: &Unit, d: &Dependency) -> Option<Draft> {
    let row = (0..unit.row_count()).find(|&row| unit.row_text(row).trim() == d.import)?;
    let start = unit.start(row) + crate::unit::indentation(unit.row_text(row)).len();
    let mut edits = vec![Edit::new(start..start + d.import.len(), d.new_import)];
    if !d.members.is_empty() {
        let dotted = format!("{}.", d.word);
        for node in unit.names(&(0..unit.text().len())) {
            let range = unit.range(node);
            if unit.at(node) != d.word
                || range.start >= start && range.end <= start + d.import.len()
            {
                continue;
            }
            let rest = unit
                .slice(range.start..unit.text().len())
                .strip_prefix(&dotted)?;
            let member: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if !d.members.contains(&member.as_str()) {
                return None;
            }
            if d.word != d.new_word {
                edits.push(Edit::new(range, d.new_word));
            }
        }
    }
    let is_new = d.word == d.new_word || !has_word(unit.text(), d.new_word);
    is_new.then(|| {
        Draft::of(
            unit,
            edits,
            format!("takes `{}` where `{}` does", d.new_import, d.import),
        )
    })?
}

/// A manifest with one more dependency.
fn with_line(file: &str, text: &str, line: &str) -> Option<String> {
    let (mark, indent) = match file {
        "package.json" => ("\"dependencies\": {", "    "),
        "Cargo.toml" => ("[dependencies]", ""),
        "go.mod" => ("require (", "\t"),
        "build.gradle" => ("dependencies {", "    "),
        _ => return Some(format!("{}\n{line}\n", text.trim_end())),
    };
    let end = text.find(mark)? + mark.len();
    let comma = if file == "package.json" { "," } else { "" };
    Some(format!(
        "{}\n{indent}{line}{comma}{}",
        &text[..end],
        &text[end..]
    ))
}
