//! The trajectory of a repository: its commits, measured.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use globset::{Glob, GlobSet, GlobSetBuilder};
use jiff::Timestamp;
use rayon::prelude::*;
use slope_change::ExactAmounts;
use slope_change::ledger::{account_and_follow, whole};
use slope_git::{Commit, Id, Line, Mailmap, Repo};
use slope_measure::{Measurer, Tracker, TreeTotals};
use slope_model::history::{CommitInfo, CommitLedger, History, HistoryPoint};
use slope_model::ledger::Amounts;
use slope_model::schema;

use crate::people::{Agents, of_merges};
use crate::shares::Shares;
use crate::source::{Changes, Source};
use crate::{Error, against, trends};

/// Seconds of a month: 30.436875 days.
const MONTH: f64 = 30.436_875 * 86_400.0;

/// Options of a history.
#[derive(Debug, Clone)]
pub struct Options {
    /// The newest commit; `None` for the default branch's.
    pub revision: Option<String>,
    /// Selection of commits.
    pub line: Line,
    /// Maximum number of snapshots, taken evenly among the commits that change measured files;
    /// `None` for all of those.
    pub sample: Option<usize>,
    /// Only commits from this time on, seconds since 1970.
    pub since: Option<i64>,
    /// Only paths below these folders or like these patterns; all if empty.
    pub paths: Vec<String>,
    /// Whether to compute the ledger, of every commit that changes measured files rather than only
    /// of the snapshots.
    pub ledger: bool,
    /// Agents to detect.
    pub agents: Agents,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            revision: None,
            line: Line::FirstParent,
            sample: Some(30),
            since: None,
            paths: Vec::new(),
            ledger: false,
            agents: Agents::default(),
        }
    }
}

/// Progress callback with activity, finished and total number; called from several threads.
pub type Watch<'a> = &'a (dyn Fn(&str, usize, usize) + Sync);

/// The commits of a history, and those that change measured files.
struct Plan {
    revision: String,
    commits: Vec<Commit>,
    is_cut_off: bool,
    /// Indices of the commits that are snapshots.
    chosen: Vec<usize>,
    /// Indices of the processed commits: with a ledger, all that change measured files, so that
    /// each change is attributed to its own commit; these include the snapshots.
    walked: Vec<usize>,
    /// Number of commits that change measured files.
    touching: usize,
    /// The agents of merges, by the position of those.
    merged: HashMap<usize, Vec<String>>,
    mailmap: Mailmap,
}

impl Plan {
    /// Whether there were no measured files before the first commit of the history, so that it
    /// contains all changes.
    fn begins_with_nothing(&self, line: Line) -> bool {
        let Some(&first) = self.walked.first() else {
            return false;
        };
        // On the branch itself the previous commits are the whole history, and the first of them
        // has no base.
        let is_after_nothing = line == Line::FirstParent && first > 0;
        is_after_nothing || self.commits[first].parents.is_empty()
    }
}

/// Measures the commits of a repository.
///
/// The ignore files of the newest commit decide which files count, so that numbers are comparable.
///
/// # Errors
/// If the repository lacks the requested commits, or has no measured files.
pub fn trajectory(
    repo: &Repo,
    measurer: &Measurer,
    options: &Options,
    watch: Watch<'_>,
) -> Result<History, Error> {
    let wanted = Wanted::new(&options.paths)?;
    let (plan, source) = plan(repo, measurer, options, &wanted, watch)?;
    let steps = steps(&source, &plan, &plan.walked, &wanted)?;
    let changed = match plan.walked == plan.chosen {
        true => steps.iter().map(|step| step.paths.len()).collect(),
        false => changed_files(&source, &plan, &wanted)?,
    };
    let mut recorder = Recorder {
        options,
        plan: &plan,
        changed,
        tracker: measurer.tracker(),
        points: Vec::with_capacity(plan.chosen.len()),
        shares: Shares::default(),
        ledgers: Vec::new(),
        whole: ExactAmounts::default(),
        opening: None,
    };
    let count = steps.len();
    source.play(&steps, |index, contents| {
        recorder.step(index, contents)?;
        watch("measuring commits", index + 1, count);
        Ok(())
    })?;
    let Recorder {
        points,
        shares,
        ledgers,
        opening,
        tracker,
        ..
    } = recorder;
    let name = repo.path().file_name();
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let trends = trends::trends(&points);
    Ok(History {
        schema: schema::HISTORY.to_owned(),
        definitions: measurer.definitions(),
        repository: name.unwrap_or_default(),
        revision: plan.revision.clone(),
        commits: narrow(plan.commits.len()),
        touching: narrow(plan.touching),
        notes: [
            against::notes(&trends),
            notes(&plan, repo, &points, opening.as_ref()),
            unmeasured(tracker.unmeasured()).into_iter().collect(),
        ]
        .concat(),
        trends,
        points,
        ledger: options.ledger.then(|| {
            let opening = opening.map(|opening| opening.amounts);
            shares.into_ledger(ledgers, opening.unwrap_or_default())
        }),
    })
}

/// Files that are named in a note.
const MAX_NAMED_FILES: usize = 3;

/// A note on files of the last snapshot that have no numbers.
fn unmeasured(files: &BTreeMap<String, String>) -> Option<String> {
    let mut named = files
        .iter()
        .map(|(path, reason)| format!("{} ({reason})", path.escape_debug()));
    let first: Vec<String> = named.by_ref().take(MAX_NAMED_FILES).collect();
    let rest = match named.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let list = first.join(", ");
    (!files.is_empty()).then(|| format!("not measured in the last snapshot: {list}{rest}"))
}

fn notes(
    plan: &Plan,
    repo: &Repo,
    points: &[HistoryPoint],
    opening: Option<&Opening>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if points.len() > 1 && !trends::spans_months(points) {
        notes.push("the snapshots span less than a week: no trends by month".to_owned());
    }
    notes.extend(opening.map(Opening::note));
    if plan.is_cut_off {
        notes.push(
            "the clone is shallow, so the history begins where it was cut off; \
             `git fetch --unshallow` gets the rest"
                .to_owned(),
        );
    }
    if repo
        .workdir()
        .is_some_and(|dir| dir.join(".gitmodules").exists())
    {
        notes.push("submodules are repositories of their own and not measured".to_owned());
    }
    notes.push("histories have no near-miss clones".to_owned());
    notes
}

fn plan<'a>(
    repo: &'a Repo,
    measurer: &'a Measurer,
    options: &Options,
    wanted: &Wanted,
    watch: Watch<'_>,
) -> Result<(Plan, Source<'a>), Error> {
    let reader = repo.reader();
    let (revision, newest) = match &options.revision {
        Some(revision) => (revision.clone(), reader.resolve(revision)?),
        None => reader.default_branch()?,
    };
    let walk = reader.walk(newest, options.line, options.since)?;
    let Some(last) = walk.commits.last() else {
        let text =
            format!("no commit of {revision} is as new as --since\nhelp: choose an earlier time");
        return Err(Error::Empty(text));
    };
    let source = Source::new(repo, measurer, last.tree)?;
    let touching = touching(&source, &walk.commits, options.line, wanted, watch)?;
    if touching.is_empty() {
        let below = match options.paths.as_slice() {
            [] => String::new(),
            paths => format!(" in --paths {}", paths.join(", ")),
        };
        let text = format!(
            "no commit of {revision} changes a measured file{below}\n\
             help: check --paths, --since and `exclude` in the configuration"
        );
        return Err(Error::Empty(text));
    }
    let chosen = match options.sample {
        Some(most) => evenly(&touching, most),
        None => touching.clone(),
    };
    let merged = match options.line {
        Line::FirstParent => of_merges(&reader, &walk.commits, &options.agents)?,
        // Each commit is a step of its own.
        Line::All => HashMap::new(),
    };
    let plan = Plan {
        mailmap: reader.mailmap(),
        revision,
        merged,
        commits: walk.commits,
        is_cut_off: walk.is_cut_off,
        touching: touching.len(),
        walked: match options.ledger && !chosen.is_empty() {
            true => touching,
            false => chosen.clone(),
        },
        chosen,
    };
    Ok((plan, source))
}

/// Indices of the commits that change measured files, against their first parent.
fn touching(
    source: &Source<'_>,
    commits: &[Commit],
    line: Line,
    wanted: &Wanted,
    watch: Watch<'_>,
) -> Result<Vec<usize>, Error> {
    let done = AtomicUsize::new(0);
    let look = |reader: &mut slope_git::Reader, index: usize| -> Result<Option<usize>, Error> {
        let commit = &commits[index];
        let old = match line {
            Line::FirstParent => index.checked_sub(1).map(|before| commits[before].tree),
            Line::All => parent_tree(reader, commit),
        };
        let differ = source.differ(reader, old, commit.tree, &|path| wanted.has(path))?;
        let count = 1 + done.fetch_add(1, Ordering::Relaxed);
        if count.is_multiple_of(64) || count == commits.len() {
            watch("looking at commits", count, commits.len());
        }
        Ok(differ.then_some(index))
    };
    let found: Result<Vec<Option<usize>>, Error> = source.measurer.install(|| {
        let each = (0..commits.len()).into_par_iter().with_min_len(32);
        each.map_init(|| source.repo.reader(), look).collect()
    });
    Ok(found?.into_iter().flatten().collect())
}

/// The tree of a commit's first parent; `None` for a root or at the border of a shallow clone.
fn parent_tree(reader: &slope_git::Reader, commit: &Commit) -> Option<Id> {
    let parent = commit.parents.first()?;
    Some(reader.commit(*parent).ok()?.tree)
}

/// At most `most` of some indices, evenly, the first and the last among them.
pub(crate) fn evenly(indices: &[usize], most: usize) -> Vec<usize> {
    let n = indices.len();
    if most >= n {
        return indices.to_vec();
    }
    match most {
        0 => Vec::new(),
        1 => vec![indices[n - 1]],
        // Rounded to the nearest; the gaps differ by at most one.
        _ => (0..most)
            .map(|i| indices[(2 * i * (n - 1) + most - 1) / (2 * (most - 1))])
            .collect(),
    }
}

/// Differences of each of some commits from the previous one.
fn steps(
    source: &Source<'_>,
    plan: &Plan,
    indices: &[usize],
    wanted: &Wanted,
) -> Result<Vec<Changes>, Error> {
    let tree = |at: usize| plan.commits[indices[at]].tree;
    let one = |reader: &mut slope_git::Reader, at: usize| {
        let old = at.checked_sub(1).map(tree);
        source.changes(reader, old, tree(at), &|path| wanted.has(path))
    };
    source.measurer.install(|| {
        let each = (0..indices.len()).into_par_iter().with_min_len(8);
        each.map_init(|| source.repo.reader(), one).collect()
    })
}

/// Number of files that differ from snapshot to snapshot.
fn changed_files(source: &Source<'_>, plan: &Plan, wanted: &Wanted) -> Result<Vec<usize>, Error> {
    let steps = steps(source, plan, &plan.chosen, wanted)?;
    Ok(steps.iter().map(|step| step.paths.len()).collect())
}

/// The opening balance of a ledger that does not start from nothing.
struct Opening {
    commit: CommitInfo,
    amounts: ExactAmounts,
}

impl Opening {
    fn note(&self) -> String {
        let Amounts {
            mass,
            clone_lines,
            flagged_lines,
            dead_code,
            ..
        } = self.amounts.rounded();
        let id = &self.commit.id[..self.commit.id.len().min(10)];
        format!(
            "the ledger begins after {id} of {}; it books older code to nobody: mass \
             {mass:.1}, clone lines {clone_lines}, flagged lines {flagged_lines}, dead code {dead_code}",
            self.commit.time.get(..10).unwrap_or_default()
        )
    }
}

/// Writes points and ledgers.
struct Recorder<'a> {
    options: &'a Options,
    plan: &'a Plan,
    /// Files that differ, by snapshot.
    changed: Vec<usize>,
    tracker: Tracker<'a>,
    points: Vec<HistoryPoint>,
    shares: Shares,
    ledgers: Vec<CommitLedger>,
    whole: ExactAmounts,
    opening: Option<Opening>,
}

impl Recorder<'_> {
    fn step(
        &mut self,
        index: usize,
        contents: Vec<(String, slope_measure::Content)>,
    ) -> Result<(), Error> {
        let position = self.plan.walked[index];
        let commit = &self.plan.commits[position];
        let step = self.tracker.step(contents);
        let mut info = info(commit, &self.options.agents, &self.plan.mailmap);
        if let Some(agents) = self.plan.merged.get(&position) {
            info.agents.clone_from(agents);
        }
        if self.options.ledger {
            let now = whole(&self.tracker);
            let before = index.checked_sub(1).map(|before| self.plan.walked[before]);
            let base = before.map(|before| self.plan.commits[before].id.to_string());
            if base.is_some() || self.plan.begins_with_nothing(self.options.line) {
                self.enter(&step, &info, base.unwrap_or_default(), now)?;
            } else {
                self.opening = Some(Opening {
                    commit: info.clone(),
                    amounts: now,
                });
            }
            self.whole = now;
        }
        // Snapshots are in the order of the walk.
        let next = self.points.len();
        if self.plan.chosen.get(next) == Some(&position) {
            self.point(position, self.changed[next], info);
        }
        Ok(())
    }

    fn point(&mut self, position: usize, changed: usize, info: CommitInfo) {
        let commit = &self.plan.commits[position];
        let TreeTotals {
            whole,
            parts,
            published,
            findings,
        } = self.tracker.totals();
        let start = &self.plan.commits[self.plan.chosen[0]];
        self.points.push(HistoryPoint {
            position: narrow(position),
            commit: info,
            months: months_between(start.committer.seconds, commit.committer.seconds),
            changed_files: narrow(changed),
            totals: whole,
            parts,
            published: published.map(|published| published.totals),
            findings,
        });
    }

    fn enter(
        &mut self,
        step: &slope_measure::Step,
        info: &CommitInfo,
        base: String,
        now: ExactAmounts,
    ) -> Result<(), Error> {
        let (accounts, followed) = account_and_follow(step);
        accounts.check_sum(&info.id, now - self.whole)?;
        let layout = accounts.layout_sum();
        self.shares.follow(step, &followed);
        self.shares.add(info, &accounts);
        if accounts.entries.is_empty() && layout == ExactAmounts::default() {
            return Ok(());
        }
        self.ledgers.push(CommitLedger {
            commit: info.clone(),
            base,
            change: (now - self.whole).rounded(),
            layout: layout.rounded(),
            sloc_alone: accounts.sloc_alone(),
            entries: accounts
                .entries
                .into_iter()
                .map(|booked| booked.entry)
                .collect(),
        });
        Ok(())
    }
}

/// Months from one time to another, both in seconds since 1970.
#[must_use]
pub fn months_between(start: i64, end: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "seconds are far below 2^53")]
    let seconds = (end - start) as f64;
    seconds / MONTH
}

/// A commit as outputs name it.
pub(crate) fn info(commit: &Commit, agents: &Agents, mailmap: &Mailmap) -> CommitInfo {
    let (author, email) = mailmap.resolve(&commit.author);
    let time = Timestamp::from_second(commit.committer.seconds).unwrap_or_default();
    CommitInfo {
        id: commit.id.to_string(),
        time: time.to_string(),
        author,
        email,
        agents: agents.of(commit),
        subject: commit.subject().to_owned(),
        is_merge: commit.parents.len() > 1,
    }
}

/// Requested paths.
pub(crate) struct Wanted {
    folders: Vec<String>,
    globs: GlobSet,
    /// Cached results, because patterns are slow and paths repeat.
    known: Mutex<HashMap<String, bool>>,
}

impl Wanted {
    pub(crate) fn new(paths: &[String]) -> Result<Self, Error> {
        let mut globs = GlobSetBuilder::new();
        let mut folders = Vec::new();
        for path in paths {
            if path.contains(['*', '?', '[', '{']) {
                let glob = Glob::new(path).map_err(|error| Error::Glob {
                    pattern: path.clone(),
                    message: error.kind().to_string(),
                })?;
                globs.add(glob);
            } else {
                let path = path.trim_start_matches("./").trim_end_matches('/');
                folders.push(path.to_owned());
            }
        }
        let globs = globs.build().map_err(|error| Error::Glob {
            pattern: paths.join(" "),
            message: error.kind().to_string(),
        })?;
        Ok(Self {
            folders,
            globs,
            known: Mutex::default(),
        })
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        if self.folders.is_empty() && self.globs.is_empty() {
            return true;
        }
        if let Some(known) = self
            .known
            .lock()
            .ok()
            .and_then(|known| known.get(path).copied())
        {
            return known;
        }
        let below = |folder: &String| {
            let rest = path.strip_prefix(folder.as_str());
            folder.is_empty()
                || folder == "."
                || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let has = self.folders.iter().any(below) || self.globs.is_match(path);
        if let Ok(mut known) = self.known.lock() {
            known.insert(path.to_owned(), has);
        }
        has
    }
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_even_and_include_ends() {
        let all: Vec<usize> = (100..200).collect();
        let sample = evenly(&all, 30);
        assert_eq!((sample.len(), sample[0], sample[29]), (30, 100, 199));
        let gaps: Vec<usize> = sample.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(gaps.iter().all(|gap| (3..=4).contains(gap)), "{gaps:?}");
        assert_eq!(evenly(&all, 200), all);
        assert_eq!(evenly(&all, 1), [199]);
    }

    #[test]
    fn paths_match_folders_or_patterns() {
        let wanted = Wanted::new(&["src/".to_owned(), "lib/**/*.py".to_owned()]).unwrap();
        for path in ["src/a.py", "src/b/c.rs", "lib/x/y.py"] {
            assert!(wanted.has(path), "{path}");
        }
        for path in ["srca/a.py", "lib/x.rs", "a.py"] {
            assert!(!wanted.has(path), "{path}");
        }
        assert!(Wanted::new(&["a[".to_owned()]).is_err());
    }
}
