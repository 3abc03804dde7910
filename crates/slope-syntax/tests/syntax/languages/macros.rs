//! Functions that macros make, or surround.

use super::{facts, lists, tree};
use slope_syntax::{Profile, callables};

#[test]
fn macro_defined_tests_are_functions() {
    lists(
        "cpp",
        "\
TEST_CASE(\"adds up\", \"[sum]\") {
    if (a) { b(); }
    SECTION(\"in\") {
        c();
    }
}
namespace n {
// With a fixture.
TEST_CASE_METHOD(Fixture, \"m\") {
    REQUIRE(1);
}
}
TEST(Suite, Name) {
    EXPECT_EQ(1, a ? b : c);
}
class URL { URL(int a) {} };
",
        &[
            ("TEST_CASE(\"adds up\")", 'F', 0, 3, 2),
            ("n.TEST_CASE_METHOD(\"m\")", 'F', 0, 1, 1),
            ("TEST(Suite, Name)", 'F', 0, 2, 2),
            ("URL.URL", 'M', 1, 1, 1),
        ],
    );
    lists(
        "c",
        "PHP_FUNCTION(count)\n{\n    a();\n}\nTEST(a, b) {\n    if (c) { d(); }\n}\n",
        &[
            ("PHP_FUNCTION(count)", 'F', 0, 2, 1),
            ("TEST(a, b)", 'F', 0, 1, 2),
        ],
    );
}

#[test]
fn blocks_after_statements_are_not_functions() {
    let code = "void f() { TEST_CASE(\"a\") { if (b) { c(); } } }\n";
    let found = facts("cpp", code);
    assert_eq!((found.len(), found[0].complexity), (1, 2));
    let code = "void f() {\n    try { a(); }\n    CATCH(...) { b(); }\n}\n";
    let tree = tree("cpp", code);
    let found = callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope));
    assert_eq!(found.len(), 1);
    assert_eq!(facts("cpp", "int a;\nnamespace n { int b; }\n"), []);
}

#[test]
fn conversion_operators_are_named_by_type() {
    lists(
        "cpp",
        "\
struct A {
    operator bool() const { return a && b; }
};
A::operator int() const { return 1; }
n::A::operator const char*() const { return 0; }
",
        &[
            ("A.operator bool", 'M', 0, 1, 2),
            ("A::operator int", 'M', 0, 1, 1),
            ("n::A::operator const char*", 'M', 0, 1, 1),
        ],
    );
}

#[test]
fn blocks_after_macros_are_not_errors() {
    let is_whole = |language, code| tree(language, code).errors().is_none();
    assert!(is_whole(
        "cpp",
        "TEST_CASE(\"a\") { SECTION(\"b\") { c(); } }\n"
    ));
    assert!(is_whole("c", "void f() { for_each(a, b) { c(); } }\n"));
    assert!(!is_whole("c", "void f() { return { c(); } }\n"));
    assert!(!is_whole("cpp", "void f() { a = b { c(); } }\n"));
}

/// The grammar takes a macro behind a declarator for an error, or for the function itself.
#[test]
fn macros_after_declarator_keep_function_name() {
    let code = "\
void f(int a) NOEXCEPT { if (a) b(); }
void A::g(int a, int b) const GUARDED_BY(mu) { if (a) b(); }
class Z { Status h() LOCKS_REQUIRED(mu) { return b(); } };
API n::k::k(int a) : b_(a) {}
";
    let tree = tree("cpp", code);
    let found = callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope));
    let found: Vec<_> = found
        .iter()
        .map(|f| (f.name.as_str(), f.parameters))
        .collect();
    assert_eq!(found, [("f", 1), ("A.g", 2), ("Z.h", 0), ("n.k.k", 1)]);
}
