//! Comments: documentation, and code.

/// Rule for the ends of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Semicolons {
    /// Every statement ends with a semicolon.
    Needed,
    /// Most statements need no semicolon.
    Optional,
    /// Lines end statements.
    None,
}

/// Recognition of prose by consecutive words.
pub struct Prose {
    /// Minimum number of consecutive names that only prose has.
    pub names: u32,
    /// Words that may be next to a name.
    pub keywords: &'static [&'static str],
    /// Characters that may follow anything.
    pub stops: &'static [u8],
    /// The character that starts a comment, if it is a single one.
    pub comment: Option<u8>,
    /// Whether a line that ends with `=` is a setting without a value.
    pub names_settings: bool,
}

impl Prose {
    /// Prose by consecutive names, keywords and stops.
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
    /// Recognition of prose without parsing; `None` to parse everything.
    pub prose: Option<&'static Prose>,
    /// Ends of statements.
    pub semicolons: Semicolons,
    /// Whether plain comments outside functions are not documentation.
    pub are_mere: bool,
    /// Whether plain comments above declarations outside of functions document them.
    pub document_declarations: bool,
    /// Whether a comment above a function is its documentation, and a comment above a block its
    /// heading.
    pub head_blocks: bool,
    /// Beginnings of lines that are not compared with the comment above.
    pub definitions: &'static [&'static str],
    /// Whether expressions are statements without a separate node.
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
