//! Number types: names that have one, and the range of each.

use super::comparisons::{compared_with_zero, sides};
use slope_syntax::Construct;

use crate::occurrences::{Occurrences, Use};
use crate::words::Map;
use slope_syntax::view::View;

/// The declarations of typed names in a file.
pub(super) struct NumberTypes<'v, 'n> {
    names: &'n Occurrences<'n>,
    /// Types without numbers below 0.
    types: &'static [&'static str],
    /// Parameters and stores by name and scope, in order.
    declared: Map<(u32, u32), Vec<u32>>,
    /// By the name of a field, whether each field of that name has such a type.
    fields: Map<&'v str, bool>,
}

/// Maximum number of nodes between a name and the loop that assigns it.
const MAX_PATTERN: usize = 4;

/// Maximum number of values in a chain, each computed from the previous one.
const MAX_CHAIN: usize = 32;

/// Methods of Rust numbers with a result of the same type.
const SAME_TYPE: &[&str] = &[
    "saturating_sub",
    "saturating_add",
    "saturating_mul",
    "wrapping_sub",
    "wrapping_add",
    "wrapping_mul",
    "min",
    "max",
    "clamp",
    "pow",
    "div_ceil",
    "isqrt",
];

impl<'v, 'n> NumberTypes<'v, 'n> {
    pub(super) fn of(view: &View<'v>, names: &'n Occurrences<'n>) -> Self {
        let values = view.conventions.values;
        let mut all = Self {
            names,
            types: values.map_or(&[], |values| values.unsigned),
            declared: Map::default(),
            fields: Map::default(),
        };
        let kinds = [Construct::Compare, Construct::BinaryOp].map(|kind| view.of_kind(kind));
        let mut comparisons = kinds.into_iter().flatten().copied();
        let is_with_number = |node| {
            sides(view, node).is_some_and(|(_, _, right)| view.k(right) == Construct::Number)
        };
        if !all.types.is_empty() && comparisons.any(is_with_number) {
            all.read_names(view);
            all.read_fields(view);
        }
        all
    }

    fn read_names(&mut self, view: &View<'v>) {
        for one in &self.names.list {
            if matches!(one.how, Use::Param | Use::Store | Use::Bind) {
                let key = (one.name, view.scope(one.node));
                self.declared.entry(key).or_default().push(one.node);
            }
        }
    }

    fn read_fields(&mut self, view: &View<'v>) {
        for (node, _) in view.all() {
            if view.tree.kind_name(node) != "field_declaration" {
                continue;
            }
            let kind = view.parts(node).last();
            let is_unsigned = kind.is_some_and(|kind| self.types.contains(&view.text(kind)));
            for part in view
                .parts(node)
                .filter(|&part| view.k(part) == Construct::Member)
            {
                *self.fields.entry(view.text(part)).or_insert(true) &= is_unsigned;
            }
        }
    }

    /// Whether a comparison tests if an unsigned number is below 0.
    pub(super) fn is_compared(&self, view: &View<'v>, node: u32) -> bool {
        match compared_with_zero(view, node) {
            Some(left) if view.k(left) == Construct::Identifier => {
                let kind = self.type_of_name(view, left);
                kind.is_some_and(|kind| self.types.contains(&kind))
            }
            Some(left) if view.k(left) == Construct::Attribute => {
                let field = view.parts(left).last();
                field.is_some_and(|field| self.fields.get(view.text(field)) == Some(&true))
            }
            _ => false,
        }
    }

    /// The type of a name, from its nearest declaration, the conversion of its value, or the number
    /// whose method returns its value: `let a = b.saturating_sub(c);`.
    pub(super) fn type_of_name(&self, view: &View<'v>, mut node: u32) -> Option<&'v str> {
        for _ in 0..MAX_CHAIN {
            let Some(declaration) = self.declaration(view, node) else {
                return self.type_of_item(view, node);
            };
            if let Some(kind) = declared_type(view, declaration) {
                return Some(kind);
            }
            let text = view.text(declaration);
            match text.rsplit_once(" as ") {
                _ if view.k(declaration) == Construct::Param => {
                    return view.parts(declaration).last().map(|kind| view.text(kind));
                }
                Some((_, kind)) => return Some(kind.trim_end_matches(';').trim()),
                None => {
                    node = operand(view, declaration)
                        .or_else(|| number_of_result(view, declaration))?
                }
            }
        }
        None
    }

    /// The type of the loop items that a name gets, from the type of the parameter that the loop
    /// iterates over.
    fn type_of_item(&self, view: &View<'v>, node: u32) -> Option<&'v str> {
        let key = (self.names.name_at(node), view.scope(node));
        let [bound] = self.declared.get(&key)?[..] else {
            return None;
        };
        let outer = |&node: &u32| Some(view.parent(node)).filter(|&node| node != 0);
        let mut around = std::iter::successors(Some(bound), outer).take(MAX_PATTERN);
        let is_range = |node: u32| view.tree.kind_name(node) == "range_clause";
        let node = around.find(|&node| view.k(node) == Construct::For || is_range(node))?;
        let list = view
            .parts(node)
            .find(|&part| part > bound && view.k(part) == Construct::Identifier)?;
        let is_key = view.tree.kind_name(node) == "range_clause"
            && view.first(view.parent(bound)) == Some(bound);
        let declaration = self.declaration(view, list).filter(|_| !is_key)?;
        let kind = view
            .parts(declaration)
            .last()
            .filter(|_| view.k(declaration) == Construct::Param)?;
        item_of(view.text(kind))
    }

    /// The parameter or the statement that declares the name at a node, if it is unambiguous.
    fn declaration(&self, view: &View<'v>, node: u32) -> Option<u32> {
        let key = (self.names.name_at(node), view.scope(node));
        let all = self.declared.get(&key)?;
        let declared = &all[..all.partition_point(|&one| one < node)];
        // In `let n = n.max(1);` the value is that of the earlier `n`.
        let is_done = |&one: &u32| view.end(view.parent(one)) <= node;
        let declaration = view.parent(declared.iter().copied().rfind(is_done)?);
        let is_only = match view.k(declaration) {
            // A later declaration of the name may have another type.
            Construct::Param => declared.len() == 1,
            Construct::Declarator => view.end(view.parent(declaration)) >= view.end(node),
            _ => false,
        };
        is_only.then_some(declaration)
    }
}

/// The type of the items of a list: `&[u8]`, `Vec<u8>`, `[]byte`.
fn item_of(kind: &str) -> Option<&str> {
    let kind = kind.trim_start_matches('&').trim_start_matches("mut ");
    if let Some(item) = kind.strip_prefix("[]") {
        return Some(item);
    }
    let within = |start: &str, end: char| kind.strip_prefix(start)?.strip_suffix(end);
    let item = within("Vec<", '>').or_else(|| within("[", ']'))?;
    item.split(';').next()
}

/// The type in `let a: u8 = b;`.
fn declared_type<'v>(view: &View<'v>, declaration: u32) -> Option<&'v str> {
    let mut parts = view.parts(declaration).skip(1);
    let kind = parts.find(|&part| view.tree.kind_name(part).ends_with("_type"))?;
    let colon = view.tree.previous_sibling(kind)?;
    let is_typed = view.k(declaration) == Construct::Declarator && view.text(colon) == ":";
    is_typed.then(|| view.text(kind))
}

/// The least and the greatest number of a type.
#[expect(clippy::cast_precision_loss, reason = "the greatest is only compared")]
pub(super) fn limits(kind: &str) -> Option<(f64, f64)> {
    Some(match kind {
        "u8" | "uint8" | "byte" => (0.0, f64::from(u8::MAX)),
        "u16" | "uint16" => (0.0, f64::from(u16::MAX)),
        "u32" | "uint32" => (0.0, f64::from(u32::MAX)),
        "u64" | "uint64" | "usize" | "uint" => (0.0, u64::MAX as f64),
        "i8" | "int8" => (f64::from(i8::MIN), f64::from(i8::MAX)),
        "i16" | "int16" => (f64::from(i16::MIN), f64::from(i16::MAX)),
        "i32" | "int32" => (f64::from(i32::MIN), f64::from(i32::MAX)),
        _ => return None,
    })
}

/// The name in a declaration's value, if that is arithmetic of a name and numbers.
fn operand(view: &View<'_>, declaration: u32) -> Option<u32> {
    let mut node = view.parts(declaration).last()?;
    for _ in 0..MAX_CHAIN {
        if view.k(node) == Construct::Identifier {
            return Some(node);
        }
        let (left, sign, right) = sides(view, node)?;
        let is_arithmetic =
            view.k(node) == Construct::BinaryOp && ["+", "-", "*", "/", "%"].contains(&sign);
        let is_number = |part: u32| view.k(part) == Construct::Number;
        node = match (is_number(left), is_number(right)) {
            (true, false) if is_arithmetic => right,
            (false, true) if is_arithmetic => left,
            // Two names may have two types.
            _ => return None,
        };
    }
    None
}

/// The receiver of the method in a declaration's value, if the method keeps the type.
fn number_of_result(view: &View<'_>, declaration: u32) -> Option<u32> {
    let call = view.parts(declaration).last()?;
    let callee = Some(call + 1).filter(|&callee| {
        view.k(call) == Construct::Call && view.k(callee) == Construct::Attribute
    })?;
    let number = view.first(callee)?;
    let method = view.text(view.parts(callee).last()?);
    (view.k(number) == Construct::Identifier && SAME_TYPE.contains(&method)).then_some(number)
}
