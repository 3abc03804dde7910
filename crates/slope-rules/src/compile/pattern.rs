//! Code patterns, parsed by ast-grep.

use ast_grep_core::language::Language as _;
use ast_grep_core::matcher::PatternNode as AstPatternNode;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_language::SupportLang;
use slope_model::error_text::one_line;

use crate::program::{ERROR_KIND, Pattern, PatternNode, Strictness};

use super::yaml::{PatternYaml, StrictnessYaml};
use super::{Compiler, Fault};

impl Compiler<'_> {
    pub(super) fn pattern(&mut self, yaml: &PatternYaml) -> Result<Pattern, Fault> {
        let lang = self.lang;
        let (source, selector, strictness) = match yaml {
            PatternYaml::Text(text) => (text, None, None),
            PatternYaml::Contextual {
                context,
                selector,
                strictness,
            } => (context, selector.as_deref(), *strictness),
        };
        let parsed = match selector {
            Some(selector) => ast_grep_core::Pattern::contextual(source, selector, lang),
            None => ast_grep_core::Pattern::try_new(source, lang),
        };
        let parsed = parsed.map_err(|error| Fault::wrong(one_line(&error)))?;
        Ok(Pattern {
            root_kind: selector.map(|selector| kind_id(lang, selector)),
            strictness: strictness.map_or(Strictness::Smart, strictness_of),
            root: self.pattern_node(&parsed.node),
        })
    }

    fn pattern_node(&mut self, node: &AstPatternNode) -> PatternNode {
        match node {
            AstPatternNode::MetaVar { meta_var } => self.variable(meta_var),
            AstPatternNode::Terminal {
                text,
                is_named,
                kind_id,
            } => PatternNode::Terminal {
                text: text.clone(),
                kind: *kind_id,
                named: *is_named,
            },
            AstPatternNode::Internal { kind_id, children } => PatternNode::Internal {
                kind: *kind_id,
                children: children.iter().map(|c| self.pattern_node(c)).collect(),
            },
        }
    }

    fn variable(&mut self, variable: &MetaVariable) -> PatternNode {
        match variable {
            MetaVariable::Capture(name, named) => PatternNode::Capture {
                slot: self.slot(name),
                named: *named,
            },
            MetaVariable::Dropped(named) => PatternNode::Dropped { named: *named },
            MetaVariable::Multiple => PatternNode::Ellipsis { slot: None },
            MetaVariable::MultiCapture(name) => PatternNode::Ellipsis {
                slot: Some(self.slot(&format!("$$${name}"))),
            },
        }
    }
}

/// The id of a named kind; 0 if the grammar lacks it.
pub(super) fn kind_id(lang: SupportLang, name: &str) -> u16 {
    if name == "ERROR" {
        return ERROR_KIND;
    }
    lang.kind_to_id(name)
}

fn strictness_of(yaml: StrictnessYaml) -> Strictness {
    match yaml {
        StrictnessYaml::Cst => Strictness::Cst,
        StrictnessYaml::Smart => Strictness::Smart,
        StrictnessYaml::Ast => Strictness::Ast,
        StrictnessYaml::Relaxed => Strictness::Relaxed,
        StrictnessYaml::Signature => Strictness::Signature,
        StrictnessYaml::Template => Strictness::Template,
    }
}
