//! A request in JSON.

use serde_json::Value;
use slope_model::data_words::of_json;
use slope_model::grade::Fault;
use slope_model::grade_request::Request;

use crate::edit::fault;
use crate::json::read_json;

/// A record that is no request.
#[derive(Debug)]
pub struct BadRecord {
    /// Its id, if it has one.
    pub id: String,
    /// The reason.
    pub fault: Fault,
}

const HELP: &str = "`slope grade schema request` prints the format of a request";

/// Reads a request. `name` is what messages call the record, for example `line 3`.
///
/// # Errors
/// If it is not valid JSON, or a field is missing or has a wrong value.
pub fn read_request(record: &[u8], name: &str) -> Result<Request, BadRecord> {
    let record = record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record);
    let value = read_json::<Value>(record).map_err(|error| {
        let (column, reason) = (error.column(), of_json(&error.to_string()));
        let message = format!("{name}, column {column} is not valid JSON: {reason}");
        bad("", "", message)
    })?;
    request_of(value, name)
}

/// A request in a value of JSON, as [`read_request`].
///
/// # Errors
/// If a field is missing or has a wrong value.
pub fn request_of(value: Value, name: &str) -> Result<Request, BadRecord> {
    if !value.is_object() {
        return Err(bad("", "", format!("{name} is not a JSON object")));
    }
    let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
    let id = id.to_owned();
    serde_path_to_error::deserialize::<_, Request>(value).map_err(|error| {
        let field = error.path().to_string();
        let field = if field == "." { "" } else { &field };
        bad(
            &id,
            field,
            format!("{name}: {}", of_json(&error.inner().to_string())),
        )
    })
}

fn bad(id: &str, field: &str, message: String) -> BadRecord {
    BadRecord {
        id: id.to_owned(),
        fault: fault(field, message, HELP),
    }
}
