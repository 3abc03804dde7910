//! Rows on their way into files.

use std::io::Write;

use parquet::errors::ParquetError;

use super::parquet::ParquetRows;
use super::{Field, RowTable};
use crate::format::cleaned;

/// In which form rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowForm {
    /// CSV (RFC 4180) with a line of names; what is missing is empty.
    Csv,
    /// Parquet, uncompressed, in groups of 65,536 rows; what is missing is null.
    Parquet,
}

/// Rows that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// As CSV.
    #[error("cannot write rows as CSV")]
    Csv(#[from] csv::Error),
    /// As Parquet.
    #[error("cannot write rows as Parquet")]
    Parquet(#[from] ParquetError),
    /// The target fails.
    #[error("cannot write rows")]
    Write(#[from] std::io::Error),
}

/// Rows of a table, made ready for a form: the work that can be done for many runs at a time.
#[derive(Debug)]
pub struct EncodedRows {
    count: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Csv(Vec<u8>),
    Parquet(Vec<Vec<Field>>),
}

impl RowForm {
    /// How names of such files end.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Makes the rows of `table` ready.
    ///
    /// # Errors
    /// Only where memory cannot be written to.
    pub fn encode(self, table: RowTable) -> Result<EncodedRows, RowError> {
        Ok(EncodedRows {
            count: table.rows.len() as u64,
            content: match self {
                Self::Csv => Content::Csv(lines(&table.rows)?),
                Self::Parquet => Content::Parquet(table.rows),
            },
        })
    }
}

/// Writes the rows of one table, which may come in many parts.
pub struct RowWriter<W: Write + Send> {
    count: u64,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetRows<W>>),
}

impl<W: Write + Send> RowWriter<W> {
    /// Begins a file with the columns of `table`, whose rows are not looked at.
    ///
    /// # Errors
    /// When `into` cannot be written to.
    pub fn new(mut into: W, form: RowForm, table: &RowTable) -> Result<Self, RowError> {
        let sink = match form {
            RowForm::Csv => {
                let mut line = csv::Writer::from_writer(Vec::new());
                line.write_record(table.columns.iter().map(|(name, _)| name))?;
                into.write_all(&written(line)?)?;
                Sink::Csv(into)
            }
            RowForm::Parquet => Sink::Parquet(Box::new(ParquetRows::new(into, table)?)),
        };
        Ok(Self { count: 0, sink })
    }

    /// Adds rows that were made ready for this form, of this table.
    ///
    /// # Errors
    /// When the file cannot be written, or the rows are of another form or have other columns.
    pub fn put(&mut self, rows: EncodedRows) -> Result<(), RowError> {
        match (&mut self.sink, rows.content) {
            (Sink::Csv(into), Content::Csv(bytes)) => into.write_all(&bytes)?,
            (Sink::Parquet(file), Content::Parquet(rows)) => file.put(rows)?,
            _ => return Err(std::io::Error::other("they are made ready for another form").into()),
        }
        self.count += rows.count;
        Ok(())
    }

    /// Ends the file: what it was written to, and how many rows it has.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> Result<(W, u64), RowError> {
        let into = match self.sink {
            Sink::Csv(into) => into,
            Sink::Parquet(file) => file.finish()?,
        };
        Ok((into, self.count))
    }
}

fn lines(rows: &[Vec<Field>]) -> Result<Vec<u8>, RowError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut number = String::new();
    for row in rows {
        for field in row {
            write_field(&mut writer, field, &mut number)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    written(writer)
}

/// Writes a field; `scratch` is where numbers are spelled.
fn write_field(
    writer: &mut csv::Writer<Vec<u8>>,
    field: &Field,
    scratch: &mut String,
) -> Result<(), RowError> {
    use std::fmt::Write as _;
    scratch.clear();
    let spelled = match field {
        Field::Text(text) => return Ok(writer.write_field(&*cleaned(text))?),
        Field::Whole(number) => write!(scratch, "{number}"),
        Field::Real(number) => write!(scratch, "{number}"),
        Field::Flag(flag) => write!(scratch, "{flag}"),
        Field::Missing => Ok(()),
    };
    spelled.map_err(std::io::Error::other)?;
    Ok(writer.write_field(scratch)?)
}

fn written(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, RowError> {
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}
