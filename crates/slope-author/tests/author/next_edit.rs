//! Next-edit tasks: the shipped ones are cut again, scores keep their properties, answers are read and summed up.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use slope_author::next_edit::answers::{self, Answer};
use slope_author::next_edit::cut::cut;
use slope_author::next_edit::prompt::prompt;
use slope_author::next_edit::score::score;
use slope_author::next_edit::summary::{Summary, summarise};
use slope_problem::LoadOptions;
use slope_problem::next_edit::{self, Edit, Made, Task, TaskSet, normal};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The shipped task of this id.
fn shipped(id: &str) -> Task {
    let tasks = next_edit::shipped().unwrap().tasks;
    tasks.into_iter().find(|task| task.id == id).unwrap()
}

#[test]
fn shipped_tasks_match_their_lineages() {
    let mut wanted: BTreeMap<_, Vec<Task>> = BTreeMap::new();
    for task in next_edit::shipped().unwrap().tasks {
        let source = &task.source;
        let step = [&source.problem, &source.lineage, &source.to].map(String::clone);
        wanted.entry(step).or_default().push(task);
    }
    for ([problem, lineage, to], tasks) in wanted {
        let folder = root().join("problems").join(&problem);
        let problem = slope_problem::load(&folder, &LoadOptions::default()).unwrap();
        let checkpoint = problem
            .checkpoints
            .iter()
            .find(|one| one.name == to)
            .unwrap();
        let cuts = cut(&problem, &lineage, Some(checkpoint.index)).unwrap();
        for task in tasks {
            let again = cuts.tasks.iter().find(|again| again.id == task.id);
            assert_eq!(
                again,
                Some(&task),
                "{} has changed: choose tasks again with `slope problem next-edit cut`",
                task.id
            );
        }
    }
}

/// A problem of two checkpoints whose only file changes from `old` to `new`.
fn problem(dir: &Path, old: &str, new: &str) -> slope_problem::Problem {
    let folder = root().join("problems/household-stock");
    let mut problem = slope_problem::load(&folder, &LoadOptions::default()).unwrap();
    for (number, text) in [(1, old), (2, new)] {
        let folder = dir.join(format!("solutions/checkpoint_{number}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("pantry.py"), text).unwrap();
    }
    problem.root = dir.to_owned();
    problem
}

const OLD: &str = "def take(lot):\n    return lot\n\n\nbread = take(load(\"bread\"))\nmilk = 1\n\
                   prices = 1\nflour = take(load(\"flour\"))\n";

#[test]
fn changes_are_offered_in_both_directions() {
    let dir = tempfile::tempdir().unwrap();
    let new = OLD
        .replace("lot):", "lot, day):")
        .replace("\"))", "\"), day)");
    let cuts = cut(&problem(dir.path(), OLD, &new), "solutions", None).unwrap();
    let found: Vec<_> = cuts
        .tasks
        .iter()
        .map(|task| (task.source.hunk, task.source.made))
        .collect();
    let all = [
        (1, Made::Below),
        (2, Made::Above),
        (2, Made::Below),
        (3, Made::Above),
    ];
    assert_eq!(found, all);
    let second = &cuts.tasks[1];
    assert_eq!(
        second.id,
        "household-stock/solutions/checkpoint_2/pantry.py#2"
    );
    let expected = second.expected.as_ref().unwrap();
    assert_eq!(expected.line, 5);
    assert_eq!(second.text, OLD.replace("lot):", "lot, day):"));
    assert_eq!(
        second.after().unwrap(),
        new.replace("flour\"), day)", "flour\"))")
    );
    assert_eq!(second.reasons[0], "uses `day`, which a recent edit added");
    insta::assert_snapshot!(prompt(second));

    let second_step = cut(&problem(dir.path(), OLD, &new), "solutions", Some(3)).unwrap();
    assert!(second_step.tasks.is_empty());
    let error = cut(&problem(dir.path(), OLD, &new), "sloppy", None).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no lineage sloppy: it has solutions"),
        "{error}"
    );
}

/// Lines and reasons of the tasks without an edit between two texts.
fn complete(old: &str, new: &str) -> Vec<(usize, String)> {
    let dir = tempfile::tempdir().unwrap();
    let cuts = cut(&problem(dir.path(), old, new), "solutions", None).unwrap();
    let complete = cuts
        .tasks
        .into_iter()
        .filter(|task| task.source.made == Made::All);
    let told = complete.map(|task| {
        assert_eq!((task.expected, task.text.as_str()), (None, new));
        (task.cursor.line, task.reasons.concat())
    });
    told.collect()
}

#[test]
fn complete_changes_invite_another_edit() {
    let found = complete(
        "milk = 1\nflour = 2\nbuy(milk)\n",
        "cream = 1\nflour = 2\nbuy(milk)\n",
    );
    let why = "has `milk`, which the recent edit at line 1 replaced";
    assert_eq!(found, [(3, why.to_owned())]);

    let new = OLD.replace("bread\"))", "bread\"), day)");
    let why = "has the form of a line that the recent edit at line 5 changed";
    assert_eq!(complete(OLD, &new), [(8, why.to_owned())]);

    let old = "rows = [\n    row(bread, 1),\n]\n";
    let new = old.replace("]", "    row(flour, 2),\n]");
    let why = "follows lines of one form, of which the recent edit at line 3 added some";
    assert_eq!(complete(old, &new), [(4, why.to_owned())]);

    // The name is on more lines than somebody could have missed.
    let many = "buy(milk)\nprint()\n".repeat(4);
    let found = complete(&format!("milk = 1\n{many}"), &format!("cream = 1\n{many}"));
    assert_eq!(found, []);
}

#[test]
fn left_out_changes_count_by_reason() {
    let dir = tempfile::tempdir().unwrap();
    let new = OLD
        .replace("lot):", "lot, day):")
        .replace("milk = 1", "milk = unheard_of(nowhere, never)")
        .replace("take(load(\"flour\"))", "take(load(\"bread\"))");
    let cuts = cut(&problem(dir.path(), OLD, &new), "solutions", None).unwrap();
    insta::assert_debug_snapshot!(cuts.left_out);
}

#[test]
fn tasks_contain_no_later_edits() {
    let dir = tempfile::tempdir().unwrap();
    // The lines of each change, from the top: each is its own.
    let changes = [
        ("def take(lot):\n", "def take(lot, day):\n"),
        (
            "bread = take(load(\"bread\"))\n",
            "bread = take(load(\"bread\"), day)\n",
        ),
        (
            "flour = take(load(\"flour\"))\n",
            "flour = take(load(\"flour\"), day)\n",
        ),
    ];
    let new = changes
        .iter()
        .fold(OLD.to_owned(), |text, (from, to)| text.replace(from, to));
    let cuts = cut(&problem(dir.path(), OLD, &new), "solutions", None).unwrap();
    assert_eq!(cuts.tasks.len(), 4);
    for task in cuts.tasks {
        for (number, (from, to)) in (1..).zip(changes) {
            let is_made = match task.source.made {
                Made::Above => number < task.source.hunk,
                Made::Below => number > task.source.hunk,
                Made::All => true,
            };
            let (there, absent) = if is_made { (to, from) } else { (from, to) };
            let id = &task.id;
            assert!(task.text.contains(there), "{id}: {number}");
            assert!(!task.text.contains(absent), "{id}: {number}");
            let told = task.recent.iter().any(|hunk| hunk.added == to);
            assert_eq!(told, is_made, "{id}: {number}");
        }
        let expected = changes[task.source.hunk - 1].1;
        assert_eq!(task.expected.unwrap().replacement, expected);
    }
}

#[test]
fn unloadable_tasks_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!("note = \"{}\"\n", "n".repeat(1_000));
    for old in [OLD.trim_end().to_owned(), format!("{OLD}{long}")] {
        let new = old
            .replace("lot):", "lot, day):")
            .replace("bread\"))", "bread\"), day)");
        let cuts = cut(&problem(dir.path(), &old, &new), "solutions", None).unwrap();
        assert_eq!(cuts.tasks, []);
        let about = cuts.left_out.keys().filter(|why| why.contains("`text`"));
        assert_eq!(about.count(), 1, "{:?}", cuts.left_out);
        next_edit::write(Path::new("set.yaml"), cuts.tasks).unwrap();
    }
}

#[test]
fn shipped_tasks_require_what_they_expect() {
    for task in next_edit::shipped().unwrap().tasks {
        let is_edited = normal(&task.after().unwrap()) != normal(&task.text);
        assert_eq!(is_edited, task.expected.is_some(), "{}", task.id);
    }
}

/// Texts of few words and lines, so that they are often alike.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "b", "ab", " ", "    ", "(", "\n", "\n", " \n"]);
    prop::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn f_is_one_only_for_expected_text(base in text(), expected in text(), answered in text()) {
        let found = score(&base, &expected, &answered);
        prop_assert!((0.0..=1.0).contains(&found.f));
        prop_assert_eq!(found.f == 1.0, normal(&expected) == normal(&answered));
        prop_assert_eq!(found.exact, normal(&expected) == normal(&answered));
        prop_assert_eq!(found.precision.is_none(), normal(&answered) == normal(&base));
        prop_assert_eq!(found.recall.is_none(), normal(&expected) == normal(&base));
        for share in [found.precision, found.recall].into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&share));
        }
        if let (Some(precision), Some(recall)) = (found.precision, found.recall) {
            let mean = if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
            prop_assert!((mean - found.f).abs() < 1e-12, "{} {}", mean, found.f);
        }
    }

    #[test]
    fn f_is_symmetric(base in text(), expected in text(), answered in text()) {
        let one = score(&base, &expected, &answered);
        let other = score(&base, &answered, &expected);
        prop_assert_eq!(one.f, other.f);
        prop_assert_eq!(one.precision, other.recall);
    }

    #[test]
    fn unchanged_answer_scores_zero(base in text(), expected in text()) {
        prop_assume!(normal(&base) != normal(&expected));
        prop_assert_eq!(score(&base, &expected, &base).f, 0.0);
    }

    #[test]
    fn trailing_white_space_keeps_the_score(base in text(), expected in text(), answered in text()) {
        let padded = answered.replace('\n', " \t\n") + "\n\n";
        prop_assert_eq!(score(&base, &expected, &answered), score(&base, &expected, &padded));
    }

    #[test]
    fn score_grows_with_matched_edit(lines in prop::collection::vec("[a-d]{1,6}", 2..12), some in 1_usize..12) {
        let base = "first\nlast\n";
        let with = |lines: &[String]| format!("first\n{}\nlast\n", lines.join("\n"));
        let some = some.min(lines.len() - 1);
        let part = score(base, &with(&lines), &with(&lines[..some]));
        prop_assert_eq!(part.precision, Some(1.0));
        prop_assert!(part.f > 0.0 && part.f < 1.0);
    }
}

fn two() -> TaskSet {
    let mut set = next_edit::shipped().unwrap();
    set.tasks = [
        "household-stock/solutions/checkpoint_4/store.py#3",
        "ferry-desk/solutions/checkpoint_2/purser.py#2",
    ]
    .map(shipped)
    .into();
    set
}

fn read(text: &str) -> Result<BTreeMap<String, Answer>, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    fs::write(&path, text).unwrap();
    let answers = answers::read(&path, &two());
    answers.map_err(|e| e.to_string().replace(&*dir.path().to_string_lossy(), ""))
}

const STORE: &str = "household-stock/solutions/checkpoint_4/store.py#3";

#[test]
fn invalid_answer_lines_are_refused() {
    let wrong = [
        "not JSON".to_owned(),
        format!("{{\"id\": \"{STORE}\"}}"),
        format!("{{\"id\": \"{STORE}\", \"text\": \"\", \"missing\": \"late\"}}"),
        format!("{{\"id\": \"{STORE}\", \"answer\": \"\"}}"),
        format!("{{\"id\": \"{STORE}\", \"text\": \"\", \"no_edit\": true}}"),
        format!("{{\"id\": \"{STORE}\", \"no_edit\": false}}"),
        "{\"id\": \"nowhere\", \"text\": \"\"}".to_owned(),
        format!("{{\"id\": \"{STORE}\", \"text\": \"\"}}\n{{\"id\": \"{STORE}\", \"text\": \"\"}}"),
    ];
    let told: Vec<String> = wrong
        .iter()
        .map(|line| read(&format!("\n{line}\n")).unwrap_err())
        .collect();
    insta::assert_debug_snapshot!(told);
}

fn summary(text: &str) -> Summary {
    summarise(&two(), &read(text).unwrap())
}

#[test]
fn missing_answers_count_apart_from_wrong() {
    let right = r#"{"line": 17, "lines": 1, "replacement": "        return History()\n"}"#;
    let all = summary(&format!("{{\"id\": \"{STORE}\", \"edit\": {right}}}\n")).all;
    assert_eq!(
        (all.tasks, all.answered, all.missing, all.files),
        (2, 1, 1, 1)
    );
    assert_eq!((all.exact.mean, all.f.mean), (Some(1.0), Some(1.0)));
    assert_eq!(all.f.interval, None);
    assert_eq!(
        all.f.reason,
        Some("no interval: all answered tasks are from one file")
    );

    let none = summary("").all;
    assert_eq!((none.answered, none.missing, none.f.mean), (0, 2, None));
    assert_eq!(none.f.reason, Some("no answers"));

    let outside = right.replace("17", "99");
    let purser = "ferry-desk/solutions/checkpoint_2/purser.py#2";
    let wrong = summary(&format!(
        "{{\"id\": \"{STORE}\", \"edit\": {outside}}}\n{{\"id\": \"{purser}\", \"missing\": \"timeout\"}}\n"
    ));
    assert_eq!(
        (wrong.all.answered, wrong.all.missing, wrong.all.f.mean),
        (1, 1, Some(0.0))
    );
    assert_eq!(
        wrong.tasks[0].note.as_deref(),
        Some("the edit's lines are not in the file")
    );
    assert_eq!(wrong.tasks[1].score, None);
    assert_eq!(wrong.tasks[1].note.as_deref(), Some("timeout"));
}

#[test]
fn score_interval_resamples_files() {
    let set = next_edit::shipped().unwrap();
    let answer = |(index, task): (usize, &Task)| {
        // Every third task is left as it is.
        let text = if index % 3 == 0 {
            task.text.clone()
        } else {
            task.after().unwrap()
        };
        (task.id.clone(), Answer::Text(text))
    };
    let found = summarise(&set, &set.tasks.iter().enumerate().map(answer).collect());
    assert_eq!(found.all.tasks + found.all.no_edit.tasks, 120);
    assert_eq!((found.all.missing, found.all.no_edit.missing), (0, 0));
    let mean = found.all.exact.mean.unwrap();
    assert!((0.6..0.7).contains(&mean), "{mean}");
    let interval = found.all.exact.interval.unwrap();
    assert!(interval.low < mean && mean < interval.high, "{interval:?}");
    // To leave a file as it is, or to apply nothing, is right there.
    assert_eq!(found.all.no_edit.specificity.mean, Some(1.0));
    assert_eq!(found.languages.len(), 6);
    for group in found.languages.values() {
        assert_eq!(group.tasks + group.no_edit.tasks, 20);
        assert!(group.files > 1 && group.files <= group.tasks);
    }
}

#[test]
fn any_edit_of_complete_file_is_wrong() {
    let mut set = next_edit::shipped().unwrap();
    set.tasks.retain(|task| task.expected.is_none());
    set.tasks.truncate(4);
    let kept = set.tasks[1].text.clone() + "\n";
    let edit = |replacement: &str| Edit {
        line: 1,
        lines: 0,
        replacement: replacement.to_owned(),
    };
    let answers = [
        Answer::NoEdit,
        Answer::Text(kept),
        Answer::Edit(edit("x = 1\n")),
        Answer::Missing("timeout".to_owned()),
    ];
    let ids = set.tasks.iter().map(|task| task.id.clone());
    let found = summarise(&set, &ids.zip(answers).collect()).all;
    assert_eq!((found.tasks, found.exact.mean), (0, None));
    let kept = found.no_edit;
    assert_eq!((kept.tasks, kept.answered, kept.missing), (4, 3, 1));
    assert_eq!(kept.specificity.mean, Some(2.0 / 3.0));
}
