//! A language model that judges.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use slope_gateway::{
    Caps, Dialect, HttpUpstream, KeyHeader, KeySource, Notify, PriceTable, Upstream,
};
use slope_judge::Snapshot;
use slope_judge_model::{
    Client, Earlier, Endpoint, ModelDialect, ModelJudge, Plan, Rubric, Session, check_limit,
    estimated_cost, judge_sides,
};
use slope_model::assessment::Assessment;
use slope_model::data_words::{of_json, with_remedy};

use crate::{Error, ErrorKind};

/// Requests at the same time.
const JOBS: usize = 4;

/// A model that judges, at a server.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Base address of an OpenAI- or Anthropic-compatible server.
    pub upstream: String,
    /// The server's API: `messages` or `chat`.
    #[serde(default = "messages")]
    pub dialect: String,
    /// Environment variable with the server's key.
    pub key_env: Option<String>,
    /// Judgements of the same code.
    #[serde(default = "three")]
    pub repeats: u32,
    /// File with the criteria; slope's own without one.
    pub rubric: Option<PathBuf>,
    /// Most that the judgement may cost, in US dollars.
    pub max_usd: Option<f64>,
    /// Folder of earlier answers, so that unchanged files are not paid for twice. Nothing is kept without one.
    pub cache: Option<PathBuf>,
}

fn messages() -> String {
    "messages".to_owned()
}

fn three() -> u32 {
    3
}

impl Model {
    /// Reads the JSON that bindings make.
    ///
    /// # Errors
    /// If a member is missing, unknown or of another type.
    pub fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|error| {
            let message = with_remedy(&of_json(&error.to_string()));
            let (message, help) = message.split_once("\nhelp: ").unwrap_or((&message, ""));
            Error::new(ErrorKind::Argument, "model", message, help)
        })
    }

    fn settings(&self, most: usize) -> Result<slope_judge_model::Settings, Error> {
        let rubric = match &self.rubric {
            Some(file) => Rubric::read(file)
                .map(Arc::new)
                .map_err(|error| Error::of(ErrorKind::Argument, "rubric", &error))?,
            None => Rubric::own(),
        };
        let key = self.key_env.as_ref();
        Ok(slope_judge_model::Settings {
            model: self.name.clone(),
            rubric,
            repeats: self.repeats.clamp(1, 100),
            jobs: JOBS,
            line: None,
            kept: self.cache.clone(),
            server: format!("{} {}", self.upstream, self.dialect),
            secret: key.and_then(|name| std::env::var(name).ok()),
            most,
            calibration: None,
        })
    }

    fn dialect(&self) -> Result<ModelDialect, Error> {
        match self.dialect.as_str() {
            "messages" => Ok(ModelDialect::Messages),
            "chat" => Ok(ModelDialect::Chat),
            other => Err(Error::new(
                ErrorKind::Argument,
                "dialect",
                format!("unknown dialect `{other}`: expected messages or chat"),
                "use `messages` for the API of Anthropic, and `chat` for that of OpenAI",
            )),
        }
    }

    /// Opens a gateway to the server, if the estimate is within the limit.
    fn session(&self, tokens: (u64, u64), folder: PathBuf) -> Result<Session, Error> {
        let prices =
            PriceTable::built_in().map_err(|error| Error::of(ErrorKind::Internal, "", &error))?;
        let today = jiff::Zoned::now().date();
        let cost = estimated_cost(&prices, &self.name, today, tokens);
        check_limit(cost, self.max_usd, &self.name)
            .map_err(|error| Error::of(ErrorKind::Argument, "max_usd", &error))?;
        let dialect = self.dialect()?;
        let key = self.key_env.clone();
        let opened = Session::open(Endpoint {
            upstream: Upstream::Http(HttpUpstream {
                base_url: self.upstream.clone(),
                dialect: match dialect {
                    ModelDialect::Messages => Dialect::Messages,
                    ModelDialect::Chat => Dialect::ChatCompletions,
                },
                key: key.map_or(KeySource::None, KeySource::Env),
                key_header: KeyHeader::default(),
                model: None,
            }),
            dialect,
            model: self.name.clone(),
            prices,
            caps: Caps {
                cost_usd: self.max_usd,
                ..Caps::default()
            },
            folder,
            is_recorded: false,
            notify: Notify::default(),
        });
        opened.map_err(|error| Error::of(ErrorKind::Argument, "upstream", &error))
    }

    /// Asks about code, and about the code before a change if there is one.
    pub(crate) fn judge(
        &self,
        base: Option<&Snapshot>,
        head: &Snapshot,
        of_measures: &Assessment,
        most: usize,
    ) -> Result<Assessment, Error> {
        let settings = self.settings(most)?;
        let before = base.map(|base| Plan::new(base, &settings));
        let plan = Plan::new(head, &settings);
        let tokens = Plan::tokens_of(before.iter().chain([&plan]));
        let folder =
            tempfile::tempdir().map_err(|error| Error::of(ErrorKind::Internal, "", &error))?;
        let session = self.session(tokens, folder.path().to_owned())?;
        let client: &Client = session.client();
        let mut earlier = Earlier::default();
        let judged = match &before {
            Some(before) => judge_sides(
                client,
                &settings,
                (before, &plan),
                of_measures,
                &mut earlier,
            ),
            None => ModelJudge::new(client, settings).judge(&plan, of_measures, &mut earlier),
        };
        let record = session.finish();
        let mut assessment =
            judged.map_err(|error| Error::of(ErrorKind::NoAnswer, "model", &error))?;
        if let Some(details) = &mut assessment.model {
            details.usage = Some(record.usage);
        }
        Ok(assessment)
    }
}
