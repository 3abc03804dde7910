//! JSON, JSON lines, and their schemas.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use slope_model::finding::Finding;
use slope_model::measurement::{
    CloneClass, DeadCodeSince, Definitions, FileMeasurement, LanguageHeadline, Measurement, Part,
    PublishedTotals, Skipped, Suppressed, Totals, Unmeasured,
};

/// A line of the JSON lines format: an object whose only key names the kind of the line.
///
/// `Summary` comes first and once; the others follow in the order of the fields of
/// [`Measurement`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasurementLine {
    /// Everything except lists.
    Summary(Box<Summary>),
    /// A measured file with its callables.
    File(Box<FileMeasurement>),
    /// A file that could not be measured.
    Unmeasured(Unmeasured),
    /// A file or folder that slope skipped on purpose.
    Skipped(Skipped),
    /// A class of clones.
    CloneClass(CloneClass),
    /// A finding.
    Finding(Finding),
    /// A finding that a comment in the code silences.
    Suppressed(Suppressed),
}

/// A measurement without its lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Name and version of the format: `slope.measurement/1`.
    pub schema: String,
    /// Definitions behind the numbers.
    pub definitions: Definitions,
    /// Totals of all files.
    pub totals: Totals,
    /// Totals of each part of the code base; empty if tests are not separate.
    pub parts: BTreeMap<Part, Totals>,
    /// Totals of each language, by id.
    pub languages: BTreeMap<String, Totals>,
    /// Totals by the published definitions; `null` without Python code.
    pub published: Option<PublishedTotals>,
    /// Headline numbers of each language, the language with the most code first.
    pub headlines: Vec<LanguageHeadline>,
    /// Dead code by origin. Absent without `--base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_code: Option<DeadCodeSince>,
    /// Number of files in unsupported languages, by suffix.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_languages: BTreeMap<String, u64>,
}

pub(super) fn document(measurement: &Measurement) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(measurement)?;
    text.push('\n');
    Ok(text)
}

pub(super) fn lines(measurement: &Measurement) -> serde_json::Result<String> {
    let mut out = String::new();
    for line in all_lines(measurement) {
        out.push_str(&serde_json::to_string(&line)?);
        out.push('\n');
    }
    Ok(out)
}

fn all_lines(measurement: &Measurement) -> impl Iterator<Item = MeasurementLine> + '_ {
    let Measurement {
        schema,
        definitions,
        totals,
        parts,
        languages,
        published,
        headlines,
        files,
        unmeasured,
        skipped,
        other_languages,
        clones,
        findings,
        suppressed,
        dead_code,
    } = measurement;
    let summary = MeasurementLine::Summary(Box::new(Summary {
        schema: schema.clone(),
        definitions: definitions.clone(),
        totals: totals.clone(),
        parts: parts.clone(),
        languages: languages.clone(),
        published: published.clone(),
        headlines: headlines.clone(),
        dead_code: dead_code.clone(),
        other_languages: other_languages.clone(),
    }));
    let files = files.iter().cloned().map(Box::new);
    std::iter::once(summary)
        .chain(files.map(MeasurementLine::File))
        .chain(unmeasured.iter().cloned().map(MeasurementLine::Unmeasured))
        .chain(skipped.iter().cloned().map(MeasurementLine::Skipped))
        .chain(clones.iter().cloned().map(MeasurementLine::CloneClass))
        .chain(findings.iter().cloned().map(MeasurementLine::Finding))
        .chain(suppressed.iter().cloned().map(MeasurementLine::Suppressed))
}

/// The JSON schema of a measurement.
#[must_use]
pub fn measurement_schema() -> Schema {
    schema_of::<Measurement>()
}

/// The JSON schema of one line of the JSON lines format.
#[must_use]
pub fn lines_schema() -> Schema {
    schema_of::<MeasurementLine>()
}

/// The schema of a type's serialised form.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
}
