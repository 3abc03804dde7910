//! Findings whose advice would not apply in their place.

use slope_measure::{Options, measure_files};

/// Rule and line of each finding of some rules in a file.
fn found(path: &str, text: &str, rules: &[&str]) -> Vec<(String, u32)> {
    let options = Options::trusting("2026-11-22".parse().unwrap());
    let measured = measure_files([(path, text)], &options).unwrap();
    let findings = measured.findings.into_iter();
    let findings = findings.filter(|f| rules.contains(&f.rule.as_str()));
    findings.map(|f| (f.rule, f.span.start_line)).collect()
}

#[test]
fn advice_never_names_function_itself() {
    let text = |name: &str| {
        format!(
            "def {name}(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n"
        )
    };
    let rules = ["sum-loop", "sum-kept-by-hand"];
    assert_eq!(found("a.py", &text("sum"), &rules), []);
    assert_ne!(found("a.py", &text("price"), &rules), []);
}

#[test]
fn shadowed_names_are_not_advised() {
    let text = "from numpy import sum\n\n\ndef price(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n";
    assert_eq!(found("a.py", text, &["sum-loop", "sum-kept-by-hand"]), []);
}

#[test]
fn explained_handlers_are_not_reported() {
    for (path, text, lines) in [
        (
            "A.java",
            "class A {\n  void f() {\n    try { g(); } catch (Exception e) {} // best effort\n    h();\n    try { g(); } catch (Exception e) {}\n    h();\n  }\n}\n",
            vec![5],
        ),
        (
            "a.cpp",
            "void f() {\n  try { g(); } catch (...) {} // best effort\n  try { g(); } catch (const A& ignored) {}\n  try { g(); } catch (...) {}\n}\n",
            vec![4],
        ),
        (
            "a.ts",
            "async function f(a: A) {\n  await a.g().catch(() => {}); // best effort\n  try { await a.g(); } catch (_) {}\n  await a.g().catch(() => {});\n}\n",
            vec![4],
        ),
        (
            "a.go",
            "package p\n\nfunc f() {\n\tif err := g(); err != nil {\n\t} // best effort\n\tif err := g(); err != nil {\n\t}\n}\n",
            vec![6],
        ),
        (
            "a.py",
            "def f():\n    # Nothing is lost.\n    try:\n        g()\n    except Exception:\n        pass\n    h()\n    try:\n        g()\n    except Exception:\n        pass\n",
            vec![10],
        ),
    ] {
        let told = found(path, text, &["swallowed-exception", "swallowed-error"]);
        let told: Vec<u32> = told.into_iter().map(|(_, line)| line).collect();
        assert_eq!(told, lines, "{path}");
    }
}
