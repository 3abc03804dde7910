//! Output on standard output in the requested format.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;
use slope_bench::assemble;
use slope_model::path::is_hidden;
use slope_model::run::RunReport;
use slope_report::{Format, ListDetail, Page, Study, StudyOptions, TerminalOptions};

/// Prints text for humans. Colours are removed if standard output does not support them.
pub(crate) fn text(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Lists of at most `top` rows for standard output, 0 for all rows.
pub(crate) fn list_detail(top: usize) -> ListDetail {
    let (color, width) = screen();
    ListDetail { top, color, width }
}

/// Prints a value as JSON, or its text for people.
pub(crate) fn json_or_text(
    format: Format,
    value: &(impl Serialize + ?Sized),
    text: &str,
) -> anyhow::Result<()> {
    if format == Format::Json {
        json(&value)
    } else {
        self::text(text)
    }
}

/// Prints third-party text: unchanged into pipes and files, with control and invisible characters
/// escaped on a terminal.
pub(crate) fn verbatim(text: &str) -> anyhow::Result<()> {
    let terminal = std::io::stdout().is_terminal();
    let text = if terminal {
        safe_lines(&text.replace("\r\n", "\n"))
    } else {
        text.to_owned()
    };
    stream(|out| out.write_all(text.as_bytes()))
}

/// Prints a document in a format for other programs, as [`verbatim`].
pub(crate) fn document(text: &str) -> anyhow::Result<()> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    verbatim(&format!("{text}{end}"))
}

/// Prints JSON with all control characters escaped, so that it is safe on a terminal and keeps its
/// content.
pub(crate) fn json_text(json: &str) -> anyhow::Result<()> {
    document(&slope_embed::printable(json.to_owned()))
}

/// Prints the output of `write` without buffering all of it.
pub(crate) fn stream(
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Prints a value as indented JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> anyhow::Result<()> {
    json_text(&serde_json::to_string_pretty(value)?)
}

/// Reports of the runs in `dirs`.
pub(crate) fn reports<P: AsRef<Path>>(dirs: &[P]) -> anyhow::Result<Vec<RunReport>> {
    dirs.iter()
        .map(|dir| Ok(assemble::report(dir.as_ref())?))
        .collect()
}

/// HTML report, with the details of single trials in the run directories.
pub(crate) fn page(reports: &[RunReport], study: &Study) -> anyhow::Result<String> {
    let details = slope_bench::exhibit::exhibits(reports);
    Ok(slope_report::render_html(&Page {
        reports,
        study,
        details: &details,
    })?)
}

/// Refuses a place for the HTML report that cannot be a file, before any work is done for it.
pub(crate) fn check_html(path: Option<&Path>) -> anyhow::Result<()> {
    match path {
        Some(path) if path.is_dir() => anyhow::bail!(
            "--html {} is a directory\nhelp: name a file in it",
            path.display()
        ),
        _ => Ok(()),
    }
}

/// Prints run reports, and writes them as HTML if requested.
pub(crate) fn print_reports(
    reports: &[RunReport],
    format: Format,
    html: Option<&Path>,
) -> anyhow::Result<()> {
    if let Some(path) = html {
        let study = slope_report::study(reports, &StudyOptions::default());
        slope_store::atomic::write_to(path, page(reports, &study)?.as_bytes())?;
    }
    match format {
        Format::Json => json_text(&slope_report::render_json(reports)?),
        Format::Markdown => document(&slope_report::render_markdown(reports)),
        _ => text(&slope_report::render_terminal(reports, &terminal_options())),
    }
}

/// Whether a stream takes colour: `NO_COLOR` and the kind of the stream decide.
pub(crate) fn takes_color(stream: &impl anstream::stream::RawStream) -> bool {
    anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// Whether standard output takes colour, and how wide it is if it is a terminal.
pub(crate) fn screen() -> (bool, Option<u16>) {
    let color = takes_color(&std::io::stdout());
    let terminal = std::io::stdout().is_terminal();
    let size = terminal_size::terminal_size().filter(|_| terminal);
    (color, size.map(|(terminal_size::Width(width), _)| width))
}

/// Text with third-party names, with control and invisible characters escaped.
pub(crate) fn safe(text: &str) -> String {
    spelled(text, |c| c.is_control() || is_hidden(c))
}

/// As [`safe`], but keeps line breaks and tabs.
fn safe_lines(text: &str) -> String {
    spelled(text, |c| {
        (c.is_control() || is_hidden(c)) && c != '\n' && c != '\t'
    })
}

/// Text with the matching characters as escapes.
fn spelled(text: &str, is_meant: impl Fn(char) -> bool) -> String {
    let spelled = |c: char| {
        if is_meant(c) {
            c.escape_unicode().to_string()
        } else {
            c.to_string()
        }
    };
    text.chars().map(spelled).collect()
}

/// Width and colour of standard output. `NO_COLOR` and pipes turn colour off.
pub(crate) fn terminal_options() -> TerminalOptions {
    let (color, width) = screen();
    let defaults = TerminalOptions {
        width: 120,
        ..TerminalOptions::default()
    };
    TerminalOptions {
        color,
        width: width.unwrap_or(defaults.width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_are_escaped() {
        let text = "a\tb\n\u{1b}[2Jc\r\u{9b}31m";
        assert_eq!(safe_lines(text), "a\tb\n\\u{1b}[2Jc\\u{d}\\u{9b}31m");
        assert_eq!(safe("a\n\u{1b}[m\u{202e}"), "a\\u{a}\\u{1b}[m\\u{202e}");
    }
}
