//! The native part of the npm package: documents as JSON texts, at once or in a thread.
//!
//! It has no logic of its own. `src/index.ts` turns the texts into objects and errors.

use std::collections::HashMap;

use napi::bindgen_prelude::{AsyncTask, Either, Uint8Array};
use napi::{Env, Status, Task};
use napi_derive::napi;
use slope_embed::{Code, Error, Model, Settings};

/// Code as JavaScript gives it: a path, or texts by path.
type Given = Either<String, HashMap<String, Uint8Array>>;

type Run = Box<dyn FnOnce() -> Result<String, Error> + Send>;

/// A call with its arguments, to be made once.
#[napi]
pub struct Call(Option<Run>);

#[napi]
impl Call {
    fn new(run: impl FnOnce() -> Result<String, Error> + Send + 'static) -> Self {
        Self(Some(Box::new(run)))
    }

    /// The measurement of code.
    #[napi(factory)]
    pub fn measure(code: Given, policy: Option<String>) -> Self {
        let code = owned(code);
        Self::new(move || slope_embed::measure(&code, &Settings { policy }))
    }

    /// The ledger of a change.
    #[napi(factory)]
    pub fn diff(before: Given, after: Given, policy: Option<String>) -> Self {
        let (before, after) = (owned(before), owned(after));
        Self::new(move || slope_embed::diff(&before, &after, &Settings { policy }))
    }

    /// The judgement of the gate on a change.
    #[napi(factory)]
    pub fn check(before: Given, after: Given, policy: Option<String>) -> Self {
        let (before, after) = (owned(before), owned(after));
        Self::new(move || slope_embed::check(&before, &after, &Settings { policy }))
    }

    /// The assessment of code, with at most `top` issues: static, or by a model that is given as JSON.
    #[napi(factory)]
    pub fn judge(code: Given, top: u32, policy: Option<String>, model: Option<String>) -> Self {
        let code = owned(code);
        let (top, settings) = (top as usize, Settings { policy });
        Self::new(move || match model {
            None => slope_embed::judge(&code, top, &settings),
            Some(model) => {
                slope_embed::judge_by_model(&code, top, &settings, &Model::parse(&model)?)
            }
        })
    }

    /// The same for a change: both sides, and the issues that it adds.
    #[napi(factory)]
    pub fn judge_change(
        before: Given,
        after: Given,
        top: u32,
        policy: Option<String>,
        model: Option<String>,
    ) -> Self {
        let (before, after) = (owned(before), owned(after));
        let (top, settings) = (top as usize, Settings { policy });
        Self::new(move || match model {
            None => slope_embed::judge_change(&before, &after, top, &settings),
            Some(model) => {
                let model = Model::parse(&model)?;
                slope_embed::judge_change_by_model(&before, &after, top, &settings, &model)
            }
        })
    }

    /// The grades of requests in a base, as lines.
    #[napi(factory)]
    pub fn grade(
        base: Given,
        requests: Vec<String>,
        pack: Option<String>,
        in_groups: bool,
    ) -> Self {
        let base = owned(base);
        Self::new(move || {
            let grades = slope_embed::grade(&base, &requests, pack.as_deref(), in_groups)?;
            Ok(grades.join("\n"))
        })
    }

    /// What a rule, signal or metric means.
    #[napi(factory)]
    pub fn explain(id: String, language: Option<String>) -> Self {
        Self::new(move || slope_embed::explain(&id, language.as_deref()))
    }

    /// The document, made in this thread.
    #[napi]
    pub fn now(&mut self) -> napi::Result<String> {
        self.take().compute()
    }

    /// The document, made in another thread.
    #[napi]
    pub fn later(&mut self) -> AsyncTask<Pending> {
        AsyncTask::new(self.take())
    }

    fn take(&mut self) -> Pending {
        Pending(self.0.take())
    }
}

/// A call that a thread makes.
pub struct Pending(Option<Run>);

impl Task for Pending {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        let Some(run) = self.0.take() else {
            return Err(napi::Error::from_reason("the call was made before"));
        };
        run().map_err(|error| thrown(&error))
    }

    fn resolve(&mut self, _env: Env, document: String) -> napi::Result<String> {
        Ok(document)
    }
}

/// An error whose message is JSON. `src/errors.ts` reads it.
fn thrown(error: &Error) -> napi::Error {
    let parts = serde_json::json!({
        "code": error.kind.code(),
        "field": error.field,
        "message": error.message,
        "help": error.help,
    });
    napi::Error::new(Status::GenericFailure, parts.to_string())
}

/// A copy of code, which threads can use.
fn owned(code: Given) -> Code {
    match code {
        Either::A(path) => Code::Path(path.into()),
        Either::B(files) => Code::Files(
            files
                .into_iter()
                .map(|(path, text)| (path, text.to_vec()))
                .collect(),
        ),
    }
}
