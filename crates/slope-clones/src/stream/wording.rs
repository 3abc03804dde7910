//! Names that tokens call, and literals.

use slope_syntax::Roles;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Kind, NAME, Range, Stream, Token, Walk};
use crate::Wording;

impl Stream<'_> {
    /// Adds the names and literals of a token.
    pub(super) fn word(&self, walk: &mut Walk, index: u32, kind: Kind, text: u64) {
        let name = walk.name.take();
        let is_member = std::mem::replace(&mut walk.is_after_dot, kind.dots);
        let hash = text as u32;
        if kind.code == NAME {
            if is_member {
                walk.wording.names = walk.wording.names.wrapping_add(hash);
            } else {
                walk.name = Some(hash);
            }
        } else if kind.literal && !self.tree.names_callable(index) {
            walk.wording.texts = walk.wording.texts.wrapping_add(hash);
            walk.wording.literals += 1;
        } else if kind.opens {
            let parent = self.all[index as usize].parent;
            let is_called = !self.is_parameters(parent);
            let called = name.filter(|_| is_called).unwrap_or(0);
            walk.wording.names = walk.wording.names.wrapping_add(called);
        }
    }

    /// Whether a node is the list of a callable's parameters, or the callable itself, as in Bash and Swift.
    fn is_parameters(&self, index: u32) -> bool {
        let own = self.tree.info(index).roles;
        let around = self.tree.info(self.all[index as usize].parent).roles;
        own.any(Roles::PARAMETERS.and(Roles::CALLABLE)) || around.any(Roles::CALLABLE)
    }

    /// Names and literals of a range of tokens.
    pub(crate) fn wording(&self, range: &Range) -> Wording {
        let before = match range.first {
            0 => Wording::default(),
            first => self.room.tokens[first as usize - 1].wording,
        };
        let after = self.room.tokens[range.end as usize - 1].wording;
        Wording {
            names: after.names.wrapping_sub(before.names),
            texts: after.texts.wrapping_sub(before.texts),
            literals: after.literals.wrapping_sub(before.literals),
        }
    }

    /// A hash of the texts of a declaration after the assignment sign, so that the name is ignored.
    pub(crate) fn value_hash(&self, range: &Range) -> u64 {
        let tokens = &self.room.tokens[range.first as usize..range.end as usize];
        let text = |token: &Token| self.bytes(&self.all[token.node as usize]);
        let given = tokens
            .iter()
            .position(|token| matches!(text(token), b"=" | b":="));
        let value = &tokens[given.unwrap_or(0)..];
        value
            .iter()
            .fold(0, |hash, token| xxh3_64_with_seed(text(token), hash))
    }
}
