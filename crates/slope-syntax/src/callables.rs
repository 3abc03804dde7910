//! Functions with complexity, size and nesting.
//!
//! All numbers come from single passes over the flat tree: decisions as prefix
//! sums over nodes, sizes as prefix sums over rows.

use crate::language::Roles;
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::SyntaxTree;

/// What is known of one callable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallableFacts {
    /// Dotted name: enclosing classes and callables, then its own.
    pub name: String,
    /// Index of its node.
    pub node: u32,
    /// Cyclomatic complexity: 1 plus the decisions in it, nested callables included.
    pub complexity: u32,
    /// Source lines from its first to its last line.
    pub sloc: u32,
    /// Deepest nesting of control statements, those of nested callables left out.
    pub nesting: u32,
}

/// What a node hands down to its children.
#[derive(Clone, Copy)]
struct Inherited {
    /// Control statements around it, from the nearest definition on.
    depth: u32,
    /// Index in the result of the callable it belongs to.
    owner: Option<u32>,
    /// Index of the nearest definition's name.
    scope: u32,
    /// Whether only definitions and their bodies lie between it and the root.
    reached: bool,
}

/// The callables of a file in order of position.
///
/// In [`Profile::Paper`] a definition below a control statement is no callable;
/// in [`Profile::Slope`] every definition is one.
#[must_use]
pub fn callables(tree: &SyntaxTree, profile: Profile, source: &LineSet) -> Vec<CallableFacts> {
    let decisions = decision_prefix(tree, profile);
    let size = size_prefix(tree, profile, source);
    let mut found: Vec<CallableFacts> = Vec::new();
    let mut names = vec![String::new()];
    let mut inherited: Vec<Inherited> = Vec::with_capacity(tree.nodes().len());
    let outermost = Inherited {
        depth: 0,
        owner: None,
        scope: 0,
        reached: true,
    };
    for (index, node) in (0u32..).zip(tree.nodes()) {
        let mut here = inherited
            .get(node.parent as usize)
            .copied()
            .unwrap_or(outermost);
        let roles = tree.info(index).roles;
        if roles.any(Roles::CALLABLE.and(Roles::CLASS)) {
            let name = dotted(&names[here.scope as usize], own_name(tree, index));
            here.scope = u32::try_from(names.len()).unwrap_or(u32::MAX);
            names.push(name);
        }
        if roles.any(Roles::CALLABLE) {
            here.depth = 0;
            here.owner = None;
            if profile == Profile::Slope || here.reached {
                here.owner = u32::try_from(found.len()).ok();
                found.push(CallableFacts {
                    name: names[here.scope as usize].clone(),
                    node: index,
                    complexity: 1 + decisions[node.end as usize] - decisions[index as usize],
                    sloc: size[node.end_row as usize + 1] - size[node.start_row as usize],
                    nesting: 0,
                });
            }
        }
        if roles.any(Roles::NESTING) {
            here.depth += 1;
            if let Some(owner) = here.owner {
                let callable = &mut found[owner as usize];
                callable.nesting = callable.nesting.max(here.depth);
            }
        }
        let passes = Roles::TRANSPARENT.and(Roles::CALLABLE).and(Roles::CLASS);
        here.reached &= index == 0 || roles.any(passes);
        inherited.push(here);
    }
    found
}

fn dotted(outer: &str, own: &str) -> String {
    if outer.is_empty() {
        own.to_owned()
    } else {
        format!("{outer}.{own}")
    }
}

/// A definition's name: the first identifier that is a direct child.
fn own_name(tree: &SyntaxTree, index: u32) -> &str {
    tree.children(index)
        .find(|&child| tree.info(child).roles.any(Roles::IDENTIFIER))
        .map_or("?", |child| tree.node_text(child))
}

/// Before each node, how many nodes decide; one entry more than nodes.
fn decision_prefix(tree: &SyntaxTree, profile: Profile) -> Vec<u32> {
    let mut prefix = Vec::with_capacity(tree.nodes().len() + 1);
    let mut sum = 0;
    prefix.push(0);
    for index in (0u32..).take(tree.nodes().len()) {
        let roles = tree.info(index).roles;
        let arm = profile == Profile::Slope && roles.any(Roles::ARM) && !tree.is_catch_all(index);
        let parent = tree.info(tree.node(index).parent).roles;
        let joins = roles.any(Roles::LOGICAL_OPERATOR) && parent.any(Roles::LOGICAL);
        sum += u32::from(roles.any(Roles::DECISION) || arm || joins);
        prefix.push(sum);
    }
    prefix
}

/// Before each row, how many rows count towards a callable's size.
fn size_prefix(tree: &SyntaxTree, profile: Profile, source: &LineSet) -> Vec<u32> {
    let rows = tree.node(0).end_row.max(tree.physical_lines()) + 1;
    match profile {
        Profile::Slope => source.prefix_counts(rows),
        Profile::Paper => {
            let mut lines = LineSet::with_rows(rows);
            for row in 0..rows {
                let text = tree.row_text(row).trim();
                if !text.is_empty() && !text.starts_with('#') {
                    lines.insert(row);
                }
            }
            lines.prefix_counts(rows)
        }
    }
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
            "def g():\n    return a or b",
            "return lambda: a or b",
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
    fn arms_of_a_match_count_in_the_slope_profile_only() {
        let body = "match a:\n    case 1: pass\n    case [x, y]: pass\n    case _: pass";
        assert_eq!(complexity(body), (3, 1));
        // A guarded wildcard does decide; its guard counts in both.
        let body = "match a:\n    case 1: pass\n    case _ if b: pass";
        assert_eq!(complexity(body), (4, 2));
    }

    #[test]
    fn definitions_below_control_are_callables_in_the_slope_profile_only() {
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
    fn nesting_is_that_of_the_callable_itself() {
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
    fn async_definitions_are_callables() {
        let code = "async def f():\n    async for x in y:\n        pass\n";
        let found = facts(code, Profile::Slope);
        assert_eq!((found[0].complexity, found[0].nesting), (2, 1));
    }
}
