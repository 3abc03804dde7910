//! Collections and counters that nothing reads.

use crate::common::quoted_in_changes;

/// Names of the locals of a file that nothing reads.
fn unread(path: &str, code: &str) -> Vec<String> {
    quoted_in_changes("unused-local", &[(path, code)])
}

#[test]
fn collections_filled_and_never_read() {
    for (path, code) in [
        (
            "a.py",
            "def f(a):\n    out = []\n    for b in a:\n        out.append(b)\n    return a\n",
        ),
        (
            "a.ts",
            "function f(a) { const out = []; for (const b of a) { out.push(b); } return a; }",
        ),
        (
            "a.ts",
            "function f(a) { const out = new Map(); out.set(a, 1); return a; }",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a []int) int {\n\tvar out []int\n\tfor _, b := range a {\n\t\tout = append(out, b)\n\t}\n\treturn 1\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a []int) int {\n\tout := map[int]int{}\n\tout[1] = 2\n\treturn 1\n}\n",
        ),
        (
            "a.rs",
            "fn f(a: u8) -> u8 { let mut out = Vec::new(); out.push(a); a }",
        ),
        (
            "A.java",
            "class A { int f(int a) { List<Integer> out = new ArrayList<>(); out.add(a); return a; } }",
        ),
    ] {
        assert_eq!(unread(path, code), ["out"], "{code}");
    }
}

#[test]
fn escaping_collections_count_as_read() {
    for (path, code) in [
        (
            "a.py",
            "def f(a):\n    out = []\n    g(out)\n    out.append(a)\n    return a\n",
        ),
        (
            "a.py",
            "def f(a):\n    out = a.items\n    out.append(a)\n    return a\n",
        ),
        (
            "a.py",
            "def f(a):\n    out = []\n    if out.append(a):\n        return 1\n    return a\n",
        ),
        (
            "a.ts",
            "function f(a) { const out = []; const n = out.push(a); return n; }",
        ),
        (
            "a.ts",
            "function f(a) { const out = a.list; out.push(1); return a; }",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a []int) []int {\n\tvar out []int\n\ta = append(out, 1)\n\treturn a\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a T) int {\n\tout := a.list\n\tout[1] = 2\n\treturn 1\n}\n",
        ),
        (
            "a.rs",
            "fn f(a: u8) -> u8 { let mut out = Vec::new(); out.push(a); println!(\"{out:?}\"); a }",
        ),
    ] {
        assert_eq!(unread(path, code), [""; 0], "{code}");
    }
}

#[test]
fn read_counters_pass() {
    for (path, code) in [
        ("a.ts", "function f(a) { let out = 0; return g(out++); }"),
        (
            "a.go",
            "package a\n\nfunc f(a []int) int {\n\tout := 0\n\tfor range a {\n\t\tout++\n\t}\n\treturn out\n}\n",
        ),
    ] {
        assert_eq!(unread(path, code), [""; 0], "{code}");
    }
}

#[test]
fn aliases_count_as_read() {
    for (path, code) in [
        (
            "a.py",
            "def f(a):\n    out = []\n    if a:\n        out = a.items\n    out.append(1)\n    return a\n",
        ),
        (
            "a.ts",
            "function f(a) { let out = []; if (a) { out = a.list; } out.push(1); return a; }",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a T) int {\n\tvar out []int\n\tout = a.list\n\tout[0] = 2\n\treturn 1\n}\n",
        ),
    ] {
        assert_eq!(unread(path, code), [""; 0], "{code}");
    }
}

#[test]
fn unread_counters_are_found() {
    for (path, code) in [
        (
            "a.go",
            "package a\n\nfunc f(a []int) int {\n\tout := 0\n\tfor range a {\n\t\tout++\n\t}\n\treturn 1\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(a []T) int {\n\tout := time.Duration(0)\n\tfor _, b := range a {\n\t\tout += b.took\n\t}\n\treturn 1\n}\n",
        ),
        (
            "a.ts",
            "function f(a) { let out = 0; for (const b of a) { out += b; } return a; }",
        ),
        (
            "a.py",
            "def f(a):\n    out = 0\n    for b in a:\n        out += b\n    return a\n",
        ),
    ] {
        assert_eq!(unread(path, code), ["out"], "{code}");
    }
}
