//! Habits of languages: how each writes what mutators insert.
//!
//! Templates have `{placeholders}` and four spaces for each level of indentation.

mod c;
mod go;
mod java;
mod javascript;
mod python;
mod rust;

/// Place of a function's result type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// Nowhere, or optional after a colon: every function may end without a value.
    Dynamic,
    /// After `->`.
    Arrow,
    /// After the parameters.
    After,
    /// Before the name, `void` for none.
    Before,
}

/// A small utility that people write again.
#[derive(Debug)]
pub struct Utility {
    /// Words of its name.
    pub name: &'static str,
    /// A facility that it replaces, as it is called: `strings.Contains`; empty if it stands for none.
    pub replaces: &'static str,
    /// Number of arguments of that call.
    pub arguments: usize,
    /// Its text, with `{name}`.
    pub text: &'static str,
}

/// A facility and a package that does the same.
#[derive(Debug)]
pub struct Dependency {
    /// The import in use.
    pub import: &'static str,
    /// Name that it binds.
    pub word: &'static str,
    /// The import of the other package.
    pub new_import: &'static str,
    /// Name that this binds.
    pub new_word: &'static str,
    /// Members that both have. Others must not be in use. Empty if every use is one of the name alone.
    pub members: &'static [&'static str],
    /// File that lists dependencies, and a line for this one.
    pub manifest: (&'static str, &'static str),
}

/// A file to add.
#[derive(Debug)]
pub struct NewFile {
    /// Name of the kind that adds it.
    pub kind: &'static str,
    /// Name of the file.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Habits of a language.
#[derive(Debug)]
pub struct Style {
    /// Ids of its languages.
    pub ids: &'static [&'static str],
    /// One step of indentation, if a file shows none.
    pub step: &'static str,
    /// Place of result types.
    pub returns: Returns,
    /// Whether functions need no class around them.
    pub has_free_functions: bool,
    /// Whether a parameter's type comes before its name.
    pub types_first: bool,
    /// Whether several parameters share a type.
    pub shares_types: bool,
    /// Whether the words of names of functions and locals are joined by `_`.
    pub snake: bool,
    /// Whether blocks have braces.
    pub braces: bool,
    /// Whether conditions have brackets.
    pub bracketed: bool,
    /// Blank rows between definitions.
    pub gap: usize,
    /// Beginning of a comment.
    pub comment: &'static str,
    /// End of a statement.
    pub end: &'static str,
    /// A test of `{x}` for the absent value; `None` if there is none.
    pub nil: Option<&'static str>,
    /// A return of nothing from a function that may.
    pub leave: &'static str,
    /// A statement that prints `{text}`.
    pub print: &'static str,
    /// Text that a file must have for [`Style::print`].
    pub print_needs: &'static str,
    /// Negation of `{x}`.
    pub not: &'static str,
    /// Imports that nothing uses, each with the word that it binds.
    pub unused_imports: &'static [(&'static str, &'static str)],
    /// Statements that declare a local that nothing reads, each with its name.
    pub unused_locals: &'static [(&'static str, &'static str)],
    /// Small utilities.
    pub utilities: &'static [Utility],
    /// Statements `{body}` in a handler that logs; empty if the language has none.
    pub logged: &'static str,
    /// The same, in a handler that drops the error.
    pub swallowed: &'static str,
    /// Beginning of a handler's head that catches everything.
    pub catch_all: &'static str,
    /// Pairs of texts: how errors are raised and how a careless person does it.
    pub raises: &'static [(&'static str, &'static str)],
    /// Pairs of texts: calls of loggers, and of functions that print.
    pub logs: &'static [(&'static str, &'static str)],
    /// A parameter `{flag}` that is false if not given.
    pub flag_param: &'static str,
    /// Whether [`Style::flag_param`] may be left out in calls.
    pub has_defaults: bool,
    /// Values of a flag: false and true.
    pub flags: (&'static str, &'static str),
    /// A parameter that selects among modes.
    pub mode_param: &'static str,
    /// A test for the mode `{name}`, number `{n}`.
    pub mode_test: &'static str,
    /// The argument for it.
    pub mode_arg: &'static str,
    /// Declares `{name}` with `{value}`; empty if a type would be needed.
    pub declare: &'static str,
    /// Packages that do what the language can.
    pub dependencies: &'static [Dependency],
    /// Files that are good although they look alike.
    pub files: &'static [NewFile],
    /// Name and text of scratch files.
    pub scratch: &'static [(&'static str, &'static str)],
}

static ALL: &[&Style] = &[
    &python::STYLE,
    &javascript::JAVASCRIPT,
    &javascript::TYPESCRIPT,
    &rust::STYLE,
    &go::STYLE,
    &java::STYLE,
    &c::C,
    &c::CPP,
];

/// Habits of all languages.
#[must_use]
pub fn styles() -> &'static [&'static Style] {
    ALL
}

/// Habits of the language with this id.
#[must_use]
pub fn style_of(id: &str) -> Option<&'static Style> {
    ALL.iter().copied().find(|style| style.ids.contains(&id))
}

impl Style {
    /// Its first id.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.ids[0]
    }

    /// A name of these words.
    #[must_use]
    pub fn name(&self, words: &str) -> String {
        if self.snake {
            words.replace(' ', "_")
        } else {
            camel(words)
        }
    }

    /// A block with a head, for example `if a`.
    #[must_use]
    pub fn block(&self, head: &str, body: &[String]) -> Vec<String> {
        let mut lines = vec![if self.braces {
            format!("{head} {{")
        } else {
            format!("{head}:")
        }];
        lines.extend(body.iter().map(|row| {
            if row.is_empty() {
                String::new()
            } else {
                format!("    {row}")
            }
        }));
        if self.braces {
            lines.push("}".to_owned());
        }
        lines
    }

    /// A comment in a row of its own.
    #[must_use]
    pub fn note(&self, text: &str) -> String {
        let end = if self.comment.starts_with("/*") {
            " */"
        } else {
            ""
        };
        format!("{}{text}{end}", self.comment)
    }

    /// A condition with its brackets.
    #[must_use]
    pub fn head(&self, word: &str, condition: &str) -> String {
        if self.bracketed {
            format!("{word} ({condition})")
        } else {
            format!("{word} {condition}")
        }
    }
}

/// Words joined by capitals.
#[must_use]
pub fn camel(words: &str) -> String {
    let mut name = String::new();
    for (number, word) in words
        .split([' ', '_'])
        .filter(|w| !w.is_empty())
        .enumerate()
    {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if number > 0 => {
                name.extend(first.to_uppercase());
                name.push_str(letters.as_str());
            }
            _ => name.push_str(word),
        }
    }
    name
}

/// Words of a name in lower case, with spaces between.
#[must_use]
pub fn words(name: &str) -> String {
    let mut found = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' {
            found.push(' ');
        } else if letter.is_uppercase() && was_lower {
            found.push(' ');
            found.extend(letter.to_lowercase());
        } else {
            found.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
    }
    found.trim().to_owned()
}

/// A template with its placeholders replaced.
#[must_use]
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}
