//! Whole measurements of small projects.

use std::path::Path;

use slope_measure::{Limits, Options, Profile, measure_dir, measure_files};
use slope_model::measurement::Measurement;

const SHOP: &str = "\
\"\"\"A shop.\"\"\"


def total(rows):
    t = 0
    for row in rows:
        if row.paid == None:
            t += row.price
    return t


class Cart:
    def due(self, rows):
        sum_ = 0
        for r in rows:
            if r.open == None:
                sum_ += r.cost
        return sum_
";

const BRANCHY: &str = "\
def route(x):
    if x == 1: return a()
    elif x == 2: return b()
    elif x == 3: return c()
    elif x == 4: return d()
    elif x == 5: return e()
    elif x == 6: return f()
    elif x == 7: return g()
    elif x == 8: return h()
    elif x == 9: return i()
    elif x == 10: return j()
";

fn files(files: &[(&str, &str)], options: &Options) -> Measurement {
    measure_files(files.iter().map(|&(path, text)| (path, text)), options).expect("rules")
}

fn slope(list: &[(&str, &str)]) -> Measurement {
    files(list, &Options::default())
}

fn paper() -> Options {
    Options {
        profile: Profile::Paper,
        ..Options::default()
    }
}

#[test]
fn project_measurement_matches_snapshot() {
    let list = [("shop.py", SHOP), ("web/route.py", BRANCHY), ("a.txt", "x")];
    let mut measured = slope(&list);
    assert_eq!(measured.definitions.hash.len(), 64);
    // The hashes change with every change of a rule.
    measured.definitions.hash = "hash".to_owned();
    measured.definitions.rules.clear();
    insta::assert_json_snapshot!(measured);
}

#[test]
fn profiles_differ_in_definition_and_denominator() {
    let list = [("shop.py", SHOP)];
    let (own, paper) = (slope(&list), files(&list, &paper()));
    assert_eq!(own.definitions.version, "slope/10");
    assert_eq!(paper.definitions.version, "paper/1");
    assert_ne!(own.definitions.hash, paper.definitions.hash);
    assert_eq!(
        own.totals.verbosity,
        Some(own.totals.verbose_lines.unwrap() as f64 / 13.0)
    );
    assert_eq!(
        paper.totals.verbosity,
        Some(paper.totals.verbose_lines.unwrap() as f64 / 18.0)
    );
}

#[test]
fn threads_and_order_keep_result_identical() {
    let folder = tempfile::tempdir().unwrap();
    let mut list = Vec::new();
    for n in 0..40 {
        let text = if n % 3 == 0 { SHOP } else { BRANCHY };
        let path = format!("p{}/m{n}.py", n % 4);
        slope_testkit::write_file(&folder.path().join(&path), text);
        list.push((path, text));
    }
    list.push(("p0/broken.py".to_owned(), "def (:\n"));
    std::fs::write(folder.path().join("p0/broken.py"), "def (:\n").unwrap();
    let with = |threads| Options {
        threads,
        ..Options::default()
    };
    let json = |m: Measurement| serde_json::to_string(&m).unwrap();
    let one = json(measure_dir(folder.path(), &with(1)).unwrap());
    let four = json(measure_dir(folder.path(), &with(4)).unwrap());
    assert_eq!(one, four);
    list.reverse();
    let memory = json(measure_files(list, &with(3)).unwrap());
    assert_eq!(one, memory);
}

#[test]
fn result_is_independent_of_follow_option() {
    let list = [("shop.py", SHOP), ("web/route.py", BRANCHY)];
    let options = Options {
        follow: false,
        ..Options::default()
    };
    assert_eq!(files(&list, &options), slope(&list));
}

#[test]
fn unmeasurable_files_are_listed_with_reason() {
    let binary = [b'a', 0, b'b'];
    let limits = Limits {
        max_bytes: 2_000_000,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let deep = format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    let long = format!("x = '{}'\n", "a".repeat(50_000_000));
    let list: Vec<(&str, &[u8])> = vec![
        ("bad.py", b"def f(:\n    pass\n"),
        ("binary.py", &binary),
        ("deep.py", deep.as_bytes()),
        ("latin.py", b"# \xe9\n"),
        ("long.py", long.as_bytes()),
        ("ok.py", b"a = 1\r\n\x0c\r\nb = 2\r\n"),
    ];
    let measured = measure_files(list, &options).unwrap();
    let paths: Vec<_> = measured.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["bad.py", "latin.py", "ok.py"]);
    assert_eq!(measured.files[2].sloc, 2);
    assert_eq!(
        measured.files[0].syntax_errors.map(|e| e.first_line),
        Some(1)
    );
    assert_eq!(measured.totals.files_with_syntax_errors, 1);
    let reasons: Vec<_> = measured
        .unmeasured
        .iter()
        .map(|u| format!("{}: {}", u.path, u.reason))
        .collect();
    insta::assert_snapshot!(reasons.join("\n"), @r"
    binary.py: not a text file: NUL byte in line 1
    deep.py: nested deeper than the limit of 5000 levels
    long.py: larger than the limit of 2000000 bytes
    ");
}

#[test]
fn hostile_text_terminates() {
    let chain = format!("x = {}a == None\n", "a + ".repeat(4_000));
    let repeated = format!(
        "x = ({0}) if ({0}) else ({0})\n",
        "[".repeat(900) + &"]".repeat(900)
    );
    let list = [
        ("open.py", "(".repeat(300_000)),
        ("mixed.py", "[{(".repeat(80_000)),
        ("quotes.py", "'''".repeat(100_001)),
        ("colons.py", "if a:".repeat(60_000)),
        ("words.py", "x ".repeat(300_000)),
        ("dedent.py", "  if a:\n if b:\n".repeat(20_000)),
        ("fstrings.py", "f'{".repeat(30_000)),
        ("chain.py", chain),
        ("repeated.py", repeated),
        ("commas.py", format!("x = [{}]\n", "1,".repeat(500_000))),
    ];
    let measured = measure_files(list, &Options::default()).unwrap();
    assert_eq!(measured.totals.files + measured.totals.unmeasured_files, 10);
    assert!(measured.totals.files >= 3, "{:?}", measured.unmeasured);
}

#[test]
fn missing_values_have_a_reason() {
    let missing = |m: &Measurement| serde_json::to_string(&m.totals.missing).unwrap();
    let nothing = slope(&[("a.txt", "x")]);
    assert_eq!((nothing.totals.erosion, nothing.totals.mass), (None, None));
    assert!(missing(&nothing).contains("no file of a language"));
    let binary = slope(&[("a.py", "a\0b")]);
    assert_eq!(
        (binary.totals.verbosity, binary.totals.clone_lines),
        (None, None)
    );
    assert!(missing(&binary).contains("none of the files could be measured"));
    // What could not be parsed must not make a good score.
    let broken = slope(&[("a.py", "def (:\n")]);
    assert_eq!((broken.totals.verbosity, broken.totals.files), (None, 1));
    assert!(missing(&broken).contains("1 of 1 source lines could not be parsed"));
    assert_eq!(broken.findings[0].rule, "syntax-error");
    let flat = slope(&[("a.py", "x = 1\n")]);
    assert_eq!(
        (flat.totals.erosion, flat.totals.verbosity),
        (None, Some(0.0))
    );
    assert!(missing(&flat).contains("no callable"));
    let empty = slope(&[("__init__.py", "")]);
    assert_eq!((empty.totals.verbosity, empty.totals.files), (None, 1));
    assert!(missing(&empty).contains("no source lines"));
}

#[test]
fn discovery_skips_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for path in [
        "src/a.py",
        "src/.hidden/b.py",
        "build/c.py",
        ".venv/lib/x.py",
        "src/node_modules/x.py",
        "src/deep/__pycache__/x.py",
        "env/y.py",
        "ignored/d.py",
    ] {
        slope_testkit::write_file(&root.join(path), "a = 1\n");
    }
    std::fs::write(root.join(".gitignore"), "ignored/\n").unwrap();
    std::fs::write(root.join(".venv/pyvenv.cfg"), "").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.py", root.join("src/link.py")).unwrap();
        std::os::unix::fs::symlink("..", root.join("src/loop")).unwrap();
    }
    let paths = |options: &Options| -> Vec<String> {
        let measured = measure_dir(root, options).unwrap();
        measured.files.into_iter().map(|f| f.path).collect()
    };
    let all = [
        ".venv/lib/x.py",
        "build/c.py",
        "env/y.py",
        "ignored/d.py",
        "src/.hidden/b.py",
        "src/a.py",
    ];
    assert_eq!(paths(&Options::default()), all);
    let obeying = Options {
        ignore_files: true,
        ..Options::default()
    };
    assert_eq!(
        paths(&obeying),
        ["build/c.py", "env/y.py", "src/.hidden/b.py", "src/a.py"]
    );
    let single = measure_dir(&root.join("src/a.py"), &Options::default()).unwrap();
    assert_eq!(single.files[0].path, "a.py");
    let error = measure_dir(&root.join("none"), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("none"));
    let memory = slope(&[("node_modules/x.py", "a = 1\n"), ("src/venv.py", "a = 1\n")]);
    assert_eq!(memory.files.len(), 1);
}

#[test]
fn fingerprints_survive_shifts_and_moves() {
    let prints = |path: &str, text: &str| -> Vec<String> {
        let mut all: Vec<_> = slope(&[(path, text)])
            .findings
            .into_iter()
            .map(|f| f.fingerprint)
            .collect();
        all.sort();
        all
    };
    let before = prints("shop.py", SHOP);
    assert!(before.len() >= 4);
    let shifted = format!("# one\n\n\nX = 1\n{SHOP}");
    assert_eq!(before, prints("other/place.py", &shifted));
    let distinct: std::collections::BTreeSet<_> = before.iter().collect();
    assert_eq!(distinct.len(), before.len());
}

#[test]
fn extra_packs_count_and_change_definitions() {
    let folder = tempfile::tempdir().unwrap();
    let rule = "id: a-pass\nlanguage: python\nmessage: M.\nmetadata: {category: own}\nrule: {kind: pass_statement}\n";
    std::fs::write(folder.path().join("a-pass.yml"), rule).unwrap();
    let options = Options {
        rule_paths: vec![folder.path().to_owned()],
        ..Options::default()
    };
    let list = [("a.py", "def f():\n    pass\n")];
    let (without, with) = (slope(&list), files(&list, &options));
    assert_eq!(without.totals.flagged_lines, Some(0));
    assert_eq!(with.totals.flagged_lines, Some(1));
    assert_ne!(without.definitions.hash, with.definitions.hash);
    let none = Options {
        rule_paths: vec![Path::new("/nonexistent").to_owned()],
        ..Options::default()
    };
    assert!(measure_dir(folder.path(), &none).is_err());
}

#[test]
fn runaway_rule_reports_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let rule = "id: far\nlanguage: python\nmessage: M.\nrule: {kind: expression_statement, follows: {stopBy: end, regex: '^g'}}\n";
    std::fs::write(folder.path().join("far.yml"), rule).unwrap();
    let options = Options {
        rule_paths: vec![folder.path().to_owned()],
        ..Options::default()
    };
    let list = [
        ("a.py", &*format!("# g\n{}", "f(x)\n".repeat(8_000))),
        ("b.py", "g(x)\nf(x)\n"),
    ];
    let measured = files(&list, &options);
    let ends = measured
        .findings
        .iter()
        .filter(|f| f.rule == "unfinished-rule");
    let ends: Vec<_> = ends.collect();
    assert_eq!((ends.len(), ends[0].path.as_str()), (1, "a.py"));
    assert!(ends[0].span.start_line > 1_000, "{:?}", ends[0].span);
    assert!(ends[0].message.contains("`far`"), "{}", ends[0].message);
    // The other file has its finding.
    assert!(
        measured
            .findings
            .iter()
            .any(|f| f.rule == "far" && f.path == "b.py")
    );
    // The published definitions know no such bound, so they leave the file out.
    assert_eq!(
        measured.published.and_then(|p| p.totals.sloc.into()),
        Some(2)
    );
}

#[test]
fn cache_keeps_result_identical() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a.py"), SHOP).unwrap();
    std::fs::write(root.join("b.py"), BRANCHY).unwrap();
    let json = |cache: Option<&Path>| {
        let options = Options {
            cache: cache.map(Path::to_owned),
            ..Options::default()
        };
        serde_json::to_string(&measure_dir(&root, &options).unwrap()).unwrap()
    };
    let none = json(None);
    assert_eq!(none, json(Some(cache.path())));
    // Old enough for stamps to be trusted: found without reading.
    std::thread::sleep(std::time::Duration::from_millis(2_100));
    assert_eq!(none, json(Some(cache.path())));
    assert_eq!(none, json(Some(cache.path())));
    std::fs::write(root.join("b.py"), SHOP).unwrap();
    let changed = json(Some(cache.path()));
    assert_ne!(none, changed);
    assert_eq!(json(None), changed);
    // A broken cache costs time only.
    std::fs::write(cache.path().join("facts.sqlite"), "no database").unwrap();
    assert_eq!(json(Some(cache.path())), changed);
}
