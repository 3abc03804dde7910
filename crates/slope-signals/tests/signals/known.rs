//! Conditions whose answer the code around them gives.

mod collections;
mod outer;
mod ranges;
mod types;
mod values;

use crate::common::quoted_in_changes;

/// Asserts how many impossible checks slope reports in each body of a function.
fn check(path: &str, wrap: fn(&str) -> String, cases: &[(&str, usize)]) {
    for &(body, expected) in cases {
        let code = wrap(body);
        let found = quoted_in_changes("impossible-check", &[(path, &code)]);
        assert_eq!(found.len(), expected, "{code}");
    }
}

fn python(body: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!("def f(a, b):\n    {body}\n")
}

fn script(body: &str) -> String {
    format!("const f = (a, b) => {{ {body} }};\n")
}

fn go(body: &str) -> String {
    format!("package a\n\nfunc f(a string, n uint, b []int) {{\n{body}\n}}\n")
}

fn rust(body: &str) -> String {
    format!("fn f(a: &[u8], n: usize, b: Option<u8>) {{ {body} }}\n")
}
