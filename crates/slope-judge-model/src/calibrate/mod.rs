//! Tries a model on code whose quality is known.

mod exam;
mod marks;

use std::path::{Path, PathBuf};

use serde::Serialize;
use slope_measure::{Measurer, Options};
use slope_model::calibration::Calibration;

use self::exam::{Exam, Role};
use self::marks::Marks;
use crate::judge::no_answer;
use crate::{Error, ModelJudge, Plan, Settings};

/// Name and version of the format.
const SCHEMA: &str = "slope.calibration/1";

/// Bytes of a calibration that is read.
const LARGEST: u64 = 1 << 20;

/// Code whose quality is known, and the requests for it.
pub struct Calibrating {
    exam: Exam,
    plan: Plan,
}

/// A file that a calibration asks about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExamFile<'e> {
    /// A name with the suffix of its language.
    name: &'e str,
    /// Its summary.
    #[serde(flatten)]
    role: &'e Role,
    text: &'e str,
}

impl Calibrating {
    /// The requests for a model and a rubric. Those with an answer from earlier are not asked for.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let exam = Exam::new(&settings.rubric, &settings.model);
        let plan = Plan::of_groups(&exam.items, &exam.groups, settings);
        Self { exam, plan }
    }

    /// The requests.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> Vec<ExamFile<'_>> {
        let files = self.exam.items.iter().zip(&self.exam.roles);
        files
            .map(|(item, role)| ExamFile {
                name: &item.path,
                role,
                text: &item.written,
            })
            .collect()
    }
}

impl ModelJudge<'_> {
    /// Asks about code whose quality is known.
    ///
    /// # Errors
    /// If the model answers nothing that can be used.
    pub fn calibrate(&self, calibrating: &Calibrating, day: &str) -> Result<Calibration, Error> {
        let answers = self.answers(&calibrating.plan);
        let unanswered = answers.values().filter(|it| it.is_err()).count();
        if unanswered == answers.len() {
            return Err(no_answer(answers.into_values().find_map(Result::err)));
        }
        let measurer = Measurer::new(Options::default().comparing().with_separate_tests())?;
        let settings = &self.settings;
        let marks = Marks::new(&calibrating.exam, &answers);
        let of_criterion = |id: &str| settings.rubric.criterion(id).map(|it| it.score);
        let (pairs, pairs_by_criterion) = marks.pairs(of_criterion);
        let (true_positives, true_positives_by_kind) = marks.true_positives();
        let (equal_repeats, spread) = marks.repeats();
        Ok(Calibration {
            schema: SCHEMA.to_owned(),
            model: settings.model.clone(),
            served: self.served(),
            rubric: settings.rubric.id(),
            rubric_hash: settings.rubric.hash().to_owned(),
            day: day.to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            repeats: settings.repeats,
            pairs,
            pairs_by_criterion,
            static_order: marks.static_order(&measurer),
            true_positives,
            true_positives_by_kind,
            true_negatives: marks.true_negatives(),
            score_falls: marks.falls(),
            bias: marks.bias(),
            equal_repeats,
            spread,
            unanswered: u32::try_from(unanswered).unwrap_or(u32::MAX),
            usage: None,
        })
    }
}

/// The file with the calibration of a model and rubric.
#[must_use]
pub fn calibration_file(folder: &Path, settings: &Settings) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    for name in settings.names() {
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    let name = hasher.finalize().to_hex();
    folder.join("calibrations").join(format!("{name}.json"))
}

/// Reads a calibration; `None` if there is none, or it is damaged.
#[must_use]
pub fn read_calibration(file: &Path) -> Option<Calibration> {
    let about = std::fs::symlink_metadata(file).ok()?;
    let is_small = about.is_file() && about.len() <= LARGEST;
    is_small.then(|| slope_store::atomic::read_json(file).ok())?
}
