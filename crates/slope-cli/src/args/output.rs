//! The option `--output`: a format and its destination.

use std::path::PathBuf;

use slope_report::{Format, format_names};

/// A format and its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// The format.
    pub(crate) format: Format,
    /// The file; `None` for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl Output {
    /// Parses `FORMAT=FILE`, or a file whose suffix selects one of the formats.
    pub(super) fn parse(text: &str, formats: &[Format]) -> Result<Self, String> {
        let known = |format: &Format| formats.contains(format);
        let named = text
            .split_once('=')
            .and_then(|(name, file)| Some((Format::by_name(name).filter(known)?, file)));
        let by_suffix = || Some((Format::of_file(text).filter(known)?, text));
        let default = || Some((*formats.first()?, text)).filter(|_| text == "-");
        let found = named.or_else(by_suffix).or_else(default);
        let (format, file) = found.ok_or_else(|| {
            let names = format_names(formats);
            match text.split_once('=') {
                Some((name, _)) => {
                    format!("unknown format `{name}`\nhelp: use one of {names}")
                }
                None => {
                    format!(
                        "no format has this suffix\nhelp: write FORMAT=FILE with one of {names}"
                    )
                }
            }
        })?;
        if file.is_empty() {
            return Err(
                "missing file name\nhelp: write a path, or `-` for standard output".to_owned(),
            );
        }
        let file = (file != "-").then(|| PathBuf::from(file));
        Ok(Self { format, file })
    }
}
