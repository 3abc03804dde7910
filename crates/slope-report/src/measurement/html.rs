//! A measurement as one self-contained HTML page.

use minijinja::{Value, context};
use slope_model::language_name;
use slope_model::measurement::{Callable, CloneKind, Measurement, Part};
use slope_model::metrics::{LANGUAGES, MEASURE, Metric};

use super::Subject;
use super::catalogue::Origin;
use super::digest::{self, Headline, plural};
use crate::diagnostics::severity_name;
use crate::format::{self, Kind, MISSING, clean, clean_path};
use crate::html::HtmlError;
use crate::sheet::{self, SCRIPT, SCRIPT_HASH, Table, bar, code, count, number, text};

const TEMPLATE: &str = include_str!("../../templates/measurement.html");
/// Style sheets: of all slope pages, and of this one.
const STYLE: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/measurement.css")
);

/// Maximum number of clone classes shown, and of places of one class.
const MAX_CLASSES: usize = 200;
const MAX_PLACES: usize = 20;

/// Renders a self-contained page: no requests, light and dark by the reader's preference. Its only
/// script sorts and filters the tables. The page's policy allows that script by its hash, so that
/// nothing from a measured code base could run even if it were not escaped.
pub(super) fn render(subject: &Subject<'_>) -> Result<String, HtmlError> {
    let mut env = sheet::environment()?;
    env.add_template("measurement.html", TEMPLATE)?;
    let measurement = subject.measurement;
    let facts = [
        plural(measurement.totals.files.into(), "file"),
        plural(measurement.totals.lines, "line"),
        plural(measurement.totals.callables.into(), "callable"),
    ];
    let languages = digest::language_names(measurement.languages.keys());
    let mut page = env.get_template("measurement.html")?.render(context! {
        title => clean(subject.title),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        script_hash => SCRIPT_HASH.trim(),
        version => env!("CARGO_PKG_VERSION"),
        profile => digest::profile(measurement),
        definitions => clean(&measurement.definitions.version),
        hash => clean(&measurement.definitions.hash),
        facts => facts.join(" · "),
        languages,
        headlines => headlines(measurement),
        bands => bands(subject),
        totals => totals(subject),
        by_language => by_language(subject),
        callables => callables(subject),
        files => files(subject),
        clone_kinds => digest::clone_kinds(measurement),
        clones => clones(subject),
        rules => rules(subject, Origin::Rule),
        signals => rules(subject, Origin::Signal),
        metrics => rules(subject, Origin::Metric),
        dead_code => dead_code(subject),
        findings => findings(subject),
        suppressed => suppressed(subject),
        unmeasured => unmeasured(subject),
        skipped => skipped(subject),
    })?;
    page.push('\n');
    Ok(page)
}

fn headlines(measurement: &Measurement) -> Vec<Value> {
    let all = digest::headlines(measurement).into_iter();
    all.map(|headlines| {
        let numbers: Vec<Value> = headlines.numbers.iter().map(headline).collect();
        let is_ranked = headlines.numbers.iter().any(|n| !n.standings.is_empty());
        context! { title => headlines.title, numbers, is_ranked }
    })
    .collect()
}

fn headline(number: &Headline<'_>) -> Value {
    let standings = number.standings.iter().map(|standing| {
        context! {
            percentile => standing.percentile,
            ordinal => digest::ordinal(standing.percentile),
            panel => digest::panel_name(standing),
            panel_id => clean(&standing.panel),
            count => standing.count,
            median => digest::text(number.kind, standing.median),
        }
    });
    context! {
        title => number.title.clone(),
        about => number.about,
        text => number.text.clone(),
        is_missing => number.value.is_none(),
        missing => number.missing.map(clean),
        standings => standings.collect::<Vec<_>>(),
    }
}

/// Bars of callables and of mass by complexity.
fn bands(subject: &Subject<'_>) -> Vec<Value> {
    let bands = digest::complexity_bands(subject.measurement);
    let callables: u32 = bands.iter().map(|b| b.1).sum();
    let mass: f64 = bands.iter().map(|b| b.2).sum();
    let share = |part: f64, whole: f64| {
        if whole > 0.0 {
            100.0 * part / whole
        } else {
            0.0
        }
    };
    let each = bands.iter().map(|(name, count, heavy)| {
        let (of_count, of_mass) = (
            share(f64::from(*count), f64::from(callables)),
            share(*heavy, mass),
        );
        context! {
            name => *name,
            count => digest::text(Kind::Count, f64::from(*count)),
            count_share => format!("{of_count:.2}"),
            mass => digest::text(Kind::Real, *heavy),
            mass_share => format!("{of_mass:.2}"),
        }
    });
    each.collect()
}

fn severity(severity: slope_model::finding::Severity) -> Value {
    use slope_model::finding::Severity;
    let (tone, rank) = match severity {
        Severity::Hint => ("faint", 0),
        Severity::Warning => ("warn", 1),
        Severity::Error => ("bad", 2),
    };
    context! { text => severity_name(severity), is_text => true, is_code => false, value => rank, bar => (), tone }
}

fn totals(subject: &Subject<'_>) -> Value {
    let parts = digest::parts(subject.measurement);
    let columns: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
    let rows = MEASURE.iter().map(|metric| {
        let values = parts
            .iter()
            .map(|(_, totals)| digest::figure(metric, totals));
        context! {
            name => metric.title,
            values => values.collect::<Vec<_>>(),
            why => digest::missing(metric, &subject.measurement.totals).map(clean),
        }
    });
    context! { columns, rows => rows.collect::<Vec<_>>() }
}

fn by_language(subject: &Subject<'_>) -> Value {
    let metrics = LANGUAGES
        .iter()
        .map(|metric| format!("> {}", metric.short()));
    let columns: Vec<String> = ["language".to_owned()].into_iter().chain(metrics).collect();
    let mut table = Table::new("languages", "Languages", &columns);
    for (language, totals) in &subject.measurement.languages {
        table.push(|| {
            let value = |metric: &&Metric| match metric.of_totals(totals) {
                Some(value) => number(metric.kind, value),
                None => text(MISSING),
            };
            let mut row = vec![text(language_name(language))];
            row.extend(LANGUAGES.iter().map(value));
            row
        });
    }
    table.value()
}

fn part(part: Part) -> Value {
    let name = match part {
        Part::Product => "product",
        Part::Tests => "tests",
    };
    context! { text => name, is_text => true, is_code => false, value => (), bar => (), tone => "short" }
}

/// Its name, and whether its numbers are lower bounds.
fn callable_name(callable: &Callable) -> String {
    let mark = if callable.lower_bound {
        " (at least)"
    } else {
        ""
    };
    format!("{}{mark}", callable.name)
}

fn callables(subject: &Subject<'_>) -> Value {
    let columns = [
        "> mass",
        "> complexity",
        "> cognitive",
        "> nesting",
        "> lines",
        "function",
        "place",
        "part",
    ];
    let mut table = Table::new("callables", "Heaviest functions", &columns);
    let all = digest::heaviest(subject.measurement, usize::MAX);
    let largest = all.first().map_or(0.0, |(_, c)| c.mass);
    for (file, callable) in &all {
        table.push(|| {
            let path = subject.path(&file.path);
            vec![
                bar(Kind::Real, callable.mass, largest),
                count(callable.complexity),
                count(callable.cognitive),
                count(callable.nesting),
                count(callable.sloc),
                code(callable_name(callable)),
                code(format!("{path}:{}", callable.span.start_line)),
                part(file.part_at(callable.span.start_line)),
            ]
        });
    }
    table.value()
}

fn files(subject: &Subject<'_>) -> Value {
    let columns = [
        "> mass",
        "> source lines",
        "> functions",
        "> flagged lines",
        "> clone lines",
        "> verbose",
        "file",
        "part",
    ];
    let mut table = Table::new("files", "Files", &columns);
    let all = digest::heaviest_files(subject.measurement);
    let largest = all.first().map_or(0.0, |(_, mass)| *mass);
    for (file, mass) in &all {
        table.push(|| {
            let share = f64::from(file.verbose_lines) / f64::from(file.sloc.max(1));
            vec![
                bar(Kind::Real, *mass, largest),
                count(file.sloc),
                count(u32::try_from(file.callables.len()).unwrap_or(u32::MAX)),
                count(file.flagged_lines),
                count(file.clone_lines),
                number(Kind::Ratio, share),
                code(subject.path(&file.path)),
                part(file.part),
            ]
        });
    }
    table.value()
}

fn clones(subject: &Subject<'_>) -> Value {
    let all = digest::largest_clones(subject.measurement);
    let shown = all.iter().take(MAX_CLASSES).map(|class| {
        let members = class.members.iter().take(MAX_PLACES).map(|member| {
            let (start, end) = (member.span.start_line, member.span.end_line);
            let place = format!("{}:{start}-{end}", clean_path(&subject.path(&member.path)));
            let alike = (class.kind == CloneKind::NearMiss)
                .then(|| format!("{} %", format::number(member.similarity * 100.0, 0)));
            context! { place, alike }
        });
        context! {
            kind => digest::clone_kind_name(class.kind),
            lines => plural(class.lines.into(), "line"),
            places => plural(class.members.len() as u64, "place"),
            members => members.collect::<Vec<_>>(),
            more => class.members.len().saturating_sub(MAX_PLACES),
        }
    });
    let classes: Vec<Value> = shown.collect();
    let more = all.len() - classes.len();
    context! { classes, more }
}

fn rules(subject: &Subject<'_>, origin: Origin) -> Value {
    let columns = ["> count", "severity", "rule", "category", "what"];
    let (id, title) = match origin {
        Origin::Rule => ("rules", "Rules"),
        Origin::Signal => ("signals", "Signals"),
        Origin::Metric => ("metrics", "Metrics"),
    };
    let mut table = Table::new(id, title, &columns);
    let counts = digest::rule_counts(subject);
    let of: Vec<_> = counts.iter().filter(|c| c.origin == origin).collect();
    let size = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let largest = of.iter().map(|c| size(c.count)).fold(0.0, f64::max);
    for rule in of {
        table.push(|| {
            vec![
                bar(Kind::Count, size(rule.count), largest),
                severity(rule.severity),
                code(rule.id),
                text(rule.category),
                text(&rule.message),
            ]
        });
    }
    table.value()
}

/// Dead code by origin; undefined if there is no base.
fn dead_code(subject: &Subject<'_>) -> Value {
    let Some(dead) = &subject.measurement.dead_code else {
        return Value::from(());
    };
    let mut table = Table::new(
        "dead-code",
        "Dead code",
        &["origin", "place", "what", "rule"],
    );
    for one in &dead.findings {
        table.push(|| {
            let path = subject.path(&one.path);
            vec![
                text(digest::origin_name(one.origin)),
                code(format!("{path}:{}", one.span.start_line)),
                text(subject.message(&one.message)),
                code(&one.rule),
            ]
        });
    }
    context! {
        base => digest::dead_base(dead),
        counts => digest::dead_counts(dead),
        table => table.value(),
    }
}

fn findings(subject: &Subject<'_>) -> Value {
    let mut table = Table::new(
        "findings",
        "Findings",
        &["severity", "place", "what", "rule"],
    );
    for finding in &subject.measurement.findings {
        table.push(|| {
            let path = subject.path(&finding.path);
            vec![
                severity(finding.severity),
                code(format!("{path}:{}", finding.span.start_line)),
                text(subject.placed(finding)),
                code(&finding.rule),
            ]
        });
    }
    table.value()
}

fn suppressed(subject: &Subject<'_>) -> Value {
    let mut table = Table::new(
        "suppressed",
        "Suppressed",
        &["place", "what", "rule", "reason"],
    );
    for one in &subject.measurement.suppressed {
        table.push(|| {
            let path = subject.path(&one.finding.path);
            vec![
                code(format!("{path}:{}", one.finding.span.start_line)),
                text(subject.placed(&one.finding)),
                code(&one.finding.rule),
                text(&one.reason),
            ]
        });
    }
    table.value()
}

/// Files that were not measured, or only partly because of syntax errors.
fn unmeasured(subject: &Subject<'_>) -> Value {
    let mut table = Table::new("unmeasured", "Not measured, or in part", &["file", "why"]);
    for file in &subject.measurement.unmeasured {
        table.push(|| vec![code(subject.path(&file.path)), text(&file.reason)]);
    }
    for file in &subject.measurement.files {
        let Some(errors) = file.syntax_errors else {
            continue;
        };
        table.push(|| {
            let why = format!(
                "{} from line {} on, {} not parsed",
                plural(errors.count.into(), "syntax error"),
                errors.first_line,
                plural(errors.lines.into(), "source line")
            );
            vec![code(subject.path(&file.path)), text(why)]
        });
    }
    table.value()
}

fn skipped(subject: &Subject<'_>) -> Value {
    let mut table = Table::new("skipped", "Left out", &["path", "why"]);
    for one in &subject.measurement.skipped {
        table.push(|| vec![code(subject.path(&one.path)), text(&one.reason)]);
    }
    table.value()
}
