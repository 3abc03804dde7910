//! Facts of contents, from which trees are assembled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use slope_model::path::slashed;
use slope_store::facts::Key;
use slope_syntax::{Language, LineSet, ParseError};

use crate::depth::Depth;
use crate::facts::{self, Context, FileFacts, Parsed};
use crate::measured_file::MeasuredFile;
use crate::refused::Refused;
use crate::{Error, Measurer};

/// Facts about one content under a measurer's definitions; cheap to clone.
#[derive(Clone)]
pub struct Facts {
    pub(crate) language: Language,
    pub(crate) facts: Arc<FileFacts>,
    /// The cache's key of them, if it was queried by content.
    pub(crate) key: Option<Key>,
}

/// A path's content.
#[derive(Clone)]
pub enum Content {
    /// Code with facts.
    Code(Facts),
    /// Something that could not be measured, and why.
    Unmeasured(String),
    /// No content, or none that is measured.
    Nothing,
}

impl Content {
    /// Rows that carry code; `None` for what was not measured.
    #[must_use]
    pub fn source(&self) -> Option<&LineSet> {
        match self {
            Self::Code(facts) => Some(&facts.facts.source),
            Self::Unmeasured(_) | Self::Nothing => None,
        }
    }

    /// The same content in less memory, for contents that a [`Tracker`](crate::Tracker) keeps for long: lists that have
    /// grown have unused space at their ends, and only whole measurements search near misses.
    #[must_use]
    pub fn compact(self) -> Self {
        let Self::Code(mut known) = self else {
            return self;
        };
        if let Some(facts) = Arc::get_mut(&mut known.facts) {
            facts.clones.tokens = Vec::new();
        }
        Self::Code(Facts {
            facts: Arc::new(FileFacts::clone(&known.facts)),
            ..known
        })
    }

    /// Number of checks of inputs in it.
    #[must_use]
    pub fn check_count(&self) -> usize {
        match self {
            Self::Code(facts) => {
                let signals = facts.facts.signals.as_ref();
                signals.map_or(0, slope_signals::check_count)
            }
            Self::Unmeasured(_) | Self::Nothing => 0,
        }
    }

    /// Whether it is code by which tests are recognised.
    #[must_use]
    pub fn holds_tests(&self) -> bool {
        match self {
            Self::Code(facts) => facts.facts.holds_tests,
            Self::Unmeasured(_) | Self::Nothing => false,
        }
    }

    /// Sign by which it is generated or minified; `None` without one.
    #[must_use]
    pub fn generated(&self) -> Option<&str> {
        match self {
            Self::Code(facts) => facts.facts.generated.as_deref(),
            Self::Unmeasured(_) | Self::Nothing => None,
        }
    }
}

/// The files of a folder.
pub struct FolderContents {
    /// Files of supported languages, in order of path.
    pub files: Vec<(String, Content)>,
    /// Paths of files in unsupported languages.
    pub others: Vec<String>,
}

fn refused(path: &str, reason: String) -> Refused {
    Refused {
        path: path.to_owned(),
        reason,
    }
}

impl Measurer {
    /// Whether a content is in a supported language.
    #[must_use]
    pub fn is_code(&self, path: &str, bytes: &[u8]) -> bool {
        Language::of_file(path.as_ref(), crate::discover::head(bytes)).is_some()
    }

    /// Files and folders of rules that the settings name, relative to a folder that contains them.
    #[must_use]
    pub fn rules_within(&self, top: &Path) -> Vec<String> {
        let Ok(top) = top.canonicalize() else {
            return Vec::new();
        };
        let within = |path: &PathBuf| {
            let path = path.canonicalize().ok()?;
            path.strip_prefix(&top).ok().map(slashed)
        };
        self.options.rule_paths.iter().filter_map(within).collect()
    }

    /// Sign by which a content is excluded as generated or minified. `None` if it is not.
    #[must_use]
    pub fn left_out<'c>(&self, content: &'c Content) -> Option<&'c str> {
        match content {
            Content::Code(facts) if self.options.leave_out => facts.facts.generated.as_deref(),
            _ => None,
        }
    }

    /// The facts of a content; for non-code, [`Content::Nothing`].
    #[must_use]
    pub fn content(&self, path: &str, bytes: &[u8]) -> Content {
        self.content_after(path, bytes, None).0
    }

    /// As [`Self::content`], but reuses the syntax tree of another version of the content, which
    /// saves time and does not change the result. Also returns the syntax tree of this version, if
    /// it was parsed and can be reused.
    #[must_use]
    pub fn content_after(
        &self,
        path: &str,
        bytes: &[u8],
        before: Option<&Parsed>,
    ) -> (Content, Option<Parsed>) {
        let mut parsed = None;
        let content = self.found(path, bytes, Depth::Whole, |language| {
            let (facts, left) = self.analyse_after(path, language, bytes, before)?;
            parsed = left.is_useful().then_some(left);
            Ok(facts)
        });
        (content, parsed)
    }

    /// As [`Self::content`], but with at least the facts that clones and signals of other files
    /// depend on: about a sixth less work. [`Tracker::step_completing`] tells which files need
    /// complete facts.
    ///
    /// [`Tracker::step_completing`]: crate::Tracker::step_completing
    #[must_use]
    pub fn outline(&self, path: &str, bytes: &[u8]) -> Content {
        self.found(path, bytes, Depth::Outline, |language| {
            let found = facts::outline(language, bytes, &self.context());
            found.map_err(|reason| refused(path, reason))
        })
    }

    /// Facts of a content: cached facts, else the result of `analyse`.
    fn found(
        &self,
        path: &str,
        bytes: &[u8],
        depth: Depth,
        analyse: impl FnOnce(Language) -> Result<FileFacts, Refused>,
    ) -> Content {
        let Some(language) = Language::of_file(path.as_ref(), crate::discover::head(bytes)) else {
            return Content::Nothing;
        };
        let limit = language.max_bytes(self.options.limits.max_bytes);
        if bytes.len() > limit {
            return Content::Unmeasured(ParseError::TooLarge { limit }.to_string());
        }
        let analyse = || analyse(language);
        let found = match &self.cache {
            Some(cache) => {
                let found = cache.content(language, bytes, depth, analyse);
                found.map(|(facts, key)| (facts, Some(key)))
            }
            None => analyse().map(|facts| (facts, None)),
        };
        match found {
            Ok((facts, key)) => Content::Code(Facts {
                language: facts.language(language),
                facts: Arc::new(facts),
                key,
            }),
            Err(refused) => Content::Unmeasured(refused.reason),
        }
    }

    fn context(&self) -> Context<'_> {
        Context {
            options: &self.options,
            rules: &self.rules,
            reported: &self.reported,
        }
    }

    pub(crate) fn analyse(
        &self,
        path: &str,
        language: Language,
        bytes: &[u8],
    ) -> Result<FileFacts, Refused> {
        self.analyse_after(path, language, bytes, None)
            .map(|(facts, _)| facts)
    }

    /// As [`Self::analyse`], but reuses another version of the file. Also returns the data for
    /// reuse of this one.
    pub(crate) fn analyse_after(
        &self,
        path: &str,
        language: Language,
        bytes: &[u8],
        before: Option<&Parsed>,
    ) -> Result<(FileFacts, Parsed), Refused> {
        facts::analyse(language, bytes, &self.context(), before)
            .map_err(|reason| refused(path, reason))
    }

    /// Facts of the files of a folder, by path.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn contents_of_dir(&self, root: &Path) -> Result<FolderContents, Error> {
        let tree = self.cache.as_ref().map(|cache| cache.tree(root));
        let looked = self.look(root, tree.as_ref(), &|_, _| {})?;
        self.write(tree.as_ref());
        let content = |result: Result<MeasuredFile, Refused>| match result {
            Ok(file) => {
                let facts = Facts {
                    language: file.language,
                    facts: Arc::new(file.facts),
                    key: None,
                };
                (file.path, Content::Code(facts))
            }
            Err(refused) => (refused.path, Content::Unmeasured(refused.reason)),
        };
        let mut files: Vec<_> = looked.files.into_iter().map(content).collect();
        files.sort_by(|a, b| a.0.cmp(&b.0));
        let others = looked.others;
        Ok(FolderContents { files, others })
    }
}
