//! One folder per language: all that slope knows of it.
//!
//! A new language is a folder here, and a line in the table below.

pub(crate) mod plain;

use crate::spec::LanguageSpec;

pub(crate) use c::cplusplus;

/// Declares the folders, and the table in their order.
macro_rules! languages {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// Every language.
        pub(crate) static TABLE: &[LanguageSpec] = &[$($name::SPEC),*];
    };
}

languages! {
    python
    javascript
    typescript
    tsx
    rust
    go
    java
    c
    cpp
    csharp
    ruby
    haskell
    zig
}
