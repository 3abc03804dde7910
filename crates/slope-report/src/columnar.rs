//! Rows as Parquet, for DuckDB, Polars and the like.

use std::sync::Arc;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::rows::{ColumnKind, Field, RowTable};

/// A table as a Parquet file of one row group, uncompressed; what is missing is null.
///
/// # Errors
/// Where the rows are not as the columns say, or memory cannot be written to.
pub fn render_parquet(table: &RowTable) -> Result<Vec<u8>, ParquetError> {
    let schema = Arc::new(parse_message_type(&message(table))?);
    let properties = WriterProperties::builder()
        .set_created_by(format!("slope {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (place, (name, kind)) in table.columns.iter().enumerate() {
        let mut column = group
            .next_column()?
            .ok_or_else(|| ParquetError::General(format!("no column for {name}")))?;
        let fields = table.rows.iter().map(|row| row.get(place));
        match kind {
            ColumnKind::Text => put::<ByteArrayType>(&mut column, fields, text)?,
            ColumnKind::Whole => put::<Int64Type>(&mut column, fields, whole)?,
            ColumnKind::Real => put::<DoubleType>(&mut column, fields, real)?,
            ColumnKind::Flag => put::<BoolType>(&mut column, fields, flag)?,
        }
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn message(table: &RowTable) -> String {
    let columns = table.columns.iter().map(|(name, kind)| match kind {
        ColumnKind::Text => format!("OPTIONAL BYTE_ARRAY {name} (UTF8);"),
        ColumnKind::Whole => format!("OPTIONAL INT64 {name};"),
        ColumnKind::Real => format!("OPTIONAL DOUBLE {name};"),
        ColumnKind::Flag => format!("OPTIONAL BOOLEAN {name};"),
    });
    let columns: Vec<String> = columns.collect();
    format!("message {} {{ {} }}", table.name, columns.join(" "))
}

/// Writes a column: the values that there are, and for each row whether there is one.
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
        Field::Text(text) => Some(ByteArray::from(text.as_str())),
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
