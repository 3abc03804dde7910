//! The description of the API.

use std::path::Path;

#[tokio::test]
async fn description_equals_the_kept_file() {
    let text = slope_serve::openapi_text().await.unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/openapi.json");
    if std::env::var_os("SLOPE_UPDATE_SCHEMAS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == text,
        "run this test with SLOPE_UPDATE_SCHEMAS=1, and commit docs/schemas/openapi.json"
    );
}
