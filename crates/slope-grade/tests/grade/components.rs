//! Each component finds what it is for, and nothing in a tidy edit.

use slope_model::grade_request::{Change, TaskKind};

use crate::common::{Desk, kinds, of, request};

const UTIL: &str = r#"import json


class ConfigError(Exception):
    pass


def read_config(path):
    with open(path, encoding="utf-8") as handle:
        data = json.load(handle)
    if "name" not in data:
        raise ConfigError("no name")
    return data


def normalise(values):
    total = sum(values)
    result = []
    for value in values:
        if value < 0:
            raise ConfigError("negative")
        result.append(value / total)
    return result
"#;

const APP: &str = r#"from util import read_config


def main(path):
    config = read_config(path)
    print(config["name"])
    return 0
"#;

const TIDY: &str = r#"from util import normalise, read_config


def main(path):
    config = read_config(path)
    print(config["name"])
    print(normalise(config["weights"]))
    return 0
"#;

fn desk() -> Desk {
    Desk::new(&[("util.py", UTIL), ("app.py", APP)])
}

#[test]
fn tidy_edit_has_full_quality() {
    let grade = desk().grade(&[("app.py", TIDY)]);
    assert_eq!(grade.quality, Some(1.0));
    assert_eq!(grade.reward, Some(1.0));
    assert_eq!(kinds(&grade, "b_reuse"), ["reuse"]);
}

#[test]
fn copied_function_is_redundant() {
    let copy = r#"

def scale(numbers):
    s = sum(numbers)
    out = []
    for n in numbers:
        if n < 0:
            raise ConfigError("negative")
        out.append(n / s)
    return out
"#;
    let grade = desk().grade(&[("app.py", &format!("{APP}{copy}"))]);
    assert_eq!(kinds(&grade, "p_dup"), ["clone"]);
    let piece = grade
        .evidence
        .iter()
        .find(|piece| piece.signal == "p_dup")
        .unwrap();
    assert!(
        piece.of.as_deref().unwrap().starts_with("util.py:"),
        "{piece:?}"
    );
    assert!(grade.components.p_dup.unwrap() > 0.4);
}

#[test]
fn moved_function_is_not_new_code() {
    let (head, normalise) = UTIL.split_once("def normalise").unwrap();
    let moved = format!("from util import ConfigError\n\n\ndef normalise{normalise}");
    let grade = desk().grade(&[("util.py", head.trim_end()), ("scaling.py", &moved)]);
    assert_eq!(grade.components.p_dup, Some(0.0));
    assert_eq!(grade.components.p_cx, Some(0.0));
    assert_eq!(grade.quality, Some(1.0), "{grade:?}");
}

#[test]
fn unused_import_is_dead() {
    let grade = desk().grade(&[("app.py", &format!("import os\n{APP}"))]);
    assert_eq!(kinds(&grade, "p_dead"), ["unused-import"]);
}

#[test]
fn unused_new_parameter_is_dead() {
    let with = |parameter: &str, body: &str| {
        APP.replace("def main(path):", &format!("def main(path, {parameter}):"))
            .replace("    return 0\n", body)
    };
    let unused = with("verbose=False", "    return 0\n");
    let used = with("verbose=False", "    return int(verbose)\n");
    let hidden = with("_verbose=False", "    return 0\n");
    for (text, wanted) in [
        (unused, &["unused-parameter"][..]),
        (used, &[]),
        (hidden, &[]),
    ] {
        let grade = desk().grade(&[("app.py", &text)]);
        assert_eq!(kinds(&grade, "p_dead"), wanted, "{text}");
    }
}

#[test]
fn parameter_of_an_interface_is_not_dead() {
    let shapes = "class Square:\n    def area(self):\n        return self.side * self.side\n\n\n\
                  class Unit:\n    def area(self):\n        return 1\n";
    let desk = Desk::new(&[("shapes.py", shapes)]);
    let scaled = shapes
        .replace("area(self)", "area(self, scale)")
        .replace("self.side * self.side", "self.side * self.side * scale");
    let grade = desk.grade(&[("shapes.py", &scaled)]);
    assert!(kinds(&grade, "p_dead").is_empty(), "{:?}", grade.evidence);
}

#[test]
fn renamed_function_is_not_reformatted() {
    let util = UTIL.replace("normalise", "scale_to_one");
    let grade = desk().grade(&[("util.py", &util)]);
    assert!(kinds(&grade, "p_min").is_empty(), "{:?}", grade.evidence);
}

#[test]
fn change_from_tabs_to_spaces_is_churn() {
    let go = "package a\n\nfunc f(x int) int {\n\tif x > 0 {\n\t\treturn x\n\t}\n\ty := x * 2\n\treturn y\n}\n";
    let desk = Desk::new(&[("a.go", go)]);
    let tidy = go.replace("x * 2", "x * 3");
    let deeper = tidy.replace(
        "\ty := x * 3\n",
        "\tif x < -9 {\n\t\treturn 0\n\t}\n\ty := x * 3\n",
    );
    for text in [&tidy, &deeper] {
        let grade = desk.grade(&[("a.go", text)]);
        assert!(kinds(&grade, "p_min").is_empty(), "{:?}", grade.evidence);
    }
    let spaces = tidy.replace('\t', "    ");
    let grade = desk.grade(&[("a.go", &spaces)]);
    assert_eq!(kinds(&grade, "p_min"), ["layout"]);
}

#[test]
fn discarded_name_is_dead() {
    let go = "package a\n\nfunc f(x int) int {\n\ty := x * 2\n\treturn y\n}\n";
    let desk = Desk::new(&[("a.go", go)]);
    let with = |line: &str| go.replace("\treturn y\n", &format!("\t{line}\n\treturn y\n"));
    let grade = desk.grade(&[("a.go", &with("limit := 3\n\t_ = limit"))]);
    assert_eq!(kinds(&grade, "p_dead"), ["discarded-value"]);
    let grade = desk.grade(&[("a.go", &with("_ = g(x)"))]);
    assert!(kinds(&grade, "p_dead").is_empty(), "{:?}", grade.evidence);
}

#[test]
fn code_in_comments_is_dead_anywhere() {
    let old =
        "    # total = sum(values)\n    # for value in values:\n    #     store(value / total)\n";
    let util = UTIL.replace("    result = []\n", &format!("{old}    result = []\n"));
    let grade = desk().grade(&[("util.py", &util)]);
    assert_eq!(kinds(&grade, "p_dead"), ["commented-out-code"]);
}

#[test]
fn nested_function_is_complex() {
    let nested = r#"

def classify(a, b, c, d):
    if a:
        for i in range(d):
            if b:
                while c:
                    if i % 2 == 0 and a > 3 or b < 2:
                        if c == 3:
                            return i
                    elif i == 3:
                        return 4
                    c -= 1
            elif d == 9 or a == 4:
                return 5
    return 0
"#;
    let grade = desk().grade(&[("app.py", &format!("{APP}{nested}"))]);
    assert!(grade.components.p_cx.unwrap() > 0.5, "{grade:?}");
    assert!(kinds(&grade, "p_cx").contains(&"complexity"));
}

#[test]
fn dropped_check_is_contract_drift() {
    let weak = UTIL.replace(
        "        if value < 0:\n            raise ConfigError(\"negative\")\n",
        "",
    );
    let grade = desk().grade(&[("util.py", &weak)]);
    assert_eq!(kinds(&grade, "p_contract"), ["weakened-check"]);
}

#[test]
fn check_that_moves_is_no_drift() {
    let helper = "def refuse_negative(value):\n    if value < 0:\n        raise ConfigError(\"negative\")\n\n\n";
    let moved = UTIL
        .replace(
            "        if value < 0:\n            raise ConfigError(\"negative\")\n",
            "        refuse_negative(value)\n",
        )
        .replace("def normalise", &format!("{helper}def normalise"));
    let grade = desk().grade(&[("util.py", &moved)]);
    assert_eq!(grade.components.p_contract, Some(0.0), "{grade:?}");
}

#[test]
fn other_error_is_contract_drift() {
    let other = UTIL.replace(
        "raise ConfigError(\"negative\")",
        "raise ValueError(\"negative\")",
    );
    let grade = desk().grade(&[("util.py", &other)]);
    assert_eq!(kinds(&grade, "p_contract"), ["rerouted-error"]);
}

#[test]
fn broad_handler_is_contract_drift() {
    let broad = UTIL.replace(
        "    with open(path, encoding=\"utf-8\") as handle:\n        data = json.load(handle)\n",
        "    try:\n        with open(path, encoding=\"utf-8\") as handle:\n            data = json.load(handle)\n    except Exception:\n        data = {}\n",
    );
    let grade = desk().grade(&[("util.py", &broad)]);
    assert_eq!(kinds(&grade, "p_contract"), ["widened-handler"]);
}

#[test]
fn layout_of_untouched_code_is_churn() {
    let laid_out = UTIL.replace(
        "    with open(path, encoding=\"utf-8\") as handle:\n",
        "    with open(\n        path,\n        encoding=\"utf-8\"\n    ) as handle:\n",
    );
    let desk = desk();
    let edit = [("util.py", laid_out.as_str()), ("app.py", TIDY)];
    let grade = desk.grade(&edit);
    assert_eq!(kinds(&grade, "p_min"), ["layout"]);
    let mut request = request(&edit);
    request.task.kind = TaskKind::Refactor;
    assert_eq!(desk.grader.grade(&request).components.p_min, Some(0.0));
}

#[test]
fn report_left_behind_is_churn() {
    let grade = desk().grade(&[("app.py", TIDY), ("IMPLEMENTATION_SUMMARY.md", "# Done\n")]);
    assert_eq!(kinds(&grade, "p_min"), ["stray-file"]);
}

#[test]
fn reference_measures_minimality() {
    let desk = desk();
    let reference = request(&[("app.py", &APP.replace("return 0", "return 1"))]).change;
    let graded = |text: &str| {
        let mut asked = request(&[("app.py", text)]);
        asked.reference = Some(reference.clone());
        desk.grader.grade(&asked)
    };
    let minimal = graded(&APP.replace("return 0", "return 1"));
    assert_eq!(minimal.components.p_min, Some(0.0));
    assert_eq!(minimal.tiers["p_min"], "R");
    let rewritten = APP
        .replace("return 0", "return 1")
        .replace("config = read_config(path)", "settings_of_the_program = dict(read_config(str(path)))")
        .replace("print(config[\"name\"])", "name_of_it = settings_of_the_program.get(\"name\", None)\n    print(f\"{name_of_it}\", flush=True, sep=\"\", end=\"\\n\")");
    assert!(graded(&rewritten).components.p_min.unwrap() > 0.1);
}

#[test]
fn failing_edit_gets_no_reward() {
    let desk = desk();
    let mut asked = request(&[("app.py", TIDY)]);
    asked.tests.as_mut().unwrap().failed = 1;
    let grade = desk.grader.grade(&asked);
    assert_eq!((grade.reward, grade.score), (Some(0.0), Some(0.0)));
    assert_eq!(grade.quality, Some(1.0));
    assert_eq!(grade.quality_conditioned, Some(0.0));
}

#[test]
fn empty_edit_gets_no_reward() {
    let grade = desk().grade(&[("app.py", APP)]);
    assert_eq!(grade.reward, Some(0.0));
    assert_eq!(grade.components.p_cx, None);
    assert_eq!(grade.missing["p_cx"], "the edit changes nothing");
}

#[test]
fn blank_lines_alone_get_no_reward() {
    let laid_out = APP.replace("    return 0", "\n    return 0  ");
    assert_eq!(desk().grade(&[("app.py", &laid_out)]).reward, Some(0.0));
}

#[test]
fn space_with_a_meaning_is_a_change() {
    for (old, new) in [
        ("print(config", "    print(config"),
        ("\"name\"", "\"na me\""),
    ] {
        let file =
            "def f(config):\n    if config:\n        return 1\n    print(config[\"name\"])\n";
        let grade = Desk::new(&[("a.py", file)]).grade(&[("a.py", &file.replace(old, new))]);
        assert_ne!(grade.reward, Some(0.0), "{new}");
    }
}

#[test]
fn edit_without_verdict_has_quality_only() {
    let desk = desk();
    let mut asked = request(&[("app.py", TIDY)]);
    asked.tests = None;
    let grade = desk.grader.grade(&asked);
    assert_eq!((grade.reward, grade.quality), (None, Some(1.0)));
    assert!(grade.missing.contains_key("reward"));
}

#[test]
fn diff_and_files_give_one_grade() {
    let diff = "--- a/app.py\n+++ b/app.py\n@@ -1,4 +1,4 @@\n-from util import read_config\n+from util import normalise, read_config\n \n \n def main(path):\n@@ -5,3 +5,4 @@\n     config = read_config(path)\n     print(config[\"name\"])\n+    print(normalise(config[\"weights\"]))\n     return 0\n";
    let desk = desk();
    let by_diff = desk.grader.grade(&of(Change::Diff(diff.to_owned())));
    let by_files = desk.grade(&[("app.py", TIDY)]);
    assert_eq!(by_diff, by_files);
    let tree = [("util.py", UTIL), ("app.py", TIDY)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let by_tree = desk
        .grader
        .grade(&of(Change::Tree(tree.into_iter().collect())));
    assert_eq!(by_tree, by_files);
}
