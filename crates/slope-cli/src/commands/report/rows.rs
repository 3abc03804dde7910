//! The files of `--format csv` and `--format parquet`, written while runs are read.

use std::path::{Path, PathBuf};

use anyhow::Context;
use slope_model::detail::RunDetail;
use slope_model::plural;
use slope_model::run::RunReport;
use slope_report::{EncodedRows, RowError, RowForm, RowTable, RowWriter, Study};
use slope_store::atomic::{Pending, Whole};

use crate::commands::output;

/// Remedy for a full disk.
const NO_ROOM: &str = "\nhelp: free some space, or name another folder with --out, which leaves the existing \
                       files unchanged";

/// Rows of one run, for each of its files in their order.
pub(super) type RunRows = Vec<EncodedRows>;

/// One file per kind of row. They get their final names when all of them are complete.
pub(super) struct RowFiles {
    dir: PathBuf,
    form: RowForm,
    files: Vec<(PathBuf, RowWriter<Pending>)>,
}

/// The same files with all their rows, still without their names.
pub(super) struct WholeRows(Vec<WholeFile>);

struct WholeFile {
    path: PathBuf,
    file: Whole,
    rows: u64,
}

impl RowFiles {
    /// Begins the files that have rows of each run.
    pub(super) fn begin(dir: &Path, form: RowForm) -> anyhow::Result<Self> {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        let mut own = Self {
            dir: dir.to_owned(),
            form,
            files: Vec::new(),
        };
        for table in slope_report::run_tables(&[], &[]) {
            own.open(&table)?;
        }
        Ok(own)
    }

    fn open(&mut self, table: &RowTable) -> anyhow::Result<()> {
        let path = self.dir.join(table.name);
        let path = path.with_extension(self.form.ending());
        let file = in_file(Pending::new(&path), &path)?;
        let writer = in_file(RowWriter::new(file, self.form, table), &path)?;
        self.files.push((path, writer));
        Ok(())
    }

    /// Adds the rows of a run.
    pub(super) fn put(&mut self, rows: RunRows) -> anyhow::Result<()> {
        for ((path, file), rows) in self.files.iter_mut().zip(rows) {
            in_file(file.put(rows), path)?;
        }
        Ok(())
    }

    /// Adds the files with rows of the study, and finishes all files.
    pub(super) fn finish(mut self, study: &Study) -> anyhow::Result<WholeRows> {
        for table in slope_report::study_tables(study) {
            self.open(&table)?;
            if let Some((path, file)) = self.files.last_mut() {
                in_file(file.put(self.form.encode(table)?), path)?;
            }
        }
        let files = self.files.into_iter().map(|(path, file)| {
            let (file, rows) = in_file(file.finish(), &path)?;
            let file = in_file(file.sync(), &path)?;
            Ok(WholeFile { path, file, rows })
        });
        files.collect::<anyhow::Result<_>>().map(WholeRows)
    }
}

impl WholeRows {
    /// Renames all files to their final names, then prints them, so that a closed standard output
    /// loses none.
    pub(super) fn keep(self) -> anyhow::Result<()> {
        let mut told = String::new();
        for WholeFile { path, file, rows } in self.0 {
            file.keep()?;
            told.push_str(&format!("{}  {}\n", path.display(), plural(rows, "row")));
        }
        output::text(&told)
    }
}

/// Adds the file to an error, and a remedy if the disk is full.
fn in_file<T, E: Into<anyhow::Error>>(result: Result<T, E>, path: &Path) -> anyhow::Result<T> {
    result.map_err(|error| {
        let error: anyhow::Error = error.into();
        let path = path.display().to_string();
        let remedy = if is_disk_full(&error) { NO_ROOM } else { "" };
        match error.to_string().contains(&path) {
            true if remedy.is_empty() => error,
            true => error.context(format!("cannot write the rows{remedy}")),
            false => error.context(format!("{path}{remedy}")),
        }
    })
}

fn is_disk_full(error: &anyhow::Error) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref());
    causes.any(|cause: &std::io::Error| matches!(cause.kind(), StorageFull | QuotaExceeded))
}

/// The rows of a run, made ready.
pub(super) fn of_run(
    form: RowForm,
    report: &RunReport,
    detail: &RunDetail,
) -> Result<RunRows, RowError> {
    let (report, detail) = (std::slice::from_ref(report), std::slice::from_ref(detail));
    let tables = slope_report::run_tables(report, detail).into_iter();
    tables.map(|table| form.encode(table)).collect()
}

#[cfg(test)]
mod tests {
    use slope_model::error_text::ErrorText;

    use super::*;

    #[test]
    fn full_disk_error_names_remedy() {
        let path = Path::new("rows/attempts.csv");
        let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
        for error in [RowError::Write(full()), RowError::Parquet(full().into())] {
            let error = in_file::<(), _>(Err(error), path).unwrap_err();
            let text = ErrorText::of(error.as_ref()).to_string();
            assert!(
                text.starts_with("rows/attempts.csv: ") && text.ends_with(NO_ROOM),
                "{text}"
            );
        }
        let other = RowError::Write(std::io::ErrorKind::PermissionDenied.into());
        let error = in_file::<(), _>(Err(other), path).unwrap_err();
        let text = ErrorText::of(error.as_ref()).to_string();
        assert!(
            text.contains("attempts.csv") && !text.contains("free some space"),
            "{text}"
        );
    }
}
