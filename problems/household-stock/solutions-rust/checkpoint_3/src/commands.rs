//! What each command takes and does: from options to what is printed.

use crate::formats::{read_lots, write_lots};
use crate::options::{Options, Shape};
use crate::stock::{Lot, Stock};
use crate::values::{parse_quantity, parse_word, Refused};
use crate::{query, report};

/// What is printed.
type Outcome = Result<String, Refused>;

pub struct Command {
    pub name: &'static str,
    pub shape: Shape,
    pub run: fn(&mut Stock, &Options) -> Outcome,
}

/// Lines, or what is said if there is none.
fn lines(lines: Vec<String>, nothing: &str) -> String {
    if lines.is_empty() {
        return nothing.to_owned();
    }
    lines.join("\n")
}

fn add(stock: &mut Stock, options: &Options) -> Outcome {
    let (name, quantity) = (options.need("<name>"), options.need("<quantity>"));
    let lot = Lot::parse(name, quantity, options.get("best-before"), options.get("place"))?;
    let said = format!("added {} of {}", lot.quantity.describe(), lot.name);
    stock.add(lot)?;
    Ok(said)
}

fn take(stock: &mut Stock, options: &Options) -> Outcome {
    let name = parse_word(options.need("<name>"), "name")?;
    let quantity = parse_quantity(options.need("<quantity>"))?;
    stock.take(&name, &quantity)?;
    Ok(format!("took {} of {name}", quantity.describe()))
}

fn list(stock: &mut Stock, options: &Options) -> Outcome {
    let rows = match options.has("lots") {
        true => stock.ordered().iter().map(Lot::describe).collect(),
        false => stock.totals().iter().map(|(name, sum)| format!("{name}: {}", sum.describe())).collect(),
    };
    Ok(lines(rows, "nothing in stock"))
}

fn import(stock: &mut Stock, options: &Options) -> Outcome {
    let mut next = stock.clone();
    read_lots(options.need("<file>"), |lot| next.add(lot))?;
    let count = next.lots.len() - stock.lots.len();
    *stock = next;
    Ok(format!("lots imported: {count}"))
}

fn export(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = stock.ordered();
    write_lots(&lots, options.need("<file>"))?;
    Ok(format!("lots exported: {}", lots.len()))
}

fn move_lots(stock: &mut Stock, options: &Options) -> Outcome {
    let name = parse_word(options.need("<name>"), "name")?;
    let place = parse_word(options.need("<place>"), "place")?;
    let origin = options.get("from").map(|text| parse_word(text, "place")).transpose()?;
    let count = stock.move_lots(&name, &place, origin.as_deref())?;
    Ok(format!("lots moved: {count}"))
}

fn find(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = query::choose(stock.ordered(), options)?;
    if options.has("count") {
        return Ok(format!("lots: {}", lots.len()));
    }
    Ok(lines(lots.iter().map(Lot::describe).collect(), "no lots found"))
}

fn print_report(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = query::choose(stock.lots.clone(), options)?;
    let format = options.get("format").unwrap_or("text");
    Ok(report::groups(&lots, options.need("by")).print(format))
}

const NONE: Shape = Shape { positionals: &[], values: &[], flags: &[], required: None, choices: &[] };

const fn taking(positionals: &'static [&'static str], values: &'static [&'static str]) -> Shape {
    Shape { positionals, values, ..NONE }
}

const fn command(name: &'static str, shape: Shape, run: fn(&mut Stock, &Options) -> Outcome) -> Command {
    Command { name, shape, run }
}

pub const COMMANDS: [Command; 8] = [
    command("add", taking(&["name", "quantity"], &["best-before", "place"]), add),
    command("take", taking(&["name", "quantity"], &[]), take),
    command("list", Shape { flags: &["lots"], ..NONE }, list),
    command("import", taking(&["file"], &[]), import),
    command("export", taking(&["file"], &[]), export),
    command("move", taking(&["name", "place"], &["from"]), move_lots),
    command(
        "find",
        Shape { values: &["name", "place", "before", "min", "max"], flags: &["undated", "count"], ..NONE },
        find,
    ),
    command(
        "report",
        Shape {
            values: &["by", "format", "name", "place", "before", "min", "max"],
            flags: &["undated"],
            required: Some("by"),
            choices: &[("by", &["name", "place", "month"]), ("format", &["text", "csv", "json"])],
            ..NONE
        },
        print_report,
    ),
];
