//! Changes of small repositories, judged.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::path::Path;

use slope_gate::{Check, Edit, Error, Gate, Head, Setup, Subject};
use slope_model::gate::{GateRule, Judgement, Level};
use slope_testkit::git;

struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    fn new(files: &[(&str, &str)]) -> Self {
        Self {
            folder: git::repository(files),
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, args: &[&str]) -> String {
        git::git(self.path(), args)
    }

    fn write(&self, files: &[(&str, &str)]) {
        git::write(self.path(), files);
    }

    fn judge(&self, base: Option<&str>, head: Head) -> Judgement {
        self.try_judge(base, head).unwrap()
    }

    fn try_judge(&self, base: Option<&str>, head: Head) -> Result<Judgement, Error> {
        let subject = Subject::git(self.path(), base, head);
        let judgement = self.judge_subject(&subject, None, true)?;
        self.is_judged_alike_in_outline(&subject, &judgement);
        Ok(judgement)
    }

    fn judge_subject(
        &self,
        subject: &Subject,
        cache: Option<&Path>,
        tells_whole: bool,
    ) -> Result<Judgement, Error> {
        let setup = Setup::find(self.path(), cache.map(Path::to_owned))?;
        let measurer = setup.measurer()?;
        let gate = Gate::new(&measurer, setup.check);
        let gate = match tells_whole {
            true => gate,
            false => gate.without_whole(),
        };
        gate.judge(subject)
    }

    /// Whatever is known before, what is told without the whole is what is told with it.
    fn is_judged_alike_in_outline(&self, subject: &Subject, whole: &Judgement) {
        let mut change = whole.clone();
        (change.balance.before, change.balance.after) = (None, None);
        assert_eq!(&self.judge_subject(subject, None, false).unwrap(), &change);
        let cache = tempfile::tempdir().unwrap();
        let cached = |whole| {
            self.judge_subject(subject, Some(cache.path()), whole)
                .unwrap()
        };
        for tells_whole in [false, false, true, true, false] {
            let expected = if tells_whole { whole } else { &change };
            assert_eq!(&cached(tells_whole), expected);
        }
    }
}

/// A function of complexity `n`.
fn branches(name: &str, n: usize) -> String {
    let mut text = format!("def {name}(value, other):\n    total = 0\n");
    for i in 1..n {
        text.push_str(&format!(
            "    if value == {i} * other:\n        total += {i}\n"
        ));
    }
    text + "    return total\n"
}

const HELPER: &str = "\
def normalise(rows, key, default):
    seen = {}
    for row in rows:
        name = row.get(key, default)
        if name is None:
            continue
        name = name.strip().lower()
        seen.setdefault(name, []).append(row)
    result = []
    for name, group in sorted(seen.items()):
        result.append((name, len(group), group[0]))
    return result
";

fn rules(judgement: &Judgement) -> Vec<(GateRule, Option<&str>)> {
    let violations = judgement.violations.iter();
    let violations = violations.filter(|v| v.level == Level::Error);
    violations
        .map(|v| (v.rule, v.function.as_deref()))
        .collect()
}

#[test]
fn a_new_complex_function_does_not_pass_and_a_plain_one_does() {
    let repo = Repo::new(&[("a.py", "def f():\n    return 1\n")]);
    repo.write(&[
        ("b.py", &branches("big", 20)),
        (
            "c.py",
            "def small(rows):\n    return [row for row in rows if row]\n",
        ),
    ]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewComplexity, Some("big"))]);
    assert!(!judgement.passes);
    assert_eq!(
        (
            judgement.violations[0].path.as_str(),
            judgement.violations[0].line
        ),
        ("b.py", 1)
    );
    repo.git(&["add", "c.py"]);
    let staged = repo.judge(None, Head::Staged);
    assert!(staged.passes && staged.violations.is_empty(), "{staged:?}");
    assert_eq!(staged.files, 1);
}

#[test]
fn a_chain_outside_of_functions_is_judged_like_one_inside() {
    let chain = |count: usize| {
        let links = (0..count).map(|i| format!("if A == {i}:\n    print(b{i}, {i} + A)\n"));
        format!(
            "import os\n\nA = len(os.sep)\n{}",
            links.collect::<String>()
        )
    };
    let settings: String = (0..40)
        .map(|i| format!("V{i} = os.x{i} or {i}\n"))
        .collect();
    let repo = Repo::new(&[("a.py", &chain(14))]);
    repo.write(&[
        ("b.py", &chain(16)),
        ("c.py", &format!("import os\n\n{settings}")),
    ]);
    let told = |judgement: &Judgement| -> Vec<(GateRule, String, Option<f64>, f64)> {
        let complex = judgement.violations.iter();
        let complex = complex.filter(|v| v.rule != GateRule::NewClone);
        complex
            .map(|v| (v.rule, v.path.clone(), v.before, v.after))
            .collect()
    };
    let judgement = repo.judge(None, Head::Worktree);
    let new = (GateRule::NewComplexity, "b.py".to_owned(), None, 16.0);
    assert_eq!(told(&judgement), [new]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "more"]);
    // What was above the limit before does not fail, nor does what it is moved to.
    repo.git(&["mv", "b.py", "d.py"]);
    repo.write(&[("d.py", &chain(18)), ("a.py", &chain(20))]);
    let judgement = repo.judge(None, Head::Worktree);
    let grown = (
        GateRule::ComplexityGrowth,
        "a.py".to_owned(),
        Some(14.0),
        20.0,
    );
    assert_eq!(told(&judgement), [grown]);
}

#[test]
fn a_complex_function_may_be_touched_but_not_grow() {
    let repo = Repo::new(&[("a.py", &branches("big", 20))]);
    let touched = branches("big", 20).replace("total = 0", "total = 1");
    repo.write(&[("a.py", &touched)]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    repo.write(&[("a.py", &branches("big", 25))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(
        rules(&judgement),
        [(GateRule::ComplexityGrowth, Some("big"))]
    );
    let violation = &judgement.violations[0];
    assert_eq!((violation.before, violation.after), (Some(20.0), 25.0));
}

#[test]
fn a_copy_names_the_place_to_call() {
    let repo = Repo::new(&[("lib/a.py", HELPER)]);
    let copy = HELPER.replace("normalise", "tidy").replace("rows", "lines");
    repo.write(&[("lib/b.py", &copy)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("tidy"))]);
    let advice = &judgement.violations[0].advice;
    assert!(advice.contains("`normalise` (lib/a.py:1)"), "{advice}");
    // Neither the line of a loop in it, nor the first of several that stand in a row.
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
    let places: Vec<&str> = advices
        .map(|advice| advice.split(',').next().unwrap_or(advice))
        .collect();
    let expected = [
        "Call `first` (lib/a.py:1)",
        "Call `normalise` (lib/a.py:10)",
        "Call `other` (lib/a.py:24)",
    ];
    assert_eq!(places, expected);
}

#[test]
fn classes_may_compare_themselves_alike() {
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
fn a_copy_in_another_dialect_is_one() {
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
fn one_copy_more_names_a_place_where_the_code_stood_already() {
    let second = HELPER.replace("normalise", "tidy");
    let repo = Repo::new(&[("lib/a.py", HELPER), ("lib/b.py", &second)]);
    let third = HELPER.replace("normalise", "clean");
    repo.write(&[("lib/c.py", &third)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("clean"))]);
    let told = &judgement.violations[0];
    assert!(told.message.contains("lib/a.py:1 already"), "{told:?}");
    assert!(told.advice.contains("`normalise` (lib/a.py:1)"), "{told:?}");
}

#[test]
fn what_nothing_reaches_is_told_once() {
    let repo = Repo::new(&[("a.py", "def f(a):\n    return a\n")]);
    repo.write(&[("a.py", "def f(a):\n    return a\n    a.g()\n    return 1\n")]);
    let judgement = repo.judge(None, Head::Worktree);
    let told: Vec<_> = judgement
        .violations
        .iter()
        .map(|v| (v.rule, v.line))
        .collect();
    assert_eq!(told, [(GateRule::DeadCode, 3)], "{judgement:?}");
    assert!(!judgement.violations[0].advice.contains("use it"));
}

#[test]
fn a_file_of_small_functions_is_a_copy_as_well() {
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
fn what_weighs_more_is_told_of_what_nothing_reaches() {
    let repo = Repo::new(&[
        ("a.py", "def f(a):\n    return a\n"),
        (
            "slope.toml",
            "[check]\ndead-code = \"warning\"\nnew-finding = \"error\"\n",
        ),
    ]);
    repo.write(&[("a.py", "def f(a):\n    return a\n    a.g()\n    return 1\n")]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(!judgement.passes, "{judgement:?}");
}

#[test]
fn code_that_is_wrapped_into_functions_gains_nothing() {
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
fn tests_that_stand_in_product_code_have_the_limits_of_tests() {
    let case = |name: &str, number: usize| {
        let lines = "        let mut shop = Shop::open();\n        shop.add(1, \"a\");\n        shop.add(2, \"b\");\n        \
             shop.sort_by(|a, b| a.cmp(b));\n        let found = shop.find(\"a\");\n        let other = shop.find(\"b\");\n";
        format!(
            "    #[test]\n    fn {name}() {{\n{lines}        assert_eq!(found + other, {number});\n    }}\n"
        )
    };
    let file = |tests: &str| {
        format!("pub fn f() -> u8 {{ 1 }}\n\n#[cfg(test)]\nmod tests {{\n{tests}}}\n")
    };
    let repo = Repo::new(&[("src/lib.rs", &file(&case("one", 1)))]);
    repo.write(&[("src/lib.rs", &file(&(case("one", 1) + &case("two", 2))))]);
    assert_eq!(rules(&repo.judge(None, Head::Worktree)), []);
    // Outside of tests it is a clone.
    let product = |tests: &str| {
        file(tests)
            .replace("#[cfg(test)]\n", "")
            .replace("    #[test]\n", "")
    };
    repo.write(&[("src/lib.rs", &product(&(case("one", 1) + &case("two", 2))))]);
    let judgement = repo.judge(None, Head::Worktree);
    let is_clone = |v: &slope_model::gate::Violation| v.rule == GateRule::NewClone;
    assert!(judgement.violations.iter().any(is_clone), "{judgement:?}");
}

#[test]
fn copies_of_one_change_name_each_other() {
    let repo = Repo::new(&[("a.py", "def f():\n    return 1\n")]);
    let second = HELPER.replace("normalise", "tidy");
    repo.write(&[("b.py", HELPER), ("c.py", &second)]);
    let judgement = repo.judge(None, Head::Worktree);
    let messages: Vec<_> = judgement.violations.iter().map(|v| &v.message).collect();
    assert!(
        messages[0].ends_with("in the changed code, also at c.py:1."),
        "{messages:?}"
    );
    assert!(
        messages[1].ends_with("in the changed code, also at b.py:1."),
        "{messages:?}"
    );
}

#[test]
fn a_callback_is_judged_like_any_function() {
    let handler = |cases: usize| {
        let case =
            |n: usize| format!("    if (req.kind === {n} * res.base) {{ res.send({n}); }}\n");
        let cases: String = (1..cases).map(case).collect();
        format!(
            "export function routes(app) {{\n  app.get('/a', (req, res) => {{\n{cases}  }});\n}}\n"
        )
    };
    let repo = Repo::new(&[("a.js", "export const a = 1;\n")]);
    repo.write(&[("b.js", &handler(20))]);
    let name = Some("routes.get.<arrow>");
    let new = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&new), [(GateRule::NewComplexity, name)]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "routes"]);
    repo.write(&[("b.js", &handler(40))]);
    let grown = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&grown), [(GateRule::ComplexityGrowth, name)]);
    assert_eq!(grown.violations.len(), 1, "{grown:?}");
}

const LOADER: &str = r#"import json


def load_users(path, strict):
    with open(path) as handle:
        rows = json.load(handle)
    users = []
    for row in rows:
        if strict and "name" not in row:
            raise ValueError("missing name")
        users.append(row["name"].strip().lower())
    users.sort()
    return users
"#;

const READER: &str = r#"import json


def read_users(filename, check):
    result = []
    with open(filename) as stream:
        for entry in json.load(stream):
            if check and "name" not in entry:
                raise ValueError("missing name")
            result.append(entry["name"].strip().lower())
    result.sort()
    return result
"#;

#[test]
fn what_a_copy_does_to_the_file_copied_from_is_told_from_its_rules_as_well() {
    // Lines that are flagged already do not become verbose by being copied.
    let flagged = HELPER.replace(
        "        name = name.strip()",
        "        if name == None:\n            name = ''\n        name = name.strip()",
    );
    let repo = Repo::new(&[("lib/a.py", &flagged), ("lib/other.py", &branches("f", 3))]);
    repo.write(&[("lib/b.py", &flagged.replace("normalise", "tidy"))]);
    let change = repo.judge(None, Head::Worktree).balance.change;
    assert!(change.flagged_lines > 0, "{change:?}");
    let new = i64::from(u32::try_from(flagged.lines().count()).unwrap());
    assert_eq!((change.clone_lines, change.sloc), (2 * new, new));
    assert_eq!(change.verbose_lines, 2 * new - change.flagged_lines);
}

#[test]
fn a_reimplementation_is_told_where_the_configuration_asks_for_it() {
    for (said, expected) in [
        ("", &[][..]),
        (
            "reimplementation = \"error\"",
            &[GateRule::Reimplementation],
        ),
        ("reimplementation = \"off\"", &[]),
    ] {
        let config = format!("[check]\n{said}\n");
        let repo = Repo::new(&[("lib/a.py", LOADER), ("slope.toml", &config)]);
        repo.write(&[("lib/b.py", READER)]);
        let judgement = repo.judge(None, Head::Worktree);
        let found: Vec<GateRule> = judgement.violations.iter().map(|v| v.rule).collect();
        assert_eq!(found, expected, "{said}");
        for violation in &judgement.violations {
            let told = format!("{} {}", violation.message, violation.advice);
            assert!(told.contains("load_users"), "{told}");
        }
    }
}

#[test]
fn declarations_may_have_the_shape_of_others_further_than_functions() {
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
fn moves_renames_layout_and_comments_pass() {
    let repo = Repo::new(&[("a.py", &(branches("big", 20) + "\n\n" + HELPER))]);
    let moved = format!("# A comment.\n{HELPER}\n\n\n{}", branches("huge", 20));
    std::fs::remove_file(repo.path().join("a.py")).unwrap();
    repo.write(&[("pkg/b.py", &moved)]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(judgement.violations, []);
    assert_eq!(judgement.files, 2);
}

#[test]
fn a_function_in_which_every_name_changes_is_followed() {
    let repo = Repo::new(&[("a.py", &branches("big", 20))]);
    let renamed = branches("huge", 20);
    let names = [("value", "price"), ("total", "sum"), ("other", "rate")];
    let renamed = names
        .iter()
        .fold(renamed, |text, (old, new)| text.replace(old, new));
    repo.write(&[("a.py", &renamed)]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    // Two of one shape are told apart by nothing.
    repo.write(&[("a.py", &(renamed.clone() + "\n\n" + &branches("vast", 20)))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert!(rules(&judgement).contains(&(GateRule::NewComplexity, Some("huge"))));
}

#[test]
fn what_a_function_repeats_is_counted_without_its_first_place() {
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
        format!("def f(a, b, c, d):\n    start()\n{pieces}    finish()\n")
    };
    let config = "[check]\nclone-lines = 8\n";
    let repo = Repo::new(&[("lib/a.py", "start = use = 1\n"), ("slope.toml", config)]);
    repo.write(&[("lib/b.py", &function(&["a", "b"]))]);
    assert_eq!(repo.judge(None, Head::Worktree).violations, []);
    repo.write(&[("lib/b.py", &function(&["a", "b", "c"]))]);
    let judgement = repo.judge(None, Head::Worktree);
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("f"))]);
    let told = &judgement.violations[0];
    assert!(told.message.contains("has 14 lines more"), "{told:?}");
    // One more of what was repeated before counts as a whole.
    repo.write(&[("slope.toml", "[check]\nclone-lines = 7\n")]);
    repo.git(&["add", "."]);
    repo.git(&["commit", "-qm", "three"]);
    repo.write(&[("lib/b.py", &function(&["a", "b", "c", "d"]))]);
    let judgement = repo.judge(None, Head::Worktree);
    let told = &judgement.violations[0];
    assert!(told.message.contains("has 7 lines more"), "{told:?}");
}

#[test]
fn copies_that_move_between_tests_and_product_are_no_new_ones() {
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

#[test]
fn what_a_change_leaves_without_use_is_told_though_whole_trees_are_not_searched_for_it() {
    let left = "export function f(a) {\n  return a;\n}\n";
    let dead = "export function f(a) {\n  const old = a;\n  return a;\n  f(a);\n}\n";
    let repo = Repo::new(&[("a.js", left), ("b.js", dead)]);
    // An input of tests may be as it likes.
    repo.write(&[("a.js", dead), ("fixtures/c.js", dead)]);
    let judgement = repo.judge(None, Head::Worktree);
    let told: Vec<_> = judgement
        .violations
        .iter()
        .map(|v| (v.rule, v.path.as_str()))
        .collect();
    assert_eq!(told, [(GateRule::DeadCode, "a.js"); 2]);
    let whole = slope_measure::Measurer::new(slope_measure::Options::default()).unwrap();
    let whole = whole.measure_files([("a.js", dead)]);
    let dead = whole.findings.iter().filter(|f| f.category == "dead-code");
    assert_eq!(dead.count(), 0);
}

#[test]
fn edits_are_judged_against_the_disk_around_them() {
    let repo = Repo::new(&[("a.py", HELPER)]);
    let edit = Edit {
        path: repo.path().join("b.py"),
        before: None,
        after: Some(HELPER.replace("normalise", "again").into_bytes()),
    };
    let judgement = repo.judge(None, Head::Edits(vec![edit]));
    assert_eq!(rules(&judgement), [(GateRule::NewClone, Some("again"))]);
}

#[test]
fn unknown_keys_are_told_with_line_and_near_key() {
    let repo = Repo::new(&[(
        "slope.toml",
        "cutoff = 9\n\n[check]\nnew-clones = \"off\"\n",
    )]);
    let error = Check::read(&repo.path().join("slope.toml")).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("slope.toml:4:") && text.contains("`new-clone`?"),
        "{text}"
    );
}
