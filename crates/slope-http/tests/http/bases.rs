//! Bases over HTTP.

use serde_json::{Value, json};
use slope_http::Settings;

use crate::common::{APP, request, start};

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder
            .append_data(&mut header, path, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn uploaded_archives_become_bases() {
    let server = start(Settings::default()).await;
    let body = archive(&[("project-1.0/app.py", APP), ("project-1.0/README", "text")]);
    let (code, answer) = server.post("/v1/bases?name=up&strip=1", body).await;
    assert_eq!(code, 201, "{answer}");
    let described: Value = serde_json::from_str(&answer).unwrap();
    // The same code has the same id as the base of the start.
    assert_eq!(
        described["id"],
        server.get_json("/v1/bases/app").await["id"]
    );
    let mut on_it = request("a");
    on_it["base"] = json!("up");
    let (code, grade) = server.post_json("/v1/score", &on_it).await;
    assert_eq!((code, &grade["status"]), (200, &json!("ok")));
    let gone = server
        .client
        .delete(server.url("/v1/bases/up"))
        .send()
        .await
        .unwrap();
    assert_eq!(gone.status(), 204);
    assert_eq!(server.post_json("/v1/score", &on_it).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn neighbour_is_a_base_with_a_change() {
    let server = start(Settings::default()).await;
    let change = json!({"kind": "files", "data": {"more.py": "def more():\n    return 1\n"}});
    let body = json!({"of": "app", "change": change});
    let (code, described) = server.post_json("/v1/bases?name=next", &body).await;
    assert_eq!((code, &described["files"]), (201, &json!(2)), "{described}");
    let whole = archive(&[("app.py", APP), ("more.py", "def more():\n    return 1\n")]);
    let (_, same) = server.post("/v1/bases?name=whole", whole).await;
    let same: Value = serde_json::from_str(&same).unwrap();
    assert_eq!(described["id"], same["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_allowed_folders_are_opened() {
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&inside, &outside] {
        std::fs::write(folder.path().join("app.py"), APP).unwrap();
    }
    std::os::unix::fs::symlink(outside.path(), inside.path().join("link")).unwrap();
    let server = start(Settings {
        roots: vec![inside.path().to_owned()],
        ..Settings::default()
    })
    .await;
    for (path, wanted) in [
        (inside.path().to_owned(), 201),
        (outside.path().to_owned(), 403),
        (inside.path().join("link"), 403),
        (inside.path().join("../../etc"), 403),
        (inside.path().join("nothing"), 403),
    ] {
        let body = json!({"path": path});
        let (code, answer) = server.post_json("/v1/bases", &body).await;
        assert_eq!(code, wanted, "{}: {answer}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bases_that_cannot_be_used_are_refused() {
    let server = start(Settings {
        bases: 2,
        ..Settings::default()
    })
    .await;
    let other = archive(&[("other.py", "x = 1\n")]);
    for (path, body, wanted) in [
        ("/v1/bases", b"no archive".to_vec(), 400),
        ("/v1/bases", archive(&[("notes.txt", "no code")]), 400),
        ("/v1/bases/app", other.clone(), 409),
        ("/v1/bases/blake3:00", other.clone(), 409),
        ("/v1/bases/second", other.clone(), 201),
        ("/v1/bases/second", other.clone(), 201),
        ("/v1/bases/third", other, 507),
    ] {
        let method = if path == "/v1/bases" { "POST" } else { "PUT" };
        let method = method.parse().unwrap();
        let sent = server
            .client
            .request(method, server.url(path))
            .body(body)
            .send();
        let answer = sent.await.unwrap();
        let code = answer.status();
        assert_eq!(code, wanted, "{path}: {}", answer.text().await.unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_no_paths_are_refused() {
    let server = start(Settings::default()).await;
    let long = "x".repeat(201);
    for name in ["", "a%2Fb", "a%0Ab", &long] {
        let body = archive(&[("app.py", APP)]);
        let (code, answer) = server.post(&format!("/v1/bases?name={name}"), body).await;
        assert_eq!(code, 400, "{name}: {answer}");
    }
}
