//! A history as one self-contained HTML page.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use slope_model::history::{
    AxisTrend, CommitInfo, CommitLedger, EntryAt, History, HistoryEvidence, HistoryLedger,
    MetricMovers, MetricTrend, Share, SlopeEstimate,
};
use slope_model::ledger::Amounts;
use slope_model::measurement::Part;
use slope_model::metrics::{CLONE_LINES, EROSION, MASS, VERBOSITY};
use slope_model::noun_for;

use super::entry::{self, amount_text, anchor};
use super::metrics::{self, METRICS, Metric};
use super::plot;
use crate::format::{MISSING, clean, decimals, number, signed, slope_decimals};
use crate::html::HtmlError;
use crate::sheet::{self, SCRIPT, SCRIPT_HASH, Table, code, count, text};

const TEMPLATE: &str = include_str!("../../templates/history.html");
/// Style sheets: of all slope pages, of those with tables, and of this one.
const STYLE: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/measurement.css"),
    include_str!("../../templates/history.css")
);

/// Metrics with slopes at the top: the absolute ones first, because decisions depend on them.
const HEADLINES: [&slope_model::metrics::Metric; 4] = [&MASS, &CLONE_LINES, &EROSION, &VERBOSITY];

/// Movers named below a plot, in each direction.
const MAX_BELOW: usize = 4;

/// Renders a history and its causes as one self-contained HTML file: no requests, light and dark by
/// the reader's preference. Its only script sorts and filters the tables. The page's policy allows
/// that script by its hash, so that nothing from a repository could run even if it were not
/// escaped.
///
/// `evidence` belongs to the same history.
///
/// # Errors
///
/// [`HtmlError`], which never depends on the content of the history.
pub fn render_history_page(
    history: &History,
    evidence: &HistoryEvidence,
) -> Result<String, HtmlError> {
    let heading = Heading {
        kind: "history",
        facts: facts(history),
    };
    page(history, evidence, &heading, None)
}

/// What a page of a history is about.
pub(crate) struct Heading {
    /// The kind of page, in the title of the browser.
    pub(crate) kind: &'static str,
    /// How much was measured.
    pub(crate) facts: String,
}

/// The page, perhaps with the parts that only series have.
pub(crate) fn page(
    history: &History,
    evidence: &HistoryEvidence,
    heading: &Heading,
    series: Option<Value>,
) -> Result<String, HtmlError> {
    let mut env = sheet::environment()?;
    env.add_template("history.html", TEMPLATE)?;
    let part = metrics::part(history);
    let ledger = history.ledger.as_ref();
    let share_table = |id, title, name, list: fn(&HistoryLedger) -> &Vec<Share>| {
        ledger.map(|ledger| share_table(id, title, name, list(ledger)))
    };
    let mut page = env.get_template("history.html")?.render(context! {
        title => format!("{} {}", clean(&history.repository), clean(&history.revision)),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        script_hash => SCRIPT_HASH.trim(),
        version => env!("CARGO_PKG_VERSION"),
        definitions => clean(&history.definitions.version),
        hash => clean(&history.definitions.hash),
        kind => heading.kind,
        facts => &heading.facts,
        series,
        is_parted => part.is_some(),
        looks => looks(),
        headlines => headlines(history, part),
        plots => plots(history, evidence, part)?,
        paces => paces(history, part),
        trends => trends(history),
        changes => changes(ledger, evidence),
        commits => ledger.map(commits),
        functions => share_table("functions", "Functions", "function", |l| &l.functions),
        files => share_table("files", "Files", "file", |l| &l.files),
        authors => share_table("authors", "Authors", "author", |l| &l.authors),
        agents => share_table("agents", "Agents", "agent", |l| &l.agents),
        layout => ledger.map(|l| amount_text(&l.layout)).unwrap_or_default(),
        snapshots => snapshots(history, part),
        notes => history.notes.iter().map(|note| clean(note)).collect::<Vec<_>>(),
    })?;
    page.push('\n');
    Ok(page)
}

fn facts(history: &History) -> String {
    let size = |n: usize| number(f64::from(u32::try_from(n).unwrap_or(u32::MAX)), 0);
    let mut facts = vec![
        format!(
            "{} {}",
            size(history.points.len()),
            noun_for(&history.points.len(), "snapshot")
        ),
        format!(
            "of {} {}, {} of which {} code",
            size(history.commits as usize),
            noun_for(&history.commits, "commit"),
            size(history.touching as usize),
            if history.touching == 1 {
                "changes"
            } else {
                "change"
            }
        ),
    ];
    if let (Some(first), Some(last)) = (history.points.first(), history.points.last()) {
        let day = |time: &str| clean(time.get(..10).unwrap_or(time));
        let (first, last) = (day(&first.commit.time), day(&last.commit.time));
        facts.push(format!("· {first} to {last}"));
    }
    facts.join(" ")
}

/// Colours and shapes of the plots' lines.
fn looks() -> Value {
    context! {
        code => plot::CODE.color,
        code_glyph => plot::CODE.glyph().to_string(),
        tests => plot::TESTS.color,
        tests_glyph => plot::TESTS.glyph().to_string(),
        trend => plot::TREND,
        pace => plot::PACE.color,
        pace_glyph => plot::PACE.glyph().to_string(),
    }
}

/// A slope a month in words, with its interval.
fn slope_text(metric: &Metric, slope: &SlopeEstimate) -> (String, Option<String>) {
    let digits = slope_decimals(metric.kind, slope.slope.abs());
    let interval = slope
        .low
        .zip(slope.high)
        .map(|(low, high)| format!("{} to {}", signed(low, digits), signed(high, digits)));
    (signed(slope.slope, digits), interval)
}

/// First and last value, growth and share of rising steps.
fn travel(metric: &Metric, trend: &MetricTrend) -> Value {
    let digits = decimals(metric.kind, trend.last.abs().max(trend.first.abs()));
    let share = |share: Option<f64>, sign: bool| {
        share.map(|share| match sign {
            true => format!("{} %", signed(share * 100.0, 0)),
            false => format!("{} %", number(share * 100.0, 0)),
        })
    };
    let (slope, interval) = trend
        .per_month
        .theil_sen
        .map_or((MISSING.to_owned(), None), |s| slope_text(metric, &s));
    context! {
        title => &metric.title,
        first => number(trend.first, digits),
        last => number(trend.last, digits),
        growth => share(trend.growth, true),
        rising => share(trend.rising_share, false),
        slope, interval,
        tone => trend.per_month.theil_sen.map_or("", |slope| metric.tone(&slope)),
    }
}

fn headlines(history: &History, part: Option<Part>) -> Vec<Value> {
    let headline = |headline: &&slope_model::metrics::Metric| {
        let metric = metrics::by_id(headline.id)?;
        let trend = metrics::trend(history, &metric.id, part)?;
        Some(travel(metric, trend))
    };
    HEADLINES.iter().filter_map(headline).collect()
}

fn plots(
    history: &History,
    evidence: &HistoryEvidence,
    part: Option<Part>,
) -> Result<Vec<Value>, HtmlError> {
    let mut plots = Vec::new();
    for metric in METRICS.iter() {
        let Some(trend) = metrics::trend(history, &metric.id, part) else {
            continue;
        };
        let description = format!(
            "{} over time, a point for each snapshot, with the line of the Theil–Sen slope. The \
             table of snapshots has the values.",
            metric.title
        );
        let svg = plot::plot(history, metric, trend, &description)?;
        let movers = evidence.movers.iter().find(|m| m.metric.id == metric.id);
        plots.push(context! {
            id => metric.id.replace('.', "-"),
            about => &metric.about,
            svg => svg.map(Value::from_safe_string),
            travel => travel(metric, trend),
            movers => movers.zip(history.ledger.as_ref()).map(|(m, ledger)| below(ledger, m)),
        });
    }
    Ok(plots)
}

/// The largest effects on a metric, as links to the changes.
fn below(ledger: &HistoryLedger, movers: &MetricMovers) -> Value {
    let link = |at: &EntryAt| {
        let entry = entry::of(ledger, *at)?;
        Some(context! {
            anchor => anchor(*at),
            change => entry::amount(&entry.change, movers.metric),
            place => entry::short_place(entry),
        })
    };
    let list = |list: &[EntryAt]| {
        let all = list.iter().take(MAX_BELOW).filter_map(link);
        all.collect::<Vec<_>>()
    };
    context! { raised => list(&movers.raised), lowered => list(&movers.lowered) }
}

/// The entries that moved any metric most, each once, by metric.
fn changes(ledger: Option<&HistoryLedger>, evidence: &HistoryEvidence) -> Vec<Value> {
    let Some(ledger) = ledger else {
        return Vec::new();
    };
    let diffs: BTreeMap<EntryAt, _> = evidence.diffs.iter().map(|d| (d.at, d)).collect();
    let mut told = std::collections::BTreeSet::new();
    let all = evidence
        .movers
        .iter()
        .flat_map(|movers| movers.raised.iter().chain(&movers.lowered));
    all.filter(|at| told.insert(**at))
        .filter_map(|at| entry::value(ledger, *at, diffs.get(at).copied()))
        .collect()
}

/// Number with its sign, sorted by its value.
pub(crate) fn change(value: f64, digits: usize) -> Value {
    context! { text => signed(value, digits), is_text => false, is_code => false, value, bar => (), tone => "" }
}

pub(crate) fn changed(change_of: &Amounts) -> Vec<Value> {
    let each = change_of.listed().into_iter();
    each.map(|(metric, value)| change(value, decimals(metric.kind, value)))
        .collect()
}

/// The day of a commit, without a line break.
fn day(commit: &CommitInfo) -> Value {
    let text = clean(commit.time.get(..10).unwrap_or(&commit.time));
    context! { text, is_text => true, is_code => false, value => (), bar => (), tone => "short" }
}

/// The name of a commit, shortened.
fn id(commit: &CommitInfo) -> Value {
    let text = clean(commit.id.get(..10).unwrap_or(&commit.id));
    context! { text, is_text => true, is_code => true, value => (), bar => (), tone => "short" }
}

/// The columns of [`changed`].
pub(crate) fn amount_columns() -> Vec<String> {
    let names = super::ledger::amount_names().into_iter();
    names.map(|name| format!("> {name}")).collect()
}

fn commits(ledger: &HistoryLedger) -> Value {
    let mut columns = amount_columns();
    columns.extend(["date", "commit", "author", "agents", "what"].map(str::to_owned));
    let mut table = Table::new("commits", "Commits", &columns);
    let mut all: Vec<&CommitLedger> = ledger.commits.iter().collect();
    all.sort_by(|a, b| b.change.mass.abs().total_cmp(&a.change.mass.abs()));
    for told in all {
        table.push(|| {
            let commit = &told.commit;
            let mut row = changed(&told.change);
            row.extend([
                day(commit),
                id(commit),
                text(&commit.author),
                text(commit.agents.join(", ")),
                text(&commit.subject),
            ]);
            row
        });
    }
    table.value()
}

fn share_table(id: &'static str, title: &'static str, name: &'static str, list: &[Share]) -> Value {
    let mut columns = amount_columns();
    columns.extend(["> commits", name].map(str::to_owned));
    let mut table = Table::new(id, title, &columns);
    let mut all: Vec<&Share> = list.iter().collect();
    all.sort_by(|a, b| b.change.mass.abs().total_cmp(&a.change.mass.abs()));
    for share in all {
        table.push(|| {
            let mut row = changed(&share.change);
            row.push(count(share.commits));
            row.push(code(&share.name));
            row
        });
    }
    table.value()
}

/// Change points of metrics' slopes.
fn paces(history: &History, part: Option<Part>) -> Value {
    let columns = [
        "metric",
        "date",
        "> before",
        "> after, a snapshot",
        "commit",
        "what",
    ];
    let mut table = Table::new("paces", "Changes of pace", &columns);
    for metric in METRICS.iter() {
        let Some(trend) = metrics::trend(history, &metric.id, part) else {
            continue;
        };
        for pace in &trend.change_points {
            let Some(point) = history.points.get(pace.point as usize) else {
                continue;
            };
            let digits = slope_decimals(metric.kind, pace.after.abs());
            let commit = &point.commit;
            table.push(|| {
                vec![
                    text(&metric.title),
                    day(commit),
                    change(pace.before, digits),
                    change(pace.after, digits),
                    id(commit),
                    text(&commit.subject),
                ]
            });
        }
    }
    table.value()
}

/// Slopes of every metric and part along every axis.
fn trends(history: &History) -> Value {
    let columns = [
        "metric",
        "part",
        "> first",
        "> last",
        "> growth",
        "> rising",
        "> a month",
        "> a commit",
        "> a thousand lines",
        "> a month, least squares",
    ];
    let mut table = Table::new("trends", "Trends", &columns);
    for trend in &history.trends {
        let Some(metric) = metrics::by_id(&trend.metric) else {
            continue;
        };
        table.push(|| trend_row(metric, trend));
    }
    table.value()
}

fn trend_row(metric: &Metric, trend: &MetricTrend) -> Vec<Value> {
    let digits = decimals(metric.kind, trend.last.abs().max(trend.first.abs()));
    let value = |value: f64| {
        context! { text => number(value, digits), is_text => false, is_code => false, value, bar => (), tone => "" }
    };
    let percent = |share: Option<f64>| match share {
        Some(share) => {
            let text = format!("{} %", number(share * 100.0, 0));
            context! { text, is_text => false, is_code => false, value => share, bar => (), tone => "" }
        }
        None => text(MISSING),
    };
    let slope = |axis: &AxisTrend, get: fn(&AxisTrend) -> Option<SlopeEstimate>| match get(axis) {
        Some(slope) => {
            // Slopes a commit are small: three digits of any size.
            let digits = slope_decimals(metric.kind, slope.slope.abs()) + 1;
            let limits = slope.low.zip(slope.high);
            let limits = limits
                .map(|(low, high)| format!(" [{}, {}]", signed(low, digits), signed(high, digits)));
            let text = format!(
                "{}{}",
                signed(slope.slope, digits),
                limits.unwrap_or_default()
            );
            context! { text, is_text => false, is_code => false, value => slope.slope, bar => (), tone => "" }
        }
        None => text(MISSING),
    };
    let part = match trend.part {
        None => "all",
        Some(Part::Product) => "product",
        Some(Part::Tests) => "tests",
    };
    vec![
        text(&metric.title),
        text(part),
        value(trend.first),
        value(trend.last),
        percent(trend.growth),
        percent(trend.rising_share),
        slope(&trend.per_month, |axis| axis.theil_sen),
        slope(&trend.per_commit, |axis| axis.theil_sen),
        slope(&trend.per_kloc, |axis| axis.theil_sen),
        slope(&trend.per_month, |axis| axis.ols),
    ]
}

/// Every snapshot with its values, newest first.
fn snapshots(history: &History, part: Option<Part>) -> Value {
    let told: Vec<&Metric> = METRICS
        .iter()
        .filter(|metric| metrics::trend(history, &metric.id, part).is_some())
        .collect();
    let mut columns = vec!["date", "commit"];
    columns.extend(told.iter().map(|metric| metric.column.as_str()));
    columns.push("what");
    let mut table = Table::new("snapshots", "Snapshots", &columns);
    for point in history.points.iter().rev() {
        table.push(|| {
            let commit = &point.commit;
            let mut row = vec![day(commit), id(commit)];
            for metric in &told {
                let of = metrics::trend(history, &metric.id, part).and_then(|trend| trend.part);
                row.push(match metric.value(point, of) {
                    Some(value) => sheet::number(metric.kind, value),
                    None => text(MISSING),
                });
            }
            row.push(text(&commit.subject));
            row
        });
    }
    table.value()
}
