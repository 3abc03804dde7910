//! The file that keeps the pantry between runs.

use std::fs;

use crate::history::{Change, History};
use crate::json::Json;
use crate::stock::{Lot, Stock};
use crate::values::{Quantity, Refused};

const PATH: &str = "pantry.json";

pub fn load() -> Result<History, Refused> {
    let Ok(text) = fs::read_to_string(PATH) else {
        return Ok(History::default());
    };
    let history = Json::read(&text).and_then(|json| read_history(&json));
    history.ok_or_else(|| format!("{PATH} is damaged"))
}

/// Writes beside the file first, so that an interrupted run leaves the old state.
pub fn save(history: &History) -> Result<(), Refused> {
    let draft = format!("{PATH}.new");
    let written = fs::write(&draft, history_json(history).write()).and_then(|()| fs::rename(&draft, PATH));
    written.map_err(|_| format!("cannot write {PATH}"))
}

fn history_json(history: &History) -> Json {
    let changes = |changes: &[Change]| {
        let change = |change: &Change| {
            Json::object([
                ("description", Json::text(&change.description)),
                ("stock", stock_json(&change.stock)),
            ])
        };
        Json::List(changes.iter().map(change).collect())
    };
    Json::object([
        ("stock", stock_json(&history.stock)),
        ("done", changes(&history.done)),
        ("undone", changes(&history.undone)),
    ])
}

fn read_history(json: &Json) -> Option<History> {
    let changes = |name: &str| -> Option<Vec<Change>> {
        let change = |json: &Json| {
            Some(Change {
                description: json.field("description")?.as_text()?.to_owned(),
                stock: read_stock(json.field("stock")?)?,
            })
        };
        json.field(name)?.as_list()?.iter().map(change).collect()
    };
    Some(History {
        stock: read_stock(json.field("stock")?)?,
        done: changes("done")?,
        undone: changes("undone")?,
    })
}

fn stock_json(stock: &Stock) -> Json {
    let aliases = stock.aliases.iter().map(|(key, target)| (key.clone(), Json::text(target)));
    let minimums = stock.minimums.iter().map(|(key, minimum)| (key.clone(), quantity_json(minimum)));
    Json::object([
        ("lots", Json::List(stock.lots.iter().map(lot_json).collect())),
        ("aliases", Json::Object(aliases.collect())),
        ("minimums", Json::Object(minimums.collect())),
    ])
}

fn read_stock(json: &Json) -> Option<Stock> {
    let Some(Json::Object(aliases)) = json.field("aliases") else {
        return None;
    };
    let Some(Json::Object(minimums)) = json.field("minimums") else {
        return None;
    };
    let alias = |(key, target): &(String, Json)| Some((key.clone(), target.as_text()?.to_owned()));
    let minimum = |(key, json): &(String, Json)| Some((key.clone(), read_quantity(json)?));
    Some(Stock {
        lots: json.field("lots")?.as_list()?.iter().map(read_lot).collect::<Option<_>>()?,
        aliases: aliases.iter().map(alias).collect::<Option<_>>()?,
        minimums: minimums.iter().map(minimum).collect::<Option<_>>()?,
    })
}

fn quantity_json(quantity: &Quantity) -> Json {
    let amount = Json::Number(quantity.amount.to_string());
    Json::List(vec![amount, Json::text(&quantity.unit)])
}

fn read_quantity(json: &Json) -> Option<Quantity> {
    let [amount, unit] = json.as_list()? else {
        return None;
    };
    Some(Quantity { amount: amount.as_number()?, unit: unit.as_text()?.to_owned() })
}

fn lot_json(lot: &Lot) -> Json {
    let date = lot.best_before.as_deref().map_or(Json::Word("null"), Json::text);
    Json::object([
        ("name", Json::text(&lot.name)),
        ("quantity", quantity_json(&lot.quantity)),
        ("best_before", date),
        ("place", Json::text(&lot.place)),
    ])
}

fn read_lot(json: &Json) -> Option<Lot> {
    Some(Lot {
        name: json.field("name")?.as_text()?.to_owned(),
        quantity: read_quantity(json.field("quantity")?)?,
        best_before: json.field("best_before")?.as_text().map(str::to_owned),
        place: json.field("place")?.as_text()?.to_owned(),
    })
}
