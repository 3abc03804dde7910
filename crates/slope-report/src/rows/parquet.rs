//! Rows as Parquet, for DuckDB, Polars and the like.

use std::borrow::Cow;
use std::io::Write;
use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use super::{ColumnKind, Field, RowTable};

/// Rows of a group: enough for parallel reading, few enough for memory.
const GROUP: usize = 1 << 16;

/// A Parquet file being written; rows of an incomplete group are held in memory.
pub(super) struct ParquetRows<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<(Cow<'static, str>, ColumnKind)>,
    held: Vec<Vec<Field>>,
    groups: usize,
}

impl<W: Write + Send> ParquetRows<W> {
    pub(super) fn new(into: W, table: &RowTable) -> Result<Self, ParquetError> {
        let schema = Arc::new(parse_message_type(&message(table))?);
        let properties = WriterProperties::builder()
            .set_created_by(format!("slope {}", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            writer: SerializedFileWriter::new(into, schema, Arc::new(properties))?,
            columns: table.columns.clone(),
            held: Vec::new(),
            groups: 0,
        })
    }

    /// Adds rows, and writes the groups that are full.
    pub(super) fn put(&mut self, rows: Vec<Vec<Field>>) -> Result<(), ParquetError> {
        self.held.extend(rows);
        while self.held.len() >= GROUP {
            let rest = self.held.split_off(GROUP);
            let full = std::mem::replace(&mut self.held, rest);
            self.write(&full)?;
        }
        Ok(())
    }

    /// Writes the held rows. A file without rows has one empty group.
    pub(super) fn finish(mut self) -> Result<W, ParquetError> {
        let held = std::mem::take(&mut self.held);
        if self.groups == 0 || !held.is_empty() {
            self.write(&held)?;
        }
        self.writer.into_inner()
    }

    fn write(&mut self, rows: &[Vec<Field>]) -> Result<(), ParquetError> {
        self.groups += 1;
        let mut group = self.writer.next_row_group()?;
        for (place, (name, kind)) in self.columns.iter().enumerate() {
            let mut column = group
                .next_column()?
                .ok_or_else(|| ParquetError::General(format!("no column for {name}")))?;
            let fields = rows.iter().map(|row| row.get(place));
            match kind {
                ColumnKind::Text => put::<ByteArrayType>(&mut column, fields, text)?,
                ColumnKind::Whole => put::<Int64Type>(&mut column, fields, whole)?,
                ColumnKind::Real => put::<DoubleType>(&mut column, fields, real)?,
                ColumnKind::Flag => put::<BoolType>(&mut column, fields, flag)?,
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

/// The schema. Readers take a dot in a name for a nested column, so only letters, digits and `_` stay.
fn message(table: &RowTable) -> String {
    let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let columns = table.columns.iter().map(|(name, kind)| (plain(name), kind));
    let columns = columns.map(|(name, kind)| match kind {
        ColumnKind::Text => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
        ColumnKind::Whole => format!("OPTIONAL INT64 {name};"),
        ColumnKind::Real => format!("OPTIONAL DOUBLE {name};"),
        ColumnKind::Flag => format!("OPTIONAL BOOLEAN {name};"),
    });
    let columns: Vec<String> = columns.collect();
    format!("message {} {{ {} }}", table.name, columns.join(" "))
}

/// Writes a column: the present values, and for each row whether it has one.
fn put<'a, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    fields: impl Iterator<Item = Option<&'a Field>>,
    value: fn(&Field) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let mut values = Vec::new();
    let mut levels = Vec::new();
    for field in fields {
        let value = field.and_then(value);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    column
        .typed::<T>()
        .write_batch(&values, Some(&levels), None)?;
    Ok(())
}

fn text(field: &Field) -> Option<ByteArray> {
    match field {
        Field::Text(text) => Some(ByteArray::from(&**text)),
        _ => None,
    }
}

fn whole(field: &Field) -> Option<i64> {
    match field {
        Field::Whole(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

fn real(field: &Field) -> Option<f64> {
    match field {
        Field::Real(number) => Some(*number),
        _ => None,
    }
}

fn flag(field: &Field) -> Option<bool> {
    match field {
        Field::Flag(flag) => Some(*flag),
        _ => None,
    }
}
