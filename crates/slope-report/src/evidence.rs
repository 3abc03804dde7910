//! Evidence of observations, and the folders of its files.

use std::fmt::Write;

use slope_model::run::RunReport;

use crate::format::{clean, clean_path};
use crate::summary::summary;
use crate::view;

/// Renders every observation of the runs with its evidence and the folder of the attempt's files.
#[must_use]
pub fn render_evidence(reports: &[RunReport]) -> String {
    let mut out = String::new();
    for (report, label) in reports.iter().zip(view::labels(reports)) {
        for note in summary(report).integrity {
            let (place, text) = view::note_line(&label, &note, report.trials.len() > 1);
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{place}: {text} [{}]", clean(&note.kind));
            for line in &note.evidence {
                let _ = writeln!(out, "    {}", clean(line));
            }
            let folder = report.run.join("trials").join(&note.problem);
            let folder = folder.join(note.trial.to_string()).join(&note.checkpoint);
            let _ = writeln!(out, "    files: {}", clean_path(&folder.to_string_lossy()));
        }
    }
    if out.is_empty() {
        out.push_str("No observation affects the integrity of a verdict.\n");
    }
    out
}
