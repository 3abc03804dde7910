//! The compiled form of a rule.
//!
//! All expensive work is done before matching: names of kinds and fields are ids, meta-variables
//! are numbered slots, patterns are trees of these. Programs contain no types of ast-grep, so that
//! they can be stored and loaded without it.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thread_local::ThreadLocal;

/// Kind of a node that covers text which is not of the language.
pub(crate) const ERROR_KIND: u16 = u16::MAX;

/// A set of kind ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct KindSet {
    words: Vec<u64>,
    error: bool,
}

impl KindSet {
    pub(crate) fn of(kind: u16) -> Self {
        let mut set = Self::default();
        set.insert(kind);
        set
    }

    pub(crate) fn insert(&mut self, kind: u16) {
        if kind == ERROR_KIND {
            self.error = true;
            return;
        }
        let word = kind as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (kind % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, kind: u16) -> bool {
        match self.words.get(kind as usize / 64) {
            Some(word) => word >> (kind % 64) & 1 == 1,
            None => self.error && kind == ERROR_KIND,
        }
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        other.iter().for_each(|kind| self.insert(kind));
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut set = Self::default();
        self.iter()
            .filter(|&kind| other.contains(kind))
            .for_each(|kind| set.insert(kind));
        set
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        let count = u16::try_from(self.words.len() * 64).unwrap_or(ERROR_KIND);
        let error = self.error.then_some(ERROR_KIND);
        (0..count).filter(|&kind| self.contains(kind)).chain(error)
    }
}

/// A rule compiled for one language.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Program {
    /// Kinds that a match can have.
    pub(crate) kinds: KindSet,
    pub(crate) root: Matcher,
    /// Conditions on bindings, by slot.
    pub(crate) constraints: Vec<(u16, Matcher)>,
    /// Targets of `matches`.
    pub(crate) utils: Vec<Util>,
    /// Names of the slots, with `$$$` in front for lists.
    pub(crate) slots: Vec<String>,
    /// A match requires all of these.
    pub(crate) needs: Vec<Need>,
    /// Computed on first use.
    #[serde(skip)]
    pub(crate) is_local: OnceLock<bool>,
}

impl Program {
    /// Whether a match depends only on the node and its subtree.
    pub(crate) fn is_local(&self) -> bool {
        *self.is_local.get_or_init(|| {
            let of_utils = self.utils.iter().map(|util| &util.matcher);
            let isolated = self.utils.iter().filter_map(|util| util.isolated.as_ref());
            let of_isolated = isolated.flat_map(|isolated| &isolated.constraints);
            let constraints = self.constraints.iter().chain(of_isolated);
            let mut all = of_utils
                .chain(constraints.map(|(_, matcher)| matcher))
                .chain([&self.root]);
            all.all(Matcher::is_local)
        })
    }
}

/// A text that a match needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Whether it is an identifier: adjacent letters rule it out.
    pub(crate) whole: bool,
}

/// A requirement on a node for a program to match it, checked before trying the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Need {
    /// One of these in the text of the node.
    Text(Vec<Word>),
    /// One of these somewhere in the file.
    InFile(Vec<Word>),
    /// A node of one of these kinds in the subtree.
    Below(KindSet),
}

/// Target of a `matches`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Util {
    pub(crate) matcher: Matcher,
    /// Set for a rule of the pack's own `utils` folder, which cannot access the caller's variables,
    /// binds none, and may have constraints.
    pub(crate) isolated: Option<Isolated>,
}

/// Additional parts of a global utility.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Isolated {
    pub(crate) kinds: Option<KindSet>,
    pub(crate) constraints: Vec<(u16, Matcher)>,
}

/// A condition on a node.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Matcher {
    Kind(u16),
    Text(Text),
    Pattern(Pattern),
    Range(Range),
    NthChild(Box<NthChild>),
    Inside(Box<Relation>),
    Has(Box<Relation>),
    Precedes(Box<Relation>),
    Follows(Box<Relation>),
    /// All must match, and the node must have one of the kinds if they are given.
    All(Option<KindSet>, Vec<Matcher>),
    /// One must match, and the node must have one of the kinds if they are given.
    Any(Option<KindSet>, Vec<Matcher>),
    Not(Box<Matcher>),
    /// Index in [`Program::utils`].
    Util(u32),
}

impl Matcher {
    /// Whether it examines only the node and its subtree, apart from utilities.
    fn is_local(&self) -> bool {
        match self {
            Self::Kind(_) | Self::Text(_) | Self::Pattern(_) | Self::Util(_) => true,
            Self::Range(_)
            | Self::NthChild(_)
            | Self::Inside(_)
            | Self::Precedes(_)
            | Self::Follows(_) => false,
            Self::Has(relation) => {
                let stop = match &relation.stop_by {
                    StopBy::Neighbor | StopBy::End => true,
                    StopBy::Rule(matcher) => matcher.is_local(),
                };
                stop && relation.matcher.is_local()
            }
            Self::All(_, matchers) | Self::Any(_, matchers) => matchers.iter().all(Self::is_local),
            Self::Not(matcher) => matcher.is_local(),
        }
    }
}

/// Range of a relation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum StopBy {
    Neighbor,
    End,
    /// Up to and including the first node that this matches.
    Rule(Matcher),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Relation {
    pub(crate) matcher: Matcher,
    /// Kinds that `matcher` can match, for skipping others.
    pub(crate) kinds: Option<KindSet>,
    pub(crate) stop_by: StopBy,
    /// Field id, 0 for any.
    pub(crate) field: u16,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NthChild {
    pub(crate) step: i32,
    pub(crate) offset: i32,
    pub(crate) of_rule: Option<Matcher>,
    pub(crate) reverse: bool,
}

/// Required position of a node: rows from 0, columns in characters from 0.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Range {
    pub(crate) start: (u32, Option<u32>),
    pub(crate) end: (u32, Option<u32>),
}

/// Treatment of nodes that a pattern does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Strictness {
    Cst,
    Smart,
    Ast,
    Relaxed,
    Signature,
    Template,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pattern {
    /// Kind that the node must have, whatever the pattern's root is.
    pub(crate) root_kind: Option<u16>,
    pub(crate) strictness: Strictness,
    pub(crate) root: PatternNode,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum PatternNode {
    /// `$A`, and `$$A` which takes unnamed nodes too.
    Capture { slot: u16, named: bool },
    /// `$_`, and `$$_`.
    Dropped { named: bool },
    /// `$$$`, and `$$$A`.
    Ellipsis { slot: Option<u16> },
    Terminal {
        text: String,
        kind: u16,
        named: bool,
    },
    Internal {
        kind: u16,
        children: Vec<PatternNode>,
    },
}

impl PatternNode {
    pub(crate) fn is_ellipsis(&self) -> bool {
        matches!(self, Self::Ellipsis { .. })
    }

    /// Keywords and punctuation.
    pub(crate) fn is_trivial(&self) -> bool {
        matches!(self, Self::Terminal { named: false, .. })
    }
}

/// A regular expression, or its simplification.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Text {
    /// The whole text equals one of these.
    Equals(Vec<String>),
    /// The text starts with any of these.
    Starts(Vec<String>),
    /// The text ends with any of these.
    Ends(Vec<String>),
    /// The expression matches somewhere in the text.
    Regex(Box<LazyRegex>),
}

/// A regular expression that is compiled on a thread's first use: most expressions of a pack are
/// never needed in a run, and compiling takes longer than the rest of a program's creation.
///
/// Each thread has its own copy, because threads that share one contend for a lock on its scratch
/// memory.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LazyRegex {
    pub(crate) source: String,
    #[serde(skip)]
    compiled: OnceLock<Option<regex::Regex>>,
    #[serde(skip)]
    by_thread: ThreadLocal<Option<regex::Regex>>,
}

impl LazyRegex {
    /// Wraps an expression that parses. One that is too large to compile is detected by the
    /// reference check of foreign packs, and for the embedded pack by a test.
    pub(crate) fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            compiled: OnceLock::new(),
            by_thread: ThreadLocal::new(),
        }
    }

    /// Whether the expression matches. Expressions are checked when rules are read.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let own = self.by_thread.get_or(|| {
            let compile = || regex::Regex::new(&self.source).ok();
            self.compiled.get_or_init(compile).clone()
        });
        own.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}
