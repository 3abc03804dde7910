//! Names against the convention of their file.

use crate::copies::{renamable, renames};
use crate::draft::{Draft, Edit, Site};
use crate::flags::uses;
use crate::function::Function;
use crate::kind::Kind;
use crate::style::{camel, words};
use crate::unit::Unit;

pub(crate) const KINDS: &[Kind] = &[
    Kind::slop(
        "off-convention-local",
        "renames locals to the other style of joining words",
        locals,
    ),
    Kind::slop(
        "off-convention-function",
        "renames private functions to the other style of joining words",
        functions,
    ),
];

/// A name in the other style; `None` if it has only one word.
fn other_style(name: &str) -> Option<String> {
    let plain = name.trim_start_matches('_');
    let said = words(plain);
    let has_lower = name.is_ascii() && name.chars().any(char::is_lowercase);
    if !has_lower || !said.contains(' ') {
        return None;
    }
    let new = if plain.contains('_') {
        camel(&said)
    } else {
        said.replace(' ', "_")
    };
    (new != plain).then(|| format!("{}{new}", &name[..name.len() - plain.len()]))
}

/// A name of one word with another one, in the other style than the language's.
fn longer(unit: &Unit, name: &str) -> Option<String> {
    let is_word = name.len() > 2 && name.chars().all(|c| c.is_ascii_lowercase());
    let said = format!("{name} value");
    is_word.then(|| {
        if unit.style.snake {
            camel(&said)
        } else {
            said.replace(' ', "_")
        }
    })
}

fn locals(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    for f in site.functions() {
        let mut edits: Vec<Edit> = Vec::new();
        let mut names = Vec::new();
        let all: Vec<&str> = renamable(unit, f)
            .into_iter()
            .filter(|n| f.locals.iter().any(|l| l == n))
            .collect();
        let new = all
            .iter()
            .filter_map(|name| Some((*name, other_style(name)?)));
        let short = all
            .iter()
            .filter_map(|name| Some((*name, longer(unit, name)?)));
        for (name, new) in new.chain(short) {
            if names.len() < site.many(1, 6)
                && !unit.has_word(&new)
                && !names.iter().any(|n| n == name)
            {
                edits.extend(renames(unit, &f.body, name, &new));
                names.push(name.to_owned());
            }
        }
        if !edits.is_empty() {
            return Draft::of(
                unit,
                edits,
                format!(
                    "renames {} of {} against the convention",
                    names.join(", "),
                    f.name
                ),
            );
        }
    }
    None
}

fn functions(site: &Site<'_>) -> Option<Draft> {
    let unit = site.unit;
    let mut edits: Vec<Edit> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let touched = site.functions();
    let others = unit
        .functions
        .iter()
        .filter(|f| site.is_high && !touched.iter().any(|t| t.node == f.node));
    for f in touched.iter().copied().chain(others) {
        let Some(more) = renamed(site, f) else {
            continue;
        };
        edits.extend(more);
        names.push(&f.name);
        if names.len() == site.many(1, 4) {
            break;
        }
    }
    Draft::of(
        unit,
        edits,
        format!("renames {} against the convention", names.join(", ")),
    )
}

/// Edits that rename a function which only its file uses.
fn renamed(site: &Site<'_>, f: &Function) -> Option<Vec<Edit>> {
    let unit = site.unit;
    let new = other_style(&f.name)?;
    renamed_to(site, f, &new).filter(|_| !unit.has_word(&new))
}

/// Edits that give a function another name, if only calls in its file use it.
pub(crate) fn renamed_to(site: &Site<'_>, f: &Function, new: &str) -> Option<Vec<Edit>> {
    let unit = site.unit;
    let head = unit.slice(f.head.clone());
    let may = f.is_top
        && !f.is_decorated
        && (!f.is_method || head.contains("private "))
        && !f.name.starts_with("__");
    let is_known = !site.subject.mentions(&f.name, &unit.path);
    let is_alone = unit.functions.iter().filter(|o| o.name == f.name).count() == 1;
    if !may || !is_known || !is_alone || f.name.starts_with("test") || f.name == "main" {
        return None;
    }
    let mut edits = vec![Edit::new(f.name_at.clone(), new)];
    for call in uses(unit, f)? {
        let list = unit.range(unit.child(call, slope_syntax::Construct::Arguments)?);
        let start = list.start.checked_sub(f.name.len())?;
        if unit.slice(start..list.start) != f.name {
            return None;
        }
        edits.push(Edit::new(start..list.start, new));
    }
    Some(edits)
}
