//! One folder per language: all that slope knows of it.
//!
//! A new language is a folder here, which this file declares and lists in the table.

mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod haskell;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod php;
pub(crate) mod plain;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod tsx;
mod typescript;
mod zig;

pub(crate) use c::cplusplus;

use crate::spec::LanguageSpec;

/// Every language.
pub(crate) static TABLE: &[LanguageSpec] = &[
    python::SPEC,
    javascript::SPEC,
    typescript::SPEC,
    tsx::SPEC,
    rust::SPEC,
    go::SPEC,
    java::SPEC,
    c::SPEC,
    cpp::SPEC,
    csharp::SPEC,
    ruby::SPEC,
    haskell::SPEC,
    zig::SPEC,
    kotlin::SPEC,
    php::SPEC,
    lua::SPEC,
    bash::SPEC,
    scala::SPEC,
    swift::SPEC,
];
