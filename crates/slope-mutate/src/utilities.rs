//! Small utilities that the language or its library has.

use slope_syntax::Construct;

use crate::copies::{spaced, top_row};
use crate::draft::{Draft, Edit, Site, laid_out};
use crate::function::Function;
use crate::kind::Kind;
use crate::style::{Utility, fill};

pub(crate) const KINDS: &[Kind] = &[Kind::slop(
    "reimplement-utility",
    "writes a small utility that the language has",
    reimplemented,
)];

fn reimplemented(site: &Site<'_>) -> Option<Draft> {
    let all = site.pick.shuffled(site.unit.style.utilities);
    let (replacing, others): (Vec<&Utility>, Vec<&Utility>) =
        all.into_iter().partition(|u| !u.replaces.is_empty());
    let most = site.many(1, 3);
    for f in site.functions() {
        let mut edits = Vec::new();
        let mut names = Vec::new();
        for utility in &replacing {
            if names.len() < most
                && let Some(more) = in_place_of(site, f, utility)
            {
                edits.extend(more);
                names.push(utility.replaces);
            }
        }
        if !edits.is_empty() {
            return Draft::of(
                site.unit,
                edits,
                format!("writes {} again for {}", names.join(", "), f.name),
            );
        }
    }
    let f = site.functions().into_iter().next()?;
    let added = others
        .into_iter()
        .take(most)
        .filter_map(|u| Some((definition(site, f, u)?, u.name)));
    let (edits, names): (Vec<Edit>, Vec<&str>) = added.unzip();
    Draft::of(
        site.unit,
        edits,
        format!("adds its own version of: {}", names.join(", ")),
    )
}

/// The definition of a utility before the function, and its name in place of a facility.
fn in_place_of(site: &Site<'_>, f: &Function, utility: &Utility) -> Option<Vec<Edit>> {
    let unit = site.unit;
    let all = unit.within(&f.body, Construct::Call).into_iter();
    let calls = all.filter_map(|call| {
        let list = unit.child(call, Construct::Arguments)?;
        let (range, arguments) = (unit.range(call), unit.range(list));
        let named = unit.slice(range.start..arguments.start) == utility.replaces;
        let plain = !unit.at(list).contains('*') && !unit.at(list).contains("...");
        let keyworded = unit.parts(list).any(|p| {
            matches!(
                unit.k(p),
                Construct::KeywordArg | Construct::Comprehension | Construct::Splat
            )
        });
        let fits = unit.parts(list).count() == utility.arguments && unit.at(list).starts_with('(');
        (named && plain && !keyworded && fits).then_some(range.start..arguments.start)
    });
    let calls: Vec<_> = calls.take(site.many(1, 9)).collect();
    if calls.is_empty() {
        return None;
    }
    let name = called_name(site, utility)?;
    let mut edits = vec![definition(site, f, utility)?];
    edits.extend(
        calls
            .into_iter()
            .map(|range| Edit::new(range, name.clone())),
    );
    Some(edits)
}

/// The name that calls of a utility have.
pub(crate) fn called_name(site: &Site<'_>, utility: &Utility) -> Option<String> {
    let name = site.unit.style.name(utility.name);
    if site.unit.has_word(&name) || site.subject.mentions(&name, &site.unit.path) {
        return None;
    }
    Some(if utility.text.contains("_{name}") {
        format!("_{name}")
    } else {
        name
    })
}

/// The definition of a utility, near a function.
pub(crate) fn definition(site: &Site<'_>, f: &Function, utility: &Utility) -> Option<Edit> {
    called_name(site, utility)?;
    let unit = site.unit;
    let name = unit.style.name(utility.name);
    let text = fill(utility.text, &[("name", &name)]);
    if unit.style.has_free_functions {
        let row = top_row(unit, f);
        let is_split = unit.row_text(row).starts_with([' ', '\t']);
        return (!is_split).then(|| spaced(unit, row, laid_out(unit, &text, ""), false));
    }
    let method = (f.is_top && f.is_method).then_some(f)?;
    Some(spaced(
        unit,
        method.rows.1 + 1,
        laid_out(unit, &text, &method.indent),
        true,
    ))
}
