#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use super::*;

const VARIANTS: &str = r#"schema = "slope.variants/1"
[choices]
animal = [{ one = "goat", many = "goats" }, { one = "goose", many = "geese" }]
[numbers]
limit = { first = 10, from = 5, to = 20 }
[optional]
quiet = true
"#;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        fs::write(dir.path().join(path), text).unwrap();
    }
    dir
}

fn text(rendered: &Workspace, path: &str) -> String {
    String::from_utf8(rendered.files[Path::new(path)].bytes.clone()).unwrap()
}

#[test]
fn seed_zero_renders_published_problem() {
    let spec = "One @{ animal.one }, {{ two }} {% or %} @{ animal.many|title }, $@x, at most @{ limit }.\n\
                @% if quiet %@\nIt is quiet.\n@% endif %@\nEnd.\n";
    let dir = folder(&[
        (FILE, VARIANTS),
        ("config.yaml", "name: a\n"),
        ("checkpoint_1.md", spec),
    ]);
    let rendered = render(dir.path(), 0).unwrap();
    assert_eq!(
        text(&rendered, "checkpoint_1.md"),
        "One goat, {{ two }} {% or %} Goats, $@x, at most 10.\nIt is quiet.\nEnd.\n"
    );
    assert_eq!(text(&rendered, "config.yaml"), "name: a\nvariant: 0\n");
    assert!(!rendered.files.contains_key(Path::new(FILE)));
    assert_eq!(rendered, render(dir.path(), 0).unwrap());
    let others: Vec<String> = (1..=8)
        .map(|seed| text(&render(dir.path(), seed).unwrap(), "checkpoint_1.md"))
        .collect();
    assert!(
        others
            .iter()
            .any(|other| other.contains("geese") || other.contains("Geese"))
    );
    assert!(others.iter().any(|other| !other.contains("It is quiet.")));
}

#[test]
fn seed_values_are_stable() {
    // By the documented formula, computed with Python's blake3 1.0.
    let drawn = [1, 2, 3, 4, 5].map(|seed| draw(seed, "limit", 16));
    assert_eq!(drawn, [2, 9, 15, 4, 11]);
    assert_eq!(draw(3, "limit", 1_000_003), 545_788);
    assert_eq!(draw(0, "limit", 16), 0);
    let variants: Variants = toml::from_str(VARIANTS).unwrap();
    for seed in 1..200 {
        let limit = i64::try_from(variants.values(seed)["limit"].clone()).unwrap();
        assert!((5..=20).contains(&limit));
    }
}

#[test]
fn malformed_variants_name_their_line() {
    let dir = folder(&[(FILE, VARIANTS), ("spec.md", "one\n@{ animl }\n")]);
    let told = render(dir.path(), 1).unwrap_err().to_string();
    assert!(told.contains("spec.md:2: "), "{told}");
    for (from, to, what) in [
        ("to = 20", "to = 9", "from <= first <= to"),
        ("variants/1", "variants/9", "expected `slope.variants/1`"),
        ("quiet = true", "limit = true", "`limit` is taken"),
        ("quiet = true", "seed = true", "`seed` is taken"),
    ] {
        let dir = folder(&[(FILE, &VARIANTS.replace(from, to))]);
        let told = Variants::read(dir.path()).unwrap_err().to_string();
        assert!(told.contains(what), "{told}");
    }
}

#[test]
fn variant_creation_refuses_existing_folder() {
    let dir = folder(&[(FILE, VARIANTS), ("config.yaml", "name: a\n")]);
    let out = dir.path().join("out/one");
    let rendered = render(dir.path(), 3).unwrap();
    rendered.create(&out).unwrap();
    assert_eq!(Workspace::read(&out).unwrap(), rendered);
    assert!(
        rendered
            .create(&out)
            .unwrap_err()
            .to_string()
            .contains("already exists")
    );
}
