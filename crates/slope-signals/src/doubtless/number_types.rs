//! Numbers whose types have none below 0.

use super::known::compared_with_zero;
use crate::kind::K;
use crate::languages::conventions;
use crate::occurrences::{Occurrences, Use};
use crate::view::View;
use crate::words::Map;

/// The declarations of a file that give names a type.
pub(super) struct Unsigned<'v, 'n> {
    names: &'n Occurrences<'n>,
    /// Types without numbers below 0.
    types: &'static [&'static str],
    /// Parameters and stores by name and scope, in order.
    declared: Map<(u32, u32), Vec<u32>>,
    /// By the name of a field, whether each field of that name has such a type.
    fields: Map<&'v str, bool>,
}

/// Most values that are each made from the one before.
const MAX_CHAIN: usize = 32;

/// Methods of the numbers of Rust that give a number of the same type.
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

impl<'v, 'n> Unsigned<'v, 'n> {
    pub(super) fn of(view: &View<'v>, names: &'n Occurrences<'n>) -> Self {
        let values = conventions(view.tree.language().id()).values;
        let mut all = Self {
            names,
            types: values.map_or(&[], |values| values.unsigned),
            declared: Map::default(),
            fields: Map::default(),
        };
        let kinds = [K::Compare, K::BinaryOp].map(|kind| view.of_kind(kind));
        let mut comparisons = kinds.into_iter().flatten().copied();
        if !all.types.is_empty() && comparisons.any(|node| compared_with_zero(view, node).is_some())
        {
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
            for part in view.parts(node).filter(|&part| view.k(part) == K::Member) {
                *self.fields.entry(view.text(part)).or_insert(true) &= is_unsigned;
            }
        }
    }

    /// Whether a comparison asks if a number without a sign is below 0.
    pub(super) fn is_compared(&self, view: &View<'v>, node: u32) -> bool {
        match compared_with_zero(view, node) {
            Some(left) if view.k(left) == K::Identifier => {
                let kind = self.type_of_name(view, left);
                kind.is_some_and(|kind| self.types.contains(&kind))
            }
            Some(left) if view.k(left) == K::Attribute => {
                let field = view.parts(left).last();
                field.is_some_and(|field| self.fields.get(view.text(field)) == Some(&true))
            }
            _ => false,
        }
    }

    /// The type of a name, from its nearest declaration, the conversion of its value, or the number whose
    /// method gives its value: `let a = b.saturating_sub(c);`.
    fn type_of_name(&self, view: &View<'v>, mut node: u32) -> Option<&'v str> {
        for _ in 0..MAX_CHAIN {
            let declaration = self.declaration(view, node)?;
            let text = view.text(declaration);
            match text.rsplit_once(" as ") {
                _ if view.k(declaration) == K::Param => {
                    return view.parts(declaration).last().map(|kind| view.text(kind));
                }
                Some((_, kind)) => return Some(kind.trim_end_matches(';').trim()),
                None => node = number_of_result(view, declaration)?,
            }
        }
        None
    }

    /// The parameter or the statement that declares the name at a node, if only one can.
    fn declaration(&self, view: &View<'v>, node: u32) -> Option<u32> {
        let key = (self.names.name_at(node), view.scope(node));
        let all = self.declared.get(&key)?;
        let declared = &all[..all.partition_point(|&one| one < node)];
        // In `let n = n.max(1);` the value is that of the earlier `n`.
        let is_done = |&one: &u32| view.end(view.parent(one)) <= node;
        let declaration = view.parent(declared.iter().copied().rfind(is_done)?);
        let is_only = match view.k(declaration) {
            // A later declaration of the name may be of another type.
            K::Param => declared.len() == 1,
            K::Declarator => view.end(view.parent(declaration)) >= view.end(node),
            _ => false,
        };
        is_only.then_some(declaration)
    }
}

/// The number whose method gives a declared value, if the method keeps the type.
fn number_of_result(view: &View<'_>, declaration: u32) -> Option<u32> {
    let call = view.parts(declaration).last()?;
    let callee = Some(call + 1)
        .filter(|&callee| view.k(call) == K::Call && view.k(callee) == K::Attribute)?;
    let number = view.first(callee)?;
    let method = view.text(view.parts(callee).last()?);
    (view.k(number) == K::Identifier && SAME_TYPE.contains(&method)).then_some(number)
}
