//! Compiles rule files to programs.
//!
//! | module | contents |
//! |---|---|
//! | [`yaml`] | the matching part of a rule file, as written |
//! | `pattern` | code patterns |
//! | `selector` | `kind` as a selector |
//! | `text` | regular expressions |
//! | `kinds` | the kinds that a matcher can match |
//! | `needs` | other requirements of a match on node or file |

mod kinds;
mod needs;
mod pattern;
mod selector;
mod text;
pub(crate) mod yaml;

use std::collections::{BTreeMap, HashMap};

use ast_grep_core::language::Language as _;
use ast_grep_language::SupportLang;
use slope_syntax::Language;

use crate::pack::grammar_of;
use crate::program::{
    Isolated, KindSet, Matcher, NthChild, Program, Range, Relation, StopBy, Util,
};

use yaml::{CoreYaml, MatchesYaml, NthChildYaml, PositionYaml, RelationYaml, RuleYaml, StopByYaml};

/// Reason that a rule cannot be compiled.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The rule is invalid.
    Wrong(String),
    /// The rule uses a feature that slope's engine lacks.
    Unsupported {
        feature: &'static str,
        remedy: &'static str,
    },
    /// The rule would have to be tried on every node.
    NoKinds,
}

impl Fault {
    fn wrong(message: impl Into<String>) -> Self {
        Self::Wrong(message.into())
    }
}

/// Rules of a `utils` folder, by id.
pub(crate) type Globals = BTreeMap<String, CoreYaml>;

/// The utilities that a piece of a rule file sees under their plain names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scope {
    /// Utilities of the rule itself.
    Rule,
    /// Utilities of a global utility, by its index.
    Global(u32),
}

/// Compiles one rule.
pub(crate) struct Compiler<'a> {
    lang: SupportLang,
    globals: &'a Globals,
    /// The local utilities of each scope.
    locals: HashMap<Scope, &'a BTreeMap<String, RuleYaml>>,
    scope: Scope,
    /// Utilities compiled so far, by scope and name; global ones have no scope.
    known: HashMap<(Option<Scope>, String), u32>,
    utils: Vec<Option<Util>>,
    slots: Vec<String>,
}

/// Compiles the matching part of a rule file for one language.
pub(crate) fn compile(
    core: &CoreYaml,
    language: Language,
    globals: &Globals,
) -> Result<Program, Fault> {
    let lang = grammar_of(language).ok_or(Fault::NoKinds)?;
    let locals = core.utils.iter().map(|utils| (Scope::Rule, utils));
    let mut compiler = Compiler {
        lang,
        globals,
        locals: locals.collect(),
        scope: Scope::Rule,
        known: HashMap::new(),
        utils: Vec::new(),
        slots: Vec::new(),
    };
    let root = compiler.rule(&core.rule)?;
    let constraints = compiler.constraints(core)?;
    let kinds = kinds::kinds(&root, &compiler.utils).ok_or(Fault::NoKinds)?;
    let needs = needs::needs(&root, &compiler.utils, language);
    let utils: Option<Vec<Util>> = compiler.utils.into_iter().collect();
    Ok(Program {
        kinds,
        root,
        constraints,
        utils: utils.ok_or_else(|| Fault::wrong("a utility is not defined"))?,
        slots: compiler.slots,
        needs,
        is_local: std::sync::OnceLock::new(),
    })
}

impl Compiler<'_> {
    /// The number of a variable; a list's name begins with `$$$`.
    fn slot(&mut self, name: &str) -> u16 {
        let known = self.slots.iter().position(|slot| slot == name);
        let index = known.unwrap_or_else(|| {
            self.slots.push(name.to_owned());
            self.slots.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// In ast-grep's order of conditions, but those that need no variable and cost least first,
    /// which changes no result.
    fn rule(&mut self, yaml: &RuleYaml) -> Result<Matcher, Fault> {
        let mut all = Vec::new();
        self.atomic(yaml, &mut all)?;
        self.composite(yaml, &mut all)?;
        self.relational(yaml, &mut all)?;
        match all.len() {
            0 => Err(Fault::wrong("a rule without any condition")),
            1 => Ok(all.remove(0)),
            _ => Ok(self.all(all)),
        }
    }

    fn atomic(&mut self, yaml: &RuleYaml, all: &mut Vec<Matcher>) -> Result<(), Fault> {
        if let Some(pattern) = &yaml.pattern {
            all.push(Matcher::Pattern(self.pattern(pattern)?));
        }
        if let Some(kind) = &yaml.kind {
            all.push(self.selector(kind)?);
        }
        if let Some(regex) = &yaml.regex {
            all.push(Matcher::Text(text::text(regex).map_err(Fault::Wrong)?));
        }
        if let Some(nth) = &yaml.nth_child {
            all.push(self.nth_child(nth)?);
        }
        if let Some(range) = &yaml.range {
            all.push(Matcher::Range(Range {
                start: (range.start.line, range.start.column),
                end: (range.end.line, range.end.column),
            }));
        }
        Ok(())
    }

    fn composite(&mut self, yaml: &RuleYaml, all: &mut Vec<Matcher>) -> Result<(), Fault> {
        if let Some(list) = &yaml.all {
            let list = self.rules(list)?;
            all.push(self.all(list));
        }
        if let Some(list) = &yaml.any {
            let list = self.rules(list)?;
            all.push(self.any(list));
        }
        if let Some(not) = &yaml.not {
            all.push(Matcher::Not(Box::new(self.rule(not)?)));
        }
        match &yaml.matches {
            Some(MatchesYaml::Id(id)) => all.push(Matcher::Util(self.util(id)?)),
            Some(MatchesYaml::Call(_)) => {
                return Err(Fault::Unsupported {
                    feature: "`matches` with arguments",
                    remedy: "write the utility's conditions out in the rule",
                });
            }
            None => {}
        }
        Ok(())
    }

    fn relational(&mut self, yaml: &RuleYaml, all: &mut Vec<Matcher>) -> Result<(), Fault> {
        if let Some(relation) = &yaml.inside {
            all.push(Matcher::Inside(self.relation(relation)?));
        }
        if let Some(relation) = &yaml.has {
            all.push(Matcher::Has(self.relation(relation)?));
        }
        if let Some(relation) = &yaml.precedes {
            all.push(Matcher::Precedes(self.sibling(relation)?));
        }
        if let Some(relation) = &yaml.follows {
            all.push(Matcher::Follows(self.sibling(relation)?));
        }
        Ok(())
    }

    fn rules(&mut self, list: &[RuleYaml]) -> Result<Vec<Matcher>, Fault> {
        list.iter().map(|yaml| self.rule(yaml)).collect()
    }

    fn all(&self, mut matchers: Vec<Matcher>) -> Matcher {
        let kinds = kinds::all_kinds(&matchers, &self.utils);
        // Said by the kinds already.
        matchers.retain(|matcher| match matcher {
            Matcher::Kind(kind) => kinds.as_ref() != Some(&KindSet::of(*kind)),
            _ => true,
        });
        // The sort is stable: conditions that bind variables keep their order.
        matchers.sort_by_key(|matcher| match matcher {
            Matcher::Kind(_) => 0,
            Matcher::Text(crate::program::Text::Regex(_)) => 2,
            Matcher::Text(_) => 1,
            _ => 2,
        });
        Matcher::All(kinds, matchers)
    }

    fn any(&self, matchers: Vec<Matcher>) -> Matcher {
        let kinds = kinds::any_kinds(&matchers, &self.utils);
        Matcher::Any(kinds, matchers)
    }

    fn sibling(&mut self, yaml: &RelationYaml) -> Result<Box<Relation>, Fault> {
        if yaml.field.is_some() {
            return Err(Fault::wrong("`field` is for `has` and `inside` only"));
        }
        self.relation(yaml)
    }

    fn relation(&mut self, yaml: &RelationYaml) -> Result<Box<Relation>, Fault> {
        let stop_by = match &yaml.stop_by {
            None => StopBy::Neighbor,
            Some(StopByYaml::Word(word)) if word == "neighbor" => StopBy::Neighbor,
            Some(StopByYaml::Word(word)) if word == "end" => StopBy::End,
            Some(StopByYaml::Word(word)) => {
                let message = format!("`stopBy: {word}` is not `neighbor`, `end` or a rule");
                return Err(Fault::wrong(message));
            }
            Some(StopByYaml::Rule(rule)) => StopBy::Rule(self.rule(rule)?),
        };
        let field = match &yaml.field {
            None => 0,
            Some(name) => self
                .lang
                .field_to_id(name)
                .ok_or_else(|| Fault::wrong(format!("the grammar has no field `{name}`")))?,
        };
        let matcher = self.rule(&yaml.rule)?;
        Ok(Box::new(Relation {
            kinds: kinds::safe_kinds(&matcher, &self.utils),
            matcher,
            stop_by,
            field,
        }))
    }

    fn kind_by_name(&self, name: &str) -> Result<u16, Fault> {
        match pattern::kind_id(self.lang, name) {
            0 => Err(Fault::wrong(format!("the grammar has no kind `{name}`"))),
            kind => Ok(kind),
        }
    }

    fn nth_child(&mut self, yaml: &NthChildYaml) -> Result<Matcher, Fault> {
        let (position, of_rule, reverse) = match yaml {
            NthChildYaml::Simple(position) => (position, None, false),
            NthChildYaml::Complex {
                position,
                of_rule,
                reverse,
            } => (position, of_rule.as_deref(), *reverse),
        };
        let (step, offset) = match position {
            PositionYaml::Number(number) => (0, i32::try_from(*number).unwrap_or(i32::MAX)),
            PositionYaml::Formula(text) => formula(text)?,
        };
        Ok(Matcher::NthChild(Box::new(NthChild {
            step,
            offset,
            of_rule: of_rule.map(|rule| self.rule(rule)).transpose()?,
            reverse,
        })))
    }

    /// The index of a utility, which is compiled on first use.
    ///
    /// A utility that refers to itself does so only through a relation, so matching it terminates;
    /// its kinds are not needed there.
    fn util(&mut self, id: &str) -> Result<u32, Fault> {
        let local = self.locals.get(&self.scope).and_then(|utils| utils.get(id));
        let key = (local.map(|_| self.scope), id.to_owned());
        if let Some(&index) = self.known.get(&key) {
            return Ok(index);
        }
        let index = u32::try_from(self.utils.len()).unwrap_or(u32::MAX);
        self.known.insert(key, index);
        self.utils.push(None);
        let util = if let Some(yaml) = local {
            Util {
                matcher: self.rule(yaml)?,
                isolated: None,
            }
        } else {
            self.global(id, index)?
        };
        self.utils[index as usize] = Some(util);
        Ok(index)
    }

    fn global(&mut self, id: &str, index: u32) -> Result<Util, Fault> {
        let globals = self.globals;
        let core = globals
            .get(id)
            .ok_or_else(|| Fault::wrong(format!("no utility is called `{id}`")))?;
        let outer = std::mem::replace(&mut self.scope, Scope::Global(index));
        if let Some(utils) = &core.utils {
            self.locals.insert(self.scope, utils);
        }
        let matcher = self.rule(&core.rule)?;
        let isolated = Isolated {
            kinds: kinds::kinds(&matcher, &self.utils),
            constraints: self.constraints(core)?,
        };
        self.scope = outer;
        Ok(Util {
            matcher,
            isolated: Some(isolated),
        })
    }

    /// Conditions on single variables. Conditions on list variables have no effect.
    fn constraints(&mut self, core: &CoreYaml) -> Result<Vec<(u16, Matcher)>, Fault> {
        let named = core.constraints.iter().flatten();
        named
            .map(|(name, yaml)| {
                let matcher = self.rule(yaml)?;
                Ok((self.slot(name), matcher))
            })
            .collect()
    }
}

/// Step and offset of a position such as `2`, `2n+1`, `-n+3`.
fn formula(text: &str) -> Result<(i32, i32), Fault> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let wrong = || Fault::wrong(format!("`{text}` is not a position such as `2` or `2n+1`"));
    let number = |text: &str| text.parse::<i32>().map_err(|_| wrong());
    let Some((step, offset)) = compact.split_once(['n', 'N']) else {
        return Ok((0, number(&compact)?));
    };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        digits => number(digits)?,
    };
    let offset = match offset {
        "" => 0,
        signed if signed.starts_with(['+', '-']) => number(signed)?,
        _ => return Err(wrong()),
    };
    Ok((step, offset))
}
