//! The output formats, with their names and the suffixes of their files.

use crate::html::HtmlError;

/// An output format. Each kind of report has some of them: [`MEASUREMENT_FORMATS`],
/// [`JUDGEMENT_FORMATS`], [`HISTORY_FORMATS`], [`STUDY_FORMATS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// Tables for people.
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitLab Code Quality.
    Gitlab,
    /// GitHub workflow annotations.
    Github,
    /// JUnit XML.
    Junit,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// Rows of a table, in text.
    Csv,
    /// One self-contained page.
    Html,
    /// LaTeX tables.
    Latex,
    /// Rows of a table, in Parquet files.
    Parquet,
}

/// The formats of a measurement, the default first.
pub const MEASUREMENT_FORMATS: &[Format] = &[
    Format::Human,
    Format::Json,
    Format::Jsonl,
    Format::Sarif,
    Format::Gitlab,
    Format::Github,
    Format::Junit,
    Format::Markdown,
    Format::Csv,
    Format::Html,
];

/// The formats of a judgement, the default first.
pub const JUDGEMENT_FORMATS: &[Format] = &[
    Format::Human,
    Format::Json,
    Format::Jsonl,
    Format::Sarif,
    Format::Github,
    Format::Gitlab,
    Format::Junit,
    Format::Markdown,
];

/// The formats of a history, the default first. The page needs evidence besides the history: see
/// [`crate::render_history_page`].
pub const HISTORY_FORMATS: &[Format] = &[
    Format::Human,
    Format::Json,
    Format::Csv,
    Format::Markdown,
    Format::Html,
];

/// The formats of a series, the default first. The page is [`crate::render_series_page`].
pub const SERIES_FORMATS: &[Format] = &[Format::Human, Format::Json, Format::Csv, Format::Html];

/// The formats of a study, the default first. Rows go to several files.
pub const STUDY_FORMATS: &[Format] = &[
    Format::Human,
    Format::Json,
    Format::Markdown,
    Format::Latex,
    Format::Html,
    Format::Csv,
    Format::Parquet,
];

/// Suffixes of file names. If one ends with another, the later one in the list has precedence.
const SUFFIXES: [(&str, Format); 13] = [
    (".txt", Format::Human),
    (".json", Format::Json),
    (".jsonl", Format::Jsonl),
    (".ndjson", Format::Jsonl),
    (".sarif", Format::Sarif),
    (".sarif.json", Format::Sarif),
    ("gl-code-quality-report.json", Format::Gitlab),
    (".xml", Format::Junit),
    (".md", Format::Markdown),
    (".markdown", Format::Markdown),
    (".csv", Format::Csv),
    (".html", Format::Html),
    (".htm", Format::Html),
];

impl Format {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The format with that name. `text` is another name for `human`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        if name == "text" {
            return Some(Self::Human);
        }
        let all: &[Self] = strum::VariantArray::VARIANTS;
        all.iter().copied().find(|format| format.name() == name)
    }

    /// The format of a file, by the suffix of its name.
    #[must_use]
    pub fn of_file(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let mut found = SUFFIXES.iter().rev();
        let found = found.find(|(suffix, _)| name.ends_with(suffix));
        found.map(|(_, format)| *format)
    }

    /// Whether it is JSON, or built on it.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl | Self::Sarif | Self::Gitlab)
    }
}

/// The names of formats, separated by commas.
#[must_use]
pub fn format_names(formats: &[Format]) -> String {
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    names.join(", ")
}

/// Reason that a report could not be rendered. It never depends on the report's content.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The kind of report does not support this format.
    #[error("{what} cannot be written as {}\nhelp: use one of {formats}", format.name())]
    Format {
        /// The kind of report, with an article.
        what: &'static str,
        /// The format.
        format: Format,
        /// The names of those that it has.
        formats: String,
    },
    /// JSON could not be written.
    #[error("cannot write JSON")]
    Json(#[from] serde_json::Error),
    /// The page could not be made.
    #[error(transparent)]
    Html(#[from] HtmlError),
}

impl RenderError {
    /// The error for a format that `what` does not support.
    pub(crate) fn new(what: &'static str, format: Format, formats: &[Format]) -> Self {
        let formats = format_names(formats);
        Self::Format {
            what,
            format,
            formats,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffix_selects_the_format() {
        let cases = [
            ("slope.sarif", Some(Format::Sarif)),
            ("out/slope.SARIF.json", Some(Format::Sarif)),
            ("gl-code-quality-report.json", Some(Format::Gitlab)),
            ("report.json", Some(Format::Json)),
            ("report.ndjson", Some(Format::Jsonl)),
            ("report", None),
        ];
        for (name, format) in cases {
            assert_eq!(Format::of_file(name), format, "{name}");
        }
    }

    #[test]
    fn every_format_is_found_by_name() {
        let all: &[Format] = strum::VariantArray::VARIANTS;
        for format in all {
            assert_eq!(Format::by_name(format.name()), Some(*format));
        }
        assert_eq!(Format::by_name("text"), Some(Format::Human));
        assert_eq!(Format::by_name("yaml"), None);
    }
}
