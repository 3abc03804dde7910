//! The files of `--format csv` and `--format parquet`, written while runs are read.

use std::path::{Path, PathBuf};

use anyhow::Context;
use slope_model::detail::RunDetail;
use slope_model::run::RunReport;
use slope_report::{EncodedRows, RowError, RowForm, RowTable, RowWriter, Study};
use slope_store::atomic::Pending;

use crate::commands::output;

/// Rows of one run, for each of its files in their order.
pub(super) type RunRows = Vec<EncodedRows>;

/// A file for each kind of row. They have their names when all runs are read, and not before.
pub(super) struct RowFiles {
    dir: PathBuf,
    form: RowForm,
    files: Vec<(PathBuf, RowWriter<Pending>)>,
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
        let writer = RowWriter::new(Pending::new(&path)?, self.form, table)?;
        self.files.push((path, writer));
        Ok(())
    }

    /// Adds the rows of a run.
    pub(super) fn put(&mut self, rows: RunRows) -> anyhow::Result<()> {
        for ((path, file), rows) in self.files.iter_mut().zip(rows) {
            file.put(rows).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    /// Adds the files with rows of what runs say together, ends all, and says which there are.
    pub(super) fn finish(mut self, study: &Study) -> anyhow::Result<()> {
        for table in slope_report::study_tables(study) {
            self.open(&table)?;
            if let Some((_, file)) = self.files.last_mut() {
                file.put(self.form.encode(table)?)?;
            }
        }
        for (path, file) in self.files {
            let (file, rows) = file.finish()?;
            file.keep()?;
            output::text(&format!("{}  {rows} rows", path.display()))?;
        }
        Ok(())
    }
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
