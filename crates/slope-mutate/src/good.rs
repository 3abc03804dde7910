//! Good code that looks like slop: families, tables, generated code.

use crate::additions::filled;
use crate::draft::{Draft, Edit, Site, laid_out};
use crate::kind::{Family, Kind};
use crate::style::fill;
use crate::subject::{beside, suffix};
use crate::unit::Unit;

pub(crate) const KINDS: &[Kind] = &[
    Kind::single(
        Family::HardNegative,
        "adapter-family",
        "adds classes for several formats with the same methods",
        |site| file(site, "adapter-family"),
    ),
    Kind::single(
        Family::HardNegative,
        "interface-implementation",
        "adds two implementations of an interface",
        |site| file(site, "interface-implementation"),
    )
    .not_in(&["c"]),
    Kind::single(
        Family::HardNegative,
        "migration",
        "adds a migration of a database",
        |site| file(site, "migration"),
    )
    .not_in(&["rust", "go", "java", "c", "cpp"]),
    Kind::single(
        Family::HardNegative,
        "generated-code",
        "adds a generated file with its usual header",
        |site| file(site, "generated-code"),
    )
    .not_in(&["cpp"]),
    Kind::single(
        Family::HardNegative,
        "table-driven-code",
        "adds a lookup in a table",
        |site| file(site, "table-driven"),
    )
    .not_in(&["typescript", "cpp"]),
    Kind::single(
        Family::HardNegative,
        "input-validation",
        "validates a parameter, with a test of it",
        validated,
    )
    .not_in(&["typescript", "rust", "go", "java", "c", "cpp"])
    .changing(),
    Kind::single(
        Family::HardNegative,
        "licence-header",
        "adds the header of a licence",
        licence,
    ),
];

/// A file of the language's table.
fn file(site: &Site<'_>, kind: &str) -> Option<Draft> {
    let unit = site.unit;
    let template = unit.style.files.iter().find(|file| file.kind == kind)?;
    if matches!(
        suffix(&unit.path),
        ".h" | ".hpp" | ".hh" | ".mjs" | ".cjs" | ".pyi"
    ) {
        return None;
    }
    let path = beside(&unit.path, &filled(unit, template.name)?);
    let text = filled(unit, template.text)?;
    let is_module = unit.text().contains("require(") || unit.text().contains("module.exports");
    let text = if is_module {
        without_exports(&text)
    } else {
        text
    };
    (!site.subject.has(&path)).then(|| {
        Draft::file(
            path.clone(),
            text,
            format!("adds {path}: {}", kind.replace('-', " ")),
        )
    })
}

/// The text of a module in the older form of modules.
fn without_exports(text: &str) -> String {
    let row = |row: &str| match row.strip_prefix("export const ") {
        Some(rest) => format!("exports.{rest}\n"),
        None => match row
            .strip_prefix("export function ")
            .and_then(|rest| rest.split_once('('))
        {
            Some((name, rest)) => format!("exports.{name} = function {name}({rest}\n"),
            None => match row
                .strip_prefix("export class ")
                .and_then(|rest| rest.split_once(' '))
            {
                Some((name, rest)) => format!("exports.{name} = class {name} {rest}\n"),
                None => format!("{row}\n"),
            },
        },
    };
    text.lines().map(row).collect()
}

fn validated(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let is_python = !unit.style.braces;
    site.functions().into_iter().find_map(|f| {
        let fits = f.is_top
            && !f.is_method
            && !f.is_lambda
            && !f.is_suspended
            && !f.is_decorated
            && !f.name.starts_with('_');
        let names = f.param_names().filter(|_| fits)?;
        let first = *names.first()?;
        let plain = !f.params[0].text.contains(['=', '*', '.', '?']);
        let text = if is_python {
            "if {x} is None:\n    raise ValueError(\"{x} is required\")"
        } else {
            "if ({x} == null) {\n    throw new TypeError('{x} is required');\n}"
        };
        let lines = laid_out(unit, &fill(text, &[("x", first)]), &f.inner);
        let edit = Edit::insert(unit, f.stmts.first()?.rows.0, &lines);
        let draft = plain.then(|| {
            Draft::of(
                unit,
                vec![edit],
                format!("validates {first} of {}, with a test", f.name),
            )
        })??;
        Some(draft.and(test(site, unit, &f.name, names.len())?))
    })
}

/// A test that a function refuses an absent value.
fn test(site: &Site<'_>, unit: &Unit, name: &str, count: usize) -> Option<Draft> {
    let is_python = !unit.style.braces;
    let nothing = vec![if is_python { "None" } else { "null" }; count].join(", ");
    let module = unit
        .path
        .trim_end_matches(suffix(&unit.path))
        .trim_start_matches("src/")
        .replace('/', ".");
    let (path, text) = if is_python {
        let path = format!("tests/test_{name}_input.py");
        let text = format!(
            "import pytest\n\nfrom {module} import {name}\n\n\ndef test_{name}_requires_input():\n    with pytest.raises(ValueError):\n        {name}({nothing})\n"
        );
        (path, text)
    } else {
        let path = format!("test/{name}.input.test.js");
        let file = unit.path.trim_end_matches(suffix(&unit.path));
        let text = format!(
            "const assert = require('assert');\nconst {{ {name} }} = require('../{file}');\n\ndescribe('{name}', () => {{\n  it('requires input', () => {{\n    assert.throws(() => {name}({nothing}), TypeError);\n  }});\n}});\n"
        );
        (path, text)
    };
    (!site.subject.has(&path)).then(|| Draft::file(path, text, "adds a test"))
}

fn licence(site: &Site<'_>) -> Option<Draft> {
    let mut found: Option<Draft> = None;
    for unit in site.subject.units() {
        let start: String = unit
            .text()
            .chars()
            .take(800)
            .collect::<String>()
            .to_lowercase();
        if start.contains("license")
            || start.contains("licence")
            || start.contains("copyright")
            || start.contains("spdx")
        {
            continue;
        }
        let row = usize::from(unit.text().starts_with("#!"));
        let note = |text: &str| unit.style.note(text);
        let lines = vec![
            note("Copyright (c) 2024 The project's authors."),
            note("SPDX-License-Identifier: MIT"),
            String::new(),
        ];
        let draft = Draft::of(
            unit,
            vec![Edit::insert(unit, row, &lines)],
            format!("adds the header of a licence to {}", unit.path),
        )?;
        found = Some(match found {
            Some(first) => first.and(draft),
            None => draft,
        });
    }
    found
}
