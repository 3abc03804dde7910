//! Checks that slope's own metrics distinguish a problem's two lineages.
//!
//! Both pass every case, so only the code differs: one is kept tidy, the other is written without
//! any cleanup.

use serde::Serialize;
use slope_measure::{Measurer, Options};
use slope_model::measurement::Totals;
use slope_model::metrics::{CLONE_LINES, EROSION, FLAGGED_LINES, MASS, Metric};
use slope_model::problem::Problem;

use crate::Error;
use crate::stage::Lineage;
use crate::workspace::Workspace;

/// A metric of both lineages, checkpoint by checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// `mass`, `clone lines`, `flagged lines` or `erosion`.
    pub metric: String,
    /// Values of the reference solutions.
    pub tidy: Vec<f64>,
    /// Values of the sloppy lineage.
    pub sloppy: Vec<f64>,
    /// Whether the sloppy one is worse at every checkpoint where either has a value.
    pub everywhere: bool,
    /// Whether it grows by more from the first checkpoint to the last.
    pub steeper: bool,
}

impl Ranked {
    /// Whether the metric ranks the lineages correctly.
    ///
    /// Erosion is a ratio, which a single function can dominate in a small program: only its growth
    /// must be right, not its ranking at each checkpoint.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.steeper && (self.everywhere || self.metric == EROSION.words())
    }
}

/// The four metrics, all worse where they are greater.
const METRICS: [&Metric; 4] = [&MASS, &CLONE_LINES, &FLAGGED_LINES, &EROSION];

/// Measures both lineages at every checkpoint. `None` if the problem has only one.
///
/// # Errors
/// If a workspace is missing, or contains nothing that can be measured.
pub fn rank(problem: &Problem) -> Result<Option<Vec<Ranked>>, Error> {
    let lineages = Lineage::all(problem);
    let [tidy, sloppy] =
        ["solutions", "sloppy"].map(|name| lineages.iter().find(|l| l.name == name));
    let (Some(tidy), Some(sloppy)) = (tidy, sloppy) else {
        return Ok(None);
    };
    let measurer = Measurer::new(Options::default())?;
    let totals = |lineage: &Lineage| -> Result<Vec<Totals>, Error> {
        let checkpoints = problem.checkpoints.iter();
        checkpoints
            .map(|c| Ok(measure(&measurer, &lineage.workspace(c)?)))
            .collect()
    };
    let (tidy, sloppy) = (totals(tidy)?, totals(sloppy)?);
    let ranked = METRICS
        .into_iter()
        .map(|metric| compare(problem, metric, &tidy, &sloppy));
    ranked.collect::<Result<Vec<_>, _>>().map(Some)
}

fn measure(measurer: &Measurer, workspace: &Workspace) -> Totals {
    let files = workspace.files.iter();
    measurer
        .measure_files(files.map(|(path, file)| (path, file.bytes.as_slice())))
        .totals
}

fn compare(
    problem: &Problem,
    metric: &Metric,
    tidy: &[Totals],
    sloppy: &[Totals],
) -> Result<Ranked, Error> {
    let name = metric.words();
    let series = |totals: &[Totals]| -> Result<Vec<f64>, Error> {
        let all: Option<Vec<f64>> = totals.iter().map(|of| metric.of_totals(of)).collect();
        all.ok_or_else(|| {
            Error::Request(format!(
                "{}: a solution has no {name}: is there a source file in each folder?",
                problem.name
            ))
        })
    };
    let (tidy, sloppy) = (series(tidy)?, series(sloppy)?);
    let growth = |of: &[f64]| of.last().zip(of.first()).map(|(last, first)| last - first);
    Ok(Ranked {
        metric: name,
        everywhere: tidy.iter().zip(&sloppy).all(|(tidy, sloppy)| {
            let neither = *tidy == 0.0 && *sloppy == 0.0;
            neither || sloppy > tidy
        }),
        steeper: growth(&sloppy) > growth(&tidy),
        tidy,
        sloppy,
    })
}
