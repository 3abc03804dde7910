//! The tree of the grammar's own parser.

use super::{SyntaxTree, parse_text, runs};
use crate::ParseError;

impl SyntaxTree {
    /// The grammar's own tree, made by parsing again.
    ///
    /// Only for comparing with tools that work on it: the tree is not kept.
    ///
    /// # Errors
    /// If the parser gives up, which it did not when this tree was made.
    pub fn grammar_tree(&self) -> Result<tree_sitter::Tree, ParseError> {
        let ranges = runs::seen(self.language, &self.text, &self.line_starts);
        parse_text(self.language, &self.text, &ranges)
    }
}
