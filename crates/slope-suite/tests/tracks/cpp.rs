//! C++ workspaces: which files are the program, and what hostile ones reach.

use std::os::unix::fs::symlink;

use libtest_mimic::Trial;
use slope_model::verdict::{Outcome, State, Verdict};
use slope_suite::track::TrackName;

use crate::{grade, options, problem, support};

pub(crate) fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 4] = [
        ("cpp_sources_of_any_name_are_built", any_name),
        ("cpp_folders_of_tests_are_left_out", left_out),
        ("cpp_sources_see_nothing_of_the_grader", sees_nothing),
        ("hostile_cpp_sources_do_not_build", does_not_build),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    trials.collect()
}

/// A program that solves the problem with the help of `sum`, and prints what `found` says.
const MAIN: &str = "\
#include <cstdio>
#include <cstdlib>
#include <string>
long sum(long a, long b);
int main(int argc, char** argv) {
    long total = 0;
    for (int at = 1; at < argc; ++at) {
        char* end = nullptr;
        const long term = std::strtol(argv[at], &end, 10);
        if (*end != 0) return 3;
        total = sum(total, term);
    }
    const std::string found = FOUND;
    std::printf(\"%ld%s\\n\", total, found.c_str());
}
";
const SUM: &str = "long sum(long a, long b) { return a + b; }\n";

fn main_with(found: &str) -> String {
    MAIN.replace("FOUND", found)
}

fn passes(files: &[(&str, &str)]) {
    if let Some(verdict) = grade(TrackName::Cpp, files) {
        assert_eq!(verdict.state, State::Passed, "{verdict:#?}");
    }
}

fn any_name() {
    let main = main_with("std::to_string(one() + two() + three()).substr(1)");
    let main = format!("int one(); int two(); int three();\n{main}");
    passes(&[
        ("sum.cpp", &main),
        ("-fplugin=x.so.cpp", SUM),
        ("@rest.cpp", "int one() { return 1; }\n"),
        ("a file; touch x $(id) '\".cpp", "int two() { return 2; }\n"),
        ("in/other\nfolders/-o.cpp", "int three() { return 3; }\n"),
    ]);
}

fn left_out() {
    let main = format!("#include <version>\n{}", main_with("\"\""));
    passes(&[
        ("sum.cpp", &main),
        ("sum/sum.cpp", SUM),
        ("tests/sum_test.cpp", "int main() { return 1; }\n"),
        ("test/more.cpp", "int main() { return 1; }\n"),
        ("build/CMakeFiles/id.cpp", "not C++\n"),
        (".cache/sum.cpp", SUM),
        ("CMakeLists.txt", "message(FATAL_ERROR no)\n"),
        ("tests/build.sh", "exit 1\n"),
        ("sum.cpp.gch", "not a compiled header\n"),
        ("version", "1.0, which is not a header\n"),
    ]);
}

fn sees_nothing() {
    let (_, suite) = problem(TrackName::Cpp);
    let suite = suite.path().join("suite/checkpoint_1.yaml");
    let mut text = String::from("#include <fstream>\nstatic const char* built =\n");
    for path in [
        &*suite.to_string_lossy(),
        "/grader/tests",
        "/opt/launch/slope-enter",
        "/etc/shadow",
    ] {
        text += &format!("#if __has_include(\"{path}\")\n\" {path}\"\n#endif\n");
    }
    text += "\"\";\nstatic std::string left() { \
             return std::ofstream(\"/opt/program/main\").is_open() ? \" writable\" : \"\"; }\n";
    let main = main_with("built + left()");
    // The output has what was found, which no case expects.
    passes(&[
        ("sum.cpp", &format!("#include <string>\n{text}{main}")),
        ("add.cpp", SUM),
    ]);
}

fn fails(verdict: &Verdict, complaint: &str) {
    assert_eq!(verdict.state, State::Failed, "{verdict:#?}");
    let failed = verdict.tests.iter().all(|t| t.outcome == Outcome::Failed);
    assert!(failed, "{verdict:#?}");
    let why = &verdict.grader["program_build_failure"];
    assert!(why.contains(complaint), "{why}");
}

fn does_not_build() {
    let (_, suite) = problem(TrackName::Cpp);
    let suite = suite.path().join("suite/checkpoint_1.yaml");
    let include = format!("#include \"{}\"\n", suite.display());
    let sources = [
        (include.as_str(), "No such file"),
        ("asm(\".incbin \\\"/etc/shadow\\\"\");\n", "/etc/shadow"),
        (
            "template <int N> struct Deep { static const int depth = Deep<N + 1>::depth; };\n\
             int main() { return Deep<0>::depth; }\n",
            "depth",
        ),
        (
            "constexpr int forever() { for (;;) {} }\nconstexpr int never = forever();\nint main() {}\n",
            "sum.cpp:1:",
        ),
        ("int main() { return missing(); }\n", "sum.cpp:1:"),
        ("int answer() { return 42; }\n", "main"),
    ];
    for (source, complaint) in sources {
        let Some(verdict) = grade(TrackName::Cpp, &[("sum.cpp", source)]) else {
            return;
        };
        fails(&verdict, complaint);
    }
    let main = main_with("\"\"");
    let verdict = grade(
        TrackName::Cpp,
        &[("other.cpp", main.as_str()), ("add.cpp", SUM)],
    );
    fails(&verdict.unwrap(), "no file sum.cpp");
    link_is_not_built();
}

fn link_is_not_built() {
    let (problem, _folder) = problem(TrackName::Cpp);
    let workspace = tempfile::tempdir().unwrap();
    let main = main_with("\"\"");
    slope_testkit::write(
        workspace.path(),
        &[("real", main.as_str()), ("add.cpp", SUM)],
    );
    symlink("real", workspace.path().join("sum.cpp")).unwrap();
    let verdict = support::grade(&problem, 1, workspace.path(), &options(TrackName::Cpp));
    fails(&verdict.unwrap(), "no file sum.cpp");
}
