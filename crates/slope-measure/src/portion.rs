//! Share of a file in one part of the code base.

use slope_model::measurement::{Callable, FileMeasurement, Part, SyntaxErrors};

/// A file, or its production part, or its tests.
pub(crate) struct Portion<'a> {
    file: &'a FileMeasurement,
    /// `None` for the complete file.
    part: Option<Part>,
    pub(crate) lines: u32,
    pub(crate) sloc: u32,
    pub(crate) flagged_lines: u32,
    pub(crate) clone_lines: u32,
    pub(crate) verbose_lines: u32,
    pub(crate) near_clone_lines: Option<u32>,
    pub(crate) maintainability: Option<f64>,
}

impl<'a> Portion<'a> {
    pub(crate) fn whole(file: &'a FileMeasurement) -> Self {
        Self {
            file,
            part: None,
            lines: file.lines,
            sloc: file.sloc,
            flagged_lines: file.flagged_lines,
            clone_lines: file.clone_lines,
            verbose_lines: file.verbose_lines,
            near_clone_lines: file.near_clone_lines,
            maintainability: file.maintainability,
        }
    }

    /// Splits the file into portions that belong to one part each.
    pub(crate) fn by_part(file: &'a FileMeasurement) -> impl Iterator<Item = Self> {
        let mut portions = [Some(Self::whole(file)), None];
        if let Some(tests) = &file.inline_tests {
            let whole = Self::whole(file);
            let near = file.near_clone_lines.zip(tests.near_clone_lines);
            portions[0] = Some(Self {
                part: Some(Part::Product),
                lines: file.lines - tests.lines,
                sloc: file.sloc - tests.sloc,
                flagged_lines: file.flagged_lines - tests.flagged_lines,
                clone_lines: file.clone_lines - tests.clone_lines,
                verbose_lines: file.verbose_lines - tests.verbose_lines,
                near_clone_lines: near.map(|(all, tests)| all - tests),
                maintainability: tests.maintainability_without,
                ..whole
            });
            portions[1] = Some(Self {
                file,
                part: Some(Part::Tests),
                lines: tests.lines,
                sloc: tests.sloc,
                flagged_lines: tests.flagged_lines,
                clone_lines: tests.clone_lines,
                verbose_lines: tests.verbose_lines,
                near_clone_lines: tests.near_clone_lines,
                maintainability: None,
            });
            if tests.lines == file.lines {
                portions[0] = None;
            }
        }
        portions.into_iter().flatten()
    }

    pub(crate) fn part(&self) -> Part {
        self.part.unwrap_or(self.file.part)
    }

    /// In order of position.
    pub(crate) fn callables(&self) -> impl Iterator<Item = &'a Callable> + use<'a> {
        let (file, part) = (self.file, self.part);
        let is_in = move |c: &&Callable| part.is_none_or(|p| file.part_at(c.span.start_line) == p);
        file.callables.iter().filter(is_in)
    }

    /// Syntax errors of the file. They count as production code if the file contains tests.
    pub(crate) fn syntax_errors(&self) -> Option<SyntaxErrors> {
        let errors = self.file.syntax_errors;
        errors.filter(|_| self.part != Some(Part::Tests))
    }
}
