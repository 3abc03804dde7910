//! Functions with complexity, size, nesting and parameters.
//!
//! [`Profile::Slope`] is in `scan`, [`Profile::Paper`] in `paper`; each is linear
//! in the size of the tree and recurses nowhere.

use std::collections::HashMap;

use slope_model::measurement::{CallableKind, TableRows};

use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;
use crate::{paper, scan};

/// Facts about one callable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallableFacts {
    /// Dotted name: enclosing classes and callables, then its own. An anonymous lambda gets the
    /// name of the function that it is passed to, with a number from the second on.
    pub name: String,
    /// Its kind.
    pub kind: CallableKind,
    /// Index of its node.
    pub node: u32,
    /// Index of the last node that makes it up: its own, except for functions that
    /// are written as several equations.
    pub last: u32,
    /// Cyclomatic complexity: 1 plus the decisions in it. Those of nested callables
    /// are left out in [`Profile::Slope`] and included in [`Profile::Paper`].
    pub complexity: u32,
    /// Cognitive complexity, nested callables left out.
    pub cognitive: u32,
    /// Decisions that are rows of tables.
    pub tables: TableRows,
    /// Parameters, receivers excluded.
    pub parameters: u32,
    /// Source lines. In [`Profile::Slope`]: lines with a token of the callable itself, and more if
    /// it packs more onto a line than anybody reads. In [`Profile::Paper`]: all lines from the
    /// first to the last.
    pub sloc: u32,
    /// Source lines with a token of the callable itself; fewer than [`Self::sloc`] for packed code.
    pub rows: u32,
    /// Deepest nesting of control statements, those of nested callables left out.
    pub nesting: u32,
    /// Whether a part of it does not parse, so that its numbers are lower bounds; never in
    /// [`Profile::Paper`].
    pub is_lower_bound: bool,
}

impl CallableFacts {
    /// A function at a node, without any counts.
    pub(crate) fn new(node: u32) -> Self {
        Self {
            name: String::new(),
            kind: CallableKind::Function,
            node,
            last: node,
            complexity: 1,
            cognitive: 0,
            tables: TableRows::default(),
            parameters: 0,
            sloc: 0,
            rows: 0,
            nesting: 0,
            is_lower_bound: false,
        }
    }
}

/// The callables of a file in order of position.
///
/// In [`Profile::Paper`] definitions below a control statement and lambdas are not callables; in
/// [`Profile::Slope`] every definition is one, and so is every lambda that decides anything or has
/// more than one statement.
#[must_use]
pub fn callables(tree: &SyntaxTree, profile: Profile, source: &LineSet) -> Vec<CallableFacts> {
    file_callables(tree, profile, source).callables
}

/// The callables of a file, and the code outside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCallables {
    /// In order of position, as [`callables`] gives them.
    pub callables: Vec<CallableFacts>,
    /// Cognitive complexity of the control structures outside of callables; boolean operators left
    /// out, and conditional expressions and handlers that are in no other structure; `None` in
    /// [`Profile::Paper`], which does not define it.
    pub cognitive_outside: Option<u32>,
}

/// As [`callables`], with the code outside them.
#[must_use]
pub fn file_callables(tree: &SyntaxTree, profile: Profile, source: &LineSet) -> FileCallables {
    let (ours, outside) = scan::callables(tree, source);
    match profile {
        Profile::Slope => FileCallables {
            callables: ours,
            cognitive_outside: Some(outside),
        },
        Profile::Paper => FileCallables {
            callables: of_paper(tree, &ours),
            cognitive_outside: None,
        },
    }
}

/// The callables of [`Profile::Paper`], with what that profile does not define from slope's own.
fn of_paper(tree: &SyntaxTree, ours: &[CallableFacts]) -> Vec<CallableFacts> {
    let by_node: HashMap<u32, &CallableFacts> = ours.iter().map(|f| (f.node, f)).collect();
    let mut found = paper::callables(tree);
    for facts in &mut found {
        facts.rows = facts.sloc;
        if let Some(ours) = by_node.get(&facts.node) {
            facts.kind = ours.kind;
            facts.cognitive = ours.cognitive;
            facts.tables = ours.tables;
            facts.parameters = ours.parameters;
        }
    }
    found
}

/// Complexity and size of each callable by [`Profile::Paper`], in order of position, and nothing
/// else: to report along with another profile.
#[must_use]
pub fn paper_sizes(tree: &SyntaxTree) -> Vec<(u32, u32)> {
    let found = paper::callables(tree);
    found.iter().map(|f| (f.complexity, f.sloc)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Limits, parse};

    fn facts(code: &str, profile: Profile) -> Vec<CallableFacts> {
        let language = Language::by_id("python").unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(tree.errors(), None, "{code}");
        callables(&tree, profile, &tree.source_lines(profile))
    }

    fn complexity(body: &str) -> (u32, u32) {
        let code = format!("def f(a, b):\n    {}\n", body.replace('\n', "\n    "));
        let of = |profile| facts(&code, profile)[0].complexity;
        (of(Profile::Slope), of(Profile::Paper))
    }

    #[test]
    fn each_deciding_kind_counts_once() {
        for body in [
            "if a: pass",
            "for x in a: pass",
            "while a: pass",
            "assert a",
            "return [x for x in a]",
            "return {x for x in a}",
            "return {x: 1 for x in a}",
            "return sum(x for x in a)",
            "return a and b",
            "return a or b",
            "return a if b else 0",
            "try: pass\nexcept E: pass",
            "if a: pass\nelse: pass",
            "for x in a: pass\nelse: pass",
        ] {
            assert_eq!(complexity(body), (2, 2), "{body}");
        }
        for body in [
            "if a: pass\nelif b: pass",
            "return [x for x in a if x]",
            "return a and b or a",
            "return [x for x in a for y in b if y]",
        ] {
            assert_eq!(complexity(body), (3, 3), "{body}");
        }
        for body in ["with a: pass", "return not a", "return a < b < 3", "pass"] {
            assert_eq!(complexity(body), (1, 1), "{body}");
        }
    }

    #[test]
    fn slope_profile_counts_nested_decisions_once() {
        for body in ["def g():\n    return a or b", "return lambda: a or b"] {
            assert_eq!(complexity(body), (1, 2), "{body}");
        }
    }

    #[test]
    fn match_arms_count_in_slope_profile() {
        let body = "match a:\n    case 1: pass\n    case [x, y]: pass\n    case _: pass";
        assert_eq!(complexity(body), (3, 1));
        // A guarded wildcard does decide; its guard counts in both.
        let body = "match a:\n    case 1: pass\n    case _ if b: pass";
        assert_eq!(complexity(body), (4, 2));
    }

    #[test]
    fn slope_profile_finds_definitions_under_control() {
        let code = "\
class C:
    @dec
    def m(self):
        def inner(): pass
if x:
    def hidden():
        def deeper(): pass
    class D:
        def also(self): pass
";
        let names =
            |profile| -> Vec<String> { facts(code, profile).into_iter().map(|f| f.name).collect() };
        assert_eq!(names(Profile::Paper), ["C.m", "C.m.inner"]);
        assert_eq!(
            names(Profile::Slope),
            ["C.m", "C.m.inner", "hidden", "hidden.deeper", "D.also"]
        );
    }

    #[test]
    fn sizes_follow_the_profile() {
        let code = "\
@dec
def f():
    \"\"\"Two
    lines.\"\"\"

    # note
    return (
        1
    )
";
        assert_eq!(facts(code, Profile::Slope)[0].sloc, 4);
        assert_eq!(facts(code, Profile::Paper)[0].sloc, 6);
    }

    #[test]
    fn nesting_excludes_inner_callables() {
        let code = "\
def f(a):
    if a:
        for x in a:
            with x:
                pass
    elif a:
        pass
    def g():
        while a:
            try:
                pass
            finally:
                match a:
                    case 1:
                        if a: pass
";
        let nesting: Vec<_> = facts(code, Profile::Slope)
            .iter()
            .map(|f| f.nesting)
            .collect();
        assert_eq!(nesting, [3, 4]);
    }

    #[test]
    fn top_level_structures_are_counted_separately() {
        let code = "\
A = b or c
B = x if b else c
C = x if b else y if c else z
try:
    import d
except ImportError:
    d = None
if A:
    for x in A:
        def f():
            if x: pass
class C:
    if B and A: pass
";
        let language = Language::by_id("python").unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let found = |profile| file_callables(&tree, profile, &tree.source_lines(profile));
        let ours = found(Profile::Slope);
        // A choice within a choice, `if`, `for` in it, `if` of the class; not what `f` holds, nor `or`,
        // nor a choice or a handler by itself.
        assert_eq!(ours.cognitive_outside, Some(2 + 1 + 2 + 1));
        assert_eq!(ours.callables[0].cognitive, 1);
        assert_eq!(found(Profile::Paper).cognitive_outside, None);
    }

    #[test]
    fn packed_lines_count_their_statements() {
        let sizes = |code: &str| {
            let found = facts(code, Profile::Slope);
            (found[0].sloc, found[0].rows)
        };
        let adds: String = (0..10).map(|n| format!("a += {n}; ")).collect();
        assert_eq!(sizes(&format!("def f(a): {adds}return a\n")), (12, 1));
        let sum: Vec<String> = (0..60).map(|n| format!("a{n}")).collect();
        let sum = sum.join(" + ");
        assert_eq!(sizes(&format!("def f(a): return {sum}\n")), (4, 1));
        // What people write is not packed: two statements on a line, and definitions.
        assert_eq!(
            sizes("def f(a):\n    if a: return 1\n    b(); c()\n"),
            (3, 3)
        );
        let inner = "    def g(): return 1\n".repeat(8);
        assert_eq!(sizes(&format!("def f(a):\n{inner}    return g\n")), (2, 2));
    }

    #[test]
    fn async_definitions_are_callables() {
        let code = "async def f():\n    async for x in y:\n        pass\n";
        let found = facts(code, Profile::Slope);
        assert_eq!((found[0].complexity, found[0].nesting), (2, 1));
    }
}
