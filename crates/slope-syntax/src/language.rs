//! The table of languages, and what each grammar kind means.
//!
//! Generic code (complexity, nesting, clones) asks for a kind's [`Roles`] and
//! never for its name; what cannot be said by roles is a function in
//! `LanguageSpec`, one per question.

use std::path::Path;
use std::sync::OnceLock;

pub use crate::construct::Construct;
use crate::conventions::{self, Conventions};
use crate::ecmascript;
use crate::files::Files;
use crate::hosts::{self, Host};
use crate::languages::TABLE;
pub(crate) use crate::lost::Bodies;
pub use crate::roles::{KindInfo, LiteralClass, Roles};
pub(crate) use crate::roles::{KindRows, LiteralRows, TokenRows};
use crate::sniff;
pub(crate) use crate::spec::{Grammar, LanguageSpec, Part};

/// A language of the table, possibly in files that contain its code among other text.
///
/// Before such a file is read, its language is the usual one of its kind. The language of its tree is the actual one.
/// Two values are equal if their languages are equal, even in different kinds of files.
#[derive(Clone, Copy)]
pub struct Language {
    index: usize,
    host: Option<&'static Host>,
}

/// Per-language tables by kind id, made on first use.
pub(crate) struct KindTable {
    pub(crate) grammar: tree_sitter::Language,
    pub(crate) infos: Vec<KindInfo>,
    pub(crate) constructs: Vec<Construct>,
    /// Names by kind id.
    pub(crate) names: Vec<Box<str>>,
    /// Names of named kinds in order.
    pub(crate) sorted: Vec<Box<str>>,
    /// Ids of the fields with the heads of control structures.
    pub(crate) head_fields: Vec<u16>,
    /// The field of a definition's name, 0 if the grammar has none.
    pub(crate) name_field: u16,
    /// Whether each kind is named.
    pub(crate) is_named: Vec<bool>,
    /// For each kind its position in `LanguageSpec::named_kinds`, from 1; 0 for those that are not in it.
    pub(crate) positions: Vec<u8>,
    /// The kind ids of `LanguageSpec::parts`, in their order.
    pub(crate) parts: Vec<u16>,
}

static KINDS: [OnceLock<KindTable>; TABLE.len()] = [const { OnceLock::new() }; TABLE.len()];

impl Language {
    /// Every language, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len()).map(|index| Self { index, host: None })
    }

    /// The language with this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|language| language.id() == id)
    }

    /// The language of this id, or of another name for it: a suffix or a short name, ASCII case
    /// ignored.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let is_named = |language: &Self| {
            let spec = language.spec();
            spec.aliases.contains(&&*name) || spec.suffixes.contains(&&*name)
        };
        Self::by_id(&name).or_else(|| Self::all().find(is_named))
    }

    /// The language of a path by its last suffix, ASCII case ignored, or by its
    /// well-known name.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        // A non-text name may have a suffix that is.
        let name = path.file_name()?.to_string_lossy();
        if let Some(found) = Self::all().find(|l| l.spec().file_names.contains(&&*name)) {
            return Some(found);
        }
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::all()
            .find(|language| language.spec().suffixes.contains(&suffix.as_str()))
            .or_else(|| Self::in_host(hosts::of_suffix(&suffix)?))
    }

    /// The usual language of a kind of file that contains code among other text.
    fn in_host(host: &'static Host) -> Option<Self> {
        let language = Self::by_id(host.language)?;
        Some(Self {
            host: Some(host),
            ..language
        })
    }

    /// The kind of file that contains the code among other text.
    pub(crate) fn host(self) -> Option<&'static Host> {
        self.host
    }

    /// The language of text that is all code.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { host: None, ..self }
    }

    /// Whether the columns of its code are those of the file.
    #[must_use]
    pub fn keeps_columns(self) -> bool {
        self.host.is_none_or(|host| host.keeps_columns)
    }

    /// Whether other files can import from its files.
    #[must_use]
    pub fn is_imported(self) -> bool {
        self.host.is_none_or(|host| host.is_imported)
    }

    /// Maximum size of a file in bytes. `limit` is the maximum for files with only code.
    #[must_use]
    pub fn max_bytes(self, limit: usize) -> usize {
        limit.saturating_mul(self.host.map_or(1, |host| host.size_factor))
    }

    /// Maximum size of a file in any language, in bytes. `limit` is the maximum for files with only
    /// code.
    #[must_use]
    pub fn largest_file(limit: usize) -> usize {
        let factors = hosts::HOSTS.iter().map(|host| host.size_factor);
        limit.saturating_mul(factors.max().unwrap_or(1))
    }

    /// A name for files of this language and kind, for example `javascript in vue`.
    #[must_use]
    pub fn file_kind(self) -> String {
        match self.host {
            Some(host) => format!("{} in {}", self.id(), host.suffix),
            None => self.id().to_owned(),
        }
    }

    /// The language of a file by its name and its first bytes.
    ///
    /// The suffix decides. A `.h` file is C++ if its first bytes have constructs that C lacks. A
    /// file without suffix has the language of its well-known name (`Rakefile`), or of the
    /// interpreter in its first line (`#!`).
    #[must_use]
    pub fn of_file(path: &Path, first_bytes: &[u8]) -> Option<Self> {
        match Self::of_path(path) {
            Some(found) => {
                let suffix = path.extension().and_then(|suffix| suffix.to_str());
                let suffix = suffix.map(str::to_ascii_lowercase);
                let claims = |language: &Self| {
                    let claim = language.spec().claim.as_ref();
                    claim.is_some_and(|claim| {
                        suffix.as_deref() == Some(claim.suffix) && (claim.is_own)(first_bytes)
                    })
                };
                Self::all().find(claims).or(Some(found))
            }
            None if path.extension().is_some() => None,
            None => {
                let interpreter = sniff::interpreter(first_bytes)?;
                Self::all().find(|language| language.spec().interpreters.contains(&interpreter))
            }
        }
    }

    /// Whether a file without suffix is a script for an interpreter of an unsupported language, by its first bytes.
    #[must_use]
    pub fn is_other_script(path: &Path, first_bytes: &[u8]) -> bool {
        path.extension().is_none()
            && sniff::interpreter(first_bytes).is_some()
            && Self::of_file(path, first_bytes).is_none()
    }

    /// Its id, for example `python`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.spec().id
    }

    /// The id that it shares with languages in which the same code is the same tree: JavaScript,
    /// TypeScript and TSX are one family.
    #[must_use]
    pub fn family(self) -> &'static str {
        self.spec().family
    }

    /// Its files besides their code.
    #[must_use]
    pub fn files(self) -> &'static Files {
        &self.spec().files
    }

    /// Whether its files seldom parse without their headers, and say little by that.
    #[must_use]
    pub fn is_lenient(self) -> bool {
        self.spec().unseen_rows.is_some()
    }

    /// Position of the condition in an expression with two values.
    #[must_use]
    pub fn condition_at(self) -> usize {
        self.spec().condition_at
    }

    /// Its position in the table.
    pub(crate) fn index(self) -> usize {
        self.index
    }

    /// Its suffixes, without the dot.
    #[must_use]
    pub fn suffixes(self) -> &'static [&'static str] {
        self.spec().suffixes
    }

    /// Name of its grammar package.
    #[must_use]
    pub fn grammar(self) -> &'static str {
        self.spec().grammar.name
    }

    /// Version of its grammar package.
    #[must_use]
    pub fn grammar_version(self) -> &'static str {
        self.spec().grammar.version
    }

    /// Facts for signals, besides syntax.
    #[must_use]
    pub fn conventions(self) -> &'static Conventions {
        self.known_conventions()
            .unwrap_or(&conventions::PLAIN_CONVENTIONS)
    }

    /// The same, if signals know the language.
    pub(crate) fn known_conventions(self) -> Option<&'static Conventions> {
        self.spec().conventions
    }

    /// The construct of every kind, by kind id.
    pub(crate) fn constructs(self) -> &'static [Construct] {
        &self.kinds().constructs
    }

    /// Facts about a kind id.
    #[must_use]
    #[inline]
    pub fn kind(self, id: u16) -> KindInfo {
        let infos = &self.kinds().infos;
        infos.get(id as usize).copied().unwrap_or(KindInfo {
            canonical: id,
            in_family: id,
            ..KindInfo::default()
        })
    }

    /// Whether a preprocessor defines macros and leaves out code under `#if 0`, by the kinds of the grammar.
    #[must_use]
    pub fn has_macros(self) -> bool {
        self.kind_names().any(|(name, _)| name == "preproc_def")
    }

    /// Name of every kind of its grammar and whether it is a named one, by kind id.
    pub fn kind_names(self) -> impl Iterator<Item = (&'static str, bool)> {
        let grammar = &self.kinds().grammar;
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        (0..count).map(|id| {
            let name = grammar.node_kind_for_id(id).unwrap_or_default();
            (name, grammar.node_kind_is_named(id))
        })
    }

    /// The name that the grammar has for a kind id.
    #[must_use]
    pub fn kind_name(self, id: u16) -> &'static str {
        let names = &self.kinds().names;
        names.get(id as usize).map_or("ERROR", |name| name)
    }

    /// Number of kind ids of the grammar. The ids are the numbers below it.
    #[must_use]
    pub fn kind_count(self) -> u16 {
        u16::try_from(self.kinds().infos.len()).unwrap_or(u16::MAX)
    }

    /// Whether the grammar has a named kind of this name.
    pub(crate) fn has_kind(self, name: &str) -> bool {
        let table = self.kinds();
        let found = table.sorted.binary_search_by(|known| (**known).cmp(name));
        found.is_ok()
    }

    pub(crate) fn spec(self) -> &'static LanguageSpec {
        &TABLE[self.index]
    }

    pub(crate) fn kinds(self) -> &'static KindTable {
        KINDS[self.index].get_or_init(|| kind_table(self.spec()))
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Language {}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

/// The only family of several languages: JavaScript, TypeScript and TSX.
pub(crate) const ECMASCRIPT: &str = "ecmascript";

/// Grammars' fields for the part of a structure that is evaluated before it acts: the condition,
/// the value of a switch, the range of a loop.
const HEAD_FIELDS: &[&str] = &["condition", "value", "subject", "right"];

/// The constructs of a named kind and the roles that it has besides theirs; a kind may be in several rows.
fn rows_of(spec: &LanguageSpec, name: &str) -> impl Iterator<Item = (Construct, Roles)> {
    let rows = spec.kinds.iter().copied().flatten();
    rows.filter(move |(.., kinds)| kinds.contains(&name))
        .map(|&(construct, roles, _)| (construct, roles))
}

/// The construct of a named kind.
fn construct_of(spec: &LanguageSpec, name: &str) -> Construct {
    let mut constructs = rows_of(spec, name).map(|(construct, _)| construct);
    let found = constructs.find(|construct| *construct != Construct::Other);
    found.unwrap_or_default()
}

/// Facts about a kind by its name, and whether it is a named one.
fn kind_info(
    spec: &LanguageSpec,
    grammar: &tree_sitter::Language,
    (name, named): (&str, bool),
) -> KindInfo {
    let of_name = |kinds: &&[&str]| kinds.contains(&name);
    let roles = if named {
        let rows = rows_of(spec, name);
        rows.fold(Roles::NONE, |all, (construct, roles)| {
            all.and(construct.roles()).and(roles)
        })
    } else {
        let rows = spec.tokens.iter().copied().flatten();
        let rows = rows.filter(|(_, kinds)| of_name(kinds));
        rows.fold(Roles::NONE, |all, (roles, _)| all.and(*roles))
    };
    let mut literals = spec.literals.iter().copied().flatten();
    let literal = literals.find(|(_, kinds)| named && of_name(kinds));
    let canonical = grammar.id_for_node_kind(name, named);
    let of_family = (spec.family == ECMASCRIPT).then(|| ecmascript::number_of_kind(name, named));
    KindInfo {
        roles,
        literal: literal.map(|(class, _)| *class),
        canonical,
        in_family: of_family.unwrap_or(canonical),
    }
}

fn kind_table(spec: &LanguageSpec) -> KindTable {
    let grammar = (spec.grammar.load)();
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let mut names = Vec::with_capacity(count as usize);
    let mut infos = Vec::with_capacity(count as usize);
    let mut constructs = Vec::with_capacity(count as usize);
    for id in 0..count {
        let name = grammar.node_kind_for_id(id).unwrap_or_default();
        let named = grammar.node_kind_is_named(id);
        infos.push(kind_info(spec, &grammar, (name, named)));
        constructs.push(if named {
            construct_of(spec, name)
        } else {
            Construct::Other
        });
        names.push(name.into());
    }
    let position = |id| {
        let name = grammar.node_kind_for_id(id)?;
        let named = grammar.node_kind_is_named(id);
        let at = spec
            .named_kinds
            .iter()
            .position(|kind| named && *kind == name)?;
        u8::try_from(at + 1).ok()
    };
    let positions = (0..count).map(|id| position(id).unwrap_or(0)).collect();
    let is_named = (0..count)
        .map(|id| grammar.node_kind_is_named(id))
        .collect();
    let mut sorted: Vec<Box<str>> = (0..count)
        .filter(|&id| grammar.node_kind_is_named(id))
        .filter_map(|id| grammar.node_kind_for_id(id).map(Into::into))
        .collect();
    sorted.sort_unstable();
    let head_fields = HEAD_FIELDS
        .iter()
        .filter_map(|name| grammar.field_id_for_name(name))
        .map(u16::from)
        .collect();
    let parts = spec
        .parts
        .iter()
        .map(|part| grammar.id_for_node_kind(part.kind, true));
    let name_field = grammar.field_id_for_name("name").map_or(0, u16::from);
    KindTable {
        parts: parts.collect(),
        name_field,
        grammar,
        head_fields,
        sorted,
        infos,
        constructs,
        is_named,
        positions,
        names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_their_language_by_suffix() {
        let python = Language::by_id("python").unwrap();
        assert_eq!(Language::of_path(Path::new("a/b.py")), Some(python));
        assert_eq!(Language::of_path(Path::new("a/B.PYW")), Some(python));
        assert_eq!(Language::of_path(Path::new("a/py")), None);
        assert_eq!(Language::of_path(Path::new("a/.py")), None);
        for (path, id) in [
            ("a.PYI", "python"),
            ("a.mjs", "javascript"),
            ("a.jsx", "javascript"),
            ("a.cts", "typescript"),
            ("a.tsx", "tsx"),
            ("a.d.ts", "typescript"),
            ("a.ipp", "cpp"),
            ("a.c++", "cpp"),
            ("a.gemspec", "ruby"),
            ("lib/Rakefile", "ruby"),
            ("Gemfile", "ruby"),
            ("build.gradle.kts", "kotlin"),
            ("build.sbt", "scala"),
            ("Package.swift", "swift"),
        ] {
            assert_eq!(
                Language::of_path(Path::new(path)),
                Language::by_id(id),
                "{path}"
            );
        }
    }

    #[test]
    fn languages_have_short_names() {
        for (name, id) in [
            ("ts", "typescript"),
            ("JS", "javascript"),
            ("py", "python"),
            ("rs", "rust"),
            ("golang", "go"),
            ("c", "c"),
            ("c++", "cpp"),
            ("cs", "csharp"),
            ("c#", "csharp"),
            ("rb", "ruby"),
            ("hs", "haskell"),
            ("Rust", "rust"),
            ("kt", "kotlin"),
            ("PHP", "php"),
            ("shell", "bash"),
            ("sh", "bash"),
        ] {
            assert_eq!(Language::by_name(name), Language::by_id(id), "{name}");
        }
        assert_eq!(Language::by_name("cobol"), None);
    }

    #[test]
    fn content_identifies_headers_and_scripts() {
        for (path, text, id) in [
            ("a.h", "struct S { int a; };\n", "c"),
            (
                "a.h",
                "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint class_of(int a);\n",
                "c",
            ),
            (
                "a.h",
                "/* class A { */\n// namespace x {\n#define X \"class B {\"\n",
                "c",
            ),
            ("a.h", "namespace a {\n", "cpp"),
            ("a.H", "class A : public B {\n", "cpp"),
            ("a.h", "  template <class T>\n", "cpp"),
            ("a.h", "#include <vector>\nusing std::vector;\n", "cpp"),
            ("a.h", "#include <vector>\n", "cpp"),
            ("a.h", "#include <stdio.h>\n#include \"x\"\n", "c"),
            ("a.h", "void f(std::string a);\n", "cpp"),
            ("a.h", "enum class A { B };\n", "cpp"),
            ("a.h", "void f(int& x);\n", "cpp"),
            ("a.h", "const Foo& get(int a);\n", "cpp"),
            ("a.h", "static int f(int a) { return a & 1; }\n", "c"),
            ("a.h", "int a = (b& MASK);\nint g(c& d);\n", "cpp"),
            (
                "a.h",
                "#ifdef __cplusplus\n#include <cstdint>\nvoid f(std::string a);\n#endif\n",
                "c",
            ),
            ("a.h", "/* std::string */\n// int& x\n", "c"),
            ("run", "#!/usr/bin/env python3\n", "python"),
            ("run", "#!/usr/bin/python3.12 -u\n", "python"),
            ("run", "#!/usr/bin/env -S node --x\n", "javascript"),
            ("run", "#! /usr/local/bin/ruby\n", "ruby"),
            ("run", "#!/usr/bin/env kotlin\n", "kotlin"),
            ("run", "#!/usr/bin/env php\n<?php\n", "php"),
            ("run", "#!/usr/bin/env luajit\n", "lua"),
            ("run", "#!/usr/bin/lua5.4\n", "lua"),
            ("run", "#!/bin/sh -e\n", "bash"),
            ("run", "#!/usr/bin/env -S scala-cli shebang\n", "scala"),
            ("run", "#!/usr/bin/env bash\n", "bash"),
        ] {
            let found = Language::of_file(Path::new(path), text.as_bytes());
            assert_eq!(found, Language::by_id(id), "{path}: {text}");
        }
        for (path, text) in [
            ("run", "#!/usr/bin/perl\n"),
            ("run", "x"),
            ("a.txt", "#!/usr/bin/python"),
        ] {
            assert_eq!(Language::of_file(Path::new(path), text.as_bytes()), None);
        }
    }

    #[test]
    fn role_kinds_exist_in_their_grammar() {
        for language in Language::all() {
            let (spec, table) = (language.spec(), language.kinds());
            let is_known = |name: &str, named: bool| {
                let mut known = table.names.iter().zip(0u16..);
                known.any(|(kind, id)| {
                    **kind == *name && table.grammar.node_kind_is_named(id) == named
                })
            };
            let tokens = spec.tokens.iter().copied().flatten().map(|row| row.1);
            let literals = spec.literals.iter().copied().flatten().map(|row| row.1);
            let kinds = spec.kinds.iter().copied().flatten().map(|row| row.2);
            let kinds = kinds.chain(literals).chain([spec.named_kinds]);
            let unknown: Vec<&str> = kinds
                .flatten()
                .filter(|name| !is_known(name, true))
                .chain(tokens.flatten().filter(|t| !is_known(t, false)))
                .copied()
                .collect();
            assert_eq!(unknown, [""; 0], "{language:?}");
        }
    }

    #[test]
    fn grammar_versions_match_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        for language in Language::all() {
            let entry = format!(
                "name = \"{}\"\nversion = \"{}\"",
                language.grammar(),
                language.grammar_version()
            );
            assert!(lock.contains(&entry), "lock file lacks {entry}");
        }
    }
}
