//! What each command takes and does: from options to what is printed.

use crate::formats::{read_lots, write_lots};
use crate::history::History;
use crate::options::{Options, Shape};
use crate::stock::{Lot, Stock};
use crate::values::{parse_count, parse_date, parse_quantity, parse_word, Refused};
use crate::{query, report};

/// What is printed and, where the stock was changed, what the history says of it.
type Outcome = Result<(String, Option<String>), Refused>;

#[derive(Clone, Copy)]
pub enum Run {
    OnStock(fn(&mut Stock, &Options) -> Outcome),
    OnHistory(fn(&mut History, &Options) -> Result<String, Refused>),
}

pub struct Command {
    pub name: &'static str,
    pub shape: Shape,
    pub run: Run,
}

impl Command {
    pub fn run(&self, history: &mut History, options: &Options) -> Result<String, Refused> {
        match self.run {
            Run::OnHistory(run) => run(history, options),
            Run::OnStock(run) => {
                let before = history.stock.clone();
                let (said, change) = run(&mut history.stock, options)?;
                if let Some(description) = change {
                    history.record(description, before);
                }
                Ok(said)
            }
        }
    }
}

/// The name that a user's word stands for.
fn named(stock: &Stock, text: &str) -> Result<String, Refused> {
    Ok(stock.resolve(parse_word(text, "name")?))
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
    let lot = stock.add(Lot::parse(name, quantity, options.get("best-before"), options.get("place"))?)?;
    let what = format!("{} of {}", lot.quantity.describe(), lot.name);
    Ok((format!("added {what}"), Some(format!("add {what}"))))
}

fn take(stock: &mut Stock, options: &Options) -> Outcome {
    let name = named(stock, options.need("<name>"))?;
    let quantity = parse_quantity(options.need("<quantity>"))?;
    stock.take(&name, &quantity)?;
    let what = format!("{} of {name}", quantity.describe());
    Ok((format!("took {what}"), Some(format!("take {what}"))))
}

fn list(stock: &mut Stock, options: &Options) -> Outcome {
    let rows = match options.has("lots") {
        true => stock.ordered().iter().map(Lot::describe).collect(),
        false => stock.totals().iter().map(|(name, sum)| format!("{name}: {}", sum.describe())).collect(),
    };
    Ok((lines(rows, "nothing in stock"), None))
}

fn import(stock: &mut Stock, options: &Options) -> Outcome {
    let file = options.need("<file>");
    let mut next = stock.clone();
    read_lots(file, |lot| next.add(lot).map(drop))?;
    let count = next.lots.len() - stock.lots.len();
    *stock = next;
    Ok((format!("lots imported: {count}"), Some(format!("import {file} ({count} lots)"))))
}

fn export(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = stock.ordered();
    write_lots(&lots, options.need("<file>"))?;
    Ok((format!("lots exported: {}", lots.len()), None))
}

fn move_lots(stock: &mut Stock, options: &Options) -> Outcome {
    let name = named(stock, options.need("<name>"))?;
    let place = parse_word(options.need("<place>"), "place")?;
    let origin = options.get("from").map(|text| parse_word(text, "place")).transpose()?;
    let count = stock.move_lots(&name, &place, origin.as_deref())?;
    Ok((format!("lots moved: {count}"), Some(format!("move {name} to {place} ({count} lots)"))))
}

fn find(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = query::choose(stock.ordered(), options)?;
    if options.has("count") {
        return Ok((format!("lots: {}", lots.len()), None));
    }
    Ok((lines(lots.iter().map(Lot::describe).collect(), "no lots found"), None))
}

fn format(options: &Options) -> &str {
    options.get("format").unwrap_or("text")
}

fn print_report(stock: &mut Stock, options: &Options) -> Outcome {
    let lots = query::choose(stock.lots.clone(), options)?;
    Ok((report::groups(&lots, options.need("by")).print(format(options)), None))
}

fn alias(stock: &mut Stock, options: &Options) -> Outcome {
    let other = parse_word(options.need("<other>"), "name")?;
    let name = named(stock, options.need("<name>"))?;
    stock.alias(&other, &name)?;
    Ok((format!("{other} means {name}"), Some(format!("alias {other} to {name}"))))
}

fn minimum(stock: &mut Stock, options: &Options) -> Outcome {
    let name = named(stock, options.need("<name>"))?;
    if options.need("<quantity>") == "none" {
        stock.drop_minimum(&name)?;
        return Ok((format!("no minimum for {name}"), Some(format!("minimum of {name} none"))));
    }
    let quantity = parse_quantity(options.need("<quantity>"))?;
    let what = quantity.describe();
    stock.set_minimum(&name, quantity)?;
    Ok((format!("minimum of {name} is {what}"), Some(format!("minimum of {name} {what}"))))
}

fn shopping(stock: &mut Stock, options: &Options) -> Outcome {
    Ok((report::needs(stock).print(format(options)), None))
}

fn expire(stock: &mut Stock, options: &Options) -> Outcome {
    let date = parse_date(options.need("<date>"))?;
    let lots = stock.expire(&date);
    if lots.is_empty() {
        return Ok(("nothing to throw away".to_owned(), None));
    }
    let told = |lot: &Lot| {
        let best = lot.best_before.as_deref().unwrap_or_default();
        format!("threw away {} of {}, best before {best}", lot.quantity.describe(), lot.name)
    };
    let said = lots.iter().map(told).collect::<Vec<_>>().join("\n");
    Ok((said, Some(format!("expire {date} ({} lots)", lots.len()))))
}

fn history(history: &mut History, _: &Options) -> Result<String, Refused> {
    let changes = (1..).zip(&history.done);
    let told = changes.map(|(number, change)| format!("{number}. {}", change.description));
    Ok(lines(told.collect(), "no changes"))
}

fn count(options: &Options) -> Result<usize, Refused> {
    parse_count(options.get("<count>").unwrap_or("1"))
}

fn undo(history: &mut History, options: &Options) -> Result<String, Refused> {
    let done = history.undo(count(options)?)?;
    Ok(done.iter().map(|what| format!("undone: {what}")).collect::<Vec<_>>().join("\n"))
}

fn redo(history: &mut History, options: &Options) -> Result<String, Refused> {
    let done = history.redo(count(options)?)?;
    Ok(done.iter().map(|what| format!("redone: {what}")).collect::<Vec<_>>().join("\n"))
}

const NONE: Shape = Shape { positionals: &[], optional: None, values: &[], flags: &[], required: None, choices: &[] };
const FORMATS: (&str, &[&str]) = ("format", &["text", "csv", "json"]);
const COUNTED: Shape = Shape { optional: Some("count"), ..NONE };

const fn taking(positionals: &'static [&'static str], values: &'static [&'static str]) -> Shape {
    Shape { positionals, values, ..NONE }
}

const fn on_stock(name: &'static str, shape: Shape, run: fn(&mut Stock, &Options) -> Outcome) -> Command {
    Command { name, shape, run: Run::OnStock(run) }
}

pub const COMMANDS: [Command; 15] = [
    on_stock("add", taking(&["name", "quantity"], &["best-before", "place"]), add),
    on_stock("take", taking(&["name", "quantity"], &[]), take),
    on_stock("list", Shape { flags: &["lots"], ..NONE }, list),
    on_stock("import", taking(&["file"], &[]), import),
    on_stock("export", taking(&["file"], &[]), export),
    on_stock("move", taking(&["name", "place"], &["from"]), move_lots),
    on_stock(
        "find",
        Shape { values: &["name", "place", "before", "min", "max"], flags: &["undated", "count"], ..NONE },
        find,
    ),
    on_stock(
        "report",
        Shape {
            values: &["by", "format", "name", "place", "before", "min", "max"],
            flags: &["undated"],
            required: Some("by"),
            choices: &[("by", &["name", "place", "month"]), FORMATS],
            ..NONE
        },
        print_report,
    ),
    on_stock("alias", taking(&["other", "name"], &[]), alias),
    on_stock("minimum", taking(&["name", "quantity"], &[]), minimum),
    on_stock("shopping", Shape { values: &["format"], choices: &[FORMATS], ..NONE }, shopping),
    on_stock("expire", taking(&["date"], &[]), expire),
    Command { name: "history", shape: NONE, run: Run::OnHistory(history) },
    Command { name: "undo", shape: COUNTED, run: Run::OnHistory(undo) },
    Command { name: "redo", shape: COUNTED, run: Run::OnHistory(redo) },
];
