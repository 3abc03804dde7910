//! The texts of a JSON document.

use serde_json::Value;

/// Changes each text of a document in place. Names of fields stay.
pub fn for_each(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| for_each(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| for_each(field, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn texts_change_and_names_stay() {
        let mut value = json!({ "a": ["b", 1, { "c": "d" }] });
        super::for_each(&mut value, &mut |text| *text += "!");
        assert_eq!(value, json!({ "a": ["b!", 1, { "c": "d!" }] }));
    }
}
