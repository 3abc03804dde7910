//! Bytes that are written as base64.

use serde::{Deserialize, Serialize};

/// Content that is no text: written as base64 (standard alphabet, padded), white space ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Bytes(pub Vec<u8>);

impl TryFrom<String> for Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let plain: String = text.split_whitespace().collect();
        data_encoding::BASE64
            .decode(plain.as_bytes())
            .map(Self)
            .map_err(|why| format!("not base64: {why}"))
    }
}

impl From<Bytes> for String {
    fn from(bytes: Bytes) -> Self {
        data_encoding::BASE64.encode(&bytes.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_parse_only_as_base64() {
        let bytes: Bytes = serde_json::from_str("\"AP9\\n/\"").unwrap();
        assert_eq!(bytes.0, [0, 255, 127]);
        assert_eq!(serde_json::to_string(&bytes).unwrap(), "\"AP9/\"");
        assert!(serde_json::from_str::<Bytes>("\"?\"").is_err());
    }
}
