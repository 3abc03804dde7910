//! `measure`.

use slope_model::measurement::Measurement;
use slope_report::{Detail, Format, Subject};

use crate::code::Tree;
use crate::document::printable;
use crate::settings::measurer;
use crate::{Code, Error, ErrorKind, Settings};

/// The measurement of code.
///
/// # Errors
/// If the code or its configuration cannot be read, or has nothing that slope measures.
pub fn measure(code: &Code, settings: &Settings) -> Result<String, Error> {
    let tree = Tree::of(code, "code")?.existing()?;
    let config = settings.config(&tree)?;
    let options = settings.options(&tree, config.as_ref())?;
    let measurer = measurer(&tree, options.of_one_version(tree.path()))?;
    let mut measurement = measurer
        .measure_dir(tree.path())
        .map_err(|error| tree.error(ErrorKind::Unreadable, &error))?;
    refuse_empty(&tree, &measurement)?;
    tree.name_rules(&mut measurement.definitions);
    let subject = Subject {
        measurement: &measurement,
        rules: &[],
        title: &tree.name,
        prefix: "",
        base: None,
        sources: None,
    };
    let detail = Detail {
        top: 0,
        findings: false,
        files: false,
        color: false,
        width: None,
    };
    let document = slope_report::render_measurement(Format::Json, &subject, &detail)
        .map_err(|error| tree.error(ErrorKind::Internal, &error))?;
    let end = if document.ends_with('\n') { "" } else { "\n" };
    Ok(printable(document) + end)
}

/// Refuses code in which nothing was measured, because that is never a clean result.
fn refuse_empty(tree: &Tree, measurement: &Measurement) -> Result<(), Error> {
    if measurement.totals.files > 0 {
        return Ok(());
    }
    let unmeasured = measurement.unmeasured.iter();
    let skipped = measurement.skipped.iter();
    let reasons = unmeasured.map(|one| (&one.path, &one.reason));
    let mut reasons = reasons.chain(skipped.map(|one| (&one.path, &one.reason)));
    let first = reasons
        .next()
        .map(|(path, why)| format!(": {path} ({why})"));
    let message = format!(
        "nothing was measured in {}{}",
        tree.name,
        first.unwrap_or_default()
    );
    let help = "give code in a language that `slope rules` names, and see that it is not ignored";
    Err(Error::new(ErrorKind::NoCode, tree.field, message, help))
}
