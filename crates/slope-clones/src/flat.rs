//! The facts of a file as bytes of fixed layout, so that reading them back is copying.
//!
//! The numbers of constructs, statements and tokens come first, then the records, all
//! little-endian. Most of them are hashes, which no shorter form would pay for.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::file::{CloneUnit, FileClones, Statement};
use crate::{UnitHash, Wording};

/// Bytes of the three counts.
const HEAD: usize = 12;
/// Bytes of a construct.
const UNIT: usize = 2 * 16 + 8 * 4 + 1 + WORDING;
/// Bytes of a statement.
const STATEMENT: usize = 3 * 8 + 7 * 4 + 2 + 1 + WORDING;
/// Size of [`Wording`] in bytes.
const WORDING: usize = 3 * 4;

/// Bits of a statement's last byte.
const CONTINUES: u8 = 1;
const WHOLE: u8 = 2;

impl Serialize for FileClones {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&bytes(self))
    }
}

impl<'de> Deserialize<'de> for FileClones {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Visitor that accepts bytes in any form of a format.
struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = FileClones;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the clone facts of a file as bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<FileClones, E> {
        read(bytes).ok_or_else(|| E::invalid_length(bytes.len(), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<FileClones, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = list.next_element()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

fn bytes(facts: &FileClones) -> Vec<u8> {
    let (units, statements) = (facts.units.len(), facts.statements.len());
    let size = HEAD + units * UNIT + statements * STATEMENT + facts.tokens.len() * 2;
    let mut out = Vec::with_capacity(size);
    for count in [units, statements, facts.tokens.len()] {
        out.extend(crate::stream::narrow(count).to_le_bytes());
    }
    for unit in &facts.units {
        write_unit(unit, &mut out);
    }
    for statement in &facts.statements {
        write_statement(statement, &mut out);
    }
    out.extend(facts.tokens.iter().flat_map(|code| code.to_le_bytes()));
    out
}

/// Decodes facts; `None` if the bytes are invalid.
fn read(bytes: &[u8]) -> Option<FileClones> {
    let mut rest = bytes;
    let mut count = || Some(take_u32(&mut rest)? as usize);
    let (units, statements, tokens) = (count()?, count()?, count()?);
    let (units, rest) = rest.split_at_checked(units.checked_mul(UNIT)?)?;
    let (statements, rest) = rest.split_at_checked(statements.checked_mul(STATEMENT)?)?;
    if rest.len() != tokens.checked_mul(2)? {
        return None;
    }
    let code = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
    Some(FileClones {
        units: records(units, UNIT, read_unit)?,
        statements: records(statements, STATEMENT, read_statement)?,
        tokens: rest.chunks_exact(2).map(code).collect(),
    })
}

/// Records of `size` bytes. Collecting into an `Option` would not know their number, and reallocate
/// repeatedly.
fn records<T>(bytes: &[u8], size: usize, read: fn(&[u8]) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::with_capacity(bytes.len() / size);
    for record in bytes.chunks_exact(size) {
        all.push(read(record)?);
    }
    Some(all)
}

fn write_unit(unit: &CloneUnit, out: &mut Vec<u8>) {
    out.extend(unit.exact.0);
    out.extend(unit.renamed.0);
    let numbers = [
        unit.first_row,
        unit.last_row,
        unit.start_byte,
        unit.end_byte,
        unit.lines,
        unit.tokens,
        unit.near,
        unit.near_len,
    ];
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    out.push(u8::from(unit.callable));
    write_wording(unit.wording, out);
}

fn read_unit(mut bytes: &[u8]) -> Option<CloneUnit> {
    let rest = &mut bytes;
    Some(CloneUnit {
        exact: UnitHash(take(rest)?),
        renamed: UnitHash(take(rest)?),
        first_row: take_u32(rest)?,
        last_row: take_u32(rest)?,
        start_byte: take_u32(rest)?,
        end_byte: take_u32(rest)?,
        lines: take_u32(rest)?,
        tokens: take_u32(rest)?,
        near: take_u32(rest)?,
        near_len: take_u32(rest)?,
        callable: take(rest)? != [0],
        wording: take_wording(rest)?,
    })
}

fn write_statement(statement: &Statement, out: &mut Vec<u8>) {
    for hash in [statement.exact, statement.renamed, statement.own] {
        out.extend(hash.to_le_bytes());
    }
    let numbers = [
        statement.own_exact,
        statement.first_row,
        statement.last_row,
        statement.start_byte,
        statement.end_byte,
        statement.tokens,
        statement.lines,
    ];
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    out.extend(statement.run.to_le_bytes());
    let continues = if statement.continues { CONTINUES } else { 0 };
    out.push(continues | if statement.whole { WHOLE } else { 0 });
    write_wording(statement.wording, out);
}

fn write_wording(wording: Wording, out: &mut Vec<u8>) {
    let numbers = [wording.names, wording.texts, wording.literals];
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn read_statement(mut bytes: &[u8]) -> Option<Statement> {
    let rest = &mut bytes;
    let mut statement = Statement {
        exact: take_u64(rest)?,
        renamed: take_u64(rest)?,
        own: take_u64(rest)?,
        own_exact: take_u32(rest)?,
        first_row: take_u32(rest)?,
        last_row: take_u32(rest)?,
        start_byte: take_u32(rest)?,
        end_byte: take_u32(rest)?,
        tokens: take_u32(rest)?,
        lines: take_u32(rest)?,
        run: u16::from_le_bytes(take(rest)?),
        continues: false,
        whole: false,
        wording: Wording::default(),
    };
    let [bits] = take(rest)?;
    statement.continues = bits & CONTINUES != 0;
    statement.whole = bits & WHOLE != 0;
    statement.wording = take_wording(rest)?;
    Some(statement)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn take_wording(bytes: &mut &[u8]) -> Option<Wording> {
    Some(Wording {
        names: take_u32(bytes)?,
        texts: take_u32(bytes)?,
        literals: take_u32(bytes)?,
    })
}

fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}

fn take_u64(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes).map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Language, Limits, Profile, parse};

    use super::*;

    fn facts() -> FileClones {
        let language = Language::by_id("python").unwrap();
        let body: String = (0..12)
            .map(|n| format!("    a{n} = b.c({n}) + d[e]\n"))
            .collect();
        let code = format!("def f(b, d, e):\n{body}    if a1:\n        return a2\n{body}");
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let source = tree.source_lines(Profile::Slope);
        crate::analyse(&tree, &source, Profile::Slope)
    }

    #[test]
    fn clone_facts_round_trip() {
        let facts = facts();
        assert!(!facts.units.is_empty() && !facts.tokens.is_empty());
        assert!(facts.statements.iter().any(|s| s.continues));
        assert_eq!(read(&bytes(&facts)).as_ref(), Some(&facts));
        let json = serde_json::to_string(&facts).unwrap();
        assert_eq!(serde_json::from_str::<FileClones>(&json).unwrap(), facts);
        let none = FileClones::default();
        assert_eq!(read(&bytes(&none)), Some(none));
    }

    #[test]
    fn truncated_fact_bytes_are_rejected() {
        let whole = bytes(&facts());
        for length in 0..whole.len() {
            assert_eq!(read(&whole[..length]), None);
        }
        let longer = [whole.as_slice(), &[0]].concat();
        assert_eq!(read(&longer), None);
    }
}
