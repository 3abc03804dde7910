//! `slope grade mutate`: requests with known edits.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, bail};
use serde::Serialize;
use slope_git::{Commit, Id, Line, Reader, Repo};
use slope_model::grade_request::Change;
use slope_mutate::{
    Family, Files, KINDS, Kind, Mutation, Pick, Severity, Subject, mutations, style,
};
use slope_report::Format;

use super::text_of;
use crate::args::{Mutate, Severities};
use crate::commands::output;

/// Maximum number of files, and of bytes, of a commit to mutate.
const MAX_FILES: usize = 25;
const MAX_CHANGED_BYTES: usize = 2_000_000;

/// Maximum size of a file of the base to read, in bytes.
const MAX_BYTES: usize = 400_000;

/// Files besides code that a mutation may edit.
const MANIFESTS: &[&str] = &[
    "requirements.txt",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "build.gradle",
];

/// A request with the mutation that it has. `slope grade` ignores the field `mutation`.
#[derive(Serialize)]
struct Record<'a> {
    id: String,
    base: &'a str,
    change: Change,
    tests: Passed,
    mutation: Made<'a>,
}

#[derive(Serialize)]
struct Passed {
    passed: u32,
    failed: u32,
}

#[derive(Serialize)]
struct Made<'a> {
    kind: &'a str,
    severity: Option<&'static str>,
    language: &'a str,
    path: &'a str,
    line: Option<usize>,
    message: &'a str,
    family: Family,
}

pub(crate) fn run(args: &Mutate, format: Format, quiet: bool) -> anyhow::Result<()> {
    if args.list {
        return list(format);
    }
    let wanted = Wanted::new(args)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match (&args.repo, &args.base, &args.diff) {
        (Some(repo), ..) => of_commits(args, repo, &wanted, quiet, &mut out)?,
        (None, Some(base), Some(diff)) => of_diff(base, diff, &wanted, &mut out)?,
        _ => bail!(
            "there is no edit\nhelp: name a repository (--repo PATH) or an edit (--base DIR --diff FILE)"
        ),
    }
    out.flush()?;
    Ok(())
}

/// The mutations to make.
struct Wanted<'a> {
    kinds: &'a [String],
    severity: Severities,
    seed: u64,
}

impl<'a> Wanted<'a> {
    fn new(args: &'a Mutate) -> anyhow::Result<Self> {
        let known = |name: &String| KINDS.iter().copied().flatten().any(|kind| kind.id == name);
        if let Some(name) = args.kinds.iter().find(|name| !known(name)) {
            bail!("unknown kind `{name}`\nhelp: `slope grade mutate --list` prints all kinds");
        }
        Ok(Self {
            kinds: &args.kinds,
            severity: args.severity,
            seed: args.seed,
        })
    }

    fn has(&self, kind: &Kind, severity: Severity) -> bool {
        let of_severity = match self.severity {
            Severities::All => true,
            Severities::Low => severity == Severity::Low,
            Severities::High => severity == Severity::High,
        };
        // A kind with one degree only has no other to choose.
        let of_severity = of_severity || kind.severities().len() == 1;
        of_severity && (self.kinds.is_empty() || self.kinds.iter().any(|name| name == kind.id))
    }
}

/// A kind as it is listed.
#[derive(Serialize)]
struct Listed {
    kind: &'static str,
    family: Family,
    severities: Vec<&'static str>,
    keeps_behaviour: bool,
    languages: Vec<&'static str>,
    summary: &'static str,
}

fn list(format: Format) -> anyhow::Result<()> {
    let listed = |kind: &Kind| Listed {
        kind: kind.id,
        family: kind.family,
        severities: kind.severities().iter().map(|s| s.name()).collect(),
        keeps_behaviour: kind.keeps_behaviour,
        languages: kind.languages().collect(),
        summary: kind.summary,
    };
    let all: Vec<Listed> = KINDS.iter().copied().flatten().map(listed).collect();
    if format == Format::Json {
        return output::json(&all);
    }
    let mut text = String::new();
    let count = style::styles().len();
    for kind in &all {
        let family = serde_json::to_value(kind.family)?;
        let languages = if kind.languages.len() == count {
            "all languages".to_owned()
        } else {
            kind.languages.join(", ")
        };
        writeln!(
            text,
            "{:<26} {:<14} {}",
            kind.kind,
            family.as_str().unwrap_or_default(),
            kind.summary
        )?;
        writeln!(
            text,
            "{:<26} {:<14} {languages}",
            "",
            kind.severities.join(", ")
        )?;
    }
    output::text(&text)
}

/// Writes the requests of one edit: the real one, then the mutations.
fn write(
    out: &mut dyn Write,
    subject: &Subject<'_>,
    wanted: &Wanted<'_>,
    (name, base): (&str, &str),
) -> anyhow::Result<usize> {
    let first = subject.units().first();
    let honest = Made {
        kind: "honest",
        severity: None,
        language: first.map_or("", |unit| unit.language()),
        path: first.map_or("", |unit| &unit.path),
        line: None,
        message: "the real edit",
        family: Family::Honest,
    };
    record(
        out,
        format!("{name}/honest"),
        base,
        subject.change(),
        honest,
    )?;
    let all: Vec<Mutation> = mutations(
        subject,
        &|kind, severity| wanted.has(kind, severity),
        wanted.seed,
    );
    for mutation in &all {
        let severity = mutation.severity.name();
        let made = Made {
            kind: mutation.kind,
            severity: Some(severity),
            language: mutation.language,
            path: &mutation.path,
            line: Some(mutation.line),
            message: &mutation.message,
            family: mutation.family,
        };
        record(
            out,
            format!("{name}/{}/{severity}", mutation.kind),
            base,
            &mutation.files,
            made,
        )?;
    }
    Ok(all.len())
}

fn record(
    out: &mut dyn Write,
    id: String,
    base: &str,
    files: &BTreeMap<String, Option<String>>,
    mutation: Made<'_>,
) -> anyhow::Result<()> {
    let record = Record {
        id,
        base,
        change: Change::Files(files.clone()),
        tests: Passed {
            passed: 1,
            failed: 0,
        },
        mutation,
    };
    serde_json::to_writer(&mut *out, &record)?;
    writeln!(out)?;
    Ok(())
}

fn of_diff(
    base: &Path,
    diff: &Path,
    wanted: &Wanted<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let files = folder(base)?;
    let text = text_of(diff)?;
    let patches = slope_git::patch::parse(text.as_bytes(), &|path| base.join(path).exists())?;
    let mut change = BTreeMap::new();
    for patch in patches.iter().filter(|patch| !patch.is_binary()) {
        let old = patch
            .old
            .as_ref()
            .map(|path| std::fs::read(base.join(path)));
        let old = old
            .transpose()
            .with_context(|| format!("could not read {}", base.join(patch.path()).display()))?;
        let new = patch.apply(&old.unwrap_or_default())?;
        if let Some(path) = patch
            .old
            .as_ref()
            .filter(|old| patch.new.as_ref() != Some(old))
        {
            change.insert(path.clone(), None);
        }
        if let Some(path) = &patch.new {
            change.insert(path.clone(), String::from_utf8(new).ok());
        }
    }
    let subject = Subject::new(&files, change);
    if !subject.is_editable() {
        bail!(
            "the edit touches no function that can be mutated\nhelp: `slope grade mutate --list` prints the languages"
        );
    }
    write(
        out,
        &subject,
        wanted,
        (&diff.display().to_string(), &base.display().to_string()),
    )?;
    Ok(())
}

/// The files of a folder that mutators use.
fn folder(base: &Path) -> anyhow::Result<Files> {
    let mut files = Files::new();
    for entry in ignore::WalkBuilder::new(base).build() {
        let entry = entry.with_context(|| format!("could not list {}", base.display()))?;
        let path = entry.path().strip_prefix(base).unwrap_or(entry.path());
        let path = path.to_string_lossy().replace('\\', "/");
        let small = entry
            .metadata()
            .is_ok_and(|m| m.is_file() && m.len() < MAX_BYTES as u64);
        if small
            && is_material(&path)
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            files.insert(path, text);
        }
    }
    Ok(files)
}

/// Whether mutators use a file.
fn is_material(path: &str) -> bool {
    let language = slope_syntax::Language::of_path(Path::new(path));
    MANIFESTS.contains(&path) || language.is_some_and(|l| style::style_of(l.id()).is_some())
}

/// Texts by id, `None` for what is not text, so that each is read once.
type Texts = HashMap<Id, Option<Rc<str>>>;

fn of_commits(
    args: &Mutate,
    path: &Path,
    wanted: &Wanted<'_>,
    quiet: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let repo = Repo::open(path)?;
    let reader = repo.reader();
    let mut texts = Texts::new();
    let (commits, most) = match &args.commit {
        Some(revision) => (vec![reader.commit(reader.resolve(revision)?)?], 1),
        None => {
            let walk = reader.walk(reader.head()?, Line::FirstParent, None)?;
            let chosen = Pick(args.seed).shuffled(&walk.commits).into_iter().cloned();
            (chosen.collect(), args.commits as usize)
        }
    };
    let (mut done, mut made) = (0, 0);
    for commit in &commits {
        if done == most {
            break;
        }
        let Some(count) = of_commit(&reader, commit, &mut texts, wanted, out)? else {
            continue;
        };
        done += 1;
        made += count;
    }
    if done == 0 {
        bail!(
            "no commit of {} touches a function that can be mutated\nhelp: merges, roots, tests alone and commits of more than {MAX_FILES} files are left out; \
             `slope grade mutate --list` prints the languages",
            path.display()
        );
    }
    if !quiet {
        anstream::eprintln!("slope: {made} mutations of {done} commits");
    }
    Ok(())
}

/// Writes the requests of a commit; `None` if it cannot be mutated.
fn of_commit(
    reader: &Reader,
    commit: &Commit,
    texts: &mut Texts,
    wanted: &Wanted<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Option<usize>> {
    let &[parent] = commit.parents.as_slice() else {
        return Ok(None);
    };
    let old = reader.commit(parent)?;
    let changes = reader.changes(Some(old.tree), commit.tree, &|_| true)?;
    let has_code = changes
        .iter()
        .any(|change| change.new.is_some() && is_material(&change.path));
    if changes.len() > MAX_FILES || !has_code {
        return Ok(None);
    }
    let change = changed(reader, &changes, texts)?;
    let bytes: usize = change.values().flatten().map(String::len).sum();
    if bytes > MAX_CHANGED_BYTES {
        return Ok(None);
    }
    let base = base_of(reader, old.tree, &change, texts)?;
    let subject = Subject::new(&base, change);
    if !subject.is_editable() {
        return Ok(None);
    }
    let names = (commit.id.short(), parent.to_string());
    write(out, &subject, wanted, (&names.0, &names.1)).map(Some)
}

/// New texts of the files of a change, `None` for removed ones. Files that are not text are left out.
fn changed(
    reader: &Reader,
    changes: &[slope_git::Change],
    texts: &mut Texts,
) -> anyhow::Result<BTreeMap<String, Option<String>>> {
    let mut change = BTreeMap::new();
    for one in changes {
        match one.new {
            Some((slope_git::Kind::File, id)) => {
                if let Some(text) = text(reader, id, &one.path, texts)? {
                    change.insert(one.path.clone(), Some(text.to_string()));
                }
            }
            Some(_) => {}
            None => {
                change.insert(one.path.clone(), None);
            }
        }
    }
    Ok(change)
}

/// The files of a tree that mutators use.
fn base_of(
    reader: &Reader,
    tree: Id,
    change: &BTreeMap<String, Option<String>>,
    texts: &mut Texts,
) -> anyhow::Result<Files> {
    let mut base = Files::new();
    for entry in reader.files(tree, &|_| true)? {
        let is_used = change.contains_key(&entry.path) || is_material(&entry.path);
        if entry.kind == slope_git::Kind::File
            && is_used
            && let Some(text) = text(reader, entry.id, &entry.path, texts)?
        {
            base.insert(entry.path, text.to_string());
        }
    }
    Ok(base)
}

/// Text of a file.
fn text(reader: &Reader, id: Id, path: &str, texts: &mut Texts) -> anyhow::Result<Option<Rc<str>>> {
    if let Some(known) = texts.get(&id) {
        return Ok(known.clone());
    }
    let bytes = reader.blob(id, path)?;
    let small = bytes.len() < MAX_BYTES && !bytes.contains(&0);
    let text = String::from_utf8(bytes)
        .ok()
        .filter(|_| small)
        .map(Rc::from);
    texts.insert(id, text.clone());
    Ok(text)
}
