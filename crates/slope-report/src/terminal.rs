//! Reports for a terminal.

use anstyle::{AnsiColor, Style};
use comfy_table::{
    Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table,
    TableStyle,
};
use slope_model::run::RunReport;

use crate::format;
use crate::metric::Metric;
use crate::study::Study;
use crate::summary::{Note, RunSummary, summary};
use crate::view::{self, Block, Cell, Grid, Tone};

/// Options for rendering for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Whether to use colour and weight; the caller decides (terminal, `NO_COLOR`, a flag).
    pub color: bool,
    /// Columns of the terminal.
    pub width: u16,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}

/// Metrics in the table of a trial; the table of slopes has all.
const TRIAL_METRICS: [Metric; 6] = [
    Metric::EROSION,
    Metric::VERBOSITY,
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::COST,
    Metric::AGENT_TIME,
];

/// Maximum number of notes of one kind that are printed; the rest is counted.
const MAX_NOTES: usize = 40;

/// Longer words of a table's keys may be broken over lines.
const MAX_WORD: usize = 24;

const LOOK: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// Renders `reports` as text for a terminal.
///
/// Every table respects the width if its content can: a table of a trial that does not fit is
/// printed in parts, and only then do cells wrap. Foreign text (labels, test ids, reasons) cannot
/// inject control sequences into the terminal.
#[must_use]
pub fn render_terminal(reports: &[RunReport], options: &TerminalOptions) -> String {
    let labels = view::labels(reports);
    let summaries: Vec<RunSummary> = reports.iter().map(summary).collect();
    let mut page = Page {
        out: String::new(),
        options: *options,
    };
    if reports.is_empty() {
        page.paragraph("No runs to report.");
        return page.out;
    }
    for ((report, summary), label) in reports.iter().zip(&summaries).zip(&labels) {
        page.run(report, summary, label);
    }
    page.slopes(&labels, &summaries, view::unpaired(reports));
    page.arms(reports, &summaries);
    page.heading("Rates");
    page.grid(&view::rate_grid(&labels, &summaries));
    page.blank();
    page.grid(&view::trial_rate_grid(&labels, &summaries));
    page.heading("Coverage");
    page.grid(&view::coverage_grid(&labels, &summaries));
    page.heading("Spent");
    page.grid(&view::spent_grid(&labels, &summaries));
    page.notes("Integrity", &labels, &summaries, |s| &s.integrity);
    page.notes("Unstable tests", &labels, &summaries, |s| &s.unstable);
    page.legend(&summaries);
    page.out
}

/// Renders a study as text for a terminal, as [`render_terminal`] does runs.
#[must_use]
pub fn render_study_terminal(study: &Study, options: &TerminalOptions) -> String {
    let mut page = Page {
        out: String::new(),
        options: *options,
    };
    for (title, grid) in view::study_grids(study) {
        page.heading(&title);
        page.grid(&grid);
    }
    for warning in &study.warnings {
        page.paragraph(&format!(" {warning}"));
    }
    for (title, lines) in view::study_lists(study) {
        page.heading(title);
        let all = lines.len();
        for line in lines.into_iter().take(MAX_NOTES) {
            page.indented(" · ", &line);
        }
        if all > MAX_NOTES {
            let more = all - MAX_NOTES;
            page.paragraph(&format!("   and {more} more; the JSON report has all"));
        }
    }
    page.blank();
    page.paragraph(&view::study_legend(study));
    page.out
}

struct Page {
    out: String,
    options: TerminalOptions,
}

impl Page {
    fn styled(&self, style: Style, text: &str) -> String {
        if self.options.color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    fn blank(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn heading(&mut self, text: &str) {
        self.blank();
        for line in wrap(text, usize::from(self.options.width)) {
            let line = self.styled(Style::new().bold(), &line);
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    fn paragraph(&mut self, text: &str) {
        self.indented("", text);
    }

    /// `text` wrapped, the lines after the first indented by the width of `mark`.
    fn indented(&mut self, mark: &str, text: &str) {
        let indent = width(mark);
        let room = usize::from(self.options.width)
            .saturating_sub(indent)
            .max(10);
        for (i, line) in wrap(text, room).into_iter().enumerate() {
            let lead = if i == 0 {
                mark.to_owned()
            } else {
                " ".repeat(indent)
            };
            let line = self.styled(Style::new().dimmed(), &format!("{lead}{line}"));
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    fn run(&mut self, report: &RunReport, summary: &RunSummary, label: &str) {
        let facts: Vec<String> = view::run_facts(report)
            .into_iter()
            .filter(|(name, value)| !value.is_empty() && *name != "slope")
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        if report.trials.is_empty() {
            self.heading(label);
            self.paragraph(&facts.join(" · "));
            self.paragraph("This run has no trials yet.");
        }
        for (i, (trial, summary)) in report.trials.iter().zip(&summary.trials).enumerate() {
            self.heading(&format!("{label} · {}", view::trial_name(report, trial)));
            if i == 0 {
                self.paragraph(&facts.join(" · "));
            }
            self.blank();
            self.trial(&view::trial_grid(trial, summary, &TRIAL_METRICS));
        }
    }

    /// A trial's table as a whole, in parts, or as a list.
    fn trial(&mut self, grid: &Grid) {
        let tests = grid.part(&[Block::Key, Block::Tests]);
        let rest = grid.part(&[Block::Key, Block::Quality, Block::Effort]);
        if !self.fits(grid) && self.fits(&tests) && self.fits(&rest) {
            self.table(&tests);
            self.blank();
            self.table(&rest);
            self.footnotes(grid);
        } else {
            self.grid(grid);
        }
    }

    fn slopes(&mut self, labels: &[String], summaries: &[RunSummary], warning: Option<&str>) {
        if summaries.len() < 2 && summaries.iter().all(|s| s.trials.len() < 2) {
            return;
        }
        self.heading("Slopes per checkpoint");
        let wide = view::slope_grid(labels, summaries, true);
        if self.fits(&wide) {
            self.grid(&wide);
        } else {
            self.grid(&view::slope_grid(labels, summaries, false));
        }
        if let Some(warning) = warning {
            self.paragraph(&format!(" {warning}"));
        }
    }

    fn arms(&mut self, reports: &[RunReport], summaries: &[RunSummary]) {
        let Some(arms) = crate::arms::arms(reports, summaries) else {
            return;
        };
        self.heading("Arms");
        self.grid(&view::arm_grid(&arms));
        for warning in &arms.warnings {
            self.paragraph(&format!(" {warning}"));
        }
    }

    fn grid(&mut self, grid: &Grid) {
        self.table(grid);
        self.footnotes(grid);
    }

    fn footnotes(&mut self, grid: &Grid) {
        for (i, note) in grid.notes.iter().enumerate() {
            self.indented(&format!(" {} ", format::raised(i + 1)), note);
        }
    }

    fn fits(&self, grid: &Grid) -> bool {
        self.holds(&build(grid, false, None))
    }

    fn holds(&self, table: &Table) -> bool {
        table
            .lines()
            .all(|line| width(line.trim_end()) <= usize::from(self.options.width))
    }

    /// The table in its natural width; or with its texts wrapped; or as a list.
    fn table(&mut self, grid: &Grid) {
        let color = self.options.color;
        if self.fits(grid) {
            return self.lines(grid, &build(grid, color, None));
        }
        let within = Some(self.options.width);
        let wrapped = build(grid, false, within);
        // Names of a letter or two a line are unreadable.
        if self.options.width >= 60 && self.holds(&wrapped) && keeps_words(grid, &wrapped) {
            return self.lines(grid, &build(grid, color, within));
        }
        self.list(grid);
    }

    fn lines(&mut self, grid: &Grid, table: &Table) {
        let lines: Vec<String> = table.lines().collect();
        let rule = lines.iter().find(|l| l.contains('─')).cloned();
        let foot = grid
            .rows
            .iter()
            .rev()
            .find(|r| r.is_foot)
            .and_then(|r| r.cells.first());
        // The table has one rule, below its head; add one for the row of slopes.
        let above = foot.and_then(|cell| lines.iter().rposition(|l| l.contains(&cell.text)));
        for (i, line) in lines.iter().enumerate() {
            if let (Some(rule), true) = (&rule, above == Some(i)) {
                self.out.push_str(rule.trim_end());
                self.out.push('\n');
            }
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
    }

    /// For terminals too narrow for a table: each row as a list of its values.
    fn list(&mut self, grid: &Grid) {
        let is_key = |i: usize| grid.columns.get(i).is_some_and(|c| c.block == Block::Key);
        let mut keys: Vec<String> = Vec::new();
        for row in &grid.rows {
            // A key that is left blank is that of the row above.
            let own = row.cells.iter().enumerate().filter(|(i, _)| is_key(*i));
            for (i, (_, cell)) in own.enumerate() {
                match keys.get_mut(i) {
                    Some(key) if !cell.text.is_empty() => *key = cell.marked(),
                    Some(_) => {}
                    None => keys.push(cell.marked()),
                }
            }
            let head = wrap(
                &keys.join(" · "),
                usize::from(self.options.width).saturating_sub(1),
            );
            for line in head {
                let line = self.styled(Style::new().bold(), &line);
                self.out.push_str(&format!(" {line}\n"));
            }
            for (column, cell) in grid.columns.iter().zip(&row.cells) {
                if column.block != Block::Key && !cell.text.is_empty() {
                    let name = [column.title.as_str(), column.unit.as_str()].join(" ");
                    self.item(name.trim(), cell);
                }
            }
        }
    }

    /// A name and a value at the two ends of a line, or on two lines.
    fn item(&mut self, name: &str, cell: &Cell) {
        let room = usize::from(self.options.width).saturating_sub(3).min(44);
        let value = cell.marked();
        let gap = room.saturating_sub(width(name) + width(&value));
        let fill = if gap > 0 {
            " ".repeat(gap)
        } else {
            "\n   ".to_owned()
        };
        let value = self.styled(tone_style(cell.tone), &value);
        self.out.push_str(&format!("   {name}{fill}{value}\n"));
    }

    fn notes(
        &mut self,
        title: &str,
        labels: &[String],
        summaries: &[RunSummary],
        of: fn(&RunSummary) -> &Vec<Note>,
    ) {
        let all: usize = summaries.iter().map(|s| of(s).len()).sum();
        if all == 0 {
            return;
        }
        self.heading(title);
        let lines = labels.iter().zip(summaries).flat_map(|(label, summary)| {
            let several = summary.trials.len() > 1;
            of(summary)
                .iter()
                .map(move |note| view::note_line(label, note, several))
        });
        for (place, text) in lines.take(MAX_NOTES) {
            self.indented(" · ", &format!("{place}: {text}"));
        }
        if all > MAX_NOTES {
            self.paragraph(&format!(
                "   and {} more; the JSON report has all",
                all - MAX_NOTES
            ));
        }
    }

    fn legend(&mut self, summaries: &[RunSummary]) {
        self.blank();
        let mut text =
            "Tests are passed/all by group. Slopes are least squares per checkpoint, ± standard \
            error. Rates are of \
            graded checkpoints, and with those that the agent's end cost counted as unsolved; \
            what the harness lost is missing from both. Intervals are Wilson's, 95 %."
                .to_owned();
        if summaries.iter().any(|s| !s.unstable.is_empty()) {
            text.push_str(" ~n: n tests had different outcomes on the same code and do not count.");
        }
        self.paragraph(&text);
    }
}

/// Whether a table shows the words of its keys and all places unbroken.
fn keeps_words(grid: &Grid, table: &Table) -> bool {
    let text = table.to_string();
    let whole = |row: &crate::view::Row| -> Vec<String> {
        let cells = row.cells.iter().zip(&grid.columns);
        let words = cells.flat_map(|(cell, column)| {
            let is_key = column.block == Block::Key && column.is_text;
            let words = cell.text.split_whitespace();
            words.filter(move |word| is_key && width(word) <= MAX_WORD || is_place(word))
        });
        words.map(str::to_owned).collect()
    };
    grid.rows
        .iter()
        .flat_map(whole)
        .all(|word| text.contains(&word))
}

/// Whether a word is a place in code, such as `src/a.py:12` or `a.py:12-20`, which users copy as a
/// whole.
fn is_place(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', '.', ')']);
    let Some((path, line)) = word.rsplit_once(':') else {
        return false;
    };
    path.contains(['.', '/'])
        && line.starts_with(|c: char| c.is_ascii_digit())
        && line.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// The table of a grid, in its natural width or wrapped to `within`.
fn build(grid: &Grid, color: bool, within: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(LOOK).force_no_tty();
    if color {
        table.enforce_styling();
        table.style_text_only();
    }
    match within {
        Some(width) => {
            table
                .set_content_arrangement(ContentArrangement::Dynamic)
                .set_width(width);
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    let units = grid.columns.iter().any(|c| !c.unit.is_empty());
    table.set_header(grid.columns.iter().map(|column| {
        let text = if units {
            format!("{}\n{}", column.title, column.unit)
        } else {
            column.title.clone()
        };
        let cell = comfy_table::Cell::new(text).set_alignment(alignment(column.is_text));
        if color {
            cell.add_attribute(Attribute::Bold)
        } else {
            cell
        }
    }));
    for row in &grid.rows {
        table.add_row(row.cells.iter().zip(&grid.columns).map(|(cell, column)| {
            let styled = toned(cell, color).set_alignment(alignment(column.is_text));
            if color && row.is_foot {
                styled.add_attribute(Attribute::Bold)
            } else {
                styled
            }
        }));
    }
    // Only text wraps: a number broken over two lines would be misread.
    for (column, spec) in table.column_iter_mut().zip(&grid.columns) {
        if !spec.is_text {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

fn alignment(is_text: bool) -> CellAlignment {
    if is_text {
        CellAlignment::Left
    } else {
        CellAlignment::Right
    }
}

fn toned(cell: &Cell, color: bool) -> comfy_table::Cell {
    let plain = comfy_table::Cell::new(cell.marked());
    if !color {
        return plain;
    }
    match cell.tone {
        Tone::Plain => plain,
        Tone::Good => plain.fg(Color::DarkGreen),
        Tone::Bad => plain.fg(Color::DarkRed),
        Tone::Warn => plain.fg(Color::DarkYellow),
        Tone::Faint => plain.add_attribute(Attribute::Dim),
    }
}

fn tone_style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
        Tone::Warn => AnsiColor::Yellow.on_default(),
        Tone::Faint => Style::new().dimmed(),
    }
}

/// Columns that `text` takes: East Asian wide characters take two.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
}

/// `text` in lines of at most `room` columns, broken at spaces where it can be.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word = word;
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        // A word longer than a line (a test id) is cut, but no place.
        while width(word) > room && !is_place(word) {
            let mut used = 0;
            let cut = word.char_indices().find(|(_, c)| {
                used += width(c.encode_utf8(&mut [0; 4]));
                used > room
            });
            let at = cut.map_or(
                word.len(),
                |(at, c)| if at == 0 { c.len_utf8() } else { at },
            );
            let (head, tail) = word.split_at(at);
            lines.push(head.to_owned());
            word = tail;
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// The style of a state's name, for callers that print one outside a table.
#[must_use]
pub fn state_style(state: slope_model::verdict::State) -> Style {
    tone_style(view::state_tone(state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_and_long_words_split() {
        assert_eq!(wrap("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
        assert_eq!(wrap("", 4), [""]);
    }

    #[test]
    fn locations_are_never_wrapped() {
        assert_eq!(wrap("in src/a.py:299, b", 6), ["in", "src/a.py:299,", "b"]);
        assert!(is_place("a.go:1-20") && is_place("(a/b:7)"));
        assert!(!is_place("12:30") && !is_place("a.py::test_b") && !is_place("http://a.b:x1"));
        let mut grid = Grid::default();
        grid.column("what", "", Block::Key, true);
        grid.column("where", "", Block::Quality, true);
        let place = "aider/coders/base_coder.py:299";
        for what in ["one", "a name of a function that is rather long"] {
            let cells = [what, place].map(|text| Cell::new(text, Tone::Plain));
            grid.row(cells.to_vec());
        }
        for width in 20..90 {
            assert!(keeps_words(&grid, &build(&grid, false, None)), "{width}");
            let wrapped = build(&grid, false, Some(width));
            let whole = wrapped.to_string().matches(place).count() == 2;
            assert_eq!(keeps_words(&grid, &wrapped), whole, "{width}");
        }
    }
}
