//! Occurrences of names: read, called, stored, after a dot, as a parameter.

use std::cell::OnceCell;

use crate::facts::{Mention, NO_NAME};
use crate::words::{MAX_NAME, Map, Names, called_in, identifiers, in_braces, is_name, members_in};
use slope_syntax::Construct;
use slope_syntax::conventions::TextNames;
use slope_syntax::view::View;

/// Maximum number of occurrences of a name in a file that are examined repeatedly.
const MAX_OCCURRENCES: usize = 1000;

/// Role of a name at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Read, other than to be called.
    Load,
    /// Read to be called.
    Called,
    /// The complete left side of an assignment.
    Store,
    /// Stored otherwise: loops, unpacking, `with`, patterns.
    Bind,
    Param,
    Member,
    MemberCalled,
    /// Name of an argument.
    Keyword,
    /// Name of a definition.
    Definition,
    /// In an import.
    Import,
}

/// A name at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occurrence {
    pub(crate) name: u32,
    pub(crate) node: u32,
    pub(crate) how: Use,
}

/// All names of a file and where they occur.
pub(crate) struct Occurrences<'a> {
    pub(crate) names: Names<'a>,
    /// In order of position.
    pub(crate) list: Vec<Occurrence>,
    /// `Mention` bits by name.
    pub(crate) mentions: Vec<u8>,
    pub(crate) prefixes: Vec<u32>,
    /// By node, the number of the name that it is.
    numbers: Vec<u32>,
    reads: ByName,
    writes: ByName,
    /// Positions in `list` by name, computed on demand; most files need none.
    positions: OnceCell<ByName>,
}

/// Node indices, or positions in a list, by name, ascending.
#[derive(Debug)]
struct ByName {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl ByName {
    fn new(names: usize, list: &[Occurrence], wanted: fn(Use) -> bool) -> Self {
        let chosen = list.iter().filter(|o| wanted(o.how));
        Self::of(names, chosen.map(|o| (o.name, o.node)))
    }

    /// Groups values by name; they come in order.
    fn of(names: usize, values: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; names + 1];
        for (name, _) in values.clone() {
            starts[name as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0u32; starts.last().copied().unwrap_or_default() as usize];
        for (name, value) in values {
            let slot = &mut next[name as usize];
            nodes[*slot as usize] = value;
            *slot += 1;
        }
        Self { starts, nodes }
    }

    /// Nodes from `first` to before `end`.
    fn within(&self, name: u32, first: u32, end: u32) -> &[u32] {
        let Some(&stop) = self.starts.get(name as usize + 1) else {
            return &[];
        };
        let all = &self.nodes[self.starts[name as usize] as usize..stop as usize];
        let from = all.partition_point(|&node| node < first);
        let to = all.partition_point(|&node| node < end);
        &all[from..to]
    }
}

impl<'a> Occurrences<'a> {
    /// Collects names; `classify` gives the role of a name node.
    pub(crate) fn new(view: &View<'a>, classify: fn(&View<'_>, u32) -> Use) -> Self {
        let kinds = [
            Construct::Identifier,
            Construct::Member,
            Construct::TypeName,
        ];
        let count = kinds.iter().map(|&kind| view.of_kind(kind).len()).sum();
        // Every eighth name or so is new in its file.
        let mut names = Names::with_capacity(count / 8);
        let mut numbers = vec![NO_NAME; view.tree.nodes().len()];
        let mut list = Vec::with_capacity(count);
        for (node, kind) in view.all() {
            if matches!(
                kind,
                Construct::Identifier | Construct::Member | Construct::TypeName
            ) {
                let name = names.number(view.text(node));
                numbers[node as usize] = name;
                let how = classify(view, node);
                list.push(Occurrence { name, node, how });
            }
        }
        let (mentioned, prefixes) = in_texts(view, &mut names);
        let mut mentions = vec![0u8; names.len()];
        let locals = Locals::of(view, names.len(), &list);
        let counts = definitions(names.len(), &list);
        for occurrence in &list {
            if !locals.reads_one(view, occurrence) && !is_recursive(view, occurrence, &counts) {
                mentions[occurrence.name as usize] |= mention(view, occurrence);
            }
        }
        for name in mentioned {
            mentions[name as usize] |= Mention::STRING;
        }
        for name in around(view, &names) {
            mentions[name as usize] |= Mention::AROUND;
        }
        let read = |how| matches!(how, Use::Load | Use::Called);
        let written = |how| matches!(how, Use::Store | Use::Bind | Use::Definition | Use::Import);
        Self {
            reads: ByName::new(names.len(), &list, read),
            writes: ByName::new(names.len(), &list, written),
            positions: OnceCell::new(),
            names,
            list,
            mentions,
            prefixes,
            numbers,
        }
    }

    /// The number of a node's text.
    pub(crate) fn number(&mut self, view: &View<'a>, node: u32) -> u32 {
        match self.numbers.get(node as usize) {
            Some(&number) if number != NO_NAME => number,
            _ => self.names.number(view.text(node)),
        }
    }

    /// The number of a node's name; [`NO_NAME`] if it has none.
    pub(crate) fn name_at(&self, node: u32) -> u32 {
        self.numbers.get(node as usize).copied().unwrap_or(NO_NAME)
    }

    /// All occurrences of a name, in order. `None` if there are too many to check all of them for
    /// each condition.
    pub(crate) fn of_name(&self, name: u32) -> Option<impl Iterator<Item = &Occurrence>> {
        let positions = self.positions.get_or_init(|| {
            let list = self.list.iter().zip(0..);
            ByName::of(
                self.names.len(),
                list.map(|(one, position)| (one.name, position)),
            )
        });
        let all = positions.within(name, 0, u32::MAX);
        let is_few = all.len() <= MAX_OCCURRENCES;
        is_few.then(|| all.iter().map(|&position| &self.list[position as usize]))
    }

    /// Nodes that read a name, from node `first` to before node `end`.
    pub(crate) fn reads(&self, name: u32, first: u32, end: u32) -> &[u32] {
        self.reads.within(name, first, end)
    }

    /// Names that are stored by a declaration or assignment, and where, in order of position; where lists
    /// declare also those that are bound.
    pub(crate) fn stored(&self, lists_declare: bool) -> impl Iterator<Item = (u32, u32)> + '_ {
        let all = self.list.iter();
        all.filter(move |one| one.how == Use::Store || lists_declare && one.how == Use::Bind)
            .map(|occurrence| (occurrence.name, occurrence.node))
    }

    /// Nodes that store or define a name, from node `first` to before node `end`.
    pub(crate) fn writes(&self, name: u32, first: u32, end: u32) -> &[u32] {
        self.writes.within(name, first, end)
    }

    /// Whether a name is stored from node `first` to before node `end`.
    pub(crate) fn written(&self, name: u32, first: u32, end: u32) -> bool {
        !self.writes(name, first, end).is_empty()
    }

    /// Whether a name is in the parameter list from node `first` to before node `end`.
    pub(crate) fn occurs_as_parameter(&self, name: u32, first: u32, end: u32) -> bool {
        let from = self
            .list
            .partition_point(|occurrence| occurrence.node < first);
        let list = self.list[from..]
            .iter()
            .take_while(|occurrence| occurrence.node < end);
        list.into_iter()
            .any(|o| o.name == name && o.how == Use::Param)
    }

    /// Adds mentions of a name, which may be new.
    pub(crate) fn mention(&mut self, name: u32, bits: u8) {
        if self.mentions.len() <= name as usize {
            self.mentions.resize(name as usize + 1, 0);
        }
        self.mentions[name as usize] |= bits;
    }
}

/// Numbers of the names that the file has outside of the code, as in a template.
fn around(view: &View<'_>, names: &Names<'_>) -> Vec<u32> {
    let embedding = view.tree.embedding().into_iter();
    let mentioned = embedding.flat_map(|embedding| &embedding.mentioned);
    mentioned.filter_map(|name| names.known(name)).collect()
}

/// Number of definitions by name.
fn definitions(names: usize, list: &[Occurrence]) -> Vec<u32> {
    let mut counts = vec![0; names];
    for occurrence in list.iter().filter(|one| one.how == Use::Definition) {
        counts[occurrence.name as usize] += 1;
    }
    counts
}

/// Whether a function calls itself, which is not a use. A method that calls its own name without an
/// object calls a function, and there may be several methods of a name.
fn is_recursive(view: &View<'_>, occurrence: &Occurrence, definitions: &[u32]) -> bool {
    let is_method = match occurrence.how {
        Use::Called => false,
        Use::MemberCalled => true,
        _ => return false,
    };
    if definitions[occurrence.name as usize] != 1 {
        return false;
    }
    let own = view.function(occurrence.node);
    own.is_some_and(|own| {
        let receiver = view.child(own, Construct::Parameters);
        let name = view
            .name_of(own)
            .filter(|&name| view.text(name) == view.text(occurrence.node));
        let has_receiver = receiver.zip(name).is_some_and(|(list, name)| list < name);
        name.is_some() && is_method == (has_receiver || view.scope(own) != 0)
    })
}

/// Numbers of the names that texts and comments mention, and of texts that begin names.
fn in_texts<'a>(view: &View<'a>, names: &mut Names<'a>) -> (Vec<u32>, Vec<u32>) {
    let mut mentioned = Vec::new();
    let mut prefixes = Vec::new();
    let rules = view.conventions;
    for &string in view.of_kind(Construct::String) {
        let text = view.text(string);
        // Code in a text uses names of the file; documentation only mentions them.
        if view.k(view.parent(string)) != Construct::ExprStmt {
            let used = called_in(text).chain(members_in(text));
            mentioned.extend(used.filter_map(|name| names.known(name)));
        }
        if rules.text_names == TextNames::Braces {
            mentioned.extend(in_braces(text).map(|name| names.number(name)));
        }
        if rules.texts_refer || !text.contains(' ') {
            string_names(view, string, names, &mut mentioned, &mut prefixes);
        }
    }
    for &comment in view.of_kind(Construct::Comment) {
        let text = view.text(comment);
        let mut starts = rules.naming_comments.iter();
        if starts.any(|start| text.starts_with(start)) {
            mentioned.extend(identifiers(text).map(|name| names.number(name)));
        }
    }
    (mentioned, prefixes)
}

/// Names that functions bind: reads there do not refer to a definition of that name.
struct Locals {
    /// By name, whether any function binds it.
    bound: Vec<bool>,
    /// Functions and lambdas with the names that they bind, and from which node on.
    by_scope: Map<(u32, u32), u32>,
}

impl Locals {
    fn of(view: &View<'_>, names: usize, list: &[Occurrence]) -> Self {
        let mut locals = Self {
            bound: vec![false; names],
            by_scope: Map::default(),
        };
        // With `global` an assignment in a function is one of the module.
        if !view.of_kind(Construct::Global).is_empty() {
            return locals;
        }
        for occurrence in list {
            let scope = view.scope(occurrence.node);
            let binds = matches!(occurrence.how, Use::Store | Use::Bind | Use::Param);
            if binds && matches!(view.k(scope), Construct::Function | Construct::Lambda) {
                locals.bound[occurrence.name as usize] = true;
                // In order of position, so that the first of a name counts.
                let key = (scope, occurrence.name);
                locals
                    .by_scope
                    .entry(key)
                    .or_insert_with(|| bound_from(view, occurrence.node));
            }
        }
        locals
    }

    /// Whether an occurrence reads the value of a local.
    fn reads_one(&self, view: &View<'_>, occurrence: &Occurrence) -> bool {
        if occurrence.how != Use::Load || !self.bound[occurrence.name as usize] {
            return false;
        }
        let outer = |&scope: &u32| Some(view.scope(scope));
        std::iter::successors(Some(view.scope(occurrence.node)), outer)
            .take_while(|&scope| scope != 0)
            // People do not nest deeper; the limit keeps hostile files cheap.
            .take(32)
            .filter_map(|scope| self.by_scope.get(&(scope, occurrence.name)))
            .any(|&from| occurrence.node >= from)
    }
}

/// The node from which on a name bound at a node is a local: its initial value still refers to the
/// outer name, as in `let name = name.trim()`.
fn bound_from(view: &View<'_>, node: u32) -> u32 {
    let outer = |&node: &u32| Some(view.parent(node));
    let above = std::iter::successors(Some(view.parent(node)), outer).take(4);
    let declares =
        |&above: &u32| matches!(view.k(above), Construct::Declarator | Construct::Assign);
    let declaration = above.take_while(|&above| above != 0).find(declares);
    declaration.map_or(node, |declaration| view.end(declaration))
}

fn mention(view: &View<'_>, occurrence: &Occurrence) -> u8 {
    match occurrence.how {
        Use::Load => Mention::VALUE,
        // `super::name` of Rust is a function, and no member.
        Use::Member if view.k(view.parent(occurrence.node)) == Construct::DottedName => {
            Mention::VALUE
        }
        Use::Called => Mention::CALLED,
        Use::Member => Mention::MEMBER,
        Use::MemberCalled => Mention::MEMBER_CALLED,
        Use::Import => Mention::IMPORTED,
        Use::Store | Use::Bind | Use::Param | Use::Keyword | Use::Definition => 0,
    }
}

/// Longer texts are prose, not names.
const MAX_REFERENCE: usize = 120;

/// Names in a string that is only a dotted name or a type, and the beginning of an interpolated
/// string.
fn string_names<'a>(
    view: &View<'a>,
    string: u32,
    names: &mut Names<'a>,
    mentioned: &mut Vec<u32>,
    prefixes: &mut Vec<u32>,
) {
    let text = view.text(string);
    let inner = text.trim_start_matches(|c: char| c.is_alphabetic());
    let inner = inner.trim_matches(['"', '\'', '`']);
    // No name is longer, so only the beginning of prose matters.
    let looked_at = match inner.get(..=MAX_NAME) {
        Some(beginning) if inner.len() > MAX_REFERENCE => beginning,
        _ => inner,
    };
    if let Some(gap) = looked_at.find(['{', '%', '$']) {
        let prefix = &inner[..gap];
        if prefix.len() >= 2 && is_name(prefix) {
            prefixes.push(names.number(prefix));
        }
    } else if inner.ends_with('_') && is_name(inner) && inner.len() >= 2 {
        prefixes.push(names.number(inner));
    }
    let refers = |c: char| c.is_alphanumeric() || "_.:[], |()'\"".contains(c);
    if inner.len() > MAX_REFERENCE || !inner.chars().all(refers) {
        return;
    }
    for word in identifiers(inner).filter(|word| is_name(word)) {
        mentioned.push(names.number(word));
    }
}
