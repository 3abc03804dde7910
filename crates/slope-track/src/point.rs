//! Measures a folder or a commit as a point.

use std::collections::BTreeMap;

use jiff::Timestamp;
use slope_change::{Comparison, ComparisonOptions, Head, Subject};
use slope_git::{Commit, Id, Repo};
use slope_judge::Snapshot;
use slope_measure::Measurer;
use slope_model::assessment::Assessment;
use slope_model::measurement::{Measurement, Part};
use slope_model::schema;
use slope_model::series::{Author, Origin, Point, PointCommit, WorstFunction, sort};

use crate::judges::Judged;
use crate::{Error, Project, author, change, judges};

/// Functions that a point lists.
const MAX_WORST: usize = 20;

/// A point to make.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Name of the series.
    pub series: String,
    /// Number of the iteration.
    pub iteration: Option<u32>,
    /// The commit to measure; `None` for the folder as it is.
    pub commit: Option<String>,
    /// Known parts of the author. They take precedence over those of commits.
    pub author: Author,
    /// Branch of the commit, if a CI job names it.
    pub branch: Option<String>,
    /// What makes the point. A commit that is named makes [`Origin::Commit`] of a folder.
    pub origin: Origin,
    /// Note of the person who adds the point.
    pub note: Option<String>,
    /// Assessments of the same code by models.
    pub judged: Vec<Assessment>,
}

/// Measures a folder or a commit. If the code of a folder is that of the checked-out commit, the point is of the commit.
///
/// # Errors
/// If there is no code, the commit is unknown, or earlier points of the series cannot be read.
pub fn make(project: &Project, request: &Request) -> Result<Point, Error> {
    let measurer = project.setup.measurer()?;
    let commit = commit(project, &measurer, request)?;
    let found = match (commit, &project.repo) {
        (Some(id), Some(repo)) => Some((repo, repo.reader().commit(id)?)),
        _ => None,
    };
    let snapshot = snapshot(project, &measurer, found.as_ref())?;
    if snapshot.measurement.files.is_empty() {
        return Err(Error::NoCode {
            name: snapshot.name,
        });
    }
    let judged = Judged {
        snapshot: &snapshot,
        below: if found.is_some() { "" } else { &project.below },
        folder: &project.below,
    };
    let mut point = measured(&judged);
    point.series.clone_from(&request.series);
    point.iteration = request.iteration;
    point.note.clone_from(&request.note);
    point.origin = match request.origin {
        Origin::Folder if request.commit.is_some() => Origin::Commit,
        origin => origin,
    };
    if let Some((repo, commit)) = &found {
        point.time = time(commit);
        point.commit = Some(named(repo, commit, request));
    }
    let earlier = project.series.points(&request.series)?;
    if point.iteration.is_none() {
        point.iteration = next_iteration(&earlier, request)?;
    }
    let before = before(earlier, &point);
    judges::add(&mut point, before.as_ref(), &request.judged, &judged)?;
    point.author = match &found {
        Some((repo, commit)) => {
            let reader = repo.reader();
            let commits = since(&reader, before.as_ref(), commit)?;
            author::merged(
                request.author.clone(),
                author::of_commits(&reader, &commits),
            )
        }
        None => request.author.clone(),
    };
    point.change = before.and_then(|before| change::since(project, &measurer, (&before, &point)));
    Ok(point)
}

/// The commit to measure; `None` for the folder.
fn commit(project: &Project, measurer: &Measurer, request: &Request) -> Result<Option<Id>, Error> {
    Ok(match (&request.commit, &project.repo) {
        (Some(revision), Some(repo)) => Some(repo.reader().resolve(revision)?),
        (Some(_), None) => {
            return Err(Repo::open(&project.path).err().map_or_else(
                || Error::NoFolder {
                    path: project.path.clone(),
                },
                Error::Git,
            ));
        }
        (None, _) => unchanged_head(project, measurer),
    })
}

/// Makes a point only if measured code differs from the last point of the series. In a series without points, it must
/// differ from the commit `since`, if there is one.
///
/// # Errors
/// As [`make`].
pub fn make_if_changed(
    project: &Project,
    request: &Request,
    since: Option<&str>,
) -> Result<Option<Point>, Error> {
    let earlier = project.series.points(&request.series)?;
    if earlier.is_empty()
        && let Some(since) = since
        && !differs(project, since)?
    {
        return Ok(None);
    }
    let point = make(project, request)?;
    let is_same = earlier.last().is_some_and(|last| last.tree == point.tree);
    Ok((!is_same).then_some(point))
}

/// Whether a measured file on disk differs from a commit.
fn differs(project: &Project, commit: &str) -> Result<bool, Error> {
    let measurer = project.setup.measurer()?;
    let base = format!("{commit}^{{tree}}");
    let subject = Subject::git(&project.path, Some(&base), Head::Worktree);
    let comparison = Comparison::new(&measurer, &subject, ComparisonOptions::default());
    let comparison = comparison.map_err(slope_gate::Error::from)?;
    Ok(comparison.files > 0)
}

/// The iteration of a point that names none. A series that counts iterations needs one, which only hooks choose
/// themselves.
fn next_iteration(earlier: &[Point], request: &Request) -> Result<Option<u32>, Error> {
    let last = earlier.iter().filter_map(|it| it.iteration).max();
    let next = last.map(|last| last.saturating_add(1));
    match (next, request.origin) {
        (Some(next), origin) if origin != Origin::Hook => Err(Error::NoIteration {
            series: request.series.clone(),
            next,
        }),
        (next, _) => Ok(next),
    }
}

/// The checked-out commit, if no measured file differs from it.
fn unchanged_head(project: &Project, measurer: &Measurer) -> Option<Id> {
    let reader = project.repo.as_ref()?.reader();
    let head = reader.head().ok()?;
    let base = format!("{head}^{{tree}}");
    let subject = Subject::git(&project.path, Some(&base), Head::Worktree);
    let comparison = Comparison::new(measurer, &subject, ComparisonOptions::default()).ok()?;
    (comparison.files == 0).then_some(head)
}

fn snapshot(
    project: &Project,
    measurer: &Measurer,
    commit: Option<&(&Repo, Commit)>,
) -> Result<Snapshot, Error> {
    Ok(match commit {
        Some((repo, commit)) => {
            let name = commit.id.short();
            Snapshot::of_commit(measurer, repo, (commit.id, &name), &project.path)?
        }
        None => Snapshot::of_path(measurer, &project.path)?,
    })
}

/// A point with the numbers of a snapshot. Paths are those of the repository.
fn measured(judged: &Judged<'_>) -> Point {
    let (snapshot, below) = (judged.snapshot, judged.below);
    let measurement = &snapshot.measurement;
    let mut findings = BTreeMap::new();
    for finding in &measurement.findings {
        *findings.entry(finding.category.clone()).or_default() += 1;
    }
    Point {
        schema: schema::POINT.to_owned(),
        series: String::new(),
        time: now(),
        iteration: None,
        commit: None,
        author: Author::default(),
        origin: Origin::Folder,
        tree: tree(snapshot, below),
        engine: format!("slope {}", env!("CARGO_PKG_VERSION")),
        definitions: measurement.definitions.hash.clone(),
        totals: measurement.totals.clone(),
        parts: measurement.parts.clone(),
        findings,
        scores: vec![judges::by_measures(judged)],
        worst: worst(measurement, below),
        change: None,
        note: None,
    }
}

/// Hash of the paths and contents of the measured files.
fn tree(snapshot: &Snapshot, below: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    for file in &snapshot.measurement.files {
        add(below.as_bytes());
        add(file.path.as_bytes());
        add(&snapshot.text(&file.path).unwrap_or_default());
    }
    hasher.finalize().to_hex().to_string()
}

/// The functions of production code with the most mass, largest first.
fn worst(measurement: &Measurement, below: &str) -> Vec<WorstFunction> {
    let of_file = measurement.files.iter().flat_map(|file| {
        let callables = file.callables.iter();
        let product = callables.filter(|it| file.part_at(it.span.start_line) == Part::Product);
        product.map(move |callable| WorstFunction {
            path: format!("{below}{}", file.path),
            name: callable.name.clone(),
            line: callable.span.start_line,
            complexity: callable.complexity,
            sloc: callable.sloc,
            mass: callable.mass,
        })
    });
    let mut functions: Vec<WorstFunction> = of_file.collect();
    functions.sort_by(|a, b| {
        let by_mass = b.mass.total_cmp(&a.mass);
        by_mass.then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
    });
    functions.truncate(MAX_WORST);
    functions
}

/// The current time, in whole seconds.
fn now() -> String {
    let seconds = Timestamp::now().as_second();
    Timestamp::from_second(seconds)
        .unwrap_or_default()
        .to_string()
}

fn time(commit: &Commit) -> String {
    let time = Timestamp::from_second(commit.committer.seconds);
    time.unwrap_or_default().to_string()
}

/// The commit as the point names it. A branch is known only of the checked-out commit, or from a CI job.
fn named(repo: &Repo, commit: &Commit, request: &Request) -> PointCommit {
    let reader = repo.reader();
    let is_head = reader.head().is_ok_and(|head| head == commit.id);
    let own = if is_head { reader.branch() } else { None };
    PointCommit {
        id: commit.id.to_string(),
        subject: commit.subject().chars().take(400).collect(),
        branch: own.or_else(|| request.branch.clone()),
        sequence: reader.sequence(commit),
    }
}

/// The point that comes before a new one.
fn before(mut points: Vec<Point>, point: &Point) -> Option<Point> {
    points.retain(|it| it.key() != point.key());
    points.push(point.clone());
    sort(&mut points);
    let at = points.iter().position(|it| it.key() == point.key())?;
    at.checked_sub(1).map(|before| points.swap_remove(before))
}

/// The commits since a point. Without a point, the commit alone; if the point has no known commit, none: nobody knows
/// which commits its code has.
fn since(
    reader: &slope_git::Reader,
    before: Option<&Point>,
    commit: &Commit,
) -> Result<Vec<Commit>, Error> {
    let Some(before) = before else {
        return Ok(vec![commit.clone()]);
    };
    let earlier = before.commit.as_ref();
    let earlier = earlier.and_then(|earlier| reader.resolve(&earlier.id).ok());
    match earlier {
        Some(earlier) => Ok(reader.between(earlier, commit.id)?),
        None => Ok(Vec::new()),
    }
}
