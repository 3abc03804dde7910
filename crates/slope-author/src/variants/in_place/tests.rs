#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;

use super::super::render;
use super::*;

const OPEN: &str = r#"schema = "slope.variants/1"
[choices]
unit = [{ one = "gram", many = "grams" }, { one = "ounce", many = "ounces" }]
[numbers]
shelf_limit = { first = 40, from = 41, to = 90 }
[optional]
has_undo = true

[words]
gram = "unit.one"
grams = "unit.many"

[[places]]
files = "checkpoint_*.md"
find = "at most 40 grams"
put = "at most @{ shelf_limit } grams"

[[places]]
files = ["checkpoint_*.md", "suite/*.yaml"]
find = "\nundo"
until = "\nend"
put = ""
when = "not has_undo"
"#;
const SPEC: &str =
    "<!-- canary: gram-40 -->\n# Grams\nA gram_total is at most 40 grams.\nundo in a gram\nend\n";
const CONFIG: &str = "# canary: gram\nname: gram-shop\nentry_file: gram\n";

/// As `OPEN`, with the first value of a number inside its limits.
fn open() -> String {
    OPEN.replace("from = 41", "from = 40")
}

fn folder(variants: &str) -> tempfile::TempDir {
    let files = [
        (FILE, variants),
        ("config.yaml", CONFIG),
        ("checkpoint_1.md", SPEC),
        ("suite/of_gram.yaml", "undo\n- GRAM\nend"),
        (
            "solutions/grams/gram.py",
            "gramTotal = 'at most 40 grams'\n",
        ),
    ];
    let dir = slope_testkit::folder(&files);
    fs::write(dir.path().join("logo"), b"gram \xff").unwrap();
    dir
}

fn texts(dir: &Path, seed: u64) -> BTreeMap<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    render(dir, seed)
        .unwrap()
        .files
        .iter()
        .map(|(path, file)| (path.display().to_string(), text(&file.bytes)))
        .collect()
}

/// The smallest seed above 0 whose values satisfy `holds`.
fn seed_where(variants: &str, holds: impl Fn(&BTreeMap<String, Value>) -> bool) -> u64 {
    let variants: super::super::Variants = toml::from_str(variants).unwrap();
    (1..1000)
        .find(|seed| holds(&variants.values(*seed)))
        .unwrap()
}

fn refused(variants: &str) -> String {
    let dir = folder(variants);
    let told = render(dir.path(), 0).unwrap_err().to_string();
    assert_eq!(told, render(dir.path(), 5).unwrap_err().to_string());
    told.rsplit_once("variants.toml:").unwrap().1.to_owned()
}

#[test]
fn words_and_places_follow_the_seed() {
    let dir = folder(&open());
    let seed = seed_where(&open(), |values| {
        values["unit"].get_attr("one").unwrap().as_str() == Some("ounce")
            && !values["has_undo"].is_true()
    });
    let limit = super::super::Variants::read(dir.path())
        .unwrap()
        .values(seed)["shelf_limit"]
        .clone();
    let texts = texts(dir.path(), seed);
    let spec = format!(
        "<!-- canary: gram-40 -->\n# Ounces\nA ounce_total is at most {limit} ounces.\nend\n"
    );
    assert_eq!(texts["checkpoint_1.md"], spec);
    let config = format!("# canary: gram\nname: gram-shop\nentry_file: ounce\nvariant: {seed}\n");
    assert_eq!(texts["config.yaml"], config);
    assert_eq!(texts["suite/of_ounce.yaml"], "undo\n- OUNCE\nend");
    assert_eq!(
        texts["solutions/ounces/ounce.py"],
        "ounceTotal = 'at most 40 ounces'\n"
    );
    assert_eq!(texts["logo"], "gram \u{fffd}");
    assert_eq!(texts.len(), 5);
}

#[test]
fn expression_results_are_not_replaced() {
    let keep = "put = \"at most @{ shelf_limit } @{ 'grams' }\"";
    let variants = open().replace("put = \"at most @{ shelf_limit } grams\"", keep);
    let dir = folder(&variants);
    let seed = seed_where(&variants, |values| {
        values["unit"].get_attr("one").unwrap().as_str() == Some("ounce")
    });
    let spec = &texts(dir.path(), seed)["checkpoint_1.md"];
    assert!(
        spec.contains(" grams.\n") && spec.contains("ounce_total"),
        "{spec}"
    );
}

#[test]
fn longest_place_wins_then_first() {
    let more = "[[places]]\nfiles = \"*.md\"\nfind = \"40\"\nput = \"@{ shelf_limit }!.\"\nwhen = \"seed > 0\"\n\
                [[places]]\nfiles = \"*.md\"\nfind = \"40\"\nput = \"?\"\nwhen = \"seed > 1\"\n\
                [[places]]\nfiles = \"*.md\"\nfind = \"# \"\nput = \"one\"\nwhen = \"seed > 0\"\n\
                [[places]]\nfiles = \"*.md\"\nfind = \"# \"\nput = \"two\"\nwhen = \"seed > 1\"\n";
    let dir = folder(&(open() + more));
    fs::write(dir.path().join("checkpoint_2.md"), "40\n").unwrap();
    let spec = &texts(dir.path(), 3)["checkpoint_1.md"];
    assert!(spec.contains("\none") && !spec.contains("!."), "{spec}");
    assert!(texts(dir.path(), 3)["checkpoint_2.md"].ends_with("!.\n"));
}

#[test]
fn variant_errors_name_their_line() {
    for (from, to, told) in [
        ("from = 40", "from = 41", "needs from <= first <= to"),
        (
            "{ first = 40",
            "{ first = 41",
            "16: for seed 0 this gives \"at most 41 grams\"",
        ),
        (
            "gram = \"unit.one\"",
            "ounce = \"unit.one\"",
            "10: `unit.one` is `gram` for seed 0",
        ),
        (
            "gram = \"unit.one\"",
            "gram = \"unit.oen\"",
            "10: the word `gram` gets `unit.oen`",
        ),
        ("gram = \"unit.one\"", "gram = \"unit one\"", "10: "),
        ("\"not has_undo\"", "\"not has_redo\"", "23: "),
        (
            "\"not has_undo\"",
            "\"has_redo\"",
            "23: `has_redo` uses a name that is not defined",
        ),
        (
            "\"not has_undo\"",
            "\"has_undo\"",
            "20: a place with `until` needs",
        ),
        (
            "find = \"at most 40",
            "find = \"at least 40",
            "16: for seed 0",
        ),
        (
            "\\nundo",
            "\\nundone",
            "20: \"\\nundone\" is not in its files",
        ),
        ("find = \"\\nundo\"", "find = \"\"", "20: `find` is empty"),
        (
            "\"checkpoint_*.md\"\n",
            "\"*.txt\"\n",
            "15: no file of the problem matches",
        ),
        ("\"checkpoint_*.md\"\n", "\"{\"\n", "15: its `files`: "),
        ("@{ shelf_limit }", "@{ nobody }", "16: undefined value"),
    ] {
        told_for(from, to, told);
    }
}

#[test]
fn missing_place_names_nearest_match() {
    for (from, to, told) in [
        (
            "\\nend",
            "\\nen\\nd",
            "20: \"\\nundo\" is in checkpoint_1.md:3, but its `until` \"\\nen\\nd\" does not follow it",
        ),
        (
            "\\nundo",
            "\\nund",
            "20: \"\\nund\" occurs only inside longer words or numbers (first in checkpoint_1.md:3)",
        ),
    ] {
        told_for(from, to, told);
    }
}

/// Asserts that `OPEN` with `to` for `from` is refused, with this message.
fn told_for(from: &str, to: &str, told: &str) {
    let variants = open().replace(from, to);
    assert_ne!(variants, open(), "{from}");
    let dir = folder(&variants);
    let said = render(dir.path(), 0).unwrap_err().to_string();
    assert!(said.contains(told), "{from}: {said}");
}

/// A place of the specs that is valid if `when` is.
fn place(find: &str, when: &str) -> String {
    let when = if when.is_empty() {
        String::new()
    } else {
        format!("when = \"{when}\"\n")
    };
    format!("[[places]]\nfiles = \"*.md\"\nfind = \"{find}\"\nput = \"{find}\"\n{when}")
}

#[test]
fn always_shadowed_place_is_refused() {
    let taken = |find: &str, by: usize| {
        format!("the place of line {by} takes every \"{find}\" (first in checkpoint_1.md:3)")
    };
    // The places of `OPEN` apply always, or if `not has_undo`; the added one is at line 24.
    for (more, line, told) in [
        (place("most 40", ""), 26, taken("most 40", 15)),
        (place("most 40", "has_undo"), 26, taken("most 40", 15)),
        (
            place("at most 40 grams", "seed > 3"),
            26,
            taken("at most 40 grams", 15),
        ),
        (
            place("A gram", "has_undo") + &place("gram_total", "has_undo"),
            31,
            taken("gram_total", 26),
        ),
    ] {
        let said = refused(&(open() + &more));
        assert!(
            said.starts_with(&format!("{line}: {told}")),
            "{more}: {said}"
        );
    }
    for more in [
        // It also occurs elsewhere.
        place("gram", ""),
        // One of the two applies.
        place("A gram_total", "has_undo") + &place("gram_total", "not has_undo"),
        // It begins earlier.
        place("is at most", ""),
    ] {
        let dir = folder(&(open() + &more));
        let rendered = render(dir.path(), 0).map_err(|e| e.to_string());
        assert!(
            rendered.is_ok() != more.contains("is at most"),
            "{more}: {rendered:?}"
        );
    }
}

#[test]
fn place_ends_at_word_boundary() {
    let dir = folder(&open());
    let spec = "at most 40 gramsful, at most 40 grams, hat most 40 grams\n";
    fs::write(dir.path().join("checkpoint_2.md"), spec).unwrap();
    let seed = seed_where(&open(), |values| {
        values["unit"].get_attr("one").unwrap().as_str() == Some("gram")
            && values["shelf_limit"] != Value::from(40)
    });
    let limit = super::super::Variants::read(dir.path())
        .unwrap()
        .values(seed)["shelf_limit"]
        .clone();
    let wanted = format!("at most 40 gramsful, at most {limit} grams, hat most 40 grams\n");
    assert_eq!(texts(dir.path(), seed)["checkpoint_2.md"], wanted);
}

#[test]
fn unused_word_is_refused() {
    let pound = open().replace("[words]", "[words]\npound = \"'pound'\"");
    assert!(refused(&pound).starts_with("10: the word `pound` occurs nowhere"));
}

#[test]
fn colliding_file_names_are_refused() {
    let variants = open().replace("\"ounces\"", "\"ounce\"");
    let dir = folder(&variants);
    fs::write(dir.path().join("solutions/grams/grams.py"), "").unwrap();
    let seed = seed_where(&variants, |values| {
        values["unit"].get_attr("one").unwrap().as_str() == Some("ounce")
    });
    let told = render(dir.path(), seed).unwrap_err().to_string();
    assert!(
        told.contains("two files are called solutions/ounce/ounce.py"),
        "{told}"
    );
}

#[test]
fn values_cannot_escape_the_folder() {
    for value in ["..", "../..", "/", "/root", "", "../x"] {
        // Either the folder `solutions/grams` or the file `gram.py` would be called after it.
        for (word, line) in [("ounces", 11), ("ounce", 10)] {
            let variants = open().replace(&format!("\"{word}\""), &format!("\"{value}\""));
            assert_ne!(variants, open());
            let seed = seed_where(&variants, |values| {
                values["unit"].get_attr("one").unwrap().as_str() != Some("gram")
            });
            let dir = folder(&variants);
            fs::write(dir.path().join("gram"), "").unwrap();
            fs::create_dir(dir.path().join("grams")).unwrap();
            fs::write(dir.path().join("grams/a"), "").unwrap();
            let said = render(dir.path(), seed).unwrap_err().to_string();
            let told = format!("{FILE}:{line}: with `{value}` in place of");
            assert!(said.contains(&told), "{word} {value:?}: {said}");
            assert!(said.contains("not in the problem's folder"), "{said}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// For any text in a file: seed 0 returns it unchanged, and a seed gives the same bytes each
    /// time.
    #[test]
    fn seed_zero_renders_published_problem(text in "([a-c \\\\\n_]|gram|Grams|40|undo|end|canary: ){0,40}", seed in 1_u64..) {
        let dir = folder(&open());
        fs::write(dir.path().join("suite/any.yaml"), &text).unwrap();
        fs::write(dir.path().join("checkpoint_2.md"), &text).unwrap();
        let mut published = Workspace::read(dir.path()).unwrap();
        published.files.remove(Path::new(FILE));
        prop_assert_eq!(&render(dir.path(), 0).unwrap(), &published);
        prop_assert_eq!(render(dir.path(), seed).unwrap(), render(dir.path(), seed).unwrap());
        // The code path of other seeds changes nothing either if the values are those of seed 0.
        let source = Source::read(dir.path()).unwrap();
        let first = Change::of(&source, &marking(&source).unwrap(), 0).unwrap();
        let spots = spots(&source).unwrap();
        prop_assert_eq!(first.text(Path::new("checkpoint_2.md"), &text, &spots), text);
    }
}
