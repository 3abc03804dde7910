//! The bases of a server, by id and by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use serde::Serialize;
use slope_grade::{Base, Engine, Grader, Pack, TestService};
use slope_model::grade::{Fault, Grade};

/// The open bases.
pub struct Bases {
    engine: Engine,
    pack: Pack,
    most: usize,
    tests: Option<Arc<TestService>>,
    open: RwLock<BTreeMap<String, Arc<Open>>>,
}

/// An open base.
pub(crate) struct Open {
    pub(crate) name: String,
    pub(crate) grader: Grader,
}

/// A base as routes describe it.
#[derive(Debug, Serialize)]
pub(crate) struct Described {
    /// Hash of its code.
    pub(crate) id: String,
    /// The name that it was given.
    pub(crate) name: String,
    /// Number of files.
    pub(crate) files: usize,
    /// The pack that its edits are graded by.
    pub(crate) pack: String,
}

/// Why a base is not there.
#[derive(Debug)]
pub(crate) enum Missing {
    /// No base is open.
    NoneOpen,
    /// Several are open, and the request names none.
    Unnamed(Vec<String>),
    /// None has this id or name.
    Unknown(String),
}

/// Why a base is not added.
#[derive(Debug)]
pub(crate) enum Refused {
    /// There is another one of that name.
    Taken(String),
    /// There are too many.
    TooMany(usize),
}

impl Bases {
    /// No bases yet; at most `most`.
    #[must_use]
    pub fn new(engine: Engine, pack: Pack, most: usize, tests: Option<Arc<TestService>>) -> Self {
        Self {
            engine,
            pack,
            most,
            tests,
            open: RwLock::default(),
        }
    }

    /// What opens bases.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn pack(&self) -> &Pack {
        &self.pack
    }

    /// The grade of a record that cannot be graded.
    pub(crate) fn faulty(&self, id: &str, fault: Fault) -> Grade {
        slope_grade::faulty(id, fault, &self.pack, &self.engine)
    }

    /// Adds a base under a name, for the server's own start.
    ///
    /// # Errors
    /// The reason, if the name is taken or there are too many bases.
    pub fn add(&self, name: &str, base: Base) -> Result<(), String> {
        self.put(name, base)
            .map(drop)
            .map_err(|refused| match refused {
                Refused::Taken(name) => format!("there is another base of the name {name}"),
                Refused::TooMany(most) => format!("there are already {most} bases"),
            })
    }

    pub(crate) fn put(&self, name: &str, base: Base) -> Result<Described, Refused> {
        let open = Open {
            name: name.to_owned(),
            grader: Grader::new(base, self.pack.clone()).with_tests(self.tests.clone()),
        };
        let described = open.described();
        let mut all = self.open.write().unwrap_or_else(PoisonError::into_inner);
        match all.get(name) {
            Some(other) if other.id() == open.id() => return Ok(described),
            Some(_) => return Err(Refused::Taken(name.to_owned())),
            None if all.len() >= self.most => return Err(Refused::TooMany(self.most)),
            None => {}
        }
        all.insert(name.to_owned(), Arc::new(open));
        Ok(described)
    }

    /// The base of an id or name; the only one without either.
    pub(crate) fn find(&self, wanted: Option<&str>) -> Result<Arc<Open>, Missing> {
        let all = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let Some(wanted) = wanted else {
            let mut open = all.values();
            return match (open.next(), open.next()) {
                (None, _) => Err(Missing::NoneOpen),
                (Some(only), None) => Ok(only.clone()),
                _ => Err(Missing::Unnamed(all.keys().cloned().collect())),
            };
        };
        let by_id = || all.values().find(|open| open.id() == wanted);
        let found = all.get(wanted).or_else(by_id);
        found
            .cloned()
            .ok_or_else(|| Missing::Unknown(wanted.to_owned()))
    }

    /// Closes a base. Requests that were accepted are still graded.
    pub(crate) fn remove(&self, wanted: &str) -> Result<(), Missing> {
        let name = self.find(Some(wanted))?.name.clone();
        let mut all = self.open.write().unwrap_or_else(PoisonError::into_inner);
        all.remove(&name);
        Ok(())
    }

    pub(crate) fn list(&self) -> Vec<Described> {
        let all = self.open.read().unwrap_or_else(PoisonError::into_inner);
        all.values().map(|open| open.described()).collect()
    }
}

impl Open {
    pub(crate) fn id(&self) -> &str {
        self.grader.base().id()
    }

    pub(crate) fn described(&self) -> Described {
        Described {
            id: self.id().to_owned(),
            name: self.name.clone(),
            files: self.grader.base().file_count(),
            pack: self.grader.pack().id(),
        }
    }
}

/// A path in one of the roots, with links followed; `None` if it leads elsewhere or is not there.
pub(crate) fn within(roots: &[PathBuf], path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let mut roots = roots.iter().filter_map(|root| root.canonicalize().ok());
    roots.any(|root| real.starts_with(root)).then_some(real)
}
