//! Edits that are neither better nor worse.

use std::collections::BTreeMap;

use slope_syntax::Construct;

use crate::copies::{above, renamable, renames, variant};
use crate::draft::{Draft, Edit, Site, join};
use crate::function::Function;
use crate::kind::{Family, Kind};
use crate::names::renamed_to;
use crate::neighbours::layout;
use crate::style::words;
use crate::subject::{beside, stem, suffix};
use crate::unit::{Unit, has_word, indentation};

pub(crate) const KINDS: &[Kind] = &[
    Kind::single(
        Family::Neutral,
        "blank-lines",
        "adds blank rows between statements of touched functions",
        blank_rows,
    ),
    Kind::single(
        Family::Neutral,
        "wrapped-arguments",
        "puts arguments of touched functions in rows of their own",
        arguments,
    ),
    Kind::single(
        Family::Neutral,
        "renamed-local",
        "gives a local another name in the convention",
        local,
    ),
    Kind::single(
        Family::Neutral,
        "renamed-function",
        "gives a private function another name in the convention",
        function,
    ),
    Kind::single(
        Family::Neutral,
        "reordered-functions",
        "swaps two functions of a file",
        swapped,
    )
    .not_in(&["c", "cpp"]),
    Kind::single(
        Family::Neutral,
        "moved-function",
        "moves a function to the end of its file",
        to_end,
    )
    .not_in(&["c", "cpp"]),
    Kind::single(
        Family::Neutral,
        "moved-to-file",
        "moves a function to a new file",
        to_file,
    )
    .not_in(&["javascript", "typescript", "rust", "java", "c", "cpp"]),
    Kind::single(
        Family::Neutral,
        "reworded-comment",
        "adds a remark to a comment or a comment",
        comment,
    ),
    Kind::single(
        Family::Neutral,
        "crlf",
        "ends the lines of a touched file in carriage returns",
        returns,
    ),
];

fn blank_rows(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let pairs = f
            .stmts
            .windows(2)
            .filter(|w| w[1].rows.0 == w[0].rows.1 + 1 && !unit.inside[w[1].rows.0]);
        let edits: Vec<Edit> = pairs
            .map(|w| Edit::insert(unit, w[1].rows.0, &[String::new()]))
            .take(3)
            .collect();
        Draft::of(unit, edits, format!("adds blank rows to {}", f.name))
    })
}

fn arguments(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let edits: Vec<Edit> = layout(unit, f)
            .into_iter()
            .filter(|e| e.text.starts_with('('))
            .take(2)
            .collect();
        Draft::of(unit, edits, format!("wraps arguments in {}", f.name))
    })
}

fn local(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.functions().into_iter().find_map(|f| {
        let all = renamable(unit, f)
            .into_iter()
            .filter(|name| f.locals.iter().any(|l| l == name) && name.len() > 2);
        let new = |name: &str| {
            let new = unit.style.name(&format!("{} found", words(name)));
            let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
                || !unit.style.snake && !name.contains('_');
            (is_plain && !unit.has_word(&new) && !name.starts_with('_')).then_some(new)
        };
        let (name, new) = all.into_iter().find_map(|name| Some((name, new(name)?)))?;
        Draft::of(
            unit,
            renames(unit, &f.body, name, &new),
            format!("renames {name} of {} to {new}", f.name),
        )
    })
}

fn function(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    site.all_functions().into_iter().find_map(|f| {
        let new = variant(&f.name, "entry", unit.style);
        let edits = renamed_to(site, f, &new).filter(|_| !unit.has_word(&new))?;
        Draft::of(unit, edits, format!("renames {} to {new}", f.name))
    })
}

/// Functions that can stand anywhere in their file.
fn movable(unit: &Unit) -> Vec<&Function> {
    let is_declared = |f: &&Function| {
        let starts = unit.slice(unit.row_range(f.rows));
        let is_alone = unit.is_alone(&(unit.start(f.rows.0)..unit.start(f.rows.1 + 1) - 1));
        f.is_top
            && !f.is_lambda
            && !f.is_decorated
            && is_alone
            && !starts.contains("\n#")
            && !unit.inside[f.rows.0]
    };
    unit.functions.iter().filter(is_declared).collect()
}

/// Rows of a function with the comments above it.
fn whole(unit: &Unit, f: &Function) -> (usize, usize) {
    (above(unit, f.rows.0), f.rows.1)
}

/// Whether code that runs when a Python or JavaScript module is loaded has a name.
fn is_used_on_load(unit: &Unit, name: &str) -> bool {
    let runs = |&node: &u32| {
        !matches!(
            unit.k(node),
            Construct::Function | Construct::Import | Construct::ImportFrom
        )
    };
    let is_loaded = unit.style.returns == crate::style::Returns::Dynamic;
    is_loaded
        && unit
            .tops()
            .into_iter()
            .filter(runs)
            .any(|node| has_word(unit.at(node), name))
}

fn swapped(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let all = movable(unit);
    let pairs: Vec<(&Function, &Function)> = all.windows(2).map(|w| (w[0], w[1])).collect();
    site.pick
        .shuffled(&pairs)
        .into_iter()
        .find_map(|&(one, two)| {
            let (a, b) = (whole(unit, one), whole(unit, two));
            let between = unit.slice(unit.start(a.1 + 1)..unit.start(b.0));
            let free = [one, two].iter().all(|f| !is_used_on_load(unit, &f.name));
            if !between.trim().is_empty()
                || !free
                || one.indent != two.indent
                || one.name == two.name
            {
                return None;
            }
            let edits = vec![
                Edit::rows(unit, a, &unit.lines(b)),
                Edit::rows(unit, b, &unit.lines(a)),
            ];
            Draft::of(unit, edits, format!("swaps {} and {}", one.name, two.name))
        })
}

fn to_end(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let all: Vec<&Function> = movable(unit)
        .into_iter()
        .filter(|f| !f.is_method && f.indent.is_empty())
        .collect();
    site.pick.shuffled(&all).into_iter().find_map(|f| {
        let rows = whole(unit, f);
        let is_last = unit
            .slice(unit.start(rows.1 + 1)..unit.text().len())
            .trim()
            .is_empty();
        let has_main = unit.text().contains("__main__") || unit.text().contains("cfg(test)");
        if is_last || has_main || is_used_on_load(unit, &f.name) || !unit.text().ends_with('\n') {
            return None;
        }
        let blank = (rows.1 + 1..unit.row_count())
            .take_while(|&r| unit.row_text(r).trim().is_empty())
            .count();
        let mut lines = vec![String::new(); unit.style.gap];
        lines.extend(unit.lines(rows));
        let end = unit.text().len();
        let edits = vec![
            Edit::rows(unit, (rows.0, rows.1 + blank), &[]),
            Edit::new(end..end, join(&lines)),
        ];
        Draft::of(
            unit,
            edits,
            format!("moves {} to the end of its file", f.name),
        )
    })
}

fn to_file(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let all: Vec<&Function> = movable(unit)
        .into_iter()
        .filter(|f| !f.is_method && f.indent.is_empty())
        .collect();
    let is_go = unit.style.id() == "go";
    let path = beside(
        &unit.path,
        &format!("{}_helpers{}", stem(&unit.path), suffix(&unit.path)),
    );
    if site.subject.has(&path) || unit.path.ends_with("_test.go") || suffix(&unit.path) == ".pyi" {
        return None;
    }
    site.pick.shuffled(&all).into_iter().find_map(|f| {
        let name = f.name.as_str();
        let import = if is_go {
            None
        } else {
            Some(python_import(unit, name)?)
        };
        if !is_free(unit, f)
            || f.name == "main"
            || f.name == "init"
            || !is_go && site.subject.mentions(name, &unit.path)
        {
            return None;
        }
        let rows = whole(unit, f);
        let blank = (rows.1 + 1..unit.row_count())
            .take_while(|&r| unit.row_text(r).trim().is_empty())
            .count();
        let head = if is_go {
            unit.text()
                .lines()
                .find(|l| l.starts_with("package "))?
                .to_owned()
                + "\n\n"
        } else {
            String::new()
        };
        let text = head + &join(&unit.lines(rows));
        let mut edits = vec![Edit::rows(unit, (rows.0, rows.1 + blank), &[])];
        if let Some(import) = import {
            edits.push(Edit::insert(
                unit,
                crate::unused::import_row(unit)?,
                &[import],
            ));
        }
        let draft = Draft::of(unit, edits, format!("moves {name} to {path}"))?;
        Some(draft.and(Draft::file(path.clone(), text, "a new file")))
    })
}

/// The import of a name from the new file, in a package that imports in this way already.
fn python_import(unit: &Unit, name: &str) -> Option<String> {
    unit.text()
        .contains("\nfrom .")
        .then(|| format!("from .{}_helpers import {name}", stem(&unit.path)))
}

/// Whether a function uses no import and, in Python, no other code of its file.
fn is_free(unit: &Unit, f: &Function) -> bool {
    let text = unit.slice(f.head.start..f.body.end);
    let is_go = unit.style.id() == "go";
    unit.tops().into_iter().all(|top| {
        let is_import = matches!(unit.k(top), Construct::Import | Construct::ImportFrom);
        let range = unit.range(top);
        if range.start <= f.head.start && range.end >= f.body.end || is_go && !is_import {
            return true;
        }
        let head: Vec<&str> = unit
            .at(top)
            .lines()
            .take(if is_import { 100 } else { 1 })
            .collect();
        let head = head.join(" ");
        !slope_syntax::text::identifiers(text).any(|word| {
            word.len() > 1
                && has_word(&head, word)
                && !matches!(
                    word,
                    "def" | "class" | "if" | "in" | "import" | "from" | "self" | "return"
                )
        })
    })
}

fn comment(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let f = site.functions().into_iter().next()?;
    let row = f.stmts.first()?.rows.0;
    let indent = indentation(unit.row_text(row));
    let note = format!("{indent}{}", unit.style.note("Callers rely on this order."));
    Draft::of(
        unit,
        vec![Edit::insert(unit, row, &[note])],
        format!("adds a comment to {}", f.name),
    )
}

fn returns(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let plain = !unit.has_returns && !unit.inside.contains(&true);
    let text = unit.text().replace('\n', "\r\n");
    plain.then(|| Draft {
        files: BTreeMap::from([(unit.path.clone(), Some(text))]),
        path: unit.path.clone(),
        line: 1,
        message: format!("ends the lines of {} in carriage returns", unit.path),
    })
}
