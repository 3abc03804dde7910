//! Callables by slope's own definitions, in one pass over the flat tree.
//!
//! Every node belongs to the innermost callable around it and to no other, so that a decision, a
//! nesting level or a line is counted once. Lambdas that are too small to count alone are found
//! after the pass; they have only lines, which go to the enclosing callable.

mod candidate;

use std::collections::HashMap;

use slope_model::measurement::CallableKind;

use crate::callable_names::{anonymous_name, dotted};
use crate::callables::CallableFacts;
use crate::language::Roles;
use crate::lines::LineSet;
use crate::lost::{self, Lost};
use crate::rows::{self, Joined};
use crate::tree::SyntaxTree;
use candidate::Candidate;

/// No candidate: code outside callables.
const NOBODY: u32 = u32::MAX;

/// No expression: code outside `a && b`.
const NO_EXPRESSION: u32 = u32::MAX;

/// A namespace that comes before its contents: `namespace A;` in C#.
const REST_OF_FILE: &str = "file_scoped_namespace_declaration";

/// Roles that a plain token may have.
const PLAIN: Roles = Roles::IDENTIFIER.and(Roles::PUNCTUATION);

/// A node's state for its children.
#[derive(Clone, Copy)]
struct Inherited {
    /// Index after the last node it applies to.
    end: u32,
    /// Roles of the node itself.
    roles: Roles,
    /// Index of the candidate it belongs to.
    owner: u32,
    /// Control statements around it, from the owner on.
    depth: u32,
    /// Extra cost of a structure at this place in cognitive complexity.
    level: u32,
    /// The same for the head of the structure that the node is.
    head_level: u32,
    /// Whether the node is or is in an annotation.
    in_annotation: bool,
    /// Index of the nearest definition's name.
    scope: u32,
    /// Whether the nearest definition is a class or type.
    in_class: bool,
    /// Index in `Scan::expressions` of the outermost `a && b` it is part of.
    expression: u32,
    /// Whether the next named child comes after an `else`.
    after_else: bool,
    /// Index of the candidate that the child before made, for equations.
    last_defined: u32,
}

struct Scan<'t> {
    tree: &'t SyntaxTree,
    source: &'t LineSet,
    /// Fields with the heads of structures.
    head_fields: &'static [u16],
    candidates: Vec<Candidate>,
    /// Cognitive complexity of control structures outside of candidates.
    outside: u32,
    names: Vec<String>,
    /// The last operator of each expression joined by short-circuit operators, and what it joins.
    expressions: Vec<(&'t str, Joined)>,
    /// Rows with the candidate that has a token there, in order of position.
    rows: Vec<(u32, u32)>,
    /// Functions that the grammar lost, those that come first at the end.
    lost: Vec<Lost>,
    /// The candidate that the lost function at this place is, and the last node of it.
    within: Option<(u32, u32)>,
}

/// The callables of a file in order of position, and the cognitive complexity of the control
/// structures outside of them.
pub(crate) fn callables(tree: &SyntaxTree, source: &LineSet) -> (Vec<CallableFacts>, u32) {
    let mut scan = Scan::new(tree, source, Vec::new());
    scan.run();
    if tree.errors().is_some() {
        let known: Vec<u32> = scan.candidates.iter().map(|c| c.facts.node).collect();
        let mut lost = lost::functions(tree, &known);
        if !lost.is_empty() {
            lost.reverse();
            scan = Scan::new(tree, source, lost);
            scan.run();
        }
    }
    let outside = scan.outside;
    (scan.finish(), outside)
}

/// Whether a node follows an `else` of its parent. An `else` itself is recorded in the parent.
fn is_after_else(outer: Option<&mut Inherited>, is_named: bool, roles: Roles) -> bool {
    match outer {
        Some(outer) if is_named => std::mem::take(&mut outer.after_else),
        Some(outer) => {
            outer.after_else |= roles.any(Roles::HYBRID);
            false
        }
        None => false,
    }
}

impl<'t> Scan<'t> {
    fn new(tree: &'t SyntaxTree, source: &'t LineSet, lost: Vec<Lost>) -> Self {
        Self {
            tree,
            source,
            head_fields: &tree.language().kinds().head_fields,
            candidates: Vec::new(),
            outside: 0,
            names: vec![String::new()],
            expressions: Vec::new(),
            rows: Vec::new(),
            lost,
            within: None,
        }
    }

    fn run(&mut self) {
        let mut open: Vec<Inherited> = Vec::new();
        let mut index = 0;
        let has_errors = self.tree.errors().is_some();
        while index < self.tree.node(0).end {
            while open.last().is_some_and(|outer| outer.end <= index) {
                open.pop();
            }
            if has_errors && let Some(outer) = open.last_mut() {
                self.count_unparsed(index, outer);
            }
            let roles = self.tree.roles(index);
            let node = self.tree.node(index);
            if roles.any(Roles::COMMENT) {
                index = node.end;
                continue;
            }
            let after_else = is_after_else(open.last_mut(), node.named, roles);
            if node.end == index + 1
                && roles.without(PLAIN) == Roles::NONE
                && let Some(outer) = open.last().filter(|o| !o.roles.any(Roles::BLOCK))
            {
                // Most nodes are tokens that only show that their row is used.
                self.note_rows(index, roles, outer);
            } else {
                self.enter(index, &mut open, roles, after_else);
            }
            index += 1;
        }
    }

    /// Visits a node, and opens it if it has children.
    fn enter(&mut self, index: u32, open: &mut Vec<Inherited>, roles: Roles, after_else: bool) {
        let here = self.visit(index, roles, open.last(), after_else);
        if let Some(outer) = open.last_mut() {
            self.pass_on(outer, index, &here);
        }
        let is_leaf = self.tree.node(index).end == index + 1;
        if is_leaf || roles.any(Roles::STRING) {
            self.note_rows(index, roles, &here);
        }
        if !is_leaf {
            open.push(here);
        }
    }

    /// Gives a node behind an error to the function that is lost there, and counts it if it is a
    /// token that decides.
    fn count_unparsed(&mut self, index: u32, outer: &mut Inherited) {
        if let Some((owner, last)) = self.within
            && last < index
        {
            self.within = None;
            if outer.owner == owner {
                outer.owner = NOBODY;
            }
        }
        if let Some(lost) = self.lost.pop_if(|lost| lost.name == index) {
            self.begin_lost(lost, outer);
        }
        if let Some((owner, _)) = self.within
            && outer.owner == NOBODY
        {
            outer.owner = owner;
        }
        let node = self.tree.node(index);
        let is_error = node.is_error() && self.tree.error_rows().contains(node.start_row);
        let Some(owner) = self.candidates.get_mut(outer.owner as usize) else {
            return;
        };
        owner.facts.is_lower_bound |= is_error;
        let (decisions, structures) = lost::weight(self.tree, index);
        owner.facts.complexity += decisions;
        owner.facts.cognitive += structures;
    }

    /// Begins a function that the grammar lost, or continues one that it kept in part.
    fn begin_lost(&mut self, lost: Lost, outer: &Inherited) {
        if let Some(known) = self.candidates.get_mut(outer.owner as usize) {
            known.facts.last = lost.last;
            known.facts.is_lower_bound = true;
            self.within = Some((outer.owner, lost.last));
            return;
        }
        let own = self.tree.node_text(lost.name);
        let facts = CallableFacts {
            name: dotted(&self.names[outer.scope as usize], own),
            kind: if outer.in_class {
                CallableKind::Method
            } else {
                CallableKind::Function
            },
            parameters: lost.parameters,
            last: lost.last,
            is_lower_bound: true,
            ..CallableFacts::new(lost.name)
        };
        let owner = self.open_candidate(facts, NOBODY, false);
        self.within = Some((owner, lost.last));
    }

    fn open_candidate(&mut self, facts: CallableFacts, outer: u32, anonymous: bool) -> u32 {
        let index = u32::try_from(self.candidates.len()).unwrap_or(NOBODY);
        self.candidates.push(Candidate {
            facts,
            outer,
            anonymous,
            is_begun: false,
            statements: 0,
            definitions: 0,
            last_row: 0,
            tokens: 0,
        });
        index
    }

    /// Passes the effects of a node on to later nodes.
    fn pass_on(&self, outer: &mut Inherited, index: u32, here: &Inherited) {
        if here.roles.any(Roles::CALLABLE) {
            outer.last_defined = here.owner;
        }
        if here.roles.any(Roles::NAMESPACE) && self.tree.kind_name(index) == REST_OF_FILE {
            outer.scope = here.scope;
        }
    }

    fn visit(
        &mut self,
        index: u32,
        roles: Roles,
        outer: Option<&Inherited>,
        after_else: bool,
    ) -> Inherited {
        let node = self.tree.node(index);
        let mut here = outer.copied().unwrap_or(Inherited {
            end: 0,
            roles: Roles::NONE,
            owner: NOBODY,
            depth: 0,
            level: 0,
            head_level: 0,
            in_annotation: false,
            scope: 0,
            in_class: false,
            expression: NO_EXPRESSION,
            after_else: false,
            last_defined: NOBODY,
        });
        let parent = here.roles;
        if parent.any(Roles::STRUCTURE) && self.head_fields.contains(&node.field) {
            here.level = here.head_level;
        }
        here.head_level = here.level;
        here.in_annotation |= roles.any(Roles::ANNOTATION);
        here.end = node.end;
        here.roles = roles;
        here.after_else = false;
        let before = std::mem::replace(&mut here.last_defined, NOBODY);
        if let Some(owner) = self.candidates.get_mut(here.owner as usize)
            && is_statement(self.tree, index, parent)
        {
            owner.statements += 1;
            let is_definition =
                roles.any(Roles::CALLABLE.and(Roles::CLASS).and(Roles::TRANSPARENT));
            owner.definitions += u32::from(is_definition);
        }
        if roles.any(Roles::CALLABLE.and(Roles::LAMBDA).and(Roles::CLASS)) {
            self.define(index, roles, before, &mut here);
        }
        self.count(index, roles, parent, after_else, &mut here);
        here
    }

    /// Opens a definition: a scope for names, and a candidate unless it is a class.
    /// `before` is the candidate that the definition before it made.
    fn define(&mut self, index: u32, roles: Roles, before: u32, here: &mut Inherited) {
        let spec = self.tree.language().spec();
        if roles.any(Roles::LAMBDA) && self.is_part_of(here.owner, index) {
            here.level += 1;
            return;
        }
        let name = (spec.name)(self.tree, index).filter(|name| !name.is_empty());
        let anonymous = roles.any(Roles::LAMBDA) && name.is_none();
        let is_class = !roles.any(Roles::CALLABLE.and(Roles::LAMBDA));
        let is_member = here.in_class && !anonymous;
        here.in_class = is_class && !roles.any(Roles::NAMESPACE);
        let own = match name {
            Some(name) => name,
            None if is_class => return,
            None if anonymous => anonymous_name(self.tree, index),
            None => "?".to_owned(),
        };
        let full = dotted(&self.names[here.scope as usize], &own);
        here.scope = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(full.clone());
        if is_class {
            return;
        }
        let has_owner = here.owner != NOBODY;
        here.level = if anonymous && has_owner {
            here.level + 1
        } else {
            0
        };
        here.depth = 0;
        here.expression = NO_EXPRESSION;
        // Code in a lambda of a decorator does not belong to the decorator.
        here.in_annotation = false;
        if spec.equations && self.goes_on(before, index, &full) {
            here.owner = before;
            return;
        }
        let facts = CallableFacts {
            name: full,
            kind: match (anonymous, is_member || roles.any(Roles::METHOD)) {
                (true, _) => CallableKind::Lambda,
                (false, true) => CallableKind::Method,
                (false, false) => CallableKind::Function,
            },
            parameters: (spec.parameters)(self.tree, index),
            ..CallableFacts::new(index)
        };
        here.owner = self.open_candidate(facts, here.owner, anonymous);
    }

    /// Whether a lambda is a part of its owner by convention of the language. In a
    /// lambda of the same sort it is not: there no function is around both.
    fn is_part_of(&self, owner: u32, lambda: u32) -> bool {
        let is_part = self.tree.language().spec().is_part_of_owner;
        let Some(owner) = self.candidates.get(owner as usize) else {
            return false;
        };
        is_part(self.tree, lambda) && !(owner.anonymous && is_part(self.tree, owner.facts.node))
    }

    /// Adds another equation to the function of the previous one.
    fn goes_on(&mut self, before: u32, index: u32, name: &str) -> bool {
        let Some(candidate) = self.candidates.get_mut(before as usize) else {
            return false;
        };
        let facts = &mut candidate.facts;
        if facts.name != name {
            return false;
        }
        // As in a `switch`, the last arm is the default.
        facts.cognitive += u32::from(facts.last == facts.node);
        facts.complexity += 1;
        facts.tables.rows += u32::from(rows::is_row(self.tree, index));
        facts.last = index;
        true
    }

    /// Counts what a node adds to its owner.
    fn count(
        &mut self,
        index: u32,
        roles: Roles,
        parent: Roles,
        after_else: bool,
        here: &mut Inherited,
    ) {
        let decisions = self.tree.decisions(index, roles, parent);
        let mut cognitive = 0;
        let goes_on = after_else && roles.any(Roles::IF);
        if roles.any(Roles::STRUCTURE) && !goes_on {
            cognitive += 1 + here.level;
            here.level += 1;
        }
        if roles.any(Roles::HYBRID.and(Roles::LABEL_JUMP)) {
            cognitive += 1;
        }
        if roles.any(Roles::NESTING) && !goes_on {
            here.depth += 1;
        }
        let operators = self.operators(index, roles, parent, here);
        let row = if decisions > 0 && here.owner != NOBODY {
            self.row(index, roles, parent, here)
        } else {
            Joined::Conditions
        };
        let Some(owner) = self.candidates.get_mut(here.owner as usize) else {
            self.count_outside(roles, cognitive + operators);
            return;
        };
        let facts = &mut owner.facts;
        facts.complexity = facts.complexity.saturating_add(decisions);
        facts.cognitive = facts.cognitive.saturating_add(cognitive + operators);
        row.add_to(&mut facts.tables, decisions, cognitive + operators);
        facts.nesting = facts.nesting.max(here.depth);
    }

    /// A node's count as an operator of an expression. One that joins begins an expression.
    fn operators(&mut self, index: u32, roles: Roles, parent: Roles, here: &mut Inherited) -> u32 {
        if roles.any(Roles::LOGICAL_OPERATOR) && parent.any(Roles::LOGICAL) {
            return u32::from(self.operator_is_new(index, here.expression));
        }
        if roles.any(Roles::LOGICAL) && self.is_joined(index) {
            if here.expression == NO_EXPRESSION {
                here.expression = u32::try_from(self.expressions.len()).unwrap_or(NO_EXPRESSION);
                self.expressions.push(("", rows::joined(self.tree, index)));
            }
        } else if !roles.any(Roles::PARENTHESES) {
            here.expression = NO_EXPRESSION;
        }
        0
    }

    /// The table row of a node that decides.
    fn row(&self, index: u32, roles: Roles, parent: Roles, here: &Inherited) -> Joined {
        if roles.any(Roles::LOGICAL_OPERATOR) && parent.any(Roles::LOGICAL) {
            let expression = self.expressions.get(here.expression as usize);
            return expression.map_or(Joined::Conditions, |(_, joined)| *joined);
        }
        rows::of_decision(self.tree, index, roles)
    }

    /// Counts a node in the code outside of candidates. A list of settings with defaults (`a || b`, `b if a else c`),
    /// or of imports that may fail, would add one decision per entry. So only choices inside another structure count.
    fn count_outside(&mut self, roles: Roles, cognitive: u32) {
        let is_plain = cognitive == 1 && roles.any(Roles::TERNARY.and(Roles::CATCH));
        if !roles.any(Roles::LOGICAL_OPERATOR) && !is_plain {
            self.outside = self.outside.saturating_add(cognitive);
        }
    }

    /// Whether an expression joins by a short-circuit operator, not by `+` or `==`.
    fn is_joined(&self, index: u32) -> bool {
        self.tree
            .children(index)
            .any(|child| self.tree.roles(child).any(Roles::LOGICAL_OPERATOR))
    }

    /// Whether an operator differs from the previous one in its expression.
    fn operator_is_new(&mut self, index: u32, expression: u32) -> bool {
        let text = self.tree.node_text(index);
        let operator = match text {
            "and" => "&&",
            "or" => "||",
            other => other,
        };
        match self.expressions.get_mut(expression as usize) {
            Some((last, _)) => std::mem::replace(last, operator) != operator,
            None => true,
        }
    }

    /// Records the rows with significant tokens; for a string with inner tokens its first row,
    /// because grammars may have no token for the opening mark. Annotations inside the node of a
    /// callable do not belong to its lines.
    fn note_rows(&mut self, index: u32, roles: Roles, here: &Inherited) {
        let node = self.tree.node(index);
        let owner = here.owner;
        let Some(candidate) = self.candidates.get_mut(owner as usize) else {
            return;
        };
        let precedes = here.in_annotation && !candidate.is_begun;
        if precedes || node.end_byte == node.start_byte || roles.any(Roles::PUNCTUATION) {
            return;
        }
        candidate.is_begun = true;
        candidate.tokens += 1;
        let is_leaf = node.end == index + 1;
        let last = if is_leaf {
            node.end_row
        } else {
            node.start_row
        };
        for row in node.start_row..=last {
            if self.source.contains(row) && self.rows.last() != Some(&(row, owner)) {
                self.rows.push((row, owner));
            }
        }
    }

    /// Gives each callable its source lines, `target` being whom a small lambda belongs to.
    fn count_lines(&mut self, target: &[u32]) {
        for (own, &target) in target.iter().enumerate() {
            let small = &self.candidates[own];
            let (tokens, statements) = (small.tokens, small.statements - small.definitions);
            if let Some(candidate) = self.candidates.get_mut(target as usize)
                && own != target as usize
            {
                candidate.tokens += tokens;
                candidate.statements += statements;
            }
        }
        for candidate in &mut self.candidates {
            candidate.facts.sloc = candidate.lines();
        }
    }

    /// Removes small lambdas, assigns rows to the remaining callables, and numbers lambdas.
    fn finish(mut self) -> Vec<CallableFacts> {
        let trivial: Vec<bool> = self.candidates.iter().map(Candidate::is_trivial).collect();
        let mut target: Vec<u32> = Vec::with_capacity(trivial.len());
        for (own, candidate) in (0u32..).zip(&self.candidates) {
            let outer = target.get(candidate.outer as usize).copied();
            target.push(if trivial[own as usize] {
                outer.unwrap_or(NOBODY)
            } else {
                own
            });
        }
        for &(row, owner) in &self.rows {
            let Some(candidate) = self.candidates.get_mut(target[owner as usize] as usize) else {
                continue;
            };
            if candidate.last_row != row + 1 {
                candidate.last_row = row + 1;
                candidate.facts.rows += 1;
            }
        }
        self.count_lines(&target);
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut found = Vec::with_capacity(trivial.len());
        for (mut candidate, trivial) in self.candidates.into_iter().zip(trivial) {
            if trivial {
                continue;
            }
            if candidate.anonymous {
                let count = seen.entry(candidate.facts.name.clone()).or_default();
                *count += 1;
                if *count > 1 {
                    candidate.facts.name.push_str(&format!("#{count}"));
                }
            }
            found.push(candidate.facts);
        }
        found
    }
}

/// Whether a node counts as a statement of what it is in.
fn is_statement(tree: &SyntaxTree, index: u32, parent: Roles) -> bool {
    tree.node(index).named
        && parent.any(Roles::BLOCK)
        && !(tree.language().spec().is_inline)(tree, index)
}
