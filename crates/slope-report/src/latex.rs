//! The tables of a study as LaTeX, for papers: `booktabs`, one `table` each.

use crate::study::Study;
use crate::view::{self, Grid};

/// Renders the tables of a study as LaTeX that needs the package `booktabs`.
///
/// Text from outside is escaped: it cannot begin a command, a comment or a cell.
#[must_use]
pub fn render_study_latex(study: &Study) -> String {
    let mut out = String::from("% Needs \\usepackage{booktabs}.\n");
    for (title, grid) in view::study_grids(study) {
        push_table(&mut out, &title, &grid);
    }
    for (title, lines) in view::study_lists(study) {
        out.push_str(&format!("\n% {title}\n"));
        for line in lines {
            out.push_str(&format!("% {line}\n"));
        }
    }
    for line in study.warnings.iter().chain([&view::study_legend(study)]) {
        out.push_str(&format!("\n% {line}\n"));
    }
    out
}

fn push_table(out: &mut String, title: &str, grid: &Grid) {
    let sides = grid.columns.iter();
    let sides: String = sides.map(|c| if c.is_text { 'l' } else { 'r' }).collect();
    out.push_str("\n\\begin{table}\n\\centering\n");
    out.push_str(&format!("\\caption{{{}}}\n", escape(title)));
    out.push_str(&format!("\\begin{{tabular}}{{{sides}}}\n\\toprule\n"));
    push_row(out, grid.columns.iter().map(|c| escape(&c.title)));
    if grid.columns.iter().any(|c| !c.unit.is_empty()) {
        push_row(out, grid.columns.iter().map(|c| escape(&c.unit)));
    }
    out.push_str("\\midrule\n");
    for row in &grid.rows {
        let cells = row.cells.iter().map(|cell| match cell.note {
            Some(note) => format!("{}\\textsuperscript{{{note}}}", escape(&cell.text)),
            None => escape(&cell.text),
        });
        push_row(out, cells);
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    for (number, note) in (1..).zip(&grid.notes) {
        let note = escape(note);
        out.push_str(&format!("\\\\\\textsuperscript{{{number}}} {note}\n"));
    }
    out.push_str("\\end{table}\n");
}

fn push_row(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    out.push_str(&cells.join(" & "));
    out.push_str(" \\\\\n");
}

/// `text` as literal LaTeX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            // A bracket after a line's end would be that command's argument.
            '[' | ']' => out.push_str(&format!("{{{c}}}")),
            '–' => out.push_str("--"),
            '−' => out.push_str("$-$"),
            '±' => out.push_str("$\\pm$"),
            '·' => out.push_str("$\\cdot$"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn latex_commands_are_escaped() {
        assert_eq!(escape("\\input{x}"), "\\textbackslash{}input\\{x\\}");
        assert_eq!(escape("a_b & 5% [x]"), "a\\_b \\& 5\\% {[}x{]}");
        assert_eq!(escape("−1 ± 2 – 3"), "$-$1 $\\pm$ 2 -- 3");
    }
}
