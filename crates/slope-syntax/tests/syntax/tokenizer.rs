//! Source lines against Python's own tokenizer, on the library of the Python at hand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use slope_syntax::{Language, Limits, Profile, parse};

/// Prints, for each file named on standard input, the path and the rows by the
/// tokenizer's account: rows where a token starts, without plain strings that
/// are statements of their own and have their rows to themselves.
const SCRIPT: &str = r#"
import io, sys, tokenize
SKIP = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
        tokenize.DEDENT, tokenize.ENDMARKER}
LAYOUT = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
for path in sys.stdin.read().splitlines():
    try:
        text = open(path, encoding="utf-8-sig").read()
        if "\x0c" in text or "\0" in text:
            continue
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline)]
        compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, UnicodeDecodeError, tokenize.TokenError, ValueError):
        continue
    rows, split_f = set(), False
    lines = text.split("\n")
    plain = [t for t in tokens if t.type not in (tokenize.NL, tokenize.COMMENT)]
    for t in tokens:
        if t.type not in SKIP and t.string:
            rows.add(t.start[0])
    for before, t, after in zip([None] + plain, plain, plain[1:] + [None]):
        if t.type != tokenize.STRING:
            continue
        prefix = t.string[:t.string.index(t.string[-1])].lower()
        if "f" in prefix and t.start[0] != t.end[0]:
            split_f = True  # one token before Python 3.12, many since
        first = lines[t.start[0] - 1][:t.start[1]]
        last = lines[t.end[0] - 1][t.end[1]:]
        starts = before is None or before.type in LAYOUT
        ends = after is None or after.type == tokenize.NEWLINE
        if starts and ends and not first.strip() and not last.strip() and not set(prefix) & set("bf"):
            rows -= set(range(t.start[0], t.end[0] + 1))
    if not split_f:
        print(path, *sorted(rows), sep="\t")
"#;

fn python(arguments: &[&str], input: &str) -> Option<String> {
    use std::io::Write;
    let mut child = Command::new("python3")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(input.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

fn library_files(library: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["", "asyncio", "email", "unittest", "json", "importlib"] {
        let Ok(entries) = std::fs::read_dir(library.join(folder)) else {
            continue;
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        files.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "py")));
    }
    files.sort();
    files
}

#[test]
fn source_lines_match_python_tokenizer() {
    let ask = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let Some(library) = python(&["-c", ask], "") else {
        println!("skipped: no python3 to compare with");
        return;
    };
    let files = library_files(Path::new(library.trim()));
    let names: Vec<_> = files.iter().map(|f| f.to_string_lossy()).collect();
    let answer = python(&["-c", SCRIPT], &names.join("\n")).expect("the script runs");
    let expected: BTreeMap<&str, Vec<u32>> = answer
        .lines()
        .filter_map(|line| {
            let (path, rows) = line.split_once('\t')?;
            Some((path, rows.split('\t').flat_map(str::parse).collect()))
        })
        .collect();
    assert!(expected.len() > 100, "only {} files", expected.len());
    let language = Language::by_id("python").expect("python");
    let mut compared = 0;
    for (path, rows) in expected {
        let bytes = std::fs::read(path).expect("a file that python could read");
        let tree = parse(language, &bytes, &Limits::default()).expect("a tree");
        if tree.errors().is_some() {
            println!("{path}: not understood by the grammar");
            continue;
        }
        let found: Vec<u32> = tree
            .source_lines(Profile::Slope)
            .rows()
            .map(|row| row + 1)
            .collect();
        assert_eq!(found, rows, "{path}");
        compared += 1;
    }
    assert!(compared > 100, "only {compared} files compared");
    println!("{compared} files agree");
}
