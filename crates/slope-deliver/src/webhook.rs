//! Signed JSON (Standard Webhooks), and texts for Slack.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::message::Message;

/// Headers of a signed message: id, seconds since 1970 and signature.
///
/// The signature is that of `id.seconds.body` with HMAC-SHA256
/// (<https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>).
pub(crate) fn headers(
    id: &str,
    seconds: i64,
    body: &str,
    secret: Option<&[u8]>,
) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        ("webhook-id", id.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
    ];
    if let Some(secret) = secret {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("keys of any length work");
        mac.update(format!("{id}.{seconds}.{body}").as_bytes());
        let signature = data_encoding::BASE64.encode(&mac.finalize().into_bytes());
        headers.push(("webhook-signature", format!("v1,{signature}")));
    }
    headers
}

/// The body of a webhook.
pub(crate) fn body(message: &Message) -> Value {
    json!({
        "type": format!("watch.{}", message.kind.name()),
        "timestamp": format!("{}T00:00:00Z", message.date),
        "data": {
            "schema": slope_model::schema::WATCH_MESSAGE,
            "id": message.id,
            "watch": message.watch,
            "date": message.date,
            "alarm": message.alarm,
            "title": message.title,
            "lines": message.lines,
            "details": message.details,
        },
    })
}

/// The body for Slack, whose texts reserve three characters.
pub(crate) fn slack(message: &Message) -> Value {
    let escaped = |text: &str| {
        let text = text.replace('&', "&amp;");
        text.replace('<', "&lt;").replace('>', "&gt;")
    };
    let lines = message.lines.iter().map(|line| escaped(line));
    let lines = Vec::from_iter(lines).join("\n");
    json!({"text": format!("*{}*\n{lines}", escaped(&message.title))})
}

#[cfg(test)]
mod tests {
    use super::headers;

    #[test]
    fn signature_equals_the_published_example() {
        // The example of the specification's reference libraries.
        let secret = data_encoding::BASE64
            .decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .expect("base64");
        let found = headers(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
            Some(&secret),
        );
        assert_eq!(
            found[2].1,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
