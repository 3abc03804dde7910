//! `diff` and `check`: what a change does.

use slope_gate::{Gate, Setup, Subject};
use slope_history::diff_dirs;
use slope_report::{Format, JudgementDetail};

use crate::code::Tree;
use crate::document::{indented, printable};
use crate::settings::{measurer, policy_path};
use crate::{Code, Error, ErrorKind, Settings};

/// The ledger of a change: what each function adds and removes.
///
/// # Errors
/// If the code or its configuration cannot be read.
pub fn diff(before: &Code, after: &Code, settings: &Settings) -> Result<String, Error> {
    let (before, after) = sides(before, after)?;
    let config = settings.config(&after)?;
    let options = settings.options(&after, config.as_ref())?;
    let measurer = measurer(&after, options.comparing().with_separate_tests())?;
    let mut ledger = diff_dirs(&measurer, before.path(), after.path())
        .map_err(|error| error_of(&before, &after, &error))?;
    ledger.base.clone_from(&before.name);
    ledger.head.clone_from(&after.name);
    after.name_rules(&mut ledger.definitions);
    indented(&ledger)
}

/// The judgement of the gate on a change, by a policy or the configuration of the code after it.
///
/// # Errors
/// If the code or its configuration cannot be read, or the gate does not support the profile.
pub fn check(before: &Code, after: &Code, settings: &Settings) -> Result<String, Error> {
    let (before, after) = sides(before, after)?;
    for tree in [&before, &after] {
        if !tree.path().is_dir() {
            let message = format!("{} is not a directory", tree.name);
            let help = "name two directories, or give texts by path";
            return Err(Error::new(ErrorKind::Unreadable, tree.field, message, help));
        }
    }
    let setup = setup(&after, settings)?;
    let measurer = measurer(&after, setup.options)?;
    let gate = Gate::new(&measurer, setup.check).with_ratchet_beside(setup.config.as_deref());
    let subject = Subject::Folders {
        base: before.path().to_owned(),
        head: after.path().to_owned(),
    };
    let mut judgement = gate
        .judge(&subject)
        .map_err(|error| error_of(&before, &after, &error))?;
    judgement.base.name.clone_from(&before.name);
    judgement.head.name.clone_from(&after.name);
    after.name_rules(&mut judgement.definitions);
    let detail = JudgementDetail {
        evidence: false,
        color: false,
    };
    let document = slope_report::render_judgement(Format::Json, &judgement, &detail)
        .map_err(|error| after.error(ErrorKind::Internal, &error))?;
    Ok(printable(document))
}

fn sides(before: &Code, after: &Code) -> Result<(Tree, Tree), Error> {
    let before = Tree::of(before, "before")?.existing()?;
    let after = Tree::of(after, "after")?.existing()?;
    Ok((before, after))
}

fn setup(tree: &Tree, settings: &Settings) -> Result<Setup, Error> {
    let config = settings.config(tree)?;
    let options = settings.options(tree, config.as_ref())?;
    let setup = match &settings.policy {
        Some(text) => Setup::with_policy(options, policy_path(tree), text),
        None => Setup::new(options, config.map(|found| found.path)),
    };
    setup.map_err(|error| settings.policy_error(tree, &error))
}

/// The error of a comparison, without the folders of texts.
fn error_of(before: &Tree, after: &Tree, error: &dyn std::error::Error) -> Error {
    let error = before.error(ErrorKind::Unreadable, error);
    let error = after.error(ErrorKind::Unreadable, &error);
    Error {
        field: String::new(),
        ..error
    }
}
