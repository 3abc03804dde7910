//! Checks of what functions in other files always give back.

mod common;

use common::quoted_in_changes;

fn checks(files: &[(&str, &str)]) -> usize {
    quoted_in_changes("impossible-check", files).len()
}

#[test]
fn declared_results_answer_checks() {
    let definition = "def executable() -> str:\n    return find()\n";
    let user = |import: &str| {
        format!(
            "{import}\n\ndef f():\n    git = executable()\n    if git is None:\n        return 1\n    return git\n"
        )
    };
    let own = user("from pkg.git import executable");
    assert_eq!(checks(&[("pkg/git.py", definition), ("pkg/a.py", &own)]), 1);
    // A library has a function of the same name.
    let other = user("from shell import executable");
    assert_eq!(
        checks(&[("pkg/git.py", definition), ("pkg/a.py", &other)]),
        0
    );
    let optional = definition.replace("-> str", "-> str | None");
    assert_eq!(checks(&[("pkg/git.py", &optional), ("pkg/a.py", &own)]), 0);
    // One of two functions may give back nothing.
    let unknown = "def executable():\n    return find()\n";
    let files = [
        ("pkg/git.py", definition),
        ("pkg/hg.py", unknown),
        ("pkg/a.py", own.as_str()),
    ];
    assert_eq!(checks(&files), 0);
}

#[test]
fn returns_of_go_answer_checks() {
    let definition = "package a\n\ntype Set map[string]bool\n\nfunc (s Set) CloneAll() Set {\n\tc := make(Set, len(s))\n\tfor k := range s {\n\t\tc[k] = true\n\t}\n\treturn c\n}\n";
    let user = "package a\n\nfunc (s Set) With() Set {\n\tc := s.CloneAll()\n\tif c == nil {\n\t\treturn Set{}\n\t}\n\treturn c\n}\n";
    assert_eq!(checks(&[("a/set.go", definition), ("a/b.go", user)]), 1);
    let may_fail = definition.replace("\tc :=", "\tif s == nil {\n\t\treturn nil\n\t}\n\tc :=");
    assert_eq!(checks(&[("a/set.go", &may_fail), ("a/b.go", user)]), 0);
    let count = "package a\n\nfunc (s Set) PortCount() uint {\n\treturn s.n\n}\n";
    let below = "package a\n\nfunc (s Set) IsWide() bool {\n\tn := s.PortCount()\n\tif n < 0 {\n\t\treturn false\n\t}\n\treturn true\n}\n";
    assert_eq!(checks(&[("a/set.go", count), ("a/b.go", below)]), 1);
}

#[test]
fn returns_of_scripts_answer_checks() {
    let definition = "export function envFiles(dir) {\n  if (dir) {\n    return ['a', 'b'];\n  }\n  return [];\n}\n";
    let user = "import { envFiles } from './env';\n\nexport function f(dir) {\n  const files = envFiles(dir);\n  if (!Array.isArray(files)) {\n    return 0;\n  }\n  return files.length;\n}\n";
    assert_eq!(checks(&[("src/env.ts", definition), ("src/a.ts", user)]), 1);
    let waits = definition.replace("export function", "export async function");
    assert_eq!(checks(&[("src/env.ts", &waits), ("src/a.ts", user)]), 0);
    let open = definition.replace("  return [];\n", "");
    assert_eq!(checks(&[("src/env.ts", &open), ("src/a.ts", user)]), 0);
    let given_away = definition.replace("return [];", "return null;");
    assert_eq!(
        checks(&[("src/env.ts", &given_away), ("src/a.ts", user)]),
        0
    );
}
