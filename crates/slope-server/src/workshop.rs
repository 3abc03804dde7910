//! The tools themselves, without a protocol.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use slope_measure::{Config, Measurer, Options};
use slope_model::gate::GateRule;
use slope_model::plural;
use slope_report::{RuleInfo, clean, clean_path};
use slope_signals::similar::{Form, Like};
use slope_syntax::Language;

use crate::answers::{
    Answer, Checked, Differs, Explained, Match, Matches, Measured, Place, Refusal,
};
use crate::similar::Functions;
use crate::{arguments, changes, measured, paths, schema, snippet, words};

/// Number of listed functions and findings if the arguments have none.
pub(crate) const TOP: usize = 5;

/// Inputs of a server.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Folder to serve.
    pub root: PathBuf,
    /// Measurement options, unless a configuration overrides them.
    pub options: Options,
    /// All rules and signals, to be explained.
    pub rules: Vec<RuleInfo>,
}

/// A tool's description for clients.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// Name.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Effect and purpose, for a model.
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub input: Map<String, Value>,
    /// JSON Schema of its structured answer.
    pub output: Map<String, Value>,
}

/// The tools for one folder.
pub struct ToolService {
    pub(crate) root: PathBuf,
    pub(crate) cache: Option<PathBuf>,
    options: Options,
    rules: Vec<RuleInfo>,
    functions: Mutex<Functions>,
}

impl ToolService {
    /// Tools over the folder of the setup.
    ///
    /// # Errors
    /// If the folder is missing or a file.
    pub fn new(setup: Setup) -> Result<Self, Refusal> {
        let refused = |why: &str| {
            Refusal::new(format!(
                "cannot serve {}: {why}\nhelp: choose an existing folder",
                setup.root.display()
            ))
        };
        let root = setup.root.canonicalize();
        let root = root.map_err(|error| refused(&error.to_string()))?;
        if !root.is_dir() {
            return Err(refused("it is not a folder"));
        }
        Ok(Self {
            root,
            cache: setup.options.cache.clone(),
            options: setup.options,
            rules: setup.rules,
            functions: Mutex::default(),
        })
    }

    /// Measurement options by the current configuration, which may change while the server runs.
    fn options(&self) -> Result<Options, Refusal> {
        let mut options = self.options.clone();
        if let Some(found) = Config::find(&self.root).map_err(Refusal::of)? {
            found.apply(&mut options);
        }
        Ok(options)
    }

    /// The served folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All tools.
    #[must_use]
    pub fn tools() -> Vec<ToolInfo> {
        vec![
            tool::<arguments::FindSimilar, Matches>(
                "find_similar",
                "Find similar code before you write it",
                "Call this before you write a new function. Pass a draft (`code` and `language`) or \
                 a `description` of its purpose. Returns the most similar functions of this code \
                 base, with place, similarity and reasons, so that you can call or extend one of \
                 them instead of writing it again.",
            ),
            tool::<arguments::Check, Checked>(
                "check",
                "Check what a change makes worse",
                "Call this when you think that you are done. Compares the files on disk with a base \
                 revision and reports new complexity, copies of existing code, dead code and new \
                 findings, each with its place and a fix. Never reports old debt.",
            ),
            tool::<arguments::Diff, Differs>(
                "diff",
                "Show the effects of commits",
                "Shows how the change between two revisions affects complexity, clones, flagged lines \
                 and dead code, function by function, largest effect first.",
            ),
            tool::<arguments::Measure, Measured>(
                "measure",
                "Measure code",
                "Measures a file, a folder or the whole code base: size, complexity, clones, \
                 findings, and the worst functions with their places.",
            ),
            tool::<arguments::Explain, Explained>(
                "explain",
                "Explain a rule",
                "Explains why a rule or signal reports code, with an example of what to write instead.",
            ),
        ]
    }

    /// Answers a call; `None` if there is no tool of that name.
    pub fn call(&self, name: &str, arguments: &Value) -> Option<Result<Answer, Refusal>> {
        Some(match name {
            "find_similar" => read(name, arguments).and_then(|a| self.find_similar(&a)),
            "check" => read(name, arguments).and_then(|a| changes::check(self, &a)),
            "diff" => read(name, arguments).and_then(|a| changes::diff(self, &a)),
            "measure" => read(name, arguments).and_then(|a| self.measure(&a)),
            "explain" => read(name, arguments).and_then(|a| self.explain(&a)),
            _ => return None,
        })
    }

    fn find_similar(&self, asked: &arguments::FindSimilar) -> Result<Answer, Refusal> {
        let language = asked.language.as_deref().map(language).transpose()?;
        let wanted = Wanted::of(asked, language)?;
        let mut functions = self
            .functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let measurer = Measurer::new(self.options()?).map_err(Refusal::of)?;
        let index = functions.of(&measurer, &self.root)?;
        let most = asked.limit.unwrap_or(TOP).clamp(1, 20);
        let tests = asked.include_tests;
        let (by, found) = match &wanted {
            Wanted::Form(form, language) => ("code", index.like(form, language.id(), tests, most)),
            Wanted::Words(text) => {
                let id = language.map(Language::id);
                ("description", index.described(text, id, tests, most))
            }
        };
        let matches: Vec<Match> = found.into_iter().map(a_match).collect();
        let told = Matches {
            by,
            functions: index.len(),
            advice: advice(&matches, index.len()),
            matches,
        };
        Answer::new(words::matches(&told), &told)
    }

    fn measure(&self, asked: &arguments::Measure) -> Result<Answer, Refusal> {
        let place = paths::below(&self.root, asked.path.as_deref())?;
        let options = self.options()?;
        let cut_off = options.cut_off;
        let measurer = Measurer::new(options).map_err(Refusal::of)?;
        let measurement = measurer.measure_dir(&place).map_err(Refusal::of)?;
        let relative = place.strip_prefix(&self.root).unwrap_or(&place);
        let relative = relative.to_string_lossy().replace('\\', "/");
        if measurement.totals.files == 0 && measurement.unmeasured.is_empty() {
            let languages: Vec<&str> = Language::all().map(Language::id).collect();
            return Err(Refusal::new(format!(
                "nothing to measure in `{relative}`: it has no file of {}",
                languages.join(", ")
            )));
        }
        let top = asked.top.unwrap_or(TOP).clamp(1, 50);
        let told = measured::tell(&measurement, relative, place.is_dir(), (cut_off, top));
        Answer::new(words::measured(&told), &told)
    }

    fn explain(&self, asked: &arguments::Explain) -> Result<Answer, Refusal> {
        let of: Vec<&RuleInfo> = self.rules.iter().filter(|r| r.id == asked.rule).collect();
        let Some(first) = of.first() else {
            if let Some(rule) = GateRule::by_id(&asked.rule) {
                let told = of_gate(rule);
                return Answer::new(words::explained(&told), &told);
            }
            let near = slope_report::near_ids(&self.rules, &asked.rule);
            let near = match near.as_slice() {
                [] => "take the name from a finding of `measure` or `check`".to_owned(),
                near => format!("use {}", near.join(" or ")),
            };
            let message = format!("unknown rule or signal `{}`\nhelp: {near}", asked.rule);
            return Err(Refusal::new(message));
        };
        let mut languages: Vec<String> = of.iter().flat_map(|r| r.languages.clone()).collect();
        languages.sort_unstable();
        languages.dedup();
        let told = Explained {
            rule: first.id.clone(),
            category: first.category.clone(),
            languages,
            message: first.message.clone(),
            why: first.note.clone(),
            instead_of: first.bad.iter().take(2).cloned().collect(),
            write: first.good.iter().take(2).cloned().collect(),
        };
        Answer::new(words::explained(&told), &told)
    }
}

/// A rule of the gate, which no finding of a measurement names.
fn of_gate(rule: GateRule) -> Explained {
    Explained {
        rule: rule.id().to_owned(),
        category: "gate".to_owned(),
        languages: Vec::new(),
        message: rule.meaning().to_owned(),
        why: format!("Set in [check] of slope.toml: {}.", rule.keys().join(", ")),
        instead_of: Vec::new(),
        write: Vec::new(),
    }
}

/// The search target.
enum Wanted {
    Form(Box<Form>, Language),
    Words(String),
}

impl Wanted {
    fn of(asked: &arguments::FindSimilar, language: Option<Language>) -> Result<Self, Refusal> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let description = given(&asked.description);
        let Some(code) = given(&asked.code) else {
            return description.map(Self::Words).ok_or_else(|| {
                Refusal::new(
                    "missing argument\nhelp: pass `code`, a draft of the function, or `description`, its purpose",
                )
            });
        };
        let language = language.ok_or_else(|| {
            Refusal::new("missing `language` of the `code`\nhelp: pass for example `python`")
        })?;
        // A draft without any function is searched by its words.
        let words = || Self::Words(description.unwrap_or_else(|| code.clone()));
        let form = snippet::form(language, &code).map(Box::new);
        Ok(form.map_or_else(words, |form| Self::Form(form, language)))
    }
}

fn a_match(like: Like<'_>) -> Match {
    Match {
        place: Place {
            path: clean_path(like.path),
            line: like.form.span.start_line,
            end_line: like.form.span.end_line,
            name: clean(&like.form.callable),
        },
        signature: clean(&like.form.signature),
        similarity: (like.similarity * 1000.0).round() / 1000.0,
        why: like.why,
    }
}

fn advice(matches: &[Match], functions: usize) -> String {
    match matches.first() {
        None => format!(
            "None of {} is similar. Write it.",
            plural(functions, "function")
        ),
        Some(best) if best.similarity >= 0.6 => format!(
            "Look at `{}` ({}:{}) first. Call or extend it instead of writing it again.",
            best.place.name, best.place.path, best.place.line
        ),
        Some(_) => format!(
            "None of {} is nearly the same. The most similar ones may serve as a building block or \
             model:",
            plural(functions, "function")
        ),
    }
}

/// A language by its id, a common name or a suffix.
fn language(name: &str) -> Result<Language, Refusal> {
    Language::by_name(name.trim()).ok_or_else(|| {
        let known: Vec<&str> = Language::all().map(Language::id).collect();
        Refusal::new(format!(
            "unknown language `{name}`: expected one of {}",
            known.join(", ")
        ))
    })
}

fn read<T: DeserializeOwned + JsonSchema>(tool: &str, arguments: &Value) -> Result<T, Refusal> {
    let wrong = |why: String| Refusal::new(format!("invalid arguments of `{tool}`: {why}"));
    let arguments = schema::fit(&schema::of::<T>(), arguments).map_err(wrong)?;
    serde_json::from_value(arguments).map_err(|error| wrong(error.to_string()))
}

fn tool<I: JsonSchema, O: JsonSchema>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
) -> ToolInfo {
    ToolInfo {
        name,
        title,
        description,
        input: schema::of::<I>(),
        output: schema::of::<O>(),
    }
}
