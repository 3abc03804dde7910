//! Items in macros of Rust.

use slope_syntax::{Language, Limits, Profile, SyntaxTree, callables, parse};

fn tree(code: &str) -> SyntaxTree {
    parse(
        Language::by_id("rust").unwrap(),
        code.as_bytes(),
        &Limits::default(),
    )
    .unwrap()
}

fn names(code: &str) -> Vec<(String, u32)> {
    let tree = tree(code);
    check(&tree);
    let found = callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope));
    found
        .into_iter()
        .map(|found| (found.name, found.complexity))
        .collect()
}

/// Every node is in its parent, and ends where the next begins.
fn check(tree: &SyntaxTree) {
    for index in 1..tree.node(0).end {
        let (node, parent) = (tree.node(index), tree.node(tree.node(index).parent));
        assert!(node.parent < index && node.end <= parent.end && node.end > index);
        assert!(parent.start_byte <= node.start_byte && node.end_byte <= parent.end_byte);
        assert!(tree.children(node.parent).any(|child| child == index));
    }
}

#[test]
fn items_in_macros_are_found() {
    let code = "cfg_if::cfg_if! {\n    if #[cfg(unix)] {\n        fn f(x: u8) { if x > 1 { g(); } }\n    } else {\n        mod m { pub fn h() {} }\n        fn f() {}\n    }\n}\nfn after() {}\n";
    let found = names(code);
    let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(found, [("f", 2), ("m.h", 1), ("f", 1), ("after", 1)]);
    let code = "impl A {\n    cfg_rt! {\n        /// Doc.\n        pub fn f(&self) { while x {} }\n    }\n}\ncfg_io! { cfg_net! { fn g() {} } use a::b; }\n";
    let found = names(code);
    let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(found, [("A.f", 2), ("g", 1)]);
    let code = "cfg_net!(\n    impl A {\n        fn f(&self) {}\n    }\n);\nflags! { struct B: u8 { const X = 1; } impl B { fn g() {} } }\n";
    let found = names(code);
    let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(found, [("A.f", 1), ("B.g", 1)]);
    let code = "impl A { cfg_io! { fn f(&self) { while x {} } } }\n";
    let before = "fn x() {}\n";
    assert_eq!(names(&format!("{before}{code}"))[1].0, "A.f");
}

#[test]
fn other_macros_stay_tokens() {
    for code in [
        "macro_rules! m { ($x:ident) => { fn $x() {} } }\n",
        "lazy_static! { static ref X: u8 = { fn f() {} 1 }; }\n",
        "fn f() { quote! { fn g() {} } }\n",
        "html! { <b>fn</b> }\n",
    ] {
        assert!(names(code).iter().all(|(name, _)| name == "f"), "{code}");
    }
}
