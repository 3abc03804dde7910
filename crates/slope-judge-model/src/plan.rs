//! What a judgement asks for, and what it knows from earlier.

use std::collections::{BTreeMap, BTreeSet};

use slope_judge::Snapshot;

use crate::answer::FileAnswer;
use crate::bundle::{Form, Item, groups, items, request};
use crate::judge::Settings;
use crate::kept::Kept;

/// Bytes of text per token, as a rule of thumb for estimates.
const BYTES_PER_TOKEN: usize = 3;
/// Tokens of an answer about a file, for estimates.
const USUAL_ANSWER: usize = 400;
/// Requests for the anchors.
const ANCHORS: usize = 2;

/// A judgement of one file: its number, its form, and the number of the repeat.
pub(crate) type Judged = (usize, Form, u32);

/// A request: files in a form, and the number of the repeat.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Request {
    pub(crate) files: Vec<usize>,
    pub(crate) form: Form,
    pub(crate) repeat: u32,
}

/// What a judgement asks for.
pub struct Plan {
    /// Name of the code.
    pub(crate) name: String,
    pub(crate) items: Vec<Item>,
    pub(crate) too_long: Vec<String>,
    /// Answers from earlier.
    pub(crate) known: BTreeMap<Judged, FileAnswer>,
    pub(crate) requests: Vec<Request>,
    names: [String; 4],
    instructions: usize,
    /// Requests that are asked for in addition.
    anchors: usize,
}

impl Plan {
    /// The requests for code. Files with an answer from earlier are not asked for.
    #[must_use]
    pub fn new(snapshot: &Snapshot, settings: &Settings) -> Self {
        let (items, too_long) = items(snapshot);
        Self::of_items(snapshot.name.clone(), items, too_long, settings)
    }

    pub(crate) fn of_items(
        name: String,
        items: Vec<Item>,
        too_long: Vec<String>,
        settings: &Settings,
    ) -> Self {
        let kept = Kept::new(settings.kept.clone());
        let names = settings.names();
        let mut known = BTreeMap::new();
        let mut requests = Vec::new();
        for form in Form::ALL {
            for repeat in 0..settings.repeats {
                let mut asked = Vec::new();
                for (at, item) in items.iter().enumerate() {
                    if item.asked_as(form) != form {
                        continue;
                    }
                    match kept.get(&key(&names, item, form, repeat)) {
                        Some(answer) => drop(known.insert((at, form, repeat), answer)),
                        None => asked.push(at),
                    }
                }
                let groups = groups(&items, &asked).into_iter();
                requests.extend(groups.map(|files| Request {
                    files,
                    form,
                    repeat,
                }));
            }
        }
        // Repeats follow each other, so that they share what a provider keeps.
        requests.sort();
        Self {
            name,
            items,
            too_long,
            known,
            requests,
            names,
            instructions: settings.rubric.instructions().len(),
            anchors: ANCHORS,
        }
    }

    /// The requests for files as written, in groups that are given, without anchors. A group is asked for again if one
    /// of its files has no answer.
    pub(crate) fn of_groups(items: &[Item], groups: &[Vec<usize>], settings: &Settings) -> Self {
        let kept = Kept::new(settings.kept.clone());
        let names = settings.names();
        let form = Form::Written;
        let mut known = BTreeMap::new();
        let mut requests = Vec::new();
        for files in groups {
            for repeat in 0..settings.repeats {
                let of_file = |at: &usize| {
                    let answer = kept.get(&key(&names, &items[*at], form, repeat))?;
                    Some(((*at, form, repeat), answer))
                };
                match files.iter().map(of_file).collect::<Option<Vec<_>>>() {
                    Some(answers) => known.extend(answers),
                    None => requests.push(Request {
                        files: files.clone(),
                        form,
                        repeat,
                    }),
                }
            }
        }
        Self {
            name: String::new(),
            items: items.to_vec(),
            too_long: Vec::new(),
            known,
            requests,
            names,
            instructions: settings.rubric.instructions().len(),
            anchors: 0,
        }
    }

    /// Number of requests, without anchors and corrections.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.requests.len()
    }

    /// The tokens of the requests: of input, and of answers. A rough estimate.
    #[must_use]
    pub fn tokens(&self) -> (u64, u64) {
        self.tokens_beyond(&mut BTreeSet::new())
    }

    /// The tokens of several plans, whose common files are asked for once.
    #[must_use]
    pub fn tokens_of<'p>(plans: impl IntoIterator<Item = &'p Self>) -> (u64, u64) {
        let mut asked = BTreeSet::new();
        let each = plans.into_iter().map(|plan| plan.tokens_beyond(&mut asked));
        each.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    }

    /// The same without files that another plan asks for before. `asked` has these, and those of this plan afterwards.
    #[must_use]
    pub fn tokens_beyond(&self, asked: &mut BTreeSet<String>) -> (u64, u64) {
        let mut input = self.anchors * self.instructions;
        let mut answers = self.anchors;
        for request in &self.requests {
            let mut files = self.of(request);
            files.retain(|item| asked.insert(key(&self.names, item, request.form, request.repeat)));
            if !files.is_empty() {
                input += self.instructions + self::request(&files, request.form).len();
                answers += files.len();
            }
        }
        (
            (input / BYTES_PER_TOKEN) as u64,
            (answers * USUAL_ANSWER) as u64,
        )
    }

    /// The files of a request.
    pub(crate) fn of(&self, request: &Request) -> Vec<&Item> {
        request.files.iter().map(|at| &self.items[*at]).collect()
    }

    /// The paths of the code.
    #[must_use]
    pub fn paths(&self) -> BTreeSet<&str> {
        self.items.iter().map(|item| item.path.as_str()).collect()
    }
}

/// The key of an answer about a file: what was asked, and of whom.
pub(crate) fn key(names: &[String; 4], item: &Item, form: Form, repeat: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    let asked = format!("{form:?} {repeat}");
    let own = [
        item.language.as_str(),
        &asked,
        item.text(form),
        &item.company,
    ];
    for part in names.iter().map(String::as_str).chain(own) {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex().to_string()
}
