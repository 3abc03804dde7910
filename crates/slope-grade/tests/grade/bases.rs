//! Bases: archives, revisions, patches on a base.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use slope_grade::{Engine, Grader, Pack, Revisions, stream};
use slope_model::grade_request::Change;
use slope_testkit::git::{commit, repository};

const UTIL: &str = "\
def total(values, limit, scale):
    result = 0
    for value in values:
        if value is None or value < limit:
            continue
        part = value * scale
        if part > 100:
            part = 100
        result += part
    if result < 0:
        raise ValueError(f'negative {result}')
    return result
";
const APP: &str = "def main():\n    return 0\n";
const MORE: &str = "from util import total\n\n\ndef main():\n    return total([1, 2])\n";

fn graded(graders: &mut impl stream::Graders, requests: &[Value]) -> Vec<String> {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    let mut output = Vec::new();
    stream::grade_lines(graders, lines.join("\n").as_bytes(), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn request(base: &str) -> Value {
    let copy = UTIL.replace("total", "summed");
    let change = json!({"kind": "files", "data": {"new.py": copy}});
    json!({"id": base, "base": base, "change": change, "tests": {"passed": 1}})
}

#[test]
fn requests_name_their_revisions() {
    let repo = repository(&[("util.py", UTIL), ("app.py", APP)]);
    commit(repo.path(), &[("app.py", MORE)]);
    commit(repo.path(), &[("util.py", "X = 1\n")]);
    let place = repo.path().to_str().unwrap();
    let engine = Engine::new(1).unwrap();
    let names = ["HEAD~2", "HEAD", "HEAD~1", "HEAD~2", "none"];
    let requests: Vec<Value> = names.iter().map(|name| request(name)).collect();
    let mut revisions = Revisions::new(engine.clone(), Pack::default(), place);
    let found = graded(&mut revisions, &requests);
    for (name, grade) in names.iter().zip(&found).take(4) {
        let base = engine.open(&format!("{place}@{name}"), 0).unwrap();
        let mut alone = Grader::new(base, Pack::default());
        assert_eq!(&graded(&mut alone, &[request(name)])[0], grade);
    }
    let parsed: Vec<Value> = found
        .iter()
        .map(|g| serde_json::from_str(g).unwrap())
        .collect();
    assert!(
        parsed[0]["components"]["p_dup"].as_f64().unwrap() > 0.0,
        "{}",
        parsed[0]
    );
    // There is no helper any more that the edit could copy.
    assert_eq!(parsed[1]["components"]["p_dup"], 0.0);
    assert_eq!(parsed[4]["error"]["field"], "base");
}

#[test]
fn request_without_revision_gets_an_error() {
    let repo = repository(&[("app.py", APP)]);
    let engine = Engine::new(1).unwrap();
    let mut revisions = Revisions::new(engine, Pack::default(), repo.path().to_str().unwrap());
    let mut nameless = request("HEAD");
    nameless.as_object_mut().unwrap().remove("base");
    let found = graded(
        &mut revisions,
        &[nameless, json!({"id": "bad"}), request("HEAD")],
    );
    let parsed: Vec<Value> = found
        .iter()
        .map(|g| serde_json::from_str(g).unwrap())
        .collect();
    let states: Vec<&str> = parsed
        .iter()
        .map(|g| g["status"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["error", "error", "ok"]);
    assert_eq!(parsed[0]["error"]["field"], "base");
}

#[test]
fn changed_base_equals_the_changed_files() {
    let engine = Engine::new(1).unwrap();
    let files = |texts: &[(&str, &str)]| -> BTreeMap<String, Vec<u8>> {
        let each = texts.iter();
        each.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
            .collect()
    };
    let before = engine
        .of_files("base", files(&[("util.py", UTIL), ("app.py", APP)]))
        .unwrap();
    let change = Change::Files(BTreeMap::from([
        ("app.py".to_owned(), Some(MORE.to_owned())),
        (
            "lib/x.py".to_owned(),
            Some("def x():\n    return 1\n".to_owned()),
        ),
        ("util.py".to_owned(), None),
    ]));
    let changed = before.changed(&change, "change.data").unwrap();
    let whole = files(&[("app.py", MORE), ("lib/x.py", "def x():\n    return 1\n")]);
    let whole = engine.of_files("base", whole).unwrap();
    assert_eq!((changed.id(), changed.file_count()), (whole.id(), 2));
    let requests = [request("a")];
    let of = |base| graded(&mut Grader::new(base, Pack::default()), &requests);
    assert_eq!(of(changed), of(whole));
    let nothing = Change::Tree(BTreeMap::new());
    assert!(before.changed(&nothing, "change.data").is_err());
}

#[test]
fn archive_equals_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("project");
    std::fs::create_dir_all(inner.join("pkg")).unwrap();
    std::fs::write(inner.join("pkg/util.py"), UTIL).unwrap();
    std::fs::write(inner.join("notes.txt"), "notes").unwrap();
    let archive = folder.path().join("project.tar");
    pack(&inner, &archive);
    let engine = Engine::new(1).unwrap();
    let of_folder = engine.open(inner.to_str().unwrap(), 0).unwrap();
    let of_archive = engine.open(archive.to_str().unwrap(), 1).unwrap();
    assert_eq!(of_folder.id(), of_archive.id());
    assert_eq!(of_folder.file_count(), of_archive.file_count());
    let refused = engine.open(inner.join("notes.txt").to_str().unwrap(), 0);
    assert!(refused.err().unwrap().to_string().contains("no archive"));
}

fn pack(folder: &Path, archive: &Path) {
    let mut builder = tar::Builder::new(std::fs::File::create(archive).unwrap());
    builder.append_dir_all("project", folder).unwrap();
    builder.finish().unwrap();
}

/// Requests that touch, copy, remove and add files of a base.
fn various(files: &BTreeMap<String, String>) -> Vec<Value> {
    let names: Vec<&String> = files.keys().collect();
    let edit = |id: usize, data: Value| {
        let change = json!({"kind": "files", "data": data});
        json!({"id": id.to_string(), "change": change, "tests": {"passed": 1}})
    };
    let shown = names.iter().enumerate().step_by(4);
    shown
        .flat_map(|(at, name)| {
            let text = &files[*name];
            let half = &text[..text.floor_char_boundary(text.len() / 2)];
            let half = &half[..half.rfind('\n').map_or(0, |end| end + 1)];
            [
                edit(at, json!({"copy.rs": text})),
                edit(at, json!({*name: half})),
                edit(at, json!({*name: null, "moved.rs": text})),
                edit(at, json!({*name: format!("{text}\nfn added() -> u32 {{ 1 }}\n"), "notes.txt": "new"})),
            ]
        })
        .collect()
}

#[test]
fn index_equals_its_base() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slope-change/src");
    let engine = Engine::new(2).unwrap();
    let base = engine.open(folder.to_str().unwrap(), 0).unwrap();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("base.index");
    base.write_index(&file).unwrap();
    let name = file.to_str().unwrap();
    let opened = engine.open(name, 0).unwrap();
    assert_eq!(
        (opened.id(), opened.file_count()),
        (base.id(), base.file_count())
    );
    let texts = walkdir::WalkDir::new(&folder).into_iter().flatten();
    let texts = texts.filter(|entry| entry.file_type().is_file());
    let texts = texts.map(|entry| {
        let path = entry.path().strip_prefix(&folder).unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (path.to_str().unwrap().to_owned(), text)
    });
    let requests = various(&texts.collect());
    assert!(requests.len() > 12);
    let change = Change::Files(BTreeMap::from([("error.rs".to_owned(), None)]));
    let changed = [&base, &opened].map(|base| base.changed(&change, "").unwrap());
    assert_eq!(changed[0].id(), changed[1].id());
    assert_ne!(changed[0].id(), base.id());
    for [one, other] in [[base, opened], changed] {
        let [one, other] =
            [one, other].map(|base| graded(&mut Grader::new(base, Pack::default()), &requests));
        assert_eq!(one, other);
    }
    // The same base is the same file.
    let again = place.path().join("again.index");
    engine.open(name, 0).unwrap().write_index(&again).unwrap();
    assert_eq!(
        std::fs::read(&file).unwrap(),
        std::fs::read(&again).unwrap()
    );
}

#[test]
fn damaged_index_is_refused() {
    let engine = Engine::new(1).unwrap();
    let files = BTreeMap::from([("util.py".to_owned(), UTIL.as_bytes().to_vec())]);
    let base = engine.of_files("util", files).unwrap();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("base.index");
    base.write_index(&file).unwrap();
    let fix = json!({"kind": "files", "data": {"util.py": UTIL.replace("100", "99")}});
    let requests = [
        request("a"),
        json!({"id": "b", "change": fix, "tests": {"passed": 1}}),
    ];
    let right = graded(&mut Grader::new(base, Pack::default()), &requests);
    let whole = std::fs::read(&file).unwrap();
    let name = file.to_str().unwrap();
    let mut lazy = 0;
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        std::fs::write(&file, &damaged).unwrap();
        let Ok(base) = engine.open(name, 0) else {
            continue;
        };
        // Damage of a part that opening does not read is found by what reads it.
        let grades = graded(&mut Grader::new(base, Pack::default()), &requests);
        for (grade, right) in grades.iter().zip(&right) {
            let is_found = grade.contains(r#""field":"base""#);
            lazy += usize::from(is_found);
            assert!(grade == right || is_found, "{at}: {grade}");
        }
    }
    assert!(lazy > 0);
    std::fs::write(&file, &whole[whole.len() / 2..]).unwrap();
    let error = engine.open(name, 0).err().unwrap().to_string();
    assert!(error.contains("write it again"), "{error}");
}

#[test]
fn index_replaces_only_files() {
    let engine = Engine::new(1).unwrap();
    let files = BTreeMap::from([("util.py".to_owned(), UTIL.as_bytes().to_vec())]);
    let base = engine.of_files("util", files).unwrap();
    let place = tempfile::tempdir().unwrap();
    let (link, file) = (place.path().join("link"), place.path().join("file"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for there in [place.path(), link.as_path()] {
        let error = base.write_index(there).unwrap_err().to_string();
        assert!(error.contains("is no file\nhelp: "), "{error}");
    }
    assert!(link.is_symlink() && !file.exists());
    base.write_index(&file).unwrap();
    base.write_index(&file).unwrap();
}
