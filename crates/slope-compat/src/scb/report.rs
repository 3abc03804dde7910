//! The report of scb-check 0.2.0.

use std::collections::BTreeMap;

use serde::Serialize;

use super::sum::Sum;

/// Number of trees and nodes of one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LanguageCount {
    /// Files parsed.
    pub tree_count: u64,
    /// Nodes in their trees, keywords, punctuation and roots included.
    pub node_count: u64,
}

/// Exactly the fields of the original's JSON report, in its order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Flagged source lines over source lines, 0 to 1; 0 without source lines.
    pub verbosity: f64,
    /// Mass of functions with cyclomatic complexity above 10 over the mass of all.
    pub erosion: f64,
    /// The same with cognitive complexity.
    pub cog_erosion: f64,
    /// Files parsed.
    pub files_scanned: u64,
    /// Source lines.
    pub total_loc: u64,
    /// Source lines in the union of clones, rule hits and structural findings.
    pub verbosity_flagged_loc: u64,
    /// Source lines in clones.
    pub clone_loc: u64,
    /// Source lines in rule hits.
    pub ast_grep_flagged_loc: u64,
    /// Source lines in structural findings.
    pub structural_rule_loc: u64,
    /// Structural findings.
    pub structural_rule_findings: u64,
    /// Callables after twins have collapsed.
    pub total_functions: u64,
    /// Callables with cyclomatic complexity above 10.
    pub high_cc_functions: u64,
    /// Callables with cognitive complexity above 10.
    pub high_cog_functions: u64,
    /// Sum of cyclomatic complexity times the square root of size.
    pub total_mass: Sum,
    /// The same over callables with cyclomatic complexity above 10.
    pub high_cc_mass: Sum,
    /// Sum of cognitive complexity times the square root of size.
    pub total_cog_mass: Sum,
    /// The same over callables with cognitive complexity above 10.
    pub high_cog_mass: Sum,
    /// Files parsed.
    pub syntax_tree_count: u64,
    /// Nodes of all trees.
    pub syntax_node_count: u64,
    /// Language id to its trees and nodes.
    pub syntax_by_language: BTreeMap<&'static str, LanguageCount>,
}
