//! What each command takes and does: from options to what is printed.

use crate::options::{Options, Shape};
use crate::stock::{Lot, Stock};
use crate::values::{parse_quantity, parse_word, Refused};

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

const NONE: Shape = Shape { positionals: &[], values: &[], flags: &[] };

const fn taking(positionals: &'static [&'static str], values: &'static [&'static str]) -> Shape {
    Shape { positionals, values, ..NONE }
}

const fn command(name: &'static str, shape: Shape, run: fn(&mut Stock, &Options) -> Outcome) -> Command {
    Command { name, shape, run }
}

pub const COMMANDS: [Command; 3] = [
    command("add", taking(&["name", "quantity"], &["best-before", "place"]), add),
    command("take", taking(&["name", "quantity"], &[]), take),
    command("list", Shape { flags: &["lots"], ..NONE }, list),
];
