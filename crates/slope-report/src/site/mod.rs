//! The pages of a server: HTML that reads fully without a script.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Site`] | the templates, and the files that the pages share |
//! | `address` | addresses of pages |
//! | `home` | what got worse, across projects |
//! | `project` | a series of a project over time |
//! | `point` | one point, and what changed since the one before |
//! | `function` | one function over the points of a series |
//! | `judge`, `judges` | what judges say of a series, and of all |
//! | `judge_chart` | charts of the scores of several judges |
//! | `human` | human code that pages compare with |
//! | `levels` | places where the level of a measure changes |
//! | `diff` | diffs that points have |
//! | `changes` | changes as the gate judges them |
//! | `runs` | runs of the benchmark, and a leaderboard |
//! | `run`, `trial` | one run, and one of its trials |
//! | `versus` | two cohorts head to head |
//! | `watches`, `watch`, `watch_feed` | watches: a list, one of them, its feed and badge |
//! | `courses` | charts of values over checkpoints |
//! | `rows` | the same as CSV and Parquet |
//! | `moves` | differences between points |
//! | `lines` | charts of values over time |
//! | `templates` | the templates |

mod address;
mod changes;
mod courses;
mod diff;
mod function;
mod home;
mod human;
mod judge;
mod judge_chart;
mod judges;
mod levels;
mod lines;
mod moves;
mod point;
mod project;
mod rows;
mod run;
mod runs;
mod templates;
mod trial;
mod versus;
mod watch;
mod watch_feed;
mod watches;

use minijinja::{Environment, Value, context};
use slope_model::series::{Author, WorstFunction};

use crate::format::{clean, clean_path, number};
use crate::html::HtmlError;
use crate::sheet;

pub use address::{address_part, series_address, watch_address};
pub use changes::{ChangeLine, ChangePage, ChangesPage, change_address};
pub use function::FunctionPage;
pub use home::{Home, Period, Week};
pub use human::{HumanPanel, HumanRange, HumanRank};
pub use judge::JudgePage;
pub use judges::{JudgeLine, JudgesPage};
pub use point::PointPage;
pub use project::ProjectPage;
pub use rows::{
    ParquetFile, csv_head, csv_rows, point_table, run_table, watch_runs_table, watch_series_table,
};
pub use run::RunPage;
pub use runs::{RunLine, RunsPage, cohort_id, run_address};
pub use trial::{Show, StepsView, TrialPage};
pub use versus::VersusPage;
pub use watch::{ChosenDays, WatchPage};
pub use watch_feed::{WatchBadge, WatchFeed};
pub use watches::{WatchLine, WatchesPage};

/// The style sheet of all pages.
pub const SITE_STYLE: &str = concat!(
    include_str!("../../templates/report.css"),
    include_str!("../../templates/watch.css"),
    include_str!("../../templates/site/site.css"),
    include_str!("../../templates/site/runs.css")
);
/// The script of all pages, which adds what a page can do without.
pub const SITE_SCRIPT: &str = concat!(
    include_str!("../../templates/measurement.js"),
    include_str!("../../templates/site/site.js")
);

/// The templates of the pages.
pub struct Site {
    templates: Environment<'static>,
    version: String,
    /// Whether visitors sign in, so that they may sign out.
    has_tokens: bool,
}

impl Site {
    /// The site. `version` is part of the addresses of style and script, so that browsers may keep them.
    /// With `has_tokens`, pages offer to sign out.
    ///
    /// # Errors
    /// [`HtmlError`] if a template is faulty.
    pub fn new(version: &str, has_tokens: bool) -> Result<Self, HtmlError> {
        let mut templates = sheet::environment()?;
        crate::html::add_template(&mut templates)?;
        for (name, text) in templates::ALL {
            templates.add_template(name, text)?;
        }
        Ok(Self {
            templates,
            version: version.to_owned(),
            has_tokens,
        })
    }

    /// What got worse, across projects.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn home(&self, home: &Home) -> Result<String, HtmlError> {
        self.render("home.html", "", &home.value())
    }

    /// A series of a project over time.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn project(&self, page: &ProjectPage) -> Result<String, HtmlError> {
        self.render("project.html", &page.title, &page.value()?)
    }

    /// One point, and what changed since the one before.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn point(&self, page: &PointPage) -> Result<String, HtmlError> {
        self.render("point.html", &page.heading(), &page.value())
    }

    /// One function over the points of a series.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn function(&self, page: &FunctionPage) -> Result<String, HtmlError> {
        self.render("function.html", &page.heading(), &page.value()?)
    }

    /// What judges say of a series.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn judge(&self, page: &JudgePage) -> Result<String, HtmlError> {
        self.render("judge.html", &page.heading(), &page.value()?)
    }

    /// The newest scores of all series.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn judges(&self, page: &JudgesPage) -> Result<String, HtmlError> {
        self.render("judges.html", "Judge", &page.value())
    }

    /// Changes, those that were judged last first.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn changes(&self, page: &ChangesPage) -> Result<String, HtmlError> {
        self.render("changes.html", "Changes", &page.value())
    }

    /// A change as the gate judges it.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn change(&self, page: &ChangePage) -> Result<String, HtmlError> {
        self.render("change.html", &page.title(), &page.value())
    }

    /// Runs of the benchmark, and a leaderboard.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn runs(&self, page: &RunsPage) -> Result<String, HtmlError> {
        self.render("runs.html", "Runs", &page.value())
    }

    /// One run.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn run(&self, page: &RunPage) -> Result<String, HtmlError> {
        self.render("run.html", &page.title(), &page.value()?)
    }

    /// One trial of a run.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn trial(&self, page: &TrialPage) -> Result<String, HtmlError> {
        self.render("trial.html", &page.title(), &page.value()?)
    }

    /// Two cohorts head to head.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn versus(&self, page: &VersusPage) -> Result<String, HtmlError> {
        self.render("versus.html", &page.title(), &page.value())
    }

    /// All watches.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn watches(&self, page: &WatchesPage) -> Result<String, HtmlError> {
        self.render("watches.html", "Watch", &page.value())
    }

    /// One watch.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn watch(&self, page: &WatchPage) -> Result<String, HtmlError> {
        self.render("watch.html", &page.title(), &page.value())
    }

    /// What happened in a watch, as an Atom feed.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn watch_feed(&self, feed: &WatchFeed) -> Result<String, HtmlError> {
        self.render("watch_feed.xml", "", &feed.value())
    }

    /// The state of a watch, as an SVG image.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn watch_badge(&self, badge: &WatchBadge) -> Result<String, HtmlError> {
        self.render("watch_badge.xml", "", &badge.value())
    }

    /// The page of a project without points: how to send the first.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn start(
        &self,
        project: &str,
        has_runs: bool,
        has_changes: bool,
        watches: &[String],
    ) -> Result<String, HtmlError> {
        let name = clean(project);
        let watch = |watch: &String| {
            context! { name => clean(watch), address => watch_address(project, watch) }
        };
        let watches = watches.iter().map(watch).collect::<Vec<_>>();
        let page =
            context! { name, has_runs, has_changes, watches, query => address_part(project) };
        self.render("start.html", project, &page)
    }

    /// The page that asks for a token. `is_wrong` after a token that is not valid.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn sign_in(&self, is_wrong: bool, next: &str) -> Result<String, HtmlError> {
        let next = clean(next);
        self.render("sign_in.html", "Sign in", &context! { is_wrong, next })
    }

    /// The page of an error.
    ///
    /// # Errors
    /// [`HtmlError`], which never depends on the data.
    pub fn problem(&self, title: &str, detail: &str, help: &str) -> Result<String, HtmlError> {
        let (detail, help) = (clean(detail), clean(help));
        self.render("problem.html", title, &context! { detail, help })
    }

    fn render(&self, name: &str, title: &str, page: &Value) -> Result<String, HtmlError> {
        let mut text = self.templates.get_template(name)?.render(context! {
            title => clean(title),
            version => &self.version,
            signs_out => self.has_tokens && name != "sign_in.html",
            slope_version => env!("CARGO_PKG_VERSION"),
            page,
        })?;
        text.push('\n');
        Ok(text)
    }
}

/// Who or what wrote code, in a few words.
pub(crate) fn author_label(author: &Author) -> String {
    let by_agent = [&author.agent, &author.model];
    let by_agent: Vec<String> = by_agent.into_iter().flatten().map(|it| clean(it)).collect();
    match (by_agent.is_empty(), &author.person) {
        (false, _) => by_agent.join(" · "),
        (true, Some(person)) => clean(person),
        (true, None) => "unknown".to_owned(),
    }
}

/// Rows of the table of worst functions, each with the address of its history.
pub(crate) fn functions(worst: &[WorstFunction], (project, series): (&str, &str)) -> Vec<Value> {
    let rows = worst.iter().map(|one| {
        context! {
            address => function_address((project, series), &one.path, &one.name),
            name => clean(&one.name),
            place => format!("{}:{}", clean_path(&one.path), one.line),
            complexity => one.complexity,
            sloc => one.sloc,
            mass => number(one.mass, 1),
        }
    });
    rows.collect()
}

/// The address of what judges say of a series.
pub(crate) fn judge_address(project: &str, series: &str) -> String {
    format!("{}/judge", series_address(project, series))
}

/// The address of a function's history.
pub(crate) fn function_address((project, series): (&str, &str), path: &str, name: &str) -> String {
    let (path, name) = (address_part(path), address_part(name));
    let of = series_address(project, series);
    format!("{of}/function?path={path}&name={name}")
}

/// The address of a point.
pub(crate) fn point_address(project: &str, series: &str, key: &str) -> String {
    format!("{}/{}", series_address(project, series), address_part(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_come_before_persons() {
        let mut author = Author {
            person: Some("Ann".to_owned()),
            ..Author::default()
        };
        assert_eq!(author_label(&author), "Ann");
        author.agent = Some("codex".to_owned());
        author.model = Some("m".to_owned());
        assert_eq!(author_label(&author), "codex · m");
        assert_eq!(author_label(&Author::default()), "unknown");
    }

    #[test]
    fn addresses_keep_foreign_characters_apart() {
        assert_eq!(
            address_part("time-2026-01-01T00:00:00Z"),
            "time-2026-01-01T00%3A00%3A00Z"
        );
        assert_eq!(address_part("a/../b?c"), "a%2F..%2Fb%3Fc");
    }
}
