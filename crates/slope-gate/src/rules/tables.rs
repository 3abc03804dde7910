//! Copied tables of constants: with another name, in another layout, or inside a function.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{CopiedTable, FileView};
use slope_model::gate::{GatePlace, GateRule, Violation};

use super::compared::Compared;
use super::resemblance::Twin;

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let views = compared.impact.step.files.iter();
    let views = views.filter_map(|file| file.after.as_ref());
    let views: BTreeMap<&str, &FileView> = views.map(|view| (view.path(), view)).collect();
    let known = Clones::of(found);
    for table in &compared.impact.like.tables {
        // Do not report a copy again if its lines are clones.
        if let Some(view) = views.get(table.path.as_str())
            && !known.has(table)
        {
            found.extend(judge(compared, table, view));
        }
    }
}

/// Clones that are already reported.
struct Clones {
    /// Files with clones outside of functions.
    outside: BTreeSet<String>,
    /// Path and first line of functions with clones, with their last lines.
    functions: BTreeMap<(String, u32), u32>,
}

impl Clones {
    fn of(found: &[Violation]) -> Self {
        let clones = || found.iter().filter(|v| v.rule == GateRule::NewClone);
        let outside = clones().filter(|v| v.function.is_none());
        let inside = clones().filter(|v| v.function.is_some());
        Self {
            outside: outside.map(|v| v.path.clone()).collect(),
            functions: inside
                .map(|v| ((v.path.clone(), v.line), v.end_line))
                .collect(),
        }
    }

    fn has(&self, table: &CopiedTable) -> bool {
        let before = (table.path.clone(), 0)..=(table.path.clone(), table.line);
        let function = self.functions.range(before).next_back();
        self.outside.contains(&table.path) || function.is_some_and(|(_, &end)| table.line <= end)
    }
}

fn judge(compared: &Compared<'_>, table: &CopiedTable, view: &FileView) -> Option<Violation> {
    let CopiedTable {
        entries,
        shared,
        other_path,
        other_line,
        ..
    } = table;
    let message = if table.is_same_order {
        format!("The table has the same {entries} values as the one at {other_path}:{other_line}.")
    } else {
        format!(
            "{shared} of the {entries} values of the table are in the one at {other_path}:{other_line}."
        )
    };
    let advice = "Keep one of them, and use it in both places.";
    let hash = table.hash.to_string();
    let twin = Twin {
        rule: GateRule::NewClone,
        function: None,
        lines: (table.line, table.end_line),
        other: GatePlace {
            path: table.other_path.clone(),
            function: None,
            line: table.other_line,
        },
        after: f64::from(table.entries),
        identity: ["<table>", &hash],
        texts: (message, advice.to_owned()),
    };
    twin.judge(compared, view)
}
