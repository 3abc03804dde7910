//! Reports as GitHub-flavoured Markdown, for pull requests and job summaries.

use slope_model::run::RunReport;

use crate::format;
use crate::metric::Metric;
use crate::study::Study;
use crate::summary::{Note, RunSummary, summary};
use crate::view::{self, Grid};

/// Metrics in the table of a trial; the table of slopes has all.
const TRIAL_METRICS: [Metric; 7] = [
    Metric::EROSION,
    Metric::VERBOSITY,
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::COST,
    Metric::TOKENS,
    Metric::AGENT_TIME,
];

/// Renders `reports` as GitHub-flavoured Markdown.
///
/// Text from outside is escaped: it cannot open a tag, a link, a table cell or a list.
#[must_use]
pub fn render_markdown(reports: &[RunReport]) -> String {
    let labels = view::labels(reports);
    let summaries: Vec<RunSummary> = reports.iter().map(summary).collect();
    let mut out = String::from("# slope report\n");
    if reports.is_empty() {
        out.push_str("\nNo runs to report.\n");
        return out;
    }
    if summaries.len() > 1 || summaries.iter().any(|s| s.trials.len() > 1) {
        out.push_str("\n## Slopes per checkpoint\n\n");
        push_grid(&mut out, &view::slope_grid(&labels, &summaries, true));
        if let Some(warning) = view::unpaired(reports) {
            out.push_str(&format!("\n**{warning}**\n"));
        }
    }
    push_arms(&mut out, reports, &summaries);
    out.push_str("\n## Rates\n\n");
    push_grid(&mut out, &view::rate_grid(&labels, &summaries));
    out.push('\n');
    push_grid(&mut out, &view::trial_rate_grid(&labels, &summaries));
    out.push_str("\n## Coverage\n\n");
    push_grid(&mut out, &view::coverage_grid(&labels, &summaries));
    out.push_str("\n## Spent\n\n");
    push_grid(&mut out, &view::spent_grid(&labels, &summaries));
    push_notes(&mut out, "Integrity", &labels, &summaries, |s| &s.integrity);
    push_notes(&mut out, "Unstable tests", &labels, &summaries, |s| {
        &s.unstable
    });
    for ((report, summary), label) in reports.iter().zip(&summaries).zip(&labels) {
        push_run(&mut out, report, summary, label);
    }
    out.push_str(
        "\n---\n\nTests are passed/all by group; `~n` marks n unstable tests, which decide nothing. \
         Slopes are least squares per checkpoint, ± standard error. Rates are of graded \
         checkpoints, and with those that the agent's end cost counted as unsolved; what the \
         harness lost is missing from both. Intervals are Wilson's, 95 %.\n",
    );
    out
}

/// Renders a study as GitHub-flavoured Markdown, escaped as [`render_markdown`]'s.
#[must_use]
pub fn render_study_markdown(study: &Study) -> String {
    let mut out = String::from("# slope study\n");
    for (title, grid) in view::study_grids(study) {
        out.push_str(&format!("\n## {}\n\n", escape(&title)));
        push_grid(&mut out, &grid);
    }
    for warning in &study.warnings {
        out.push_str(&format!("\n**{}**\n", escape(warning)));
    }
    for (title, lines) in view::study_lists(study) {
        out.push_str(&format!("\n## {title}\n\n"));
        for line in lines {
            out.push_str(&format!("- {}\n", escape(&line)));
        }
    }
    out.push_str(&format!(
        "\n---\n\n{}\n",
        escape(&view::study_legend(study))
    ));
    out
}

fn push_arms(out: &mut String, reports: &[RunReport], summaries: &[RunSummary]) {
    let Some(arms) = crate::arms::arms(reports, summaries) else {
        return;
    };
    out.push_str("\n## Arms\n\n");
    push_grid(out, &view::arm_grid(&arms));
    for warning in &arms.warnings {
        out.push_str(&format!("\n**{warning}**\n"));
    }
}

fn push_run(out: &mut String, report: &RunReport, summary: &RunSummary, label: &str) {
    out.push_str(&format!("\n## {}\n\n", escape(label)));
    let facts = view::run_facts(report)
        .into_iter()
        .filter(|(_, value)| !value.is_empty());
    let facts: Vec<String> = facts
        .map(|(name, value)| format!("{name} {}", escape(&value)))
        .collect();
    out.push_str(&facts.join(" · "));
    out.push('\n');
    if report.trials.is_empty() {
        out.push_str("\nThis run has no trials yet.\n");
    }
    for (trial, summary) in report.trials.iter().zip(&summary.trials) {
        out.push_str(&format!(
            "\n### {}\n\n",
            escape(&view::trial_name(report, trial))
        ));
        push_grid(out, &view::trial_grid(trial, summary, &TRIAL_METRICS));
    }
}

fn push_notes(
    out: &mut String,
    title: &str,
    labels: &[String],
    summaries: &[RunSummary],
    of: fn(&RunSummary) -> &Vec<Note>,
) {
    if summaries.iter().all(|s| of(s).is_empty()) {
        return;
    }
    out.push_str(&format!("\n## {title}\n\n"));
    for (label, summary) in labels.iter().zip(summaries) {
        for note in of(summary) {
            let (place, text) = view::note_line(label, note, summary.trials.len() > 1);
            out.push_str(&format!("- {}: {}\n", escape(&place), escape(&text)));
        }
    }
}

fn push_grid(out: &mut String, grid: &Grid) {
    let heads = grid
        .columns
        .iter()
        .map(|c| match (c.title.as_str(), c.unit.as_str()) {
            (title, "") => escape(title),
            ("", unit) => escape(unit),
            (title, unit) => format!("{}<br>{}", escape(title), escape(unit)),
        });
    push_row(out, heads);
    push_row(
        out,
        grid.columns
            .iter()
            .map(|c| if c.is_text { "---" } else { "---:" }.to_owned()),
    );
    for row in &grid.rows {
        push_row(
            out,
            row.cells.iter().map(|cell| match escape(&cell.marked()) {
                text if row.is_foot && !text.is_empty() => format!("**{text}**"),
                text => text,
            }),
        );
    }
    for (i, note) in grid.notes.iter().enumerate() {
        // A line break separates footnotes without making them a list.
        let lead = if i == 0 { "\n" } else { "<br>\n" };
        out.push_str(&format!("{lead}{} {}", format::raised(i + 1), escape(note)));
    }
    if !grid.notes.is_empty() {
        out.push('\n');
    }
}

fn push_row(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(&cell);
        out.push_str(" |");
    }
    out.push('\n');
}

/// `text` as literal Markdown on one line: every character that could start markup is escaped, and
/// control characters and those that reorder or hide text are spelled out. Otherwise a line end in
/// a path would end a table, and the rest could act as a command to a reader of the log.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inside_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Between letters an underscore is itself, and names are full of them.
            '_' if inside_word(before) && inside_word(chars.peek().copied()) => out.push('_'),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '#' => {
                out.push('\\');
                out.push(c);
            }
            // A bare address would become a link.
            ':' if chars.peek() == Some(&'/') => out.push_str("&#58;"),
            '@' => out.push_str("&#64;"),
            c if c.is_control() || format::is_hidden(c) => {
                let code = format!("{:x}", u32::from(c));
                out.push_str(&format!("\\\\u\\{{{code}\\}}"));
            }
            _ => out.push(c),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markdown_markup_is_escaped() {
        assert_eq!(escape("a|b"), "a\\|b");
        assert_eq!(escape("<b>&"), "&lt;b&gt;&amp;");
        assert_eq!(escape("![x](http://y)"), "!\\[x\\](http&#58;//y)");
        assert_eq!(escape("line_stats _x_"), "line_stats \\_x\\_");
        assert_eq!(escape("2/3 ~1"), "2/3 \\~1");
        assert_eq!(escape("x\n::error::y"), "x\\\\u\\{a\\}::error::y");
        assert_eq!(
            escape("a\r\tb\u{7f}\u{9b}"),
            "a\\\\u\\{d\\}\\\\u\\{9\\}b\\\\u\\{7f\\}\\\\u\\{9b\\}"
        );
        assert_eq!(
            escape("\u{202e}\u{2028}\u{2066}"),
            "\\\\u\\{202e\\}\\\\u\\{2028\\}\\\\u\\{2066\\}"
        );
    }
}
