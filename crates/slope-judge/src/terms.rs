//! What the names mean that only judges use.

/// A name in an assessment, explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// The name.
    pub id: &'static str,
    /// What has it: `a score`, or an issue of one.
    pub what: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it.
    pub instead: &'static str,
}

const OF_EXTENSIBILITY: &str = "an issue of the score extensibility";

/// The names, by the score that they are of.
pub const TERMS: [Term; 6] = [
    Term {
        id: "extensibility",
        what: "a score of slope judge, from 0 to 10, where 10 is best",
        meaning: "How few places a likely next change touches. The static judge counts change points per thousand \
                  source lines (branch-chain, repeated-decision, many-parameters, complex-hub) and compares them with \
                  human code bases of the same language.",
        instead: "The issues of the score name the places. docs/judge.md has the points of each.",
    },
    Term {
        id: "branch-chain",
        what: OF_EXTENSIBILITY,
        meaning: "Branches of one function compare a value with four kinds or more. Each kind after the third is a \
                  change point, because a new kind needs a new branch.",
        instead: "Use a table from kinds to values or functions, or a type for each kind.",
    },
    Term {
        id: "repeated-decision",
        what: OF_EXTENSIBILITY,
        meaning: "Several places, more than ten lines apart, compare the same value with the same kind. Each place \
                  after the first is a change point, at most five, because a new kind changes all of them.",
        instead: "Decide in one place, and pass on what follows from it.",
    },
    Term {
        id: "many-parameters",
        what: OF_EXTENSIBILITY,
        meaning: "A function has more than five parameters. Each further one is a change point, because each caller \
                  knows all of them.",
        instead: "Put parameters that belong together into a type, or split the function.",
    },
    Term {
        id: "complex-hub",
        what: OF_EXTENSIBILITY,
        meaning: "Three functions or more call a function of complexity above 10. Each caller is half a change point, \
                  at most five, because a change of the function can break all of them.",
        instead: "Split the function into parts that callers need alone.",
    },
    Term {
        id: "complex-function",
        what: "an issue of the score erosion",
        meaning: "A function has complexity above 10. Its mass, complexity times the root of its lines, is what \
                  erosion counts.",
        instead: "Take out parts that can be named and tested alone. See high-complexity.",
    },
];

impl Term {
    /// The term of a name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<&'static Self> {
        TERMS.iter().find(|term| term.id == id)
    }
}
