//! Which language has a parser or checks of its own.

use oxc_span::SourceType;
use slope_syntax::{Language, SyntaxTree};

use crate::{Refusal, compiled, python, script};

/// Refuses code of a language.
pub(crate) enum Parser {
    Python,
    /// The forms that a file may have.
    Script(&'static [SourceType]),
    Checks(&'static compiled::Checks),
}

/// The parser or the checks of a language. This crate knows no others, so that it selects them by id.
pub(crate) fn of(language: Language) -> Option<Parser> {
    match language.id() {
        "python" => Some(Parser::Python),
        "javascript" => Some(Parser::Script(script::PLAIN)),
        "typescript" => Some(Parser::Script(script::TYPED)),
        "tsx" => Some(Parser::Script(script::TAGGED)),
        "csharp" => Some(Parser::Checks(&compiled::CSHARP)),
        "go" => Some(Parser::Checks(&compiled::GO)),
        "java" => Some(Parser::Checks(&compiled::JAVA)),
        "rust" => Some(Parser::Checks(&compiled::RUST)),
        _ => None,
    }
}

impl Parser {
    /// Whether all of a file is judged, so that one without refusals is surely right.
    pub(crate) fn decides(&self) -> bool {
        !matches!(self, Self::Checks(_))
    }

    /// The places of a file that are refused.
    pub(crate) fn refusals(&self, tree: &SyntaxTree) -> Vec<Refusal> {
        match self {
            Self::Python => python::refusals(tree.text(), tree.embedding().is_some()),
            Self::Script(forms) => script::refusals(tree, forms),
            Self::Checks(checks) => compiled::refusals(tree, checks),
        }
    }
}
