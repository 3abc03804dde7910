//! `slope watch export`: the runs and series of a watch as tables.

use anyhow::Context;
use slope_report::{
    Format, ParquetFile, RowTable, csv_head, csv_rows, watch_runs_table, watch_series_table,
};
use slope_watch::WatchFolder;

use super::status;
use crate::args::{TableKind, WatchExport};
use crate::commands::output;
use crate::exit::Done;

pub(crate) fn run(args: &WatchExport, format: Format) -> anyhow::Result<Done> {
    let found = status::state(&args.of.folder)?;
    let days = WatchFolder::at(&args.of.folder).results()?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let mut written = Vec::new();
    for table in [watch_runs_table(&days), watch_series_table(&found)] {
        let end = match args.kind {
            TableKind::Csv => "csv",
            TableKind::Parquet => "parquet",
        };
        let path = args.out.join(format!("{}.{end}", table.name));
        slope_store::atomic::write_to(&path, &bytes_of(table, args.kind)?)?;
        written.push(path.display().to_string());
    }
    let words = format!("wrote {}", written.join(" and "));
    output::json_or_text(format, &serde_json::json!({ "written": written }), &words)?;
    Ok(Done::Fine)
}

fn bytes_of(table: RowTable, kind: TableKind) -> anyhow::Result<Vec<u8>> {
    if kind == TableKind::Csv {
        return Ok((csv_head(&table) + &csv_rows(&table)).into_bytes());
    }
    let mut file = ParquetFile::new(&table)?;
    file.add(table)?;
    Ok(file.finish()?)
}
