//! The terminal summary, and its details on request.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use slope_model::finding::{Finding, Severity};
use slope_model::language_name;
use slope_model::measurement::{CloneClass, CloneKind, NotebookCell};
use slope_model::metrics::{LANGUAGES, MEASURE};

use super::catalogue::Origin;
use super::digest::{self, Headline, RuleCount, plural};
use super::table::{Cell, Side, TextTable, paint};
use super::{Detail, Subject};
use crate::diagnostics::severity_name;
use crate::format::{self, Kind, clean, clean_path};
use crate::terminal::wrap;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Places of a clone class that are listed in the summary.
const MAX_PLACES: usize = 3;
/// Paths that are named where files were left out.
const MAX_PATHS: usize = 3;
/// Cells of the bar that shows a percentile.
const BAR: usize = 10;

pub(super) fn render(subject: &Subject<'_>, detail: &Detail) -> String {
    let mut page = Page {
        subject,
        detail,
        out: String::new(),
    };
    page.title();
    page.headline();
    page.totals();
    page.languages();
    page.callables();
    page.clones();
    page.rules();
    page.dead_code();
    if detail.files {
        page.files();
    }
    if detail.findings {
        page.findings();
    }
    page.troubles();
    page.left_out();
    page.other_languages();
    page.end();
    page.out
}

struct Page<'a> {
    subject: &'a Subject<'a>,
    detail: &'a Detail,
    out: String,
}

impl Page<'_> {
    fn paint(&self, text: &str, style: Style) -> String {
        paint(text, style, self.detail.color)
    }

    fn width(&self) -> Option<usize> {
        self.detail.width.map(usize::from)
    }

    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    /// A title in bold with a note behind it, after a blank line.
    fn heading(&mut self, title: &str, note: &str) {
        self.out.push('\n');
        let mut text = self.paint(title, BOLD);
        if !note.is_empty() {
            text.push_str("  ");
            text.push_str(&self.paint(note, DIM));
        }
        self.line(&text);
    }

    /// Dim text, wrapped and indented.
    fn note(&mut self, text: &str) {
        let room = self
            .width()
            .map_or(usize::MAX, |w| w.saturating_sub(2).max(20));
        for line in wrap(text, room) {
            let line = self.paint(&line, DIM);
            self.line(&format!("  {line}"));
        }
    }

    fn table(&mut self, table: &TextTable) {
        let text = table.render(self.width(), self.detail.color);
        self.out.push_str(&text);
    }

    /// Prints the number of omitted rows.
    fn rest(&mut self, all: usize, shown: usize) {
        if all > shown {
            let more = plural_rest(all - shown);
            self.note(&more);
        }
    }

    fn title(&mut self) {
        let measurement = self.subject.measurement;
        let totals = &measurement.totals;
        let languages = digest::language_names(measurement.languages.keys());
        let facts = [
            plural(totals.files.into(), "file"),
            plural(totals.lines, "line"),
            languages,
        ];
        let facts: Vec<String> = facts.into_iter().filter(|f| !f.is_empty()).collect();
        let title = self.paint(&clean(self.subject.title), BOLD);
        let facts = facts.join(" · ");
        self.line(&format!("{title}  {facts}"));
        let hash = clean(&measurement.definitions.hash);
        // A screen is too narrow for the whole hash; the first digits identify it.
        let shown = if self.detail.width.is_some() {
            format::shorten(&hash, 13)
        } else {
            hash
        };
        let profile = format!(
            "profile {} · definitions {} {shown}",
            digest::profile(measurement),
            clean(&measurement.definitions.version)
        );
        let profile = self.paint(&profile, DIM);
        self.line(&profile);
    }

    fn headline(&mut self) {
        for headlines in digest::headlines(self.subject.measurement) {
            self.heading("Headline", &headlines.title);
            let none = headlines.numbers.iter().all(|n| n.standings.is_empty());
            let title = |title| if none { "" } else { title };
            let head = [
                ("", Side::Left),
                ("", Side::Right),
                ("", Side::Left),
                (title("percentile"), Side::Right),
                (title("median"), Side::Right),
                (title("among"), Side::Left),
            ];
            let mut table = TextTable::new(&head, None);
            for number in &headlines.numbers {
                headline_rows(&mut table, number);
            }
            self.table(&table);
        }
    }

    fn totals(&mut self) {
        let parts = digest::parts(self.subject.measurement);
        self.heading("Totals", "by this profile");
        let mut head = vec![("", Side::Left)];
        if parts.len() > 1 {
            head.extend(parts.iter().map(|(name, _)| (*name, Side::Right)));
        } else {
            head.push(("", Side::Right));
        }
        head.push(("", Side::Left));
        let mut table = TextTable::new(&head, None);
        for metric in MEASURE {
            let mut row = vec![Cell::new(metric.title)];
            let values = parts
                .iter()
                .map(|(_, totals)| digest::figure(metric, totals));
            row.extend(values.map(Cell::new));
            let why = digest::missing(metric, &self.subject.measurement.totals).map(clean);
            row.push(Cell::styled(why.unwrap_or_default(), DIM));
            table.push(row);
        }
        self.table(&table);
    }

    fn languages(&mut self) {
        let languages = &self.subject.measurement.languages;
        if languages.len() < 2 {
            return;
        }
        self.heading("Languages", "");
        let mut head = vec![("", Side::Left)];
        head.extend(LANGUAGES.iter().map(|metric| (metric.title, Side::Right)));
        let mut table = TextTable::new(&head, None);
        let mut rows: Vec<_> = languages.iter().collect();
        rows.sort_by_key(|(_, totals)| std::cmp::Reverse(totals.sloc));
        for (language, totals) in rows {
            let mut row = vec![Cell::new(clean(&language_name(language)))];
            let values = LANGUAGES
                .iter()
                .map(|metric| digest::figure(metric, totals));
            row.extend(values.map(Cell::new));
            table.push(row);
        }
        self.table(&table);
    }

    fn callables(&mut self) {
        let all = digest::heaviest(self.subject.measurement, self.detail.most());
        if all.is_empty() {
            return;
        }
        self.heading("Heaviest functions", "mass is complexity weighted by size");
        let head = [
            ("mass", Side::Right),
            ("complexity", Side::Right),
            ("cognitive", Side::Right),
            ("lines", Side::Right),
            ("function", Side::Left),
            ("place", Side::Left),
        ];
        let mut table = TextTable::new(&head, Some((4, 16)));
        for (file, callable) in all.iter().take(self.detail.most()) {
            let line = callable.span.start_line;
            let cell = NotebookCell::place(&file.cells, line);
            let place = format!(
                "{}:{line}{}",
                clean_path(&self.subject.path(&file.path)),
                cell.map_or_else(String::new, |cell| format!(" ({cell})")),
            );
            table.push(vec![
                Cell::styled(digest::text(Kind::Real, callable.mass), BOLD),
                Cell::new(callable.shown(callable.complexity)),
                Cell::new(callable.shown(callable.cognitive)),
                Cell::new(callable.sloc.to_string()),
                Cell::new(clean(&callable.name)),
                Cell::styled(place, DIM),
            ]);
        }
        self.table(&table);
        self.rest(all.len(), self.detail.most());
    }

    fn clones(&mut self) {
        let all = digest::largest_clones(self.subject.measurement);
        if all.is_empty() {
            return;
        }
        let kinds = digest::clone_kinds(self.subject.measurement);
        self.heading("Largest clone classes", &format!("of {kinds}"));
        // A class takes several lines: half as many fill as much of the screen.
        let most = match self.detail.top {
            0 => usize::MAX,
            top => top.div_ceil(2),
        };
        for class in all.iter().take(most) {
            self.clone_class(class);
        }
        self.rest(all.len(), most);
    }

    fn clone_class(&mut self, class: &CloneClass) {
        let size = format!(
            "{} in {}",
            plural(class.lines.into(), "line"),
            plural(class.members.len() as u64, "place")
        );
        let size = self.paint(&size, BOLD);
        let kind = self.paint(digest::clone_kind_name(class.kind), DIM);
        self.line(&format!("  {size}  {kind}"));
        // A request for all classes includes all places.
        let most = if self.detail.top == 0 {
            usize::MAX
        } else {
            MAX_PLACES
        };
        for (i, member) in class.members.iter().take(most).enumerate() {
            // The others are compared with the first one.
            let alike = if class.kind == CloneKind::NearMiss && i > 0 {
                format!("  {} % alike", format::number(member.similarity * 100.0, 0))
            } else {
                String::new()
            };
            let alike = self.paint(&alike, DIM);
            let path = clean_path(&self.subject.path(&member.path));
            let (start, end) = (member.span.start_line, member.span.end_line);
            self.line(&format!("    {path}:{start}-{end}{alike}"));
        }
        if class.members.len() > most {
            let more = self.paint(&plural_rest(class.members.len() - most), DIM);
            self.line(&format!("    {more}"));
        }
    }

    fn rules(&mut self) {
        let counts = digest::rule_counts(self.subject);
        for (origin, title, about) in [
            (
                Origin::Rule,
                "Rules",
                "their lines count as verbose, except for security",
            ),
            (Origin::Signal, "Signals", "reported, outside verbosity"),
            (Origin::Metric, "Metrics", "places that the totals count"),
        ] {
            let mut of: Vec<_> = counts.iter().filter(|c| c.origin == origin).collect();
            if of.is_empty() {
                continue;
            }
            let sum = of.iter().map(|c| c.count).sum::<usize>() as u64;
            self.heading(title, &format!("{}; {about}", plural(sum, "finding")));
            let shown = of.len().min(self.detail.most());
            of.truncate(shown);
            if origin == Origin::Signal {
                // The sort is stable: most first within a category.
                of.sort_by_key(|c| c.category);
            }
            self.rule_table(of.into_iter());
            let all = counts.iter().filter(|c| c.origin == origin).count();
            self.rest(all, shown);
        }
    }

    fn rule_table<'c>(&mut self, counts: impl Iterator<Item = &'c RuleCount<'c>>) {
        let head = [
            ("", Side::Right),
            ("severity", Side::Left),
            ("category", Side::Left),
            ("rule", Side::Left),
            ("", Side::Left),
        ];
        let mut table = TextTable::new(&head, Some((4, 20)));
        for rule in counts {
            table.push(vec![
                Cell::styled(digest::text(Kind::Count, count(rule.count)), BOLD),
                severity_cell(rule.severity),
                Cell::styled(clean(rule.category), DIM),
                Cell::new(clean(rule.id)),
                Cell::styled(rule.message.clone(), DIM),
            ]);
        }
        self.table(&table);
    }

    /// Dead code by origin, and the part caused by the change.
    fn dead_code(&mut self) {
        let Some(dead) = &self.subject.measurement.dead_code else {
            return;
        };
        self.heading("Dead code", &format!("since {}", digest::dead_base(dead)));
        self.line(&format!("  {}", digest::dead_counts(dead)));
        let of_change = digest::dead_of_change(dead);
        for one in of_change.iter().take(self.detail.most()) {
            let path = clean_path(&self.subject.path(&one.path));
            let place = self.paint(&format!("{path}:{}", one.span.start_line), BOLD);
            let origin = digest::origin_name(one.origin);
            let rule = self.paint(&format!("[{}]", clean(&one.rule)), DIM);
            self.line(&format!(
                "  {place}: {origin}: {} {rule}",
                clean(&self.subject.message(&one.message))
            ));
        }
        self.rest(of_change.len(), self.detail.most());
    }

    fn files(&mut self) {
        let all = digest::heaviest_files(self.subject.measurement);
        self.heading("Files", "heaviest first");
        let head = [
            ("mass", Side::Right),
            ("source lines", Side::Right),
            ("functions", Side::Right),
            ("verbose lines", Side::Right),
            ("file", Side::Left),
        ];
        let mut table = TextTable::new(&head, None);
        for (file, mass) in all {
            table.push(vec![
                Cell::styled(digest::text(Kind::Real, mass), BOLD),
                Cell::new(digest::text(Kind::Count, file.sloc.into())),
                Cell::new(file.callables.len().to_string()),
                Cell::new(digest::text(Kind::Count, file.verbose_lines.into())),
                Cell::new(clean_path(&self.subject.path(&file.path))),
            ]);
        }
        self.table(&table);
    }

    fn findings(&mut self) {
        let measurement = self.subject.measurement;
        self.heading("Findings", &measurement.findings.len().to_string());
        for finding in &measurement.findings {
            self.finding(finding, "");
        }
        if measurement.suppressed.is_empty() {
            return;
        }
        self.heading("Suppressed", "by comments in the code");
        for one in &measurement.suppressed {
            self.finding(&one.finding, &format!(" ({})", clean(&one.reason)));
        }
    }

    fn finding(&mut self, finding: &Finding, reason: &str) {
        let span = self.subject.in_file(&finding.path, finding.span);
        let place = format!(
            "{}:{}:{}",
            clean_path(&self.subject.path(&finding.path)),
            span.start_line,
            span.start_column
        );
        let place = self.paint(&place, BOLD);
        let severity = severity_name(finding.severity);
        let severity = self.paint(severity, severity_style(finding.severity));
        let rule = self.paint(&format!("[{}]", clean(&finding.rule)), DIM);
        let message = clean(&self.subject.placed(finding));
        self.line(&format!("{place}: {severity}: {message} {rule}{reason}"));
    }

    /// Syntax errors, and files that could not be measured.
    fn troubles(&mut self) {
        let measurement = self.subject.measurement;
        let broken: Vec<_> = measurement
            .files
            .iter()
            .filter_map(|file| Some((file, file.syntax_errors?)))
            .collect();
        if !broken.is_empty() {
            let said = format!(
                "{}; slope measured only the parts that parse",
                plural(broken.len() as u64, "file")
            );
            self.heading("Syntax errors", &said);
            for (file, errors) in broken.iter().take(self.detail.most()) {
                let path = clean_path(&self.subject.path(&file.path));
                let errors = format!(
                    "{path}:{}  {}, {} not parsed",
                    errors.first_line,
                    plural(errors.count.into(), "error"),
                    plural(errors.lines.into(), "line")
                );
                self.line(&format!("  {errors}"));
            }
            self.rest(broken.len(), self.detail.most());
        }
        if measurement.unmeasured.is_empty() {
            return;
        }
        let count = plural(measurement.unmeasured.len() as u64, "file");
        self.heading("Not measured", &count);
        for file in measurement.unmeasured.iter().take(self.detail.most()) {
            let path = clean_path(&self.subject.path(&file.path));
            self.line(&format!("  {path}: {}", clean(&file.reason)));
        }
        self.rest(measurement.unmeasured.len(), self.detail.most());
    }

    fn left_out(&mut self) {
        let skipped = &self.subject.measurement.skipped;
        if skipped.is_empty() {
            return;
        }
        let count = format!("{} (with all below)", plural(skipped.len() as u64, "path"));
        self.heading("Left out", &count);
        let most = if self.detail.top == 0 {
            usize::MAX
        } else {
            MAX_PATHS
        };
        for (reason, paths) in digest::skipped_by_reason(skipped) {
            let named: Vec<String> = paths.iter().take(most).map(|p| clean_path(p)).collect();
            let more = if paths.len() > most { ", …" } else { "" };
            let count = self.paint(&paths.len().to_string(), BOLD);
            let named = self.paint(&format!("{}{more}", named.join(", ")), DIM);
            self.line(&format!("  {count} {reason}: {named}"));
        }
    }

    /// Lists files that no number includes.
    fn other_languages(&mut self) {
        let others = &self.subject.measurement.other_languages;
        if let Some(text) = digest::other_languages(others) {
            self.out.push('\n');
            self.note(&text);
        }
    }

    fn end(&mut self) {
        let suppressed = self.subject.measurement.suppressed.len();
        self.out.push('\n');
        if suppressed > 0 && !self.detail.findings {
            let said = plural(suppressed as u64, "finding");
            self.note(&format!(
                "{said} suppressed by comments in the code; --findings lists them."
            ));
        }
        self.note(
            "More: --findings, --files, --top N, -o report.html; slope explain RULE; \
             slope measure FILE:LINE --why",
        );
    }
}

fn plural_rest(more: usize) -> String {
    format!("… and {} more", digest::text(Kind::Count, count(more)))
}

fn count(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::INFINITY, f64::from)
}

/// A percentile as a bar.
fn bar(percentile: f64) -> String {
    let cells = (0..BAR).map(|cell| {
        let low = 100.0 * count(cell) / count(BAR);
        if percentile > low { '█' } else { '░' }
    });
    cells.collect()
}

/// The lower half is fine; values that only a tenth exceeds deserve attention.
fn standing_style(percentile: f64) -> Style {
    match percentile {
        p if p <= 50.0 => AnsiColor::Green.on_default(),
        p if p <= 90.0 => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Red.on_default(),
    }
}

/// A row for each panel that ranks the number, or one with the reason that it is missing.
fn headline_rows(table: &mut TextTable, number: &Headline<'_>) {
    let mut title = Cell::new(number.title.clone());
    let mut value = Cell::styled(number.text.clone(), BOLD);
    for standing in &number.standings {
        let style = standing_style(standing.percentile);
        let among = format!("{} {}", standing.count, digest::panel_name(standing));
        table.push(vec![
            title,
            value,
            Cell::styled(bar(standing.percentile), style),
            Cell::styled(digest::ordinal(standing.percentile), style),
            Cell::new(digest::text(number.kind, standing.median)),
            Cell::styled(among, DIM),
        ]);
        (title, value) = (Cell::new(""), Cell::new(""));
    }
    if number.standings.is_empty() {
        let why = number.missing.map(clean).unwrap_or_default();
        let mut row = vec![title, value];
        row.extend([Cell::new(""), Cell::new(""), Cell::new("")]);
        row.push(Cell::styled(why, DIM));
        table.push(row);
    }
}

pub(super) fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Hint => AnsiColor::Cyan.on_default(),
        Severity::Warning => AnsiColor::Yellow.on_default(),
        Severity::Error => AnsiColor::Red.on_default().bold(),
    }
}

pub(super) fn severity_cell(severity: Severity) -> Cell {
    Cell::styled(severity_name(severity), severity_style(severity))
}
