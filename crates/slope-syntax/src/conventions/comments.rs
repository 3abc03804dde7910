//! Comments: what is documentation, and what is code.

/// How a language ends its statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Semicolons {
    /// Every statement has one.
    Needed,
    /// Most statements may go without.
    Optional,
    /// Lines end statements.
    None,
}

/// How a language tells prose by words in a row.
pub struct Prose {
    /// Names in a row that no code has.
    pub names: u32,
    /// Words that may be next to a name.
    pub keywords: &'static [&'static str],
    /// Characters before which anything may be.
    pub stops: &'static [u8],
    /// The character that begins a comment, if it is a single one.
    pub comment: Option<u8>,
    /// Whether a line that ends with `=` names a setting and gives it nothing.
    pub names_settings: bool,
}

impl Prose {
    /// Prose by names in a row, keywords and stops.
    pub(crate) const fn new(
        names: u32,
        keywords: &'static [&'static str],
        stops: &'static [u8],
    ) -> Self {
        Self {
            names,
            keywords,
            stops,
            comment: None,
            names_settings: false,
        }
    }
}

/// Facts about a language's comments.
pub struct Comments {
    /// How to tell prose from code without parsing it.
    pub prose: Option<&'static Prose>,
    /// How statements end.
    pub semicolons: Semicolons,
    /// Whether plain comments outside functions are not documentation.
    pub are_mere: bool,
    /// Whether plain comments above what is declared outside functions document it.
    pub document_declarations: bool,
    /// Whether a comment above a function is its documentation, and one above a block heads it.
    pub head_blocks: bool,
    /// Beginnings of lines that a comment above is not compared with.
    pub definitions: &'static [&'static str],
    /// Whether expressions are statements, without a node of their own.
    pub has_bare_expressions: bool,
}

impl Comments {
    pub(crate) const PLAIN: Self = Self {
        prose: None,
        semicolons: Semicolons::Needed,
        are_mere: false,
        document_declarations: false,
        head_blocks: false,
        definitions: &[],
        has_bare_expressions: false,
    };
}
