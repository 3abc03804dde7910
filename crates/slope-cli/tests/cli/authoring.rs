//! From `slope problem new` to a gated problem, through the binary.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, run_json, sandbox_or_skip, stderr, stdout, text};

/// A new problem of two checkpoints in `dir`.
fn new(dir: &Path) -> PathBuf {
    let args = ["problem", "new", "quilt-keeper", "--checkpoints", "2"];
    let made = run(&[&args[..], &["--out", text(dir)]].concat());
    assert!(made.status.success(), "{}", stderr(&made));
    dir.join("quilt-keeper")
}

#[test]
fn gate_passes_new_problem_rejects_wrong() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    let args = ["problem", "gate", text(&problem), "--repeat", "1"];
    let gate = |more: &[&str]| run(&[&args[..], more].concat());
    let good = gate(&["--mutants", "12"]);
    let said = stdout(&good);
    assert_eq!(good.status.code(), Some(0), "{said}{}", stderr(&good));
    assert!(said.contains("passed the gate: 1 of 1 problem"), "{said}");
    assert!(
        said.contains("left out: the problem has no folder sloppy/"),
        "{said}"
    );

    let solution = |number: u32| problem.join(format!("solutions/checkpoint_{number}/tool.py"));
    let later = fs::read_to_string(solution(2)).unwrap();
    fs::copy(solution(1), solution(2)).unwrap();
    let wrong = gate(&["--mutants", "0", "--sample"]);
    let said = stdout(&wrong);
    assert_eq!(wrong.status.code(), Some(1), "{said}");
    assert!(said.contains("checkpoint_2::step2-of-a-word"), "{said}");

    // A first solution that can do what only the second should makes its core case say nothing.
    fs::write(solution(2), &later).unwrap();
    fs::write(solution(1), &later).unwrap();
    let early = gate(&["--mutants", "0", "--sample"]);
    let said = stdout(&early);
    assert_eq!(early.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the solution of checkpoint_1 passes core case step2-of-a-word"),
        "{said}"
    );
}

#[test]
fn gate_names_wrong_solutions_that_pass() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    let workspace = |name: &str| {
        let folder = problem.join(format!("wrong/{name}/checkpoint_2"));
        fs::create_dir_all(&folder).unwrap();
        folder.join("tool.py")
    };
    fs::write(workspace("mute"), "").unwrap();
    let args = ["problem", "gate", text(&problem), "--repeat", "1"];
    let gate = || run(&[&args[..], &["--mutants", "0", "--sample"]].concat());
    let found = gate();
    let said = stdout(&found);
    assert_eq!(found.status.code(), Some(0), "{said}{}", stderr(&found));
    assert!(said.contains("wrong fails: checkpoint_2"), "{said}");
    assert!(!said.contains("wrong fails: checkpoint_1"), "{said}");

    let right = problem.join("solutions/checkpoint_2/tool.py");
    fs::copy(right, workspace("right")).unwrap();
    let missed = gate();
    let said = stdout(&missed);
    assert_eq!(missed.status.code(), Some(1), "{said}");
    assert!(said.contains("right passes every core case"), "{said}");
    assert!(!said.contains("mute passes"), "{said}");
}

#[test]
fn removed_case_leaves_mutants_until_waived() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    let suite = problem.join("suite/checkpoint_1.yaml");
    let whole = fs::read_to_string(&suite).unwrap();
    let (without, _) = whole.split_once("  - id: step1-without-a-word").unwrap();
    fs::write(&suite, without).unwrap();
    let args = [
        "problem",
        "mutate",
        text(&problem),
        "--checkpoint",
        "1",
        "--all",
    ];
    let mutate = || {
        let args = [&args[..], &["--format", "json"]].concat();
        let ran = run(&args);
        let found: serde_json::Value = serde_json::from_str(&stdout(&ran)).unwrap();
        (ran.status.code(), found)
    };
    let (code, found) = mutate();
    assert_eq!(code, Some(1), "{found}");
    let survivors = found["survivors"].as_array().unwrap();
    let usage = survivors
        .iter()
        .find(|s| s["diff"][1].as_str().unwrap().contains("return 3"))
        .expect("nothing tests the exit code any more");
    assert_eq!(usage["file"], "tool.py");
    assert_eq!(usage["operator"], "number");
    assert!(!usage["hint"].as_str().unwrap().is_empty());

    let mut waivers = "schema: slope.mutants/1\nwaived:\n".to_owned();
    for survivor in survivors {
        let print = survivor["fingerprint"].as_str().unwrap();
        waivers += &format!("  - fingerprint: {print}\n    reason: no clause fixes it\n");
    }
    fs::write(problem.join("mutants.yaml"), waivers).unwrap();
    let (code, again) = mutate();
    assert_eq!(code, Some(0), "{again}");
    assert_eq!(again["waived"], survivors.len());
    assert_eq!(again["killed"], again["total"]);
}

#[test]
fn try_names_failing_case_and_line() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    let tried = run_json(&["problem", "try", text(&problem), "--format", "json"]);
    assert_eq!(tried["checkpoints"][1]["counts"]["regression"]["passed"], 3);

    let earlier = problem.join("solutions/checkpoint_1");
    let args = ["problem", "try", text(&problem), "--checkpoint", "2"];
    let args = [&args[..], &["--solution", text(&earlier), "--own"]].concat();
    let failed = run(&args);
    assert_eq!(failed.status.code(), Some(1));
    let said = stdout(&failed);
    assert!(
        said.contains("suite/checkpoint_2.yaml:6: step2-of-a-word (core) failed"),
        "{said}"
    );

    let unknown = run(&["problem", "try", text(&problem), "--case", "no-such-case"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no case is called no-such-case"));
}

#[test]
fn existing_problem_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    new(dir.path());
    let again = run(&["problem", "new", "quilt-keeper", "--out", text(dir.path())]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        stderr(&again).contains("already exists"),
        "{}",
        stderr(&again)
    );
}

/// Copies a folder's files, with each text changed.
fn copy_changed(from: &Path, to: &Path, change: &dyn Fn(&str) -> String) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_changed(&entry.path(), &target, change);
        } else {
            let text = fs::read_to_string(entry.path()).unwrap();
            fs::write(target, change(&text)).unwrap();
        }
    }
}

#[test]
fn answer_for_one_variant_fails_another() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let template = dir.path().join("published/template");
    copy_changed(&new(dir.path()), &template, &|text| {
        let text = text.replace("1 harbour", "@{ base } harbour");
        let text = text.replace("1 two", "@{ base } two");
        let text = text.replace("1 lantern", "@{ base } lantern");
        let text = text.replace("the number 1", "the number @{ base }");
        text.replace("f\"1 {word}", "f\"@{ base } {word}")
    });
    let open =
        "schema = \"slope.variants/1\"\n[numbers]\nbase = { first = 1, from = 1, to = 1000000 }\n";
    fs::write(template.join("variants.toml"), open).unwrap();
    let render = |seed: &str, out: &Path| {
        let args = ["problem", "render", text(&template), "--seed", seed];
        let done = run(&[&args[..], &["--out", text(out)]].concat());
        assert!(done.status.success(), "{}", stderr(&done));
    };
    let published = dir.path().join("published");
    let zero = dir.path().join("zero");
    render("0", &zero);
    copy_changed(&zero, &published, &str::to_owned);
    render("7", &dir.path().join("seven"));
    let spec = |of: &str| fs::read_to_string(dir.path().join(of).join("checkpoint_1.md")).unwrap();
    assert_ne!(spec("seven"), spec("zero"));

    let args = [
        "problem",
        "variants",
        text(&published),
        "--seeds",
        "0..2",
        "--check",
    ];
    let checked = run(&args);
    let said = stdout(&checked);
    assert_eq!(checked.status.code(), Some(0), "{said}{}", stderr(&checked));
    // Of the cases of both checkpoints, that of the second, which is the same in all variants, passes.
    assert!(
        said.contains("the published solutions pass 1 of 2 core cases"),
        "{said}"
    );

    fs::write(published.join("checkpoint_1.md"), spec("seven")).unwrap();
    let differs = run(&args);
    assert_eq!(differs.status.code(), Some(1));
    let said = stdout(&differs);
    assert!(
        said.contains("checkpoint_1.md is not what the template gives"),
        "{said}"
    );
}

/// `variants.toml` of a new problem, for which its folder is the template.
fn open(problem: &Path) {
    let place = |find: &str| {
        let put = find.replacen('1', "@{ base }", 1);
        format!("[[places]]\nfiles = \"**\"\nfind = '{find}'\nput = '{put}'\n")
    };
    let places = ["number 1", "1 lantern", "1 harbour", "1 two", "f\"1 {word}"].map(place);
    let text = format!(
        "schema = \"slope.variants/1\"\n[choices]\nplace = [\"harbour\", \"meadow\"]\n\
         [numbers]\nbase = {{ first = 1, from = 1, to = 1000000 }}\n[words]\nharbour = \"place\"\n{}",
        places.concat()
    );
    fs::write(problem.join("variants.toml"), text).unwrap();
}

#[test]
fn published_folder_matches_its_template() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    open(&problem);
    let args = ["problem", "variants", text(&problem), "--seeds", "0..2"];
    let checked = run(&[&args[..], &["--check"]].concat());
    let said = stdout(&checked);
    assert_eq!(checked.status.code(), Some(0), "{said}{}", stderr(&checked));
    assert!(
        said.contains("the published solutions pass 1 of 2 core cases"),
        "{said}"
    );
}

#[test]
fn gate_checks_variants_too() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = new(dir.path());
    let args = ["problem", "gate", text(&problem), "--variants", "1"];
    let gate = |more: &[&str]| run(&[&args[..], more].concat());
    let none = gate(&["--only-variants"]);
    assert_eq!(none.status.code(), Some(2));
    let told = stderr(&none);
    assert!(told.contains("none of the problems has variants"), "{told}");
    let no_number = run(&["problem", "gate", text(&problem), "--variants", "0"]);
    assert_eq!(no_number.status.code(), Some(2));

    open(&problem);
    let other = dir.path().join("second");
    fs::create_dir(&other).unwrap();
    let other = new(&other);
    let both = gate(&[
        text(&other),
        "--only-variants",
        "--sample",
        "--mutants",
        "0",
    ]);
    let said = stdout(&both);
    assert_eq!(both.status.code(), Some(0), "{said}{}", stderr(&both));
    assert!(said.contains("passed the gate: 1 of 1 problem"), "{said}");
    let without = format!("none was tried: {};", text(&other));
    assert!(said.contains(&without), "{said}");

    let gated = gate(&["--sample", "--mutants", "4"]);
    let said = stdout(&gated);
    assert_eq!(gated.status.code(), Some(0), "{said}{}", stderr(&gated));
    assert!(said.contains("passed the gate: 2 of 2 problems"), "{said}");
    assert!(said.contains("quilt-keeper, variant 1"), "{said}");
    let rows: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("quilt-keeper  "))
        .collect();
    assert!(
        matches!(rows[..], [one, two] if one.contains("published") && two.contains("seed 1")),
        "{said}"
    );
}
