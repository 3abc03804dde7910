//! Terminal, Markdown, JSON and HTML reports from model types.
//!
//! All reports start from [`slope_model::run::RunReport`]: [`summary`] computes the rates, slopes
//! and sums, and each renderer prints the same tables from them. Nothing here reads a file, the
//! clock or the environment, so the same reports give the same bytes.
//!
//! | function | result |
//! |---|---|
//! | [`summary`] | rates with intervals and coverage, slopes, usage |
//! | [`render_terminal`] | text for a terminal, with or without colour |
//! | [`render_markdown`] | GitHub-flavoured Markdown |
//! | [`render_html`] | one self-contained HTML file: plots, a page for each trial, two side by side |
//! | [`render_json`] | the reports and their summaries in one [`Envelope`] |
//!
//! For a single measurement [`render_measurement`] renders every format of [`MEASUREMENT_FORMATS`]:
//! text, JSON, SARIF, Markdown, HTML and formats for continuous integration (`docs/measuring.md`).
//! [`line_facts`] explains one line, [`list_rules`] and [`explain_rule`] explain rules.
//!
//! [`render_history`] shows the trajectory of a repository, [`render_ledger`] the effect of a
//! change, [`render_judgement`] a gate's verdict. [`render_series`] and [`render_track_status`] show a series of points.
//!
//! Several runs together are a [`study()`]: [`render_study_terminal`], [`render_study_markdown`],
//! [`render_study_latex`], [`write_study_json`]. A study only needs a [`digest`] of the runs'
//! details. [`run_tables`] and [`study_tables`] are the underlying rows, which a [`RowWriter`]
//! writes as CSV or Parquet.
//!
//! The definitions of every rate and slope are in `docs/reports.md`.

mod arms;
mod assessment;
mod calibration;
mod charts;
mod diagnostics;
mod envelope;
mod evidence;
mod format;
mod formats;
mod gate;
mod grade;
mod history;
mod html;
mod latex;
mod leaderboard;
mod markdown;
mod measurement;
mod metric;
mod rates;
mod rows;
mod sheet;
mod site;
mod study;
mod summary;
mod table;
mod terminal;
mod track;
mod view;
mod watch;

pub use arms::{ArmRow, ArmValue, Arms, BASELINE, Paired, Quantity, arm};
pub use assessment::{
    assessment_schema, render_assessment, render_run_assessment, run_assessment_schema,
};
pub use calibration::{calibration_schema, render_calibration};
pub use diagnostics::Sources;
pub use envelope::{Envelope, SCHEMA, envelope, render_json, write_study_json};
pub use evidence::render_evidence;
pub use format::{clean, clean_path};
pub use formats::{
    Format, HISTORY_FORMATS, JUDGEMENT_FORMATS, MEASUREMENT_FORMATS, RenderError, SERIES_FORMATS,
    STUDY_FORMATS, format_names,
};
pub use gate::{JudgementDetail, judgement_schema, render_judgement, render_replay, replay_schema};
pub use grade::{grade_request_schema, grade_schema, render_grade};
pub use history::{
    ListDetail, history_schema, ledger_schema, render_history, render_history_page, render_ledger,
};
pub use html::{HtmlError, Page, render_html};
pub use latex::render_study_latex;
pub use leaderboard::{
    FilterNames, MeanSlope, PairedSlope, RunCard, RunFilter, Standing, filter_names, leaderboard,
    paired_slopes,
};
pub use markdown::{render_markdown, render_study_markdown};
pub use measurement::{
    Detail, LineCallable, LineClone, LineFacts, MeasurementLine, MetricInfo, Origin, RuleInfo,
    Subject, explain_metric, explain_rule, line_facts, lines_schema, list_rules,
    measurement_schema, near_ids, render_evaluation, render_line_facts, render_measurement,
};
pub use metric::Metric;
pub use rates::{CheckpointRate, Coverage, GroupTests, Proportion, Rates, TrialRate};
pub use rows::{
    ColumnKind, EncodedRows, Field, RowError, RowForm, RowTable, RowWriter, run_tables,
    study_tables,
};
pub use site::{
    ChangeLine, ChangePage, ChangesPage, ChosenDays, FunctionPage, Home, HumanPanel, HumanRange,
    HumanRank, JudgeLine, JudgePage, JudgesPage, ParquetFile, Period, PointPage, ProjectPage,
    RunLine, RunPage, RunsPage, SITE_SCRIPT, SITE_STYLE, Show, Site, StepsView, TrialPage,
    VersusPage, WatchBadge, WatchFeed, WatchLine, WatchPage, WatchesPage, Week, address_part,
    change_address, cohort_id, csv_head, csv_rows, point_table, run_address, run_table,
    series_address, watch_address, watch_runs_table, watch_series_table,
};
pub use study::{
    Agreement, Aspect, Binning, Calibration, ClassCount, Cohort, CohortRate, Configuration,
    Contrast, Course, CoursePoint, End, Evidence, Failure, FailureClass, Failures, GrownFunction,
    GrowthStep, HeadToHead, LeftOut, Material, MetricMean, Next, PHASES, Panel, PanelError,
    PanelMember, PassK, PhaseQuantity, PhaseRow, PhaseValue, RateContrast, ReadSource, Remark,
    RepeatedRate, Repeats, Rising, RunDigest, Sensitivity, Shift, SizeWeight, Solved, SourceOf,
    SpentRatio, Study, StudyOptions, Undecided, Version, VersionContrast, VersionRate,
    VersionSlope, Versions, digest, erosion_by, study, study_of,
};
pub use summary::{Note, Point, RunMetric, RunSummary, Spent, TrialMetric, TrialSummary, summary};
pub use terminal::{TerminalOptions, render_study_terminal, render_terminal, state_style};
pub use track::{
    point_schema, render_series, render_series_page, render_track_status, series_schema,
    track_status_schema,
};
pub use watch::{render_watch_page, render_watch_status, watch_day_schema, watch_status_schema};
