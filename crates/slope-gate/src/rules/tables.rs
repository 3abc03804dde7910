//! Tables of constants that a change copies: under another name, in another layout, or in a function.

use slope_measure::CopiedTable;
use slope_model::gate::{Evidence, GatePlace, GateRule, Level, Violation};
use slope_model::measurement::Part;

use crate::rules::{Compared, fingerprint};

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    for table in &compared.like.tables {
        // A copy is not reported again where its lines are clones.
        let is_known = found.iter().any(|v| {
            v.rule == GateRule::NewClone
                && v.path == table.path
                && (v.function.is_none() || (v.line..=v.end_line).contains(&table.line))
        });
        if !is_known {
            found.extend(judge(compared, table));
        }
    }
}

fn judge(compared: &Compared<'_>, table: &CopiedTable) -> Option<Violation> {
    let views = compared.full.step.files.iter();
    let mut views = views.filter_map(|file| file.after.as_ref());
    let view = views.find(|view| view.path() == table.path)?;
    let part = view.part_at(table.line.saturating_sub(1));
    let (_, level) = compared.level(part, GateRule::NewClone)?;
    if part == Part::Tests {
        return None;
    }
    let place = GatePlace {
        path: table.other_path.clone(),
        function: None,
        line: table.other_line,
    };
    let message = format!(
        "The table has the same {} values as the one at {}:{}.",
        table.entries, place.path, place.line
    );
    Some(Violation {
        rule: GateRule::NewClone,
        level: level.min(Level::Warning),
        part,
        path: table.path.clone(),
        function: None,
        line: table.line,
        end_line: table.end_line,
        before: None,
        after: f64::from(table.entries),
        limit: None,
        fingerprint: fingerprint(&[
            GateRule::NewClone.id(),
            &table.path,
            "<table>",
            &table.other_path,
            &table.entries.to_string(),
        ]),
        message,
        advice: "Keep one of them, and use it in both places.".to_owned(),
        evidence: Evidence {
            places: vec![place],
            ..Evidence::default()
        },
    })
}
