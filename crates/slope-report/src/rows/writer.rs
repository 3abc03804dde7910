//! Writes rows to files.

use std::io::Write;

use parquet::errors::ParquetError;

use super::parquet::ParquetRows;
use super::{Field, RowTable};
use crate::format::cleaned;

/// In which form rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowForm {
    /// CSV (RFC 4180) with a header line; missing values are empty.
    Csv,
    /// Parquet, uncompressed, in groups of 65,536 rows; missing values are null.
    Parquet,
}

/// Rows that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// CSV could not be written.
    #[error("cannot write rows as CSV")]
    Csv(#[from] csv::Error),
    /// Parquet could not be written.
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
    /// Suffix of the names of such files.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Encodes the rows of `table`.
    ///
    /// # Errors
    /// Only if memory cannot be written.
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

/// Writes the rows of one table, which may arrive in many parts.
pub struct RowWriter<W: Write + Send> {
    count: u64,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Csv(W),
    Parquet(Box<ParquetRows<W>>),
}

impl<W: Write + Send> RowWriter<W> {
    /// Starts a file with the columns of `table`, ignoring its rows.
    ///
    /// # Errors
    /// If `into` cannot be written.
    pub fn new(mut into: W, form: RowForm, table: &RowTable) -> Result<Self, RowError> {
        let sink = match form {
            RowForm::Csv => {
                let mut line = csv::Writer::from_writer(Vec::new());
                line.write_record(table.columns.iter().map(|(name, _)| &**name))?;
                into.write_all(&written(line)?)?;
                Sink::Csv(into)
            }
            RowForm::Parquet => Sink::Parquet(Box::new(ParquetRows::new(into, table)?)),
        };
        Ok(Self { count: 0, sink })
    }

    /// Adds rows of this table, encoded for this format.
    ///
    /// # Errors
    /// If the file cannot be written, or the rows have another format or other columns.
    pub fn put(&mut self, rows: EncodedRows) -> Result<(), RowError> {
        match (&mut self.sink, rows.content) {
            (Sink::Csv(into), Content::Csv(bytes)) => into.write_all(&bytes)?,
            (Sink::Parquet(file), Content::Parquet(rows)) => file.put(rows)?,
            _ => {
                return Err(std::io::Error::other("values are prepared for another format").into());
            }
        }
        self.count += rows.count;
        Ok(())
    }

    /// Ends the file. Returns the writer and the number of rows.
    ///
    /// # Errors
    /// If the file cannot be written.
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
