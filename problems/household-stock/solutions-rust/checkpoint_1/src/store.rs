//! The file that keeps the pantry between runs.

use std::fs;

use crate::json::Json;
use crate::stock::{Lot, Stock};
use crate::values::{Quantity, Refused};

const PATH: &str = "pantry.json";

pub fn load() -> Result<Stock, Refused> {
    let Ok(text) = fs::read_to_string(PATH) else {
        return Ok(Stock::default());
    };
    let lots = Json::read(&text).and_then(|json| json.field("lots")?.as_list()?.iter().map(read_lot).collect());
    lots.map(|lots| Stock { lots }).ok_or_else(|| format!("{PATH} is damaged"))
}

/// Writes beside the file first, so that an interrupted run leaves the old state.
pub fn save(stock: &Stock) -> Result<(), Refused> {
    let draft = format!("{PATH}.new");
    let lots = Json::List(stock.lots.iter().map(lot_json).collect());
    let written = fs::write(&draft, Json::object([("lots", lots)]).write()).and_then(|()| fs::rename(&draft, PATH));
    written.map_err(|_| format!("cannot write {PATH}"))
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
