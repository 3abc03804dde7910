//! Files that lots are read from and written to: one reader and one writer for each format.

use std::fs;

use crate::json::Json;
use crate::stock::Lot;
use crate::values::Refused;

/// Fields of a lot as a file holds them, in order.
type Fields = Vec<(String, String)>;

const REQUIRED: [&str; 2] = ["name", "quantity"];
const FIELDS: [&str; 4] = ["name", "quantity", "best_before", "place"];

#[derive(Clone, Copy)]
enum Format {
    Csv,
    Jsonl,
    Txt,
}

const FORMATS: [(&str, Format); 3] = [(".csv", Format::Csv), (".jsonl", Format::Jsonl), (".txt", Format::Txt)];

fn format_of(path: &str) -> Result<Format, Refused> {
    let known = FORMATS.iter().find(|(ending, _)| path.ends_with(ending));
    known.map(|(_, format)| *format).ok_or_else(|| format!("unknown format of {path}"))
}

/// Refuses unknown fields, then missing ones; `word` is what the format calls a field.
fn check_keys<'a>(keys: impl Iterator<Item = &'a String> + Clone, word: &str) -> Result<(), Refused> {
    if let Some(unknown) = keys.clone().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(format!("unknown {word} '{unknown}'"));
    }
    match REQUIRED.iter().find(|required| !keys.clone().any(|key| key == *required)) {
        Some(missing) => Err(format!("missing {word} '{missing}'")),
        None => Ok(()),
    }
}

/// Reads a file line by line.
struct Reader {
    format: Format,
    /// Names of columns, once they were read.
    columns: Option<Vec<String>>,
}

impl Reader {
    /// The fields of the lot that a line holds, if it holds one.
    fn fields(&mut self, line: &str) -> Result<Option<Fields>, Refused> {
        let blank = line.trim().is_empty();
        match self.format {
            Format::Csv => self.cells(line, blank),
            _ if blank => Ok(None),
            Format::Jsonl => object(line).map(Some),
            Format::Txt if line.starts_with('#') => Ok(None),
            Format::Txt => words(line).map(Some),
        }
    }

    /// The first line that it is given names the columns.
    fn cells(&mut self, line: &str, blank: bool) -> Result<Option<Fields>, Refused> {
        let cells = split_cells(line);
        let Some(columns) = &self.columns else {
            check_keys(cells.iter(), "column")?;
            self.columns = Some(cells);
            return Ok(None);
        };
        if blank {
            return Ok(None);
        }
        if cells.len() != columns.len() {
            return Err(format!("expected {} cells, got {}", columns.len(), cells.len()));
        }
        let row = columns.iter().cloned().zip(cells);
        let given = |(key, cell): &(String, String)| !cell.is_empty() || REQUIRED.contains(&key.as_str());
        Ok(Some(row.filter(given).collect()))
    }
}

/// The cells of a line of comma-separated text.
fn split_cells(line: &str) -> Vec<String> {
    if line.is_empty() {
        return Vec::new();
    }
    let mut cells = vec![String::new()];
    let (mut quoted, mut chars) = (false, line.chars().peekable());
    while let Some(char) = chars.next() {
        let cell = cells.len() - 1;
        match char {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => cells[cell].push('"'),
            '"' if quoted => quoted = false,
            '"' if cells[cell].is_empty() => quoted = true,
            ',' if !quoted => cells.push(String::new()),
            char => cells[cell].push(char),
        }
    }
    cells
}

fn object(line: &str) -> Result<Fields, Refused> {
    let Some(Json::Object(entries)) = Json::read(line) else {
        return Err("not a JSON object".to_owned());
    };
    check_keys(entries.iter().map(|(key, _)| key), "key")?;
    let text = |(key, value): (String, Json)| match value {
        Json::Text(text) => Ok((key, text)),
        _ => Err(format!("'{key}' is not a text")),
    };
    entries.into_iter().map(text).collect()
}

fn words(line: &str) -> Result<Fields, Refused> {
    let mut words = line.split_whitespace();
    let quantity = words.next().unwrap_or_default();
    let (mut name, mut fields) = (Vec::new(), Vec::new());
    for word in words {
        match (word.strip_prefix('@'), word.strip_prefix('!')) {
            (Some(place), _) => fields.push(("place".to_owned(), place.to_owned())),
            (_, Some(date)) => fields.push(("best_before".to_owned(), date.to_owned())),
            _ => name.push(word),
        }
    }
    if name.is_empty() {
        return Err("missing name".to_owned());
    }
    fields.push(("name".to_owned(), name.join(" ")));
    fields.push(("quantity".to_owned(), quantity.to_owned()));
    Ok(fields)
}

fn parse_lot(fields: &Fields) -> Result<Lot, Refused> {
    // The last of two that are called the same counts.
    let field = |name: &str| fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let required = |name: &str| field(name).unwrap_or_default();
    Lot::parse(required("name"), required("quantity"), field("best_before"), field("place"))
}

/// Hands each lot of a file to `accept`; what goes wrong with one is told with its line.
pub fn read_lots(path: &str, mut accept: impl FnMut(Lot) -> Result<(), Refused>) -> Result<(), Refused> {
    let mut reader = Reader { format: format_of(path)?, columns: None };
    let text = fs::read_to_string(path).map_err(|_| format!("cannot read {path}"))?;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    for (number, line) in (1..).zip(text.split('\n')) {
        let told = |why: Refused| format!("{path}:{number}: {why}");
        if let Some(fields) = reader.fields(line).map_err(told)? {
            parse_lot(&fields).and_then(&mut accept).map_err(told)?;
        }
    }
    Ok(())
}

/// Rows of cells as comma-separated text.
fn table(rows: &[Vec<String>]) -> String {
    let cell = |text: &String| match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(line).collect()
}

/// The lot as a file holds it; an absent date is left out.
fn fields_of(lot: &Lot) -> Vec<(&'static str, String)> {
    let quantity = format!("{}{}", lot.quantity.amount, lot.quantity.unit);
    let mut fields = vec![("name", lot.name.clone()), ("quantity", quantity)];
    fields.extend(lot.best_before.clone().map(|date| ("best_before", date)));
    fields.push(("place", lot.place.clone()));
    fields
}

fn csv(lots: &[Lot]) -> String {
    let row = |lot: &Lot| {
        let fields = fields_of(lot);
        let cell = |key: &str| fields.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        FIELDS.iter().map(|key| cell(key).unwrap_or_default()).collect()
    };
    let head = FIELDS.map(str::to_owned).to_vec();
    table(&std::iter::once(head).chain(lots.iter().map(row)).collect::<Vec<_>>())
}

fn jsonl(lot: &Lot) -> String {
    let fields = fields_of(lot).into_iter();
    let object = Json::Object(fields.map(|(key, value)| (key.to_owned(), Json::Text(value))).collect());
    object.write() + "\n"
}

fn txt(lot: &Lot, path: &str) -> Result<String, Refused> {
    if lot.place.contains(char::is_whitespace) {
        return Err(format!("cannot write place '{}' to {path}", lot.place));
    }
    let date = lot.best_before.as_ref().map(|date| format!(" !{date}")).unwrap_or_default();
    let quantity = &lot.quantity;
    Ok(format!("{}{} {} @{}{date}\n", quantity.amount, quantity.unit, lot.name, lot.place))
}

pub fn write_lots(lots: &[Lot], path: &str) -> Result<(), Refused> {
    let text = match format_of(path)? {
        Format::Csv => csv(lots),
        Format::Jsonl => lots.iter().map(jsonl).collect(),
        Format::Txt => lots.iter().map(|lot| txt(lot, path)).collect::<Result<_, _>>()?,
    };
    fs::write(path, text).map_err(|_| format!("cannot write {path}"))
}
