//! Copies that changes make, judged.

use crate::common::{Repo, branches, rules};
use slope_gate::Head;
use slope_model::gate::{GateRule, Level};
use slope_testkit::HELPER;

#[test]
fn copy_advice_names_the_original() {
    let repo = Repo::new(&[("lib/a.py", HELPER)]);
    let copy = HELPER.replace("normalise", "tidy").replace("rows", "lines");
    repo.write(&[("lib/b.py", &copy)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("tidy"))]);
    let advice = &judgement.violations[0].advice;
    assert!(advice.contains("`normalise` (lib/a.py:1)"), "{advice}");
    // Neither the line of a loop in it, nor the first of several in a row.
    std::fs::remove_file(repo.path().join("lib/b.py")).unwrap();
    let before = |name: &str| format!("\n\n{}", HELPER.replace("normalise", name));
    let second = format!("\n\n{}", branches("other", 6));
    repo.write(&[(
        "lib/a.py",
        &(branches("first", 3) + &before("normalise") + &second),
    )]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "b"]);
    let copies = branches("last", 3) + &before("clean") + &second.replace("other", "rest");
    repo.write(&[("lib/c.py", &copies)]);
    let judgement = repo.judge(None, Head::Worktree);
    let clones = judgement.violations.iter();
    let clones = clones.filter(|v| v.rule == GateRule::NewClone);
    let advices = clones.map(|v| v.advice.as_str());
    let expected = [
        "Call `first` (lib/a.py:1).",
        "Call `normalise` (lib/a.py:10).",
        "Call `other` (lib/a.py:24).",
    ];
    assert_eq!(advices.collect::<Vec<_>>(), expected);
}

#[test]
fn similar_class_comparisons_pass() {
    let class = |name: &str, method: &str| {
        format!(
            "class {name} {{\n  int a;\n  String b;\n\n  public boolean {method}(Object o) {{\n    \
             if (this == o) {{\n      return true;\n    }}\n    if (o == null || getClass() != o.getClass()) \
             {{\n      return false;\n    }}\n    {name} other = ({name}) o;\n    \
             return a == other.a && Objects.equals(b, other.b);\n  }}\n}}\n"
        )
    };
    let told = |method: &str| {
        let repo = Repo::new(&[("P.java", &class("P", method))]);
        repo.write(&[("Q.java", &class("Q", method))]);
        let violations = repo.judge(None, Head::Worktree).violations;
        violations.iter().any(|v| v.rule == GateRule::NewClone)
    };
    assert!(!told("equals"));
    assert!(told("resembles"));
}

#[test]
fn copy_across_dialects_is_reported() {
    let code = "\
export function normalise(records, limit) {
  const result = new Map();
  for (const record of records) {
    const key = (record.name ?? '').trim().toLowerCase();
    if (!key) {
      continue;
    }
    const total = (result.get(key) ?? 0) + record.value;
    result.set(key, Math.min(total, limit));
  }
  return [...result.entries()].sort((a, b) => a[1] - b[1]);
}
";
    let repo = Repo::new(&[("lib/a.ts", code)]);
    let copy = code.replace("normalise", "tidy");
    for new in ["lib/b.tsx", "lib/b.js"] {
        repo.write(&[(new, &copy)]);
        let judgement = repo.judge(None, Head::Worktree);
        assert_eq!(
            rules(&judgement),
            [(GateRule::NewClone, Some("tidy"))],
            "{new}"
        );
        std::fs::remove_file(repo.path().join(new)).unwrap();
    }
    // One that moves to another dialect is the same.
    repo.git(&["mv", "lib/a.ts", "lib/a.tsx"]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(
        (judgement.violations, judgement.balance.change.mass),
        (vec![], 0.0)
    );
}

#[test]
fn new_clone_names_an_earlier_copy() {
    let second = HELPER.replace("normalise", "tidy");
    let repo = Repo::new(&[("lib/a.py", HELPER), ("lib/b.py", &second)]);
    let third = HELPER.replace("normalise", "clean");
    repo.write(&[("lib/c.py", &third)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("clean"))]);
    let told = &judgement.violations[0];
    assert!(told.advice.contains("`normalise` (lib/a.py:1)"), "{told:?}");
}

#[test]
fn copied_file_of_small_functions_fails() {
    let function = |n: usize| {
        format!(
            "def of_{n}(rows, key):\n    found = rows.get(key, {n})\n    rows.drop(key + {n}, found)\n    return found * {n} + len(rows)\n\n\n"
        )
    };
    let small: String = (0..8).map(function).collect();
    let repo = Repo::new(&[("a.py", &small)]);
    repo.write(&[("b.py", &small)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, None)]);
    let message = &judgement.violations[0].message;
    assert!(message.contains("the first at a.py:"), "{message}");
}

#[test]
fn wrapping_existing_code_is_not_clone() {
    let statement = |n: usize| format!("rows.put({n}, shop.find({n} + base), key_{n})\n");
    let lines: Vec<String> = (0..24).map(statement).collect();
    let repo = Repo::new(&[("a.py", &lines.concat()), ("b.py", &lines.concat())]);
    let wrapped: String = lines
        .chunks(4)
        .enumerate()
        .map(|(n, lines)| {
            let body: String = lines.iter().map(|line| format!("    {line}")).collect();
            format!("def part_{n}(rows, shop, base):\n{body}\n\n")
        })
        .collect();
    repo.write(&[("a.py", &wrapped)]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
}

#[test]
fn two_new_copies_are_reported_once() {
    let repo = Repo::new(&[("a.py", "def f():\n    return 1\n")]);
    let second = HELPER.replace("normalise", "tidy");
    repo.write(&[("b.py", HELPER), ("c.py", &second)]);
    let judgement = repo.judge(None, Head::Worktree);
    let clones = judgement.violations.iter();
    let clones = clones.filter(|v| v.rule == GateRule::NewClone);
    let messages: Vec<_> = clones.map(|v| &v.message).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].ends_with("`normalise` (b.py:1, new as well)."),
        "{messages:?}"
    );
}

/// What the statements of [`HELPER`] are in, in Go.
const GO: &str = "package a\n\nfunc host(name string) string {\n\tif isFirst(name) {\n\t\treturn first(name, 1)\n\t}\n\tif isSecond(name) {\n\t\treturn second(name, 2)\n\t}\n\tif isThird(name) {\n\t\treturn third(name, 3)\n\t}\n\tname = tidy(name, limit)\n\treturn joined(name, suffix)\n}\n";

#[test]
fn deleted_statement_makes_no_copy() {
    let own = "\tif isOwn(name) {\n\t\treturn own(name)\n\t}\n";
    let longer = GO.replace("\tname = tidy", &format!("{own}\tname = tidy"));
    let other = GO.replace("host", "url");
    let repo = Repo::new(&[("a.go", &longer), ("b.go", &other)]);
    // The change takes a statement out of one, and writes a name of both in another way.
    let edited = |code: &str| code.replace("isFirst(name)", "a.IsFirst(name)");
    repo.write(&[("a.go", &edited(GO)), ("b.go", &edited(&other))]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
    // A new function of the same statements is a copy.
    repo.git(&["commit", "-qam", "b"]);
    repo.write(&[("c.go", &edited(&GO.replace("host", "Place")))]);
    let judgement = repo.judge(None, Head::Worktree);
    let found = rules(&judgement);
    assert_eq!(
        found,
        [(GateRule::NewClone, Some("Place"))],
        "{judgement:?}"
    );
}

#[test]
fn indented_code_is_not_a_copy() {
    let body = HELPER.split_once('\n').map_or("", |(_, body)| body);
    let deeper: String = body.lines().map(|line| format!("    {line}\n")).collect();
    let one = format!("def one(rows, key, default):\n    prepare(rows)\n{body}");
    let two = format!("def two(rows, key, default):\n    check(key, rows, 3)\n{body}");
    let repo = Repo::new(&[("a.py", &one), ("b.py", &two)]);
    let indented = format!("def two(rows, key, default):\n    with check(key, rows, 3):\n{deeper}");
    repo.write(&[("b.py", &indented)]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
}

/// Its statements one by one, with others between them.
#[test]
fn scattered_statements_do_not_excuse_a_copy() {
    let statements = [
        "seen = {}",
        "result = []",
        "name = name.strip().lower()",
        "seen.setdefault(name, []).append(row)",
        "result.append((name, len(group), group[0]))",
        "name = row.get(key, default)",
        "return result",
    ];
    let lines = statements.iter().enumerate();
    let lines: String = lines
        .map(|(n, statement)| format!("    log{n}(rows, {n})\n    {statement}\n"))
        .collect();
    let scattered = format!("def big(rows, key, default, name, row, group):\n{lines}");
    let repo = Repo::new(&[("lib/a.py", HELPER), ("lib/b.py", &scattered)]);
    let copy = HELPER.replace("normalise", "tidy");
    repo.write(&[("lib/b.py", "x = 1\n"), ("lib/c.py", &copy)]);
    let judgement = repo.judge(None, Head::Worktree);
    let found = rules(&judgement);
    assert!(
        found.contains(&(GateRule::NewClone, Some("tidy"))),
        "{judgement:?}"
    );
}

#[test]
fn copies_in_examples_are_warnings() {
    let repo = Repo::new(&[("lib/a.py", HELPER)]);
    let copy = HELPER.replace("normalise", "tidy");
    repo.write(&[("examples/b.py", &copy)]);
    let judgement = repo.judge(None, Head::Worktree);
    let clones: Vec<_> = judgement
        .violations
        .iter()
        .filter(|v| v.rule == GateRule::NewClone)
        .map(|v| v.level)
        .collect();
    assert_eq!(clones, [Level::Warning], "{judgement:?}");
}

#[test]
fn declarations_have_higher_clone_limits() {
    let fields = |class: &str, many: usize| {
        let each = (0..many).map(|n| format!("    field_{n}: int = {n}\n"));
        format!("class {class}:\n{}", each.collect::<String>())
    };
    let told = |config: &str, new: &str, many: usize| {
        let repo = Repo::new(&[("lib/a.py", &fields("Old", many)), ("slope.toml", config)]);
        repo.write(&[(new, &fields("New", many))]);
        let judgement = repo.judge(None, Head::Worktree);
        let mut clones = judgement.violations.into_iter();
        clones.find(|v| v.rule == GateRule::NewClone)
    };
    let (config, new) = ("[check]\n", "lib/b.py");
    assert_eq!(told(config, new, 19), None);
    let clone = told(config, new, 20).unwrap();
    assert!(clone.advice.starts_with("Keep one of them"), "{clone:?}");
    assert!(told("[check]\nclone-lines-outside = 8\n", new, 12).is_some());
    // What is allowed of functions is allowed of declarations.
    assert_eq!(told("[check]\nclone-lines = 40\n", new, 30), None);
    let test = "tests/test_b.py";
    assert_eq!(told(config, test, 39), None);
    assert!(told(config, test, 40).is_some());
}

#[test]
fn repeats_in_function_exclude_first_place() {
    let piece = |name: &str| {
        let lines = [
            "if X is None:",
            "    X = load(1, 3)",
            "for row in X:",
            "    use(row, X, row.size + 1)",
            "while X.next():",
            "    X.send(start, X)",
            "keep(X, row)",
        ];
        let lines = lines.map(|line| format!("    {}\n", line.replace('X', name)));
        lines.concat()
    };
    let function = |pieces: &[&str]| {
        let pieces: String = pieces.iter().map(|name| piece(name)).collect();
        format!("def f(a, b, c, d):\n    start()\n{pieces}    finish(a, b, c, d)\n")
    };
    let config = "[check]\nclone-lines = 8\n";
    let repo = Repo::new(&[("lib/a.py", "start = use = 1\n"), ("slope.toml", config)]);
    repo.write(&[("lib/b.py", &function(&["a", "b"]))]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    repo.write(&[("lib/b.py", &function(&["a", "b", "c"]))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("f"))]);
    let told = &judgement.violations[0];
    assert!(
        told.message.starts_with("14 of the 24 lines of `f`"),
        "{told:?}"
    );
    // One more of what was repeated before counts as a whole.
    repo.write(&[("slope.toml", "[check]\nclone-lines = 7\n")]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "three"]);
    repo.write(&[("lib/b.py", &function(&["a", "b", "c", "d"]))]);
    let judgement = repo.judge(None, Head::Worktree);
    let told = &judgement.violations[0];
    assert!(
        told.message.starts_with("7 of the 31 lines of `f`"),
        "{told:?}"
    );
}

#[test]
fn clones_moved_from_tests_pass() {
    let second = HELPER.replace("normalise", "tidy");
    let repo = Repo::new(&[("tests/a.py", HELPER), ("tests/b.py", &second)]);
    repo.git(&["mv", "tests", "lib"]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    // One more is one, whatever else moved.
    let third = HELPER.replace("normalise", "clean");
    repo.write(&[("lib/c.py", &third)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("clean"))]);
}
