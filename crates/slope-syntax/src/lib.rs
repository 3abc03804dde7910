//! Languages, parsing, callables and line classes.
