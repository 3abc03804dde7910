//! Labels that people gave to failed tests, and how well the rules agree with them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A label that a person gave to a failed test of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Directory of the run.
    pub run: String,
    /// Problem.
    pub problem: String,
    /// Graded checkpoint.
    pub checkpoint: String,
    /// Checkpoint of the test's suite.
    pub test_checkpoint: String,
    /// Id of the test.
    pub test: String,
    /// The class.
    pub class: String,
    /// Kind within the class.
    #[serde(default)]
    pub sub: Option<String>,
    /// Another class that also fits.
    #[serde(default)]
    pub also: Option<String>,
    /// Whether the person was sure.
    pub sure: bool,
}

/// Agreement of the rules with labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Labelled tests that were found.
    pub labels: usize,
    /// Tests with the labelled class.
    pub same: usize,
    /// Cohen's κ; `None` if both always give one class.
    pub kappa: Option<f64>,
    /// Labels with another class than the rules assigned.
    pub different: Vec<Different>,
    /// By class.
    pub classes: BTreeMap<String, ClassAgreement>,
}

/// A label with another class than the rules assigned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Different {
    /// The label.
    pub label: Label,
    /// The class that the rules assigned.
    pub assigned: String,
}

/// Agreement on one class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ClassAgreement {
    /// Tests that people gave the class.
    pub labelled: usize,
    /// Tests that the rules gave the class.
    pub assigned: usize,
    /// Tests with both.
    pub both: usize,
    /// Tests that the rules gave the class, and people gave it as their second one.
    pub second: usize,
}

/// How well classes agree with labels. `pairs` has each label with the class that the rules assigned.
#[must_use]
pub fn agreement(pairs: &[(&Label, &str)]) -> Agreement {
    let mut classes: BTreeMap<String, ClassAgreement> = BTreeMap::new();
    for (label, assigned) in pairs {
        let is_same = label.class == *assigned;
        classes.entry(label.class.clone()).or_default().labelled += 1;
        let of_rules = classes.entry((*assigned).to_owned()).or_default();
        of_rules.assigned += 1;
        of_rules.both += usize::from(is_same);
        of_rules.second += usize::from(!is_same && label.also.as_deref() == Some(*assigned));
    }
    let same = pairs.iter().filter(|(label, class)| label.class == *class);
    let same = same.count();
    let different = pairs.iter().filter(|(label, class)| label.class != *class);
    let different = different.map(|(label, class)| Different {
        label: (*label).clone(),
        assigned: (*class).to_owned(),
    });
    Agreement {
        different: different.collect(),
        labels: pairs.len(),
        same,
        kappa: kappa(pairs.len(), same, &classes),
        classes,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of labels are small")]
fn kappa(all: usize, same: usize, classes: &BTreeMap<String, ClassAgreement>) -> Option<f64> {
    let share = |count: usize| count as f64 / all as f64;
    let by_chance: f64 = classes
        .values()
        .map(|class| share(class.labelled) * share(class.assigned))
        .sum();
    (all > 0 && by_chance < 1.0).then(|| (share(same) - by_chance) / (1.0 - by_chance))
}
