//! Judges a snapshot: requests, repeats, and what their answers have in common.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use slope_judge::Snapshot;
use slope_model::assessment::{
    Anchors, Assessment, Issue, JudgeKind, ModelDetails, Position, ScoreName, ScoreRange, Scores,
    Unjudged,
};

use crate::answer::{self, Answer};
use crate::bundle::{Form, Group, Item, MAX_FILE_LINES, groups};
use crate::client::Client;
use crate::kept::Kept;
use crate::rubric::Rubric;
use crate::{Error, ModelDialect};

/// Times that a model is asked to correct an answer.
const MAX_REPAIRS: u32 = 2;
/// Bytes of text per token, as a rule of thumb for estimates.
const BYTES_PER_TOKEN: usize = 3;
/// Tokens of an answer, for estimates.
const USUAL_ANSWER: usize = 800;

const TIDY: &str = include_str!("../data/tidy.txt");
const SLOPPY: &str = include_str!("../data/sloppy.txt");

/// How a model judges.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Judgements of the same code.
    pub repeats: u32,
    /// Requests at the same time.
    pub jobs: usize,
    /// Score that is good enough: each score is then above it, below it or undecided.
    pub line: Option<f64>,
    /// Folder of earlier answers; `None` to ask again.
    pub kept: Option<PathBuf>,
    /// Name of the server. Another server's answers are others, also of the same model.
    pub server: String,
    /// The server's key, which no result and no kept answer may have.
    pub secret: Option<String>,
    /// Most issues.
    pub most: usize,
}

/// A model that judges.
pub struct ModelJudge<'c> {
    client: &'c Client,
    settings: Settings,
    rubric: &'static Rubric,
    instructions: String,
    kept: Kept,
    counts: Counts,
    served: Mutex<Option<String>>,
}

#[derive(Default)]
struct Counts {
    requests: AtomicU32,
    from_cache: AtomicU32,
    repairs: AtomicU32,
}

/// Why a request has no answer.
#[derive(Debug)]
enum Failure {
    /// The server answered with an error or not at all, or the model refused.
    Server(String),
    /// No answer could be used.
    Answers(String),
}

impl Failure {
    fn reason(self) -> String {
        match self {
            Self::Server(reason) => reason,
            Self::Answers(why) => format!("no answer of the model can be used: {why}"),
        }
    }
}

/// One request: a group in a form, and the number of the repeat.
type Task<'g> = (&'g Group, Form, u32);

/// The tokens of the requests for a snapshot: of input, and of answers. A rough estimate.
#[must_use]
pub fn estimated_tokens(snapshot: &Snapshot, repeats: u32) -> (u64, u64) {
    let (groups, _) = groups(snapshot);
    let instructions = Rubric::own().instructions().len();
    let mut total = (0, 0);
    for (group, form, _) in tasks(&groups, repeats) {
        total.0 += (instructions + group.request(form).len()) / BYTES_PER_TOKEN;
        total.1 += USUAL_ANSWER;
    }
    (total.0 as u64, total.1 as u64)
}

/// The requests: the plain form of each group first, whose repeats share what a provider keeps.
fn tasks(groups: &[Group], repeats: u32) -> Vec<Task<'_>> {
    let of_group = |group| {
        let forms: &[Form] = if Group::is_plain(group) {
            &[Form::Plain]
        } else {
            &[Form::Plain, Form::Written]
        };
        let each = forms.iter();
        each.flat_map(move |form| (0..repeats).map(move |repeat| (group, *form, repeat)))
    };
    groups.iter().flat_map(of_group).collect()
}

impl<'c> ModelJudge<'c> {
    /// A judge that asks through a client.
    #[must_use]
    pub fn new(client: &'c Client, settings: Settings) -> Self {
        let rubric = Rubric::own();
        let kept = Kept::new(settings.kept.clone());
        Self {
            client,
            settings,
            rubric,
            instructions: rubric.instructions(),
            kept,
            counts: Counts::default(),
            served: Mutex::default(),
        }
    }

    /// Judges code. The static assessment of the same code is part of the result.
    ///
    /// # Errors
    /// If there is no code for a model, or no answer can be used.
    pub fn judge(
        &self,
        snapshot: &Snapshot,
        of_measures: &Assessment,
    ) -> Result<Assessment, Error> {
        let (groups, too_long) = groups(snapshot);
        if groups.is_empty() {
            return Err(Error::NoCode {
                target: snapshot.name.clone(),
                most: MAX_FILE_LINES,
            });
        }
        let anchors = self.anchors()?;
        let tasks = tasks(&groups, self.settings.repeats);
        let answers = self.answers(&tasks);
        let mut unjudged: Vec<Unjudged> = too_long
            .into_iter()
            .map(|path| Unjudged {
                path,
                reason: format!("it has more than {MAX_FILE_LINES} lines"),
            })
            .collect();
        unjudged.extend(failures(&tasks, &answers));
        let judged: Vec<(Task<'_>, &Answer)> = tasks
            .iter()
            .zip(&answers)
            .filter_map(|(task, answer)| Some((*task, answer.as_ref().ok()?)))
            .collect();
        if judged.is_empty() {
            let reason = answers.into_iter().find_map(Result::err);
            return Err(no_answer(reason));
        }
        Ok(self.assessment(of_measures, &judged, anchors, unjudged))
    }

    /// All answers, in the order of the requests.
    fn answers(&self, tasks: &[Task<'_>]) -> Vec<Result<Answer, String>> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.settings.jobs)
            .build();
        // The first request fills what the provider keeps of the instructions.
        let (first, others) = tasks.split_at(1.min(tasks.len()));
        let mut answers: Vec<_> = first.iter().map(|task| self.answer(task)).collect();
        let all = || {
            others
                .par_iter()
                .with_max_len(1)
                .map(|task| self.answer(task))
        };
        answers.extend(match pool {
            Ok(pool) => pool.install(|| all().collect::<Vec<_>>()),
            Err(_) => others.iter().map(|task| self.answer(task)).collect(),
        });
        answers
    }

    fn answer(&self, (group, form, repeat): &Task<'_>) -> Result<Answer, String> {
        let request = group.request(*form);
        let key = self.key(&request, *repeat);
        if let Some(answer) = self.kept.get(&key) {
            self.counts.from_cache.fetch_add(1, Ordering::Relaxed);
            return Ok(answer);
        }
        let answer = self.ask(group, request).map_err(Failure::reason)?;
        self.kept.put(&key, &answer);
        Ok(answer)
    }

    /// Asks, and asks for a correction if the answer cannot be used.
    fn ask(&self, group: &Group, request: String) -> Result<Answer, Failure> {
        let mut messages = vec![(false, request)];
        let mut repairs = 0;
        loop {
            self.counts.requests.fetch_add(1, Ordering::Relaxed);
            let reply = self.client.ask(&self.instructions, &messages);
            let reply = reply.map_err(Failure::Server)?;
            if let (Some(served), Ok(mut known)) = (&reply.served, self.served.lock()) {
                known.get_or_insert_with(|| served.clone());
            }
            let why = match answer::read(&reply.text, group, self.rubric) {
                Ok(answer) => return Ok(answer.without(self.settings.secret.as_deref())),
                Err(why) => why,
            };
            if repairs == MAX_REPAIRS {
                return Err(Failure::Answers(why));
            }
            repairs += 1;
            self.counts.repairs.fetch_add(1, Ordering::Relaxed);
            let correction =
                format!("Your answer cannot be used: {why}. Give only the JSON object.");
            messages.truncate(1);
            messages.extend([(true, said(&reply.text)), (false, correction)]);
        }
    }

    fn key(&self, request: &str, repeat: u32) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [
            &self.settings.server,
            &self.client.model,
            &self.rubric.id(),
            &self.instructions,
            request,
            &repeat.to_string(),
        ] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The scores of two fixed files, which are asked for each time: if they move, the judge has changed. A model that
    /// answers for neither is not asked for more.
    fn anchors(&self) -> Result<Anchors, Error> {
        let scores = |text: &str| {
            let item = Item::new("anchor.py", text.as_bytes());
            let group = Group { items: vec![item] };
            let request = group.request(Form::Plain);
            Ok(self.ask(&group, request)?.scores)
        };
        let tidy = scores(TIDY);
        if let Err(Failure::Server(reason)) = tidy {
            return Err(no_answer(Some(reason)));
        }
        match (tidy, scores(SLOPPY)) {
            (Err(why), Err(_)) => Err(no_answer(Some(why.reason()))),
            (tidy, sloppy) => Ok(Anchors {
                tidy: tidy.ok(),
                sloppy: sloppy.ok(),
            }),
        }
    }

    fn assessment(
        &self,
        of_measures: &Assessment,
        judged: &[(Task<'_>, &Answer)],
        anchors: Anchors,
        unjudged: Vec<Unjudged>,
    ) -> Assessment {
        let means = |form: Form| self.means(judged, form);
        let (plain, written) = (means(Form::Plain), means(Form::Written));
        let scores = Scores::of(|name| median(plain.iter().filter_map(|it| it.get(name))));
        let mut issues = agreed(judged);
        let more_issues = issues.len().saturating_sub(self.settings.most) as u64;
        issues.truncate(self.settings.most);
        let ranges = ScoreName::ALL.into_iter().filter_map(|name| {
            let values = plain.iter().chain(&written).filter_map(|it| it.get(name));
            Some((name.name().to_owned(), range(values)?))
        });
        let ranges: BTreeMap<String, ScoreRange> = ranges.collect();
        let count = |count: &AtomicU32| count.load(Ordering::Relaxed);
        let positions = self.settings.line.map(|line| {
            let position =
                |(name, range): (&String, &ScoreRange)| (name.clone(), Position::of(range, line));
            ranges.iter().map(position).collect()
        });
        Assessment {
            judge: JudgeKind::Model,
            scores,
            missing: BTreeMap::new(),
            // A model sees only the code after a change.
            before: None,
            issues,
            more_issues,
            model: Some(ModelDetails {
                model: self.client.model.clone(),
                served: self.served.lock().ok().and_then(|it| it.clone()),
                rubric: self.rubric.id(),
                repeats: self.settings.repeats,
                ranges,
                as_written: Scores::of(|name| median(written.iter().filter_map(|it| it.get(name)))),
                static_scores: of_measures.scores,
                positions: positions.unwrap_or_default(),
                anchors,
                requests: count(&self.counts.requests),
                from_cache: count(&self.counts.from_cache),
                repairs: count(&self.counts.repairs),
                dropped_issues: judged.iter().map(|(_, answer)| answer.dropped).sum(),
                unjudged,
                not_plain: not_plain(judged),
                usage: None,
            }),
            ..of_measures.clone()
        }
    }

    /// The scores of each repeat: means over groups by lines.
    fn means(&self, judged: &[(Task<'_>, &Answer)], form: Form) -> Vec<Scores> {
        let mean = |repeat: u32| {
            let of_repeat = judged.iter().filter(|((group, its, number), _)| {
                // Code that has only one form counts in both.
                *number == repeat && (*its == form || group.is_plain())
            });
            let of_repeat: Vec<_> = of_repeat.collect();
            Scores::of(|name| {
                let values = of_repeat.iter().filter_map(|((group, _, _), answer)| {
                    Some((answer.scores.get(name)?, group.lines() as f64))
                });
                let (sum, weight) = values.fold((0.0, 0.0), |(sum, weight), (value, lines)| {
                    (sum + value * lines, weight + lines)
                });
                (weight > 0.0).then(|| sum / weight)
            })
        };
        (0..self.settings.repeats).map(mean).collect()
    }
}

fn no_answer(reason: Option<String>) -> Error {
    Error::NoAnswer {
        reason: reason.unwrap_or_default(),
        help: "check the server, the model's name and the key; --static needs no model",
    }
}

/// The beginning of what a model said.
fn said(text: &str) -> String {
    let text = if text.trim().is_empty() {
        "(nothing)"
    } else {
        text
    };
    text[..text.floor_char_boundary(4000)].to_owned()
}

/// Files that have no plain form.
fn not_plain(judged: &[(Task<'_>, &Answer)]) -> Vec<String> {
    let items = judged.iter().flat_map(|((group, ..), _)| &group.items);
    let paths = items.filter(|item| item.plain.is_none());
    let paths: BTreeSet<&str> = paths.map(|item| item.path.as_str()).collect();
    paths.into_iter().map(str::to_owned).collect()
}

/// Files without any answer, each with the first reason.
fn failures(tasks: &[Task<'_>], answers: &[Result<Answer, String>]) -> Vec<Unjudged> {
    let mut reasons: BTreeMap<&str, Option<&String>> = BTreeMap::new();
    for ((group, ..), answer) in tasks.iter().zip(answers) {
        for item in &group.items {
            let known = reasons.entry(&item.path).or_insert(answer.as_ref().err());
            if answer.is_ok() {
                *known = None;
            }
        }
    }
    let failed = reasons.into_iter();
    failed
        .filter_map(|(path, reason)| {
            Some(Unjudged {
                path: path.to_owned(),
                reason: reason?.clone(),
            })
        })
        .collect()
}

/// Issues, those that most answers have first. Issues of one criterion whose lines overlap are one.
fn agreed(judged: &[(Task<'_>, &Answer)]) -> Vec<Issue> {
    let mut found: Vec<(Issue, u32)> = Vec::new();
    for (_, answer) in judged {
        for issue in &answer.issues {
            let is_same = |(known, _): &&mut (Issue, u32)| {
                known.id == issue.id
                    && known.path == issue.path
                    && known.start_line <= issue.end_line
                    && issue.start_line <= known.end_line
            };
            match found.iter_mut().find(is_same) {
                Some((_, votes)) => *votes += 1,
                None => found.push((issue.clone(), 1)),
            }
        }
    }
    found.sort_by(|(a, votes_a), (b, votes_b)| {
        let by_place = (&a.path, a.start_line, &a.id).cmp(&(&b.path, b.start_line, &b.id));
        votes_b.cmp(votes_a).then(by_place)
    });
    found.into_iter().map(|(issue, _)| issue).collect()
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    slope_stats::median(&values).map(Scores::rounded)
}

fn range(values: impl Iterator<Item = f64>) -> Option<ScoreRange> {
    let values: Vec<f64> = values.collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some(ScoreRange {
        low: Scores::rounded(low),
        high: Scores::rounded(high),
    })
}

impl ModelDialect {
    /// The dialect of the gateway's upstream.
    #[must_use]
    pub fn of_gateway(self) -> slope_gateway::Dialect {
        match self {
            Self::Messages => slope_gateway::Dialect::Messages,
            Self::Chat => slope_gateway::Dialect::ChatCompletions,
        }
    }
}
