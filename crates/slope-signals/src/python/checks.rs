//! Python checks that cannot fire: facts about names along straight code, and conditions that test
//! them again.

use crate::catalogue::Signal;
use crate::facts::NO_NAME;
use crate::gather::Gatherer;
use crate::occurrences::Use;
use crate::unreachable::Ends;
use crate::words::Map;
use slope_syntax::Construct;

/// Maximum number of facts kept at once; straight code rarely involves more names.
const KEPT: usize = 16;

/// A fact, and its start.
#[derive(Clone, Copy)]
struct Fact {
    name: u32,
    known: Known,
    /// The node from which on it is known.
    since: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// Has a value that is not None, provided that this name is a class ([`NO_NAME`]:
    /// unconditionally).
    Given(u32),
    /// None would have left.
    Guarded,
    /// Was used as None cannot be.
    Used,
    /// This condition is true.
    Holds(u32),
}

impl Known {
    /// The reason that a name is not None, and the name that must be a class for that.
    fn reason(self) -> (&'static str, u32) {
        match self {
            Self::Given(class) => ("it was given a value that is not", class),
            Self::Guarded => ("an earlier check ensures it", NO_NAME),
            Self::Used | Self::Holds(_) => {
                ("it was used in a way that None does not allow", NO_NAME)
            }
        }
    }

    /// Whether it proves that a name is not None, independent of other files.
    fn is_sure(self) -> bool {
        match self {
            Self::Given(class) => class == NO_NAME,
            Self::Guarded | Self::Used => true,
            Self::Holds(_) => false,
        }
    }
}

/// Reports checks that cannot fire.
pub(super) fn find(gatherer: &mut Gatherer<'_>, ends: &Ends) {
    let shared = shared_names(gatherer);
    let tested = tested_names(gatherer);
    if tested.is_empty() {
        return;
    }
    let rebound = rebound_names(gatherer);
    let mut search = Search {
        gatherer,
        ends,
        shared,
        tested,
        rebound,
        inherited: Map::default(),
        found: Vec::new(),
    };
    let blocks: Vec<u32> = search.gatherer.view.of_kind(Construct::Block).to_vec();
    for block in blocks {
        search.block(block);
    }
    let found = std::mem::take(&mut search.found);
    for (node, message, class) in found {
        gatherer.report_if_class(class, Signal::ImpossibleCheck, node, message);
    }
}

/// Names that are assigned by something other than a class or an import.
fn rebound_names(gatherer: &Gatherer<'_>) -> Map<u32, ()> {
    let view = &gatherer.view;
    let rebound = gatherer.names.list.iter().filter(|o| match o.how {
        Use::Store | Use::Bind | Use::Param => true,
        Use::Definition => view.k(view.parent(o.node)) == Construct::Function,
        _ => false,
    });
    rebound.map(|o| (o.name, ())).collect()
}

/// Names that `global` or `nonlocal` shares between functions.
fn shared_names(gatherer: &Gatherer<'_>) -> Map<u32, ()> {
    let view = &gatherer.view;
    gatherer
        .names
        .list
        .iter()
        .filter(|o| view.k(view.parent(o.node)) == Construct::Global)
        .map(|o| (o.name, ()))
        .collect()
}

/// Names in `name is None`, `name is not None` and `isinstance(name, ...)`.
fn tested_names(gatherer: &Gatherer<'_>) -> Map<u32, ()> {
    let view = &gatherer.view;
    let compared = view
        .of_kind(Construct::Compare)
        .iter()
        .map(|&node| node + 1);
    let compared = compared.filter(|&left| view.k(left) == Construct::Identifier);
    let asked = view
        .of_kind(Construct::Call)
        .iter()
        .filter(|&&call| view.text(call + 1) == "isinstance");
    let asked = asked.filter_map(|&call| view.first(view.child(call, Construct::Arguments)?));
    let tested = compared.chain(asked);
    tested
        .filter_map(|node| gatherer.names.names.known(view.text(node)))
        .map(|name| (name, ()))
        .collect()
}

struct Search<'s, 'a> {
    gatherer: &'s Gatherer<'a>,
    ends: &'s Ends,
    shared: Map<u32, ()>,
    /// Names that some condition of the file tests; others need not be followed.
    tested: Map<u32, ()>,
    /// Names that are perhaps not classes although they are spelled like one.
    rebound: Map<u32, ()>,
    /// Facts at the start of a block.
    inherited: Map<u32, Vec<Fact>>,
    /// Node, message, and the name that must be a class, if there is one.
    found: Vec<(u32, String, u32)>,
}

impl Search<'_, '_> {
    fn block(&mut self, block: u32) {
        let view = &self.gatherer.view;
        if view.k(view.scope(block)) != Construct::Function {
            return;
        }
        let mut facts = self.inherited.remove(&block).unwrap_or_default();
        let statements: Vec<u32> = view.parts(block).collect();
        for statement in statements {
            self.statement(statement, &mut facts);
            let excess = facts.len().saturating_sub(KEPT);
            facts.drain(..excess);
        }
    }

    fn statement(&mut self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        match view.k(statement) {
            Construct::If => self.branch(statement, facts),
            Construct::For
            | Construct::While
            | Construct::Try
            | Construct::With
            | Construct::Switch => self.compound(statement, facts),
            Construct::Function | Construct::Class | Construct::Decorated => {
                self.forget_written(statement, facts)
            }
            _ => self.simple(statement, facts),
        }
    }

    /// A statement around blocks, other than `if`.
    fn compound(&mut self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        let blocks: Vec<u32> = view
            .children(statement)
            .flat_map(|c| match view.k(c) {
                Construct::Block => Some(c),
                _ => view.last_child(c, Construct::Block),
            })
            .collect();
        // `with` runs its block once, after its bindings.
        let bound = match (view.k(statement), blocks.first()) {
            (Construct::With, Some(&block)) => block,
            _ => view.end(statement),
        };
        self.forget_between(statement, bound, facts);
        if !facts.is_empty() {
            for block in blocks {
                self.inherited.insert(block, facts.clone());
            }
        }
        self.forget_written(statement, facts);
    }

    fn branch(&mut self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        let Some(condition) = view.first(statement) else {
            return;
        };
        self.check(condition, facts);
        let mut blocks = Vec::new();
        let mut alternatives = false;
        let mut known = facts.clone();
        self.forget_written(condition, &mut known);
        for child in view.children(statement) {
            match view.k(child) {
                Construct::Block => blocks.push((child, known.clone(), true)),
                Construct::Elif | Construct::Else => {
                    alternatives = true;
                    if let Some(block) = view.last_child(child, Construct::Block) {
                        self.forget_between(child, block, &mut known);
                        blocks.push((block, known.clone(), false));
                    }
                }
                _ => {}
            }
        }
        for (block, inner, holds) in &mut blocks {
            if *holds {
                inner.extend(self.holding(condition));
            }
            if !inner.is_empty() {
                self.inherited.insert(*block, std::mem::take(inner));
            }
        }
        let guard = self.none_test(condition, false);
        let leaves = blocks
            .first()
            .is_some_and(|&(block, ..)| self.ends.after(block));
        self.forget_written(statement, facts);
        if let Some(name) = guard
            && leaves
            && !alternatives
        {
            facts.push(Fact {
                name,
                known: Known::Guarded,
                since: condition,
            });
        }
    }

    /// Facts from a true condition: the condition itself, if it is about one local only.
    fn holding(&self, condition: u32) -> Vec<Fact> {
        let view = &self.gatherer.view;
        let name = self
            .none_test(condition, false)
            .or_else(|| self.none_test(condition, true));
        let name = name.or_else(|| self.type_test(condition));
        let Some(name) = name else { return Vec::new() };
        let mut facts = vec![Fact {
            name,
            known: Known::Holds(condition),
            since: condition,
        }];
        if self.none_test(condition, true).is_some() && view.k(condition) == Construct::Compare {
            facts.push(Fact {
                name,
                known: Known::Guarded,
                since: condition,
            });
        }
        facts
    }

    /// The name in `name is None` or, if `negated`, in `name is not None`.
    fn none_test(&self, condition: u32, negated: bool) -> Option<u32> {
        let view = &self.gatherer.view;
        if view.k(condition) != Construct::Compare {
            return None;
        }
        let children: Vec<u32> = view.children(condition).collect();
        let [left, operator, right] = children[..] else {
            return None;
        };
        let wanted = if negated { "is not" } else { "is" };
        let fits = view.k(left) == Construct::Identifier
            && view.k(right) == Construct::Null
            && view.text(operator).split_whitespace().eq(wanted.split(' '));
        if fits { self.local(left) } else { None }
    }

    /// The name in `isinstance(name, ...)`.
    fn type_test(&self, condition: u32) -> Option<u32> {
        let view = &self.gatherer.view;
        if view.k(condition) != Construct::Call || view.text(condition + 1) != "isinstance" {
            return None;
        }
        let arguments = view.child(condition, Construct::Arguments)?;
        let name = view.first(arguments)?;
        if view.k(name) == Construct::Identifier {
            self.local(name)
        } else {
            None
        }
    }

    /// The number of a name that only its function can change.
    fn local(&self, node: u32) -> Option<u32> {
        let view = &self.gatherer.view;
        let names = &self.gatherer.names;
        let name = names.names.known(view.text(node))?;
        if !self.tested.contains_key(&name) {
            return None;
        }
        let function = view.function(node)?;
        let parameters = view.child(function, Construct::Parameters)?;
        let is_parameter = view
            .below(parameters)
            .any(|(n, k)| k == Construct::Identifier && view.text(n) == view.text(node));
        let known = is_parameter || names.written(name, function, view.end(function));
        (known && !self.shared.contains_key(&name)).then_some(name)
    }

    /// Reports a condition with a known answer.
    fn check(&mut self, condition: u32, facts: &[Fact]) {
        // `:=` in the condition assigns a name.
        let mut facts = facts.to_vec();
        self.forget_written(condition, &mut facts);
        if facts.is_empty() {
            return;
        }
        let view = &self.gatherer.view;
        for fact in &facts {
            if let Known::Holds(before) = fact.known
                && view.text(before) == view.text(condition)
            {
                let line = view.place(before).span.start_line;
                let message = format!("The same condition is already true since line {line}.");
                self.found.push((condition, message, NO_NAME));
                return;
            }
        }
        let end = view.end(condition);
        for node in (condition..end).filter(|&n| view.k(n) == Construct::Compare) {
            let tested = self
                .none_test(node, false)
                .or_else(|| self.none_test(node, true));
            let Some(name) = tested else { continue };
            let known = facts
                .iter()
                .rev()
                .find(|f| f.name == name && !matches!(f.known, Known::Holds(_)));
            if let Some(fact) = known {
                let line = view.place(fact.since).span.start_line;
                let text = view.text(node + 1);
                let (why, class) = fact.known.reason();
                self.found.push((
                    node,
                    format!("`{text}` cannot be None here: {why}, in line {line}."),
                    class,
                ));
            }
        }
    }

    fn simple(&mut self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        let scope = view.scope(statement);
        if !facts.is_empty() {
            let conditions: Vec<u32> = view
                .below(statement)
                .filter(|&(n, k)| k == Construct::Ternary && view.scope(n) == scope)
                .filter_map(|(n, _)| view.parts(n).nth(1))
                .collect();
            for condition in conditions {
                self.check(condition, facts);
            }
        }
        self.forget_written(statement, facts);
        if view.k(statement) == Construct::Delete {
            facts.clear();
        }
        self.used(statement, facts);
        self.given(statement, facts);
    }

    /// After `name = value` the name is not None if the value cannot be.
    fn given(&self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        let Some(assign) = view
            .only(statement)
            .filter(|&a| view.k(a) == Construct::Assign)
        else {
            return;
        };
        let target = assign + 1;
        let Some(value) = view.parts(assign).last() else {
            return;
        };
        if view.k(target) == Construct::Identifier
            && value != target
            && let Some(class) = self.never_none(value)
            && let Some(name) = self.local(target)
        {
            facts.retain(|f| f.name != name);
            facts.push(Fact {
                name,
                known: Known::Given(class),
                since: assign,
            });
        }
    }

    /// After `name.x` or `name[x]` the name is not None.
    fn used(&self, statement: u32, facts: &mut Vec<Fact>) {
        let view = &self.gatherer.view;
        let written = |name| {
            self.gatherer
                .names
                .written(name, statement, view.end(statement))
        };
        let message = (view.k(statement) == Construct::Assert)
            .then(|| view.parts(statement).nth(1))
            .flatten();
        let mut node = statement + 1;
        while node < view.end(statement) {
            match view.k(node) {
                Construct::Lambda
                | Construct::Comprehension
                | Construct::Ternary
                | Construct::BoolOp
                | Construct::Function => {
                    node = view.end(node);
                    continue;
                }
                // An assertion's message is evaluated only on failure.
                _ if message == Some(node) => {
                    node = view.end(node);
                    continue;
                }
                Construct::Attribute | Construct::Subscript
                    if view.k(node + 1) == Construct::Identifier =>
                {
                    let special = view.text(node).contains(".__");
                    if !special
                        && let Some(name) = self.local(node + 1)
                        && !written(name)
                        && !facts.iter().any(|f| f.name == name && f.known.is_sure())
                    {
                        facts.push(Fact {
                            name,
                            known: Known::Used,
                            since: node,
                        });
                    }
                }
                _ => {}
            }
            node += 1;
        }
    }

    /// The name that must be a class for an expression not to be None; [`NO_NAME`] if it never is
    /// None; `None` if it may be.
    fn never_none(&self, node: u32) -> Option<u32> {
        let view = &self.gatherer.view;
        match view.k(node) {
            Construct::List
            | Construct::Dict
            | Construct::Tuple
            | Construct::String
            | Construct::Number
            | Construct::True
            | Construct::False => Some(NO_NAME),
            Construct::Comprehension | Construct::Lambda | Construct::Compare | Construct::Not => {
                Some(NO_NAME)
            }
            Construct::Call if view.k(node + 1) == Construct::Identifier => self.made_by(node),
            _ => None,
        }
    }

    /// As [`Self::never_none`], for a call of a name.
    fn made_by(&self, call: u32) -> Option<u32> {
        let view = &self.gatherer.view;
        let text = view.text(call + 1);
        if MAKERS.contains(&text) {
            return Some(NO_NAME);
        }
        let camel = text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.contains(|c: char| c.is_ascii_lowercase())
            && !text.contains('_');
        // `Interface(object, None)` is the spelling of "or None" in zope.interface.
        let has_default = || {
            let list = view.child(call, Construct::Arguments);
            list.is_some_and(|list| view.parts(list).any(|a| view.k(a) == Construct::Null))
        };
        let class = self.gatherer.names.name_at(call + 1);
        if !camel || self.rebound.contains_key(&class) || has_default() {
            return None;
        }
        Some(if self.is_error(text) || LIBRARY.contains(&text) {
            NO_NAME
        } else {
            class
        })
    }

    /// Whether a name is that of an error of the language.
    fn is_error(&self, name: &str) -> bool {
        let habits = self.gatherer.view.conventions.habits;
        habits.is_some_and(|habits| habits.builtin_errors.contains(&name))
    }

    fn forget_written(&self, node: u32, facts: &mut Vec<Fact>) {
        self.forget_between(node, self.gatherer.view.end(node), facts);
    }

    /// Removes facts about names that the nodes from `first` to before `end` assign.
    fn forget_between(&self, first: u32, end: u32, facts: &mut Vec<Fact>) {
        facts.retain(|f| !self.gatherer.names.written(f.name, first, end));
    }
}

/// Callees that never return None.
const MAKERS: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "dict",
    "enumerate",
    "float",
    "frozenset",
    "int",
    "len",
    "list",
    "open",
    "range",
    "repr",
    "set",
    "sorted",
    "str",
    "tuple",
    "zip",
];

/// Classes of the standard library with one conventional name.
const LIBRARY: &[&str] = &["Counter", "Decimal", "OrderedDict", "Path", "PurePath"];
