//! The address in the commands that pages show.

use axum::body::Body;
use axum::http::Request;

use crate::common::open;

#[tokio::test]
async fn commands_name_the_address_of_the_visitor() {
    let served = open().await;
    let page = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = served.ask(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    };
    for path in ["/", "/runs", "/changes"] {
        let plain = page(path, &[("host", "localhost:9123")]).await;
        assert!(plain.contains(">http://localhost:9123</span>"), "{plain}");
        assert!(!plain.contains("8750"), "{plain}");
        let proto = ("x-forwarded-proto", "https");
        let encrypted = page(path, &[("host", "127.0.0.1"), proto]).await;
        assert!(
            encrypted.contains(">https://127.0.0.1</span>"),
            "{encrypted}"
        );
        let without = page(path, &[]).await;
        assert!(
            without.contains(">http://127.0.0.1:8750</span>"),
            "{without}"
        );
    }
}
