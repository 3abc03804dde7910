//! A tiny problem in every language whose toolchain is here: right programs pass, broken ones do fail, and a
//! hostile build gains nothing.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "this is test code without a test harness"
)]

mod cpp;
#[path = "../support/mod.rs"]
mod support;

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Trial};
use slope_model::problem::{Problem, SuiteKind};
use slope_model::verdict::{Outcome, State, Verdict};
use slope_suite::track::{Interpreter, Track, TrackName};
use slope_suite::{Error, GradeOptions, Stability};
use tempfile::TempDir;

const CONFIG: &str = "name: sum\nentry_file: sum\ncheckpoints: {checkpoint_1: {order: 1}}\n";
const SUITE: &str = "\
schema: slope.cases/1
timeout_s: 10
cases:
  - {id: adds, group: core, steps: [{args: ['2', '40'], expect: {stdout: {equals: '42'}}}]}
  - {id: adds-nothing, group: core, steps: [{args: [], expect: {stdout: {equals: '0'}}}]}
  - {id: refuses, group: error, steps: [{args: [two], expect: {exit: 3}}]}
";

/// A workspace: paths and texts.
type Files = &'static [(&'static str, &'static str)];

const CARGO: &str = "[package]\nname = \"any\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const RUST: Files = &[
    ("Cargo.toml", CARGO),
    (
        "src/term.rs",
        "pub fn read(text: &str) -> Option<i64> { text.parse().ok() }\n",
    ),
    (
        "src/main.rs",
        "mod term;\nfn main() {\n    let terms: Option<Vec<i64>> = std::env::args().skip(1).map(|a| term::read(&a)).collect();\n    \
         match terms { Some(t) => println!(\"{}\", t.iter().sum::<i64>()), None => std::process::exit(3) }\n}\n",
    ),
];
const TYPESCRIPT: Files = &[
    (
        "term.ts",
        "export interface Term { value: number }\n\
         export function read (text: string): Term | null { return /^-?\\d+$/.test(text) ? { value: Number(text) } : null }\n",
    ),
    (
        "sum.ts",
        "import { read, type Term } from './term'\nconst terms: (Term | null)[] = process.argv.slice(2).map(read)\n\
         if (terms.includes(null)) process.exit(3)\nlet sum: number = 0\n\
         for (const term of terms) sum += term!.value\nconsole.log(sum)\n",
    ),
];
const GO: Files = &[
    ("go.mod", "module sum\n\ngo 1.19\n"),
    (
        "term.go",
        "package main\n\nimport \"strconv\"\n\nfunc read(text string) (int, error) { return strconv.Atoi(text) }\n",
    ),
    (
        "main.go",
        "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tsum := 0\n\tfor _, text := range os.Args[1:] {\n\t\t\
         term, err := read(text)\n\t\tif err != nil {\n\t\t\tos.Exit(3)\n\t\t}\n\t\tsum += term\n\t}\n\tfmt.Println(sum)\n}\n",
    ),
];
const JAVA: Files = &[
    (
        "Term.java",
        "class Term { static long read(String text) { return Long.parseLong(text); } }\n",
    ),
    (
        "Main.java",
        "public class Main {\n    public static void main(String[] args) {\n        long sum = 0;\n        \
         try { for (String text : args) sum += Term.read(text); } catch (NumberFormatException e) { System.exit(3); }\n        \
         System.out.println(sum);\n    }\n}\n",
    ),
];

const CPP: Files = &[
    (
        "terms/term.hpp",
        "#pragma once\n#include <optional>\n#include <string>\nstd::optional<long> read(const std::string& text);\n",
    ),
    (
        "terms/term.cpp",
        "#include \"term.hpp\"\n#include <charconv>\nstd::optional<long> read(const std::string& text) {\n    long term = 0;\n    \
         const auto end = text.data() + text.size();\n    const auto [stop, error] = std::from_chars(text.data(), end, term);\n    \
         return stop == end && error == std::errc{} ? std::optional(term) : std::nullopt;\n}\n",
    ),
    (
        "sum.cpp",
        "#include \"terms/term.hpp\"\n#include <iostream>\n#include <span>\nint main(int argc, char** argv) {\n    long sum = 0;\n    \
         for (const char* text : std::span(argv + 1, argv + argc)) {\n        const auto term = read(text);\n        \
         if (!term) return 3;\n        sum += *term;\n    }\n    std::cout << sum << '\\n';\n}\n",
    ),
];

/// Each track: a right program, a file that breaks it with its text, and a word of the compiler's complaint.
const PROGRAMS: [(TrackName, Files, (&str, &str), &str); 5] = [
    (
        TrackName::Rust,
        RUST,
        ("src/term.rs", "pub fn read(\n"),
        "src/term.rs",
    ),
    (
        TrackName::TypeScript,
        TYPESCRIPT,
        ("term.ts", "export function (\n"),
        "term.ts:1:",
    ),
    (
        TrackName::Go,
        GO,
        ("term.go", "package main\n\nfunc read(\n"),
        "term.go",
    ),
    (
        TrackName::Java,
        JAVA,
        (
            "Term.java",
            "class Term { static long read(String text) { return none; } }\n",
        ),
        "Term.java:1: error",
    ),
    (
        TrackName::Cpp,
        CPP,
        (
            "terms/term.cpp",
            "#include \"term.hpp\"\nstd::optional<long> read(const std::string& text) { return none; }\n",
        ),
        "terms/term.cpp:2:",
    ),
];

/// Programs that use a package, and a manifest that names a place in its stead.
const PACKAGES: [(TrackName, Files, (&str, &str)); 3] = [
    (
        TrackName::Rust,
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"any\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nitoa = \"=1.0.11\"\n",
            ),
            (
                "src/main.rs",
                "fn main() {\n    let terms: Result<Vec<i64>, _> = std::env::args().skip(1).map(|a| a.parse()).collect();\n    \
                 match terms { Ok(t) => println!(\"{}\", itoa::Buffer::new().format(t.iter().sum::<i64>())), \
                 Err(_) => std::process::exit(3) }\n}\n",
            ),
        ],
        (
            "Cargo.toml",
            "[package]\nname = \"any\"\nversion = \"0.1.0\"\n[dependencies]\nitoa = { path = \"/etc\" }\n",
        ),
    ),
    (
        TrackName::TypeScript,
        &[
            ("package.json", "{\"dependencies\": {\"ms\": \"2.1.3\"}}"),
            (
                "sum.ts",
                "import ms from 'ms'\nconst terms: number[] = process.argv.slice(2).map(text => ms(text) ?? NaN)\n\
                 if (terms.some(Number.isNaN)) process.exit(3)\nconsole.log(terms.reduce((a, b) => a + b, 0))\n",
            ),
        ],
        (
            "package.json",
            "{\"dependencies\": {\"ms\": \"file:/etc\"}}",
        ),
    ),
    (
        TrackName::Go,
        &[
            (
                "go.mod",
                "module sum\n\ngo 1.19\n\nrequire example.org/one v1.0.0\n",
            ),
            (
                "main.go",
                "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n\n\t\"example.org/one\"\n)\n\n\
                 func main() {\n\tsum := one.One - 1\n\tfor _, text := range os.Args[1:] {\n\t\t\
                 term, err := strconv.Atoi(text)\n\t\tif err != nil {\n\t\t\tos.Exit(3)\n\t\t}\n\t\tsum += term\n\t}\n\t\
                 fmt.Println(sum)\n}\n",
            ),
        ],
        (
            "go.mod",
            "module sum\n\ngo 1.19\n\nrequire example.org/one v1.0.0\nreplace example.org/one => /etc\n",
        ),
    ),
];

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    with_own_modules();
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = PROGRAMS
        .iter()
        .map(|&(track, right, broken, complaint)| {
            Trial::test(
                format!("{track}_programs_are_built_and_judged"),
                move || {
                    programs_are_built_and_judged(track, right, broken, complaint);
                    Ok(())
                },
            )
        })
        .collect();
    trials.push(Trial::test("a_hostile_build_gains_nothing", || {
        a_hostile_build_gains_nothing();
        Ok(())
    }));
    trials.extend(cpp::trials());
    trials.extend(PACKAGES.iter().map(|&(track, files, place)| {
        Trial::test(
            format!("{track}_packages_are_fetched_and_kept"),
            move || {
                packages_are_fetched_and_kept(track, files, place);
                Ok(())
            },
        )
    }));
    trials.push(Trial::test("pytest_stays_with_python", || {
        pytest_stays_with_python();
        Ok(())
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Writes a proxy of Go modules into a folder: one module of one file.
const PROXY: &str = r#"
import pathlib, sys, zipfile
at = pathlib.Path(sys.argv[1]) / "example.org/one/@v"
at.mkdir(parents=True, exist_ok=True)
mod = "module example.org/one\n"
(at / "v1.0.0.info").write_text('{"Version": "v1.0.0"}')
(at / "v1.0.0.mod").write_text(mod)
with zipfile.ZipFile(at / "v1.0.0.zip", "w") as module:
    for name, text in [("go.mod", mod), ("one.go", "package one\n\nconst One = 1\n")]:
        module.writestr(f"example.org/one@v1.0.0/{name}", text)
"#;

/// Starts this program again with Go modules of our own, as no other may be reached.
fn with_own_modules() {
    const MARK: &str = "SLOPE_TEST_MODULES";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-proxy");
    if std::env::var_os(MARK).is_some() {
        return;
    }
    let made = Command::new("python3")
        .args(["-c", PROXY])
        .arg(&folder)
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let why = Command::new(std::env::current_exe().unwrap())
        .args(std::env::args_os().skip(1))
        .env("GOPROXY", format!("file://{}", folder.display()))
        .env("GONOSUMDB", "*")
        .env(MARK, "1")
        .exec();
    panic!("{why}");
}

/// The problem, and its folder.
fn problem(track: TrackName) -> (Problem, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let files = [("config.yaml", CONFIG), ("suite/checkpoint_1.yaml", SUITE)];
    slope_testkit::write(folder.path(), &files);
    let mut problem = support::load(folder.path(), SuiteKind::Cases);
    let entry_file = Track::named(track).unwrap().entry_file;
    problem.entry_file = entry_file.replace("{name}", "sum");
    (problem, folder)
}

fn options(track: TrackName) -> GradeOptions {
    GradeOptions {
        track,
        stability: Stability::Off,
        ..support::options()
    }
}

/// The verdict on a workspace; `None`, said on standard output, where nothing in the language can be graded.
fn grade(track: TrackName, files: &[(&str, &str)]) -> Option<Verdict> {
    let ready = Interpreter::discover(None).and_then(|python| Track::ready(track, &python));
    if let Err(why) = ready {
        println!("skipped: {why}");
        return None;
    }
    support::unless_unavailable(|| judge(track, files, &options(track)))
}

fn judge(
    track: TrackName,
    files: &[(&str, &str)],
    options: &GradeOptions,
) -> Result<Verdict, Error> {
    let (problem, _folder) = problem(track);
    let workspace = tempfile::tempdir().unwrap();
    slope_testkit::write(workspace.path(), files);
    support::grade(&problem, 1, workspace.path(), options)
}

fn programs_are_built_and_judged(
    track: TrackName,
    right: Files,
    broken: (&str, &str),
    complaint: &str,
) {
    let Some(verdict) = grade(track, right) else {
        return;
    };
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    assert_eq!(verdict.grader["track"], track.name());
    assert!(!verdict.grader["toolchain"].is_empty());
    let files: Vec<_> = right
        .iter()
        .map(|&(name, text)| {
            if name == broken.0 {
                broken
            } else {
                (name, text)
            }
        })
        .collect();
    let verdict = grade(track, &files).unwrap();
    assert_eq!(verdict.state, State::Failed, "{verdict:#?}");
    let told: Vec<_> = verdict
        .tests
        .iter()
        .map(|t| t.message.as_deref().unwrap())
        .collect();
    assert!(
        verdict.tests.iter().all(|t| t.outcome == Outcome::Failed),
        "{verdict:#?}"
    );
    assert!(told[0].contains(complaint), "{told:#?}");
    assert_eq!(told[1..], ["the program could not be built"; 2]);
    assert!(verdict.grader["program_build_failure"].contains(complaint));
}

/// A build script that looks for the suite, for another machine, and for a way to change what grades.
const HOSTILE: &str = r#"
use std::{fs, net::TcpStream, path::Path};
fn main() {
    let mut found = Vec::new();
    for place in ["SUITE", "/grader", "/opt/launch", "/root", "/etc/shadow"] {
        if Path::new(place).exists() { found.push(place.to_string()); }
    }
    if TcpStream::connect("LISTENER").is_ok() { found.push("network".to_string()); }
    for place in ["/usr/bin/python3", "/opt/toolchain/bin/rustc", "/usr/bin/rustc"] {
        if fs::OpenOptions::new().append(true).open(place).is_ok() { found.push(place.to_string()); }
    }
    fs::write("/opt/program/left", "behind").unwrap();
    println!("cargo:rustc-env=FOUND={}", found.join(" "));
}
"#;
const TELLS: &str = "fn main() {\n    if std::env::args().len() == 1 { println!(\"0\") } else { println!(\"42\") }\n    \
     let found = env!(\"FOUND\"); if found != \"\" { println!(\"{found}\"); }\n    \
     if std::fs::write(\"/opt/program/main\", \"x\").is_ok() { println!(\"writable\"); }\n    \
     if std::env::args().any(|a| a == \"two\") { std::process::exit(3) }\n}\n";

fn a_hostile_build_gains_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (_, suite) = problem(TrackName::Rust);
    let script = HOSTILE
        .replace("SUITE", &suite.path().to_string_lossy())
        .replace("LISTENER", &address);
    let files = [
        ("Cargo.toml", CARGO),
        ("build.rs", &script),
        ("src/main.rs", TELLS),
    ];
    let Some(verdict) = grade(TrackName::Rust, &files) else {
        return;
    };
    // It prints what it found, which no case expects.
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
}

fn packages_are_fetched_and_kept(track: TrackName, files: Files, place: (&str, &str)) {
    let Some(verdict) = grade(track, files) else {
        return;
    };
    assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    assert!(!verdict.grader["program_packages"].is_empty());
    // Another snapshot is another build, from the same packages.
    let source = format!("{}\n", files[1].1);
    let changed = [files[0], (files[1].0, source.as_str())];
    let offline = GradeOptions {
        offline: true,
        ..options(track)
    };
    assert_eq!(
        judge(track, &changed, &offline).unwrap().state,
        State::Passed
    );
    let verdict = grade(track, &[place, files[1]]).unwrap();
    assert_eq!(verdict.state, State::Failed, "{verdict:#?}");
    let why = &verdict.grader["program_environment_failure"];
    assert!(why.contains(place.0) && why.contains("/etc"), "{why}");
}

fn pytest_stays_with_python() {
    let (mut problem, _folder) = problem(TrackName::Go);
    problem.suite = SuiteKind::Pytest;
    let workspace = tempfile::tempdir().unwrap();
    let why = support::grade(&problem, 1, workspace.path(), &options(TrackName::Go)).unwrap_err();
    assert!(matches!(why, Error::Suite { .. }), "{why}");
    assert!(why.to_string().contains("--track go"), "{why}");
}
