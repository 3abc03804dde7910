//! Asks a model: requests, corrections, repeats and anchors.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use slope_model::assessment::{Anchors, Assessment};
use slope_model::calibration::CalibrationNote;

use crate::answer::{self, Answer, FileAnswer};
use crate::bundle::{Form, Item, MAX_FILE_LINES, request};
use crate::carry::Earlier;
use crate::client::Client;
use crate::kept::Kept;
use crate::plan::{Judged, Plan, Request, key};
use crate::rubric::Rubric;
use crate::{Error, ModelDialect, summary};

/// Times that a model is asked to correct an answer.
const MAX_REPAIRS: u32 = 2;

const TIDY: &str = include_str!("../data/tidy.txt");
const SLOPPY: &str = include_str!("../data/sloppy.txt");

/// How a model judges.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The requested model.
    pub model: String,
    /// What it looks for.
    pub rubric: Arc<Rubric>,
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
    /// The calibration of the model with the rubric.
    pub calibration: Option<CalibrationNote>,
}

impl Settings {
    /// The names of what judges: answers of another server, model or rubric are others.
    #[must_use]
    pub fn names(&self) -> [String; 4] {
        [
            self.server.clone(),
            self.model.clone(),
            self.rubric.hash().to_owned(),
            // Another version of slope may have other words for the same rubric.
            self.rubric.instructions(),
        ]
    }
}

/// A model that judges.
pub struct ModelJudge<'c> {
    client: &'c Client,
    pub(crate) settings: Settings,
    names: [String; 4],
    instructions: String,
    kept: Kept,
    pub(crate) counts: Counts,
    served: Mutex<Option<String>>,
    anchors: Option<Anchors>,
}

/// What a judgement needed.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) requests: AtomicU32,
    pub(crate) repairs: AtomicU32,
    pub(crate) dropped: AtomicU32,
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

/// Answers about files, and the reasons of those that are missing.
pub(crate) type Answers = BTreeMap<Judged, Result<FileAnswer, String>>;

impl<'c> ModelJudge<'c> {
    /// A judge that asks through a client.
    #[must_use]
    pub fn new(client: &'c Client, settings: Settings) -> Self {
        Self {
            client,
            names: settings.names(),
            instructions: settings.rubric.instructions(),
            kept: Kept::new(settings.kept.clone()),
            settings,
            counts: Counts::default(),
            served: Mutex::default(),
            anchors: None,
        }
    }

    /// The same judge with scores of the anchors that it gave shortly before.
    #[must_use]
    pub fn with_anchors(self, anchors: Option<Anchors>) -> Self {
        Self { anchors, ..self }
    }

    /// Judges code. The static assessment of the same code is part of the result. Issues of earlier judgements are carried,
    /// and `earlier` has the issues of this one then.
    ///
    /// # Errors
    /// If there is no code for a model, or no answer can be used.
    pub fn judge(
        &self,
        plan: &Plan,
        of_measures: &Assessment,
        earlier: &mut Earlier,
    ) -> Result<Assessment, Error> {
        if plan.items.is_empty() {
            return Err(Error::NoCode {
                target: plan.name.clone(),
                most: MAX_FILE_LINES,
            });
        }
        let anchors = match self.anchors {
            Some(anchors) => anchors,
            None => self.anchors()?,
        };
        let answers = self.answers(plan);
        if answers.values().all(Result::is_err) {
            let reason = answers.into_values().find_map(Result::err);
            return Err(no_answer(reason));
        }
        Ok(summary::assessment(
            self,
            plan,
            of_measures,
            (&answers, anchors),
            earlier,
        ))
    }

    /// The model that answered, as the server says.
    pub(crate) fn served(&self) -> Option<String> {
        self.served.lock().ok().and_then(|it| it.clone())
    }

    /// All answers.
    pub(crate) fn answers(&self, plan: &Plan) -> Answers {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.settings.jobs)
            .build();
        let ask = |request: &Request| self.answer(plan, request);
        // The first request fills what the provider keeps of the instructions.
        let (first, others) = plan.requests.split_at(1.min(plan.requests.len()));
        let mut asked: Vec<_> = first.iter().map(ask).collect();
        asked.extend(match pool {
            Ok(pool) => pool.install(|| {
                let all = others.par_iter().with_max_len(1).map(ask);
                all.collect::<Vec<_>>()
            }),
            Err(_) => others.iter().map(ask).collect(),
        });
        let known = plan.known.iter();
        let mut answers: Answers = known.map(|(of, it)| (*of, Ok(it.clone()))).collect();
        for (request, answer) in plan.requests.iter().zip(asked) {
            for (place, at) in request.files.iter().enumerate() {
                let of_file = answer.as_ref().map_err(Clone::clone);
                let of_file = of_file.map(|it| it.files[place].clone());
                answers.insert((*at, request.form, request.repeat), of_file);
            }
        }
        answers
    }

    fn answer(&self, plan: &Plan, asked: &Request) -> Result<Answer, String> {
        let items = plan.of(asked);
        let answer = self.ask(&items, asked.form).map_err(Failure::reason)?;
        let dropped = &self.counts.dropped;
        dropped.fetch_add(answer.dropped, Ordering::Relaxed);
        for (item, of_file) in items.iter().zip(&answer.files) {
            let key = key(&self.names, item, asked.form, asked.repeat);
            self.kept.put(&key, of_file);
        }
        Ok(answer)
    }

    /// Asks, and asks for a correction if the answer cannot be used.
    fn ask(&self, items: &[&Item], form: Form) -> Result<Answer, Failure> {
        let mut messages = vec![(false, request(items, form))];
        let mut repairs = 0;
        loop {
            self.counts.requests.fetch_add(1, Ordering::Relaxed);
            let reply = self.client.ask(&self.instructions, &messages);
            let reply = reply.map_err(Failure::Server)?;
            if let (Some(served), Ok(mut known)) = (&reply.served, self.served.lock()) {
                known.get_or_insert_with(|| served.clone());
            }
            let why = match answer::read(&reply.text, items, &self.settings.rubric) {
                Ok(answer) => return Ok(self.redacted(answer)),
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

    /// The answer without the server's key.
    fn redacted(&self, answer: Answer) -> Answer {
        let secret = self.settings.secret.as_deref();
        let files = answer.files.into_iter();
        Answer {
            files: files.map(|file| file.without(secret)).collect(),
            ..answer
        }
    }

    /// The scores of two fixed files, which are asked for each time: if they move, the judge has changed. A model that
    /// answers for neither is not asked for more.
    fn anchors(&self) -> Result<Anchors, Error> {
        let scores = |text: &str| {
            let item = Item::new("anchor.py", text.as_bytes());
            let answer = self.ask(&[&item], Form::Plain)?;
            Ok(answer.files.first().map(|file| file.scores))
        };
        let tidy = scores(TIDY);
        if let Err(Failure::Server(reason)) = tidy {
            return Err(no_answer(Some(reason)));
        }
        match (tidy, scores(SLOPPY)) {
            (Err(why), Err(_)) => Err(no_answer(Some(why.reason()))),
            (tidy, sloppy) => Ok(Anchors {
                tidy: tidy.ok().flatten(),
                sloppy: sloppy.ok().flatten(),
            }),
        }
    }
}

pub(crate) fn no_answer(reason: Option<String>) -> Error {
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
