//! Tools that report changes.

use slope_gate::{Gate, Head, Setup, Subject};
use slope_history::{Repo, diff_commits};
use slope_model::gate::{Judgement, Violation};
use slope_model::ledger::{Ledger, LedgerEntry};
use slope_report::{clean, clean_path};

use crate::answers::{Added, Answer, Changed, Checked, Differs, Refusal, Worse};
use crate::workshop::TOP;
use crate::{ToolService, arguments, paths, words};

/// Maximum number of items listed as worse.
const MAX_WORSE: usize = 30;

/// Judges the files on disk.
pub(crate) fn check(workshop: &ToolService, asked: &arguments::Check) -> Result<Answer, Refusal> {
    let path = paths::below(&workshop.root, asked.path.as_deref())?;
    inside(workshop)?;
    let setup = Setup::find(&path, workshop.cache.clone()).map_err(Refusal::of)?;
    let measurer = setup.measurer().map_err(Refusal::of)?;
    let gate = Gate::new(&measurer, setup.check).without_whole();
    let subject = Subject::git(path, asked.base.as_deref(), Head::Worktree);
    let judged = gate.judge(&subject).map_err(Refusal::of)?;
    let told = checked(judged);
    Answer::new(words::checked(&told), &told)
}

fn checked(judged: Judgement) -> Checked {
    let all = judged.violations.len();
    let mut notes = judged.notes;
    if all > MAX_WORSE {
        notes.push(format!("{} more are not listed here", all - MAX_WORSE));
    }
    let base = match judged.base.short_commit() {
        Some(short) => format!("{} ({short})", judged.base.name),
        None => judged.base.name,
    };
    Checked {
        passes: judged.passes,
        base,
        files: judged.files,
        added: (judged.balance.change - judged.balance.layout).into(),
        worse: judged
            .violations
            .into_iter()
            .take(MAX_WORSE)
            .map(worse)
            .collect(),
        notes,
    }
}

fn worse(violation: Violation) -> Worse {
    Worse {
        rule: violation.rule.id().to_owned(),
        level: violation.level.id().to_owned(),
        path: clean_path(&violation.path),
        line: violation.line,
        function: violation.function.as_deref().map(clean),
        message: clean(&violation.message),
        advice: clean(&violation.advice),
    }
}

/// Reports the effects of commits.
pub(crate) fn diff(workshop: &ToolService, asked: &arguments::Diff) -> Result<Answer, Refusal> {
    inside(workshop)?;
    let repo = Repo::open(&workshop.root).map_err(Refusal::of)?;
    let reader = repo.reader();
    let name = asked.head.as_deref().unwrap_or("HEAD");
    let head = reader.resolve(name).map_err(Refusal::of)?;
    let (base_name, base) = match asked.base.as_deref() {
        Some(base) => (base.to_owned(), reader.resolve(base).map_err(Refusal::of)?),
        None => {
            let (branch, tip) = reader.default_branch().map_err(Refusal::of)?;
            let base = reader.merge_base(tip, head).map_err(Refusal::of)?;
            (format!("where it left {branch}"), base)
        }
    };
    let setup = Setup::find(&workshop.root, workshop.cache.clone()).map_err(Refusal::of)?;
    let measurer = setup.measurer().map_err(Refusal::of)?;
    let ends = ((base_name.as_str(), base), (name, head));
    let ledger = diff_commits(&repo, &measurer, ends.0, ends.1, &[]).map_err(Refusal::of)?;
    let told = differs(ledger, asked.top.unwrap_or(TOP).clamp(1, 50));
    Answer::new(words::differs(&told), &told)
}

fn differs(ledger: Ledger, top: usize) -> Differs {
    Differs {
        functions: ledger.entries.len(),
        added: Added::from(ledger.balance.change - ledger.balance.layout),
        heaviest: ledger.entries.iter().take(top).map(changed).collect(),
        base: ledger.base,
        head: ledger.head,
    }
}

fn changed(entry: &LedgerEntry) -> Changed {
    let kind = serde_json::to_value(entry.kind).unwrap_or_default();
    Changed {
        kind: kind.as_str().unwrap_or("changed").to_owned(),
        path: clean_path(&entry.path),
        line: entry.line,
        function: entry.function.as_deref().map(clean),
        added: entry.change.into(),
    }
}

/// Refuses a root whose repository begins above it: this server must not report paths outside of
/// the root.
fn inside(workshop: &ToolService) -> Result<(), Refusal> {
    let repo = Repo::open(&workshop.root).map_err(Refusal::of)?;
    let top = repo.workdir().and_then(|top| top.canonicalize().ok());
    match top {
        Some(top) if top != workshop.root => Err(Refusal::new(format!(
            "{} is only a part of the repository {}, so changes are unavailable\n\
             help: start the server at the top: slope mcp {}",
            workshop.root.display(),
            top.display(),
            top.display()
        ))),
        _ => Ok(()),
    }
}
