//! The engine against ast-grep's own matcher, one feature at a time.

use std::path::PathBuf;

use proptest::prelude::*;
use slope_rules::oracle::Oracle;
use slope_rules::{Comments, RuleSet};
use slope_syntax::{Language, Limits, parse};

/// Code with much of what rules look at: comments in odd places, elses, nesting,
/// repeated code, errors.
const PYTHON: &str = r#"
import os, sys  # first
def f(a, b=1, *c):
    # before the body
    x = a
    x = (a)
    if a == b and b == a:
        return [y for y in c]
    elif a == b:  # two
        return None
    else:
        pass
    try:
        g(a, a); g(a, b); g(a , a , b)
    except (E, F) as e:
        raise
    for i in range(len(c)):
        print(c[i], c[i], sep='')
    return x

class C(object):
    """doc"""
    y = f(1, (2), "s", 's')
    def m(self): return self.m().n(self, *self.z)  # m
    @d
    # between
    async def k(self, a): await a.b.c.get(1).get(1)

while True:
    f(f(f(1)))
    f(
        # only
        1,
    )
    lambda q: q
x = {'a': 1, 'b': [1, 2, [1, 2]], **z}
x = {'a': 1, 'b': [1, 2, [1, 2]], **z}
print f(1
"#;

const TYPESCRIPT: &str = r#"
import { a, type B } from "m"; // first
export async function f<T>(x: T, ...y: number[]): Promise<void> {
  if (x) { return; } else if (y) { g(x, x); } else { /* none */ }
  const h = async (q: string | null) => q ?? `t${q}`;
  for (const i of y) { console.log(i, i as any, i!); }
  try { await h("a")!; } catch { }
  return x ? a?.b : a?.b;
}
class C extends D<E> { private z = 1; get w() { return this.z; } static { f(1); } }
type U = { readonly [k in keyof T]?: T[k] };
let v = <const>{ a, b: [a, , a] }
let w: = 3;
"#;

const RUST: &str = r#"
/// doc
#[derive(Clone)]
pub fn f<'a, T: Copy>(x: &'a [T], y: Option<T>) -> Result<T, E> {
    // note
    let z = match y { Some(v) if v == v => v, Some(_) | None => return Err(E), };
    let s = x.iter().map(|a| a.clone()).collect::<Vec<_>>().unwrap().unwrap();
    if let Some(a) = y { g(a, a) } else { g(a, b); }
    println!("{}", z); vec![1, 2];
    loop { break; }
    unsafe { *p = 1; }
    Ok(z)
}
impl<T> A for B<T> where T: C { const N: u8 = 1; fn g(&self) { self.h()?; } }
fn ( {
"#;

const OTHERS: &[(&str, &str)] = &[
    (
        "javascript",
        "function f(a) { var b = a == null ? 1 : 2; return b; } // c\nf(1, 1); f(1, /* d */ 1);\n",
    ),
    (
        "tsx",
        "const a = <b c={d} {...e}>{f(1, 1)}text{/* g */}</b>; if (a) { f(1) } else { f(1) }\n",
    ),
    (
        "go",
        "package a\n\nfunc f(x int) (int, error) {\n\t// c\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tf(1, 1)\n\treturn x, nil\n}\n",
    ),
    (
        "java",
        "class A { int f(int a) { if (a == a) { return f(1, 1); } /* c */ try { } catch (E e) { } return 0; } }\n",
    ),
    (
        "c",
        "#include <a.h>\nint f(int *a) { if (a == NULL) { return f(1, 1); } /* c */ else { g(); } return 0; }\n",
    ),
    (
        "cpp",
        "template <class T> T f(T a) { if (a == nullptr) { return f(1, 1); } auto b = [&] { return a; }; return b(); }\n",
    ),
    (
        "csharp",
        "class A { int f(int a) { if (a == null) { return f(1, 1); } /* c */ var b = $\"x{a}\"; return b; } }\n",
    ),
    (
        "ruby",
        "def f(a)\n  if a == nil\n    return f(1, 1)\n  end # c\n  a.each { |b| puts b }\nend\n",
    ),
];

/// Conditions for one rule each, all without a kind of their own.
const PYTHON_RULES: &[&str] = &[
    // Patterns.
    "pattern: $A == $B and $B == $A",
    "pattern: f($$$A)",
    "pattern: f($A)",
    "pattern: f($$$)",
    "pattern: g($A, $A)",
    "pattern: g($A, $$$B)",
    "pattern: g($$$A, $B)",
    "pattern: g($$$A, $A)",
    "pattern: g($$$A, $B, $$$C)",
    "pattern: g($$$A, $$$A)",
    "pattern: '$A.get($B).get($B)'",
    "pattern: '$_.get($_)'",
    "pattern: '$$A'\nkind: comment",
    "pattern: $A\nkind: comment",
    "pattern: '{$$$A, **z}'",
    "pattern: '{$$$A, $B}'",
    "pattern: \"print($$$A, sep='')\"",
    "pattern: \"if $C:\\n  $$$B\"",
    "pattern: \"if $C:\\n  return $X\"",
    "pattern: \"if $C:\\n  $$$A\\nelif $C:\\n  $$$B\"",
    "pattern: \"def $F($$$P):\\n  $$$B\\n  return $X\"",
    "pattern: \"def $F($$$P):\\n  $A\"",
    "pattern: \"try:\\n  $$$A\\nexcept $$$B:\\n  raise\"",
    "pattern: \"for $I in range(len($C)):\\n  $$$B\"",
    "pattern: \"class $C(object):\\n  $$$B\"",
    "pattern: $X = $Y",
    "pattern: \"$X = {$$$Y}\"",
    "pattern: {context: 'x = {1: $A}', selector: dictionary}",
    "pattern: {context: 'f($A)', selector: argument_list}",
    "pattern: {context: 'def f($A): pass', selector: identifier}",
    "pattern: {context: 'g($A, $B)', strictness: cst}",
    "pattern: {context: 'g($A, $B)', strictness: smart}",
    "pattern: {context: 'g($A, $B)', strictness: ast}",
    "pattern: {context: 'g($A, $B)', strictness: relaxed}",
    "pattern: {context: 'g($A, $B)', strictness: signature}",
    "pattern: {context: 'g($A, $B)', strictness: template}\nkind: call",
    "pattern: {context: 'f(1)', strictness: cst}",
    "pattern: {context: 'f(1)', strictness: ast}",
    "pattern: {context: 'f(1)', strictness: relaxed}",
    "pattern: {context: 'f(1)', strictness: signature}",
    "pattern: {context: 'x = $$$A', strictness: relaxed}",
    "pattern: {context: 'g($$$A, b)', strictness: relaxed}",
    "pattern: 'lambda $$$A: $B'",
    "pattern: print f($A\nkind: ERROR",
    // Kinds and texts.
    "kind: comment",
    "kind: ERROR",
    "kind: call > argument_list",
    "kind: argument_list call",
    "kind: 'expression_statement + expression_statement'",
    "kind: 'if_statement ~ return_statement'",
    "kind: 'call, comment'",
    "kind: 'if_statement:has(return_statement)'",
    "kind: 'if_statement:has(> block)'",
    "kind: 'call:not(argument_list > call)'",
    "kind: 'block > :is(pass_statement, return_statement)'",
    "kind: 'expression_statement:nth-child(2n+1)'",
    "kind: 'expression_statement:nth-last-child(1)'",
    "kind: 'integer:nth-child(2 of integer)'",
    "kind: identifier\nregex: ^(a|b)$",
    "kind: identifier\nregex: ^[a-c]$",
    "kind: call\nregex: ^f",
    "kind: call\nregex: '\\)$'",
    "kind: call\nregex: get.*get",
    "kind: string\nregex: (?i)S",
    // Relations.
    "kind: call\nhas: {kind: identifier}",
    "kind: call\nhas: {kind: integer, stopBy: end}",
    "kind: call\nhas: {kind: integer, stopBy: {kind: call}}",
    "kind: call\nhas: {field: function, kind: attribute}",
    "kind: call\nhas: {field: arguments, kind: integer, stopBy: end}",
    "kind: call\nhas: {field: arguments, kind: integer, stopBy: {kind: string}}",
    "kind: if_statement\nhas: {field: alternative, kind: else_clause}",
    "kind: identifier\ninside: {kind: call}",
    "kind: identifier\ninside: {kind: call, stopBy: end}",
    "kind: identifier\ninside: {kind: call, field: function}",
    "kind: identifier\ninside: {kind: call, field: function, stopBy: end}",
    "kind: integer\ninside: {kind: assignment, stopBy: {kind: list}}",
    "kind: integer\ninside: {kind: assignment, field: right, stopBy: {kind: call}}",
    "kind: expression_statement\nprecedes: {kind: return_statement}",
    "kind: expression_statement\nprecedes: {kind: return_statement, stopBy: end}",
    "kind: expression_statement\nprecedes: {kind: return_statement, stopBy: {kind: try_statement}}",
    "kind: expression_statement\nfollows: {kind: comment}",
    "kind: expression_statement\nfollows: {kind: comment, stopBy: end}",
    "kind: expression_statement\nfollows: {kind: import_statement, stopBy: {kind: class_definition}}",
    "kind: module\nprecedes: {kind: comment, stopBy: end}",
    "pattern: $X = $V\nfollows: {pattern: $X = $V, stopBy: end}",
    "pattern: $X = $V\nprecedes: {pattern: $X = $W}",
    "kind: expression_statement\nhas: {pattern: $X = $V}\nprecedes: {has: {pattern: $X = $V}}",
    "kind: comment\nprecedes: {regex: '^def'}",
    // Positions.
    "kind: integer\nnthChild: 1",
    "kind: integer\nnthChild: 2n",
    "kind: integer\nnthChild: {position: 1, reverse: true}",
    "kind: expression_statement\nnthChild: {position: 2, ofRule: {kind: expression_statement}}",
    "kind: expression_statement\nnthChild: {position: -n+2, reverse: true, ofRule: {has: {kind: assignment}}}",
    "kind: expression_statement\nnthChild: {position: 1, ofRule: {pattern: $S}}",
    "kind: identifier\nrange: {start: {line: 2, column: 4}, end: {line: 2, column: 5}}",
    "kind: class_definition\nrange: {start: {line: 20}, end: {line: 26}}",
    // Combinations.
    "all: [{kind: call}, {pattern: f($A)}, {has: {kind: argument_list}}]",
    "any: [{pattern: f($A)}, {pattern: 'g($A, $B)'}, {kind: comment}]",
    "kind: call\nany: [{has: {pattern: $A}}, {pattern: f($A)}]",
    "kind: call\nnot: {has: {kind: call, stopBy: end}}",
    "kind: call\nnot: {pattern: $A($B)}",
    "kind: argument_list\nhas: {not: {kind: identifier}, pattern: $A}",
    "pattern: g($A, $B)\nnot: {pattern: 'g($A, $A)'}",
    "kind: call\nall: [{has: {pattern: $A, kind: identifier}}, {has: {kind: argument_list, has: {pattern: $A}}}]",
    // Conditions on variables, utilities.
    "pattern: g($A, $B)\nCONSTRAINTS: {B: {regex: ^b$}}",
    "pattern: $X = $V\nCONSTRAINTS: {V: {kind: dictionary, has: {pattern: $W}}, X: {kind: identifier}}",
    "kind: call\nmatches: inner\nUTILS: {inner: {has: {kind: argument_list, has: {pattern: $A}}}}",
    "kind: argument_list\nhas: {matches: deep}\nUTILS: {deep: {any: [{kind: integer}, {has: {matches: deep}}]}}",
    "matches: named\nUTILS: {named: {kind: identifier, inside: {kind: call}}}",
    "kind: call\nhas: {matches: same, stopBy: {matches: stop}}\nUTILS: {same: {pattern: $A, kind: integer}, stop: {kind: list}}",
];

const TYPESCRIPT_RULES: &[&str] = &[
    "pattern: g($A, $A)",
    "pattern: if ($A) { $$$B } else { $$$C }",
    "pattern: if ($A) { return; }",
    "pattern: 'try { $$$A } catch { }'",
    "pattern: '$A ? $B : $B'",
    "pattern: $A as any",
    "pattern: console.log($$$A)",
    "pattern: await $A",
    "pattern: 'async ($$$P) => $B'",
    "pattern: 'import { $$$A } from \"m\"'",
    "pattern: {context: 'class A { get w() { $$$B } }', selector: method_definition}",
    "kind: object > shorthand_property_identifier",
    "kind: array\nhas: {pattern: $A, nthChild: 1}",
    "kind: if_statement\nhas: {field: condition, has: {kind: identifier}}",
];

const RUST_RULES: &[&str] = &[
    "pattern: $A.unwrap()",
    "pattern: $A.unwrap().unwrap()",
    "pattern: g($A, $A)",
    "pattern: 'match $X { $$$A }'",
    "pattern: if let $P = $E { $$$A } else { $$$B }",
    "pattern: println!($$$A)",
    "pattern: 'loop { $$$A }'",
    "pattern: $A == $A",
    "pattern: 'fn $F($$$P) { $$$B }'",
    "kind: function_item\nhas: {kind: line_comment, stopBy: end}",
    "kind: match_arm\nhas: {field: pattern, regex: '^(None|Some)'}",
    "kind: let_declaration\nprecedes: {kind: let_declaration}",
];

const OTHER_RULES: &[&str] = &["pattern: f(1, 1)", "pattern: f($$$A)", "pattern: f($A, $A)"];

fn yaml(language: &str, id: usize, rule: &str) -> String {
    let mut body = String::new();
    let mut top = String::new();
    for line in rule.lines() {
        match line.split_once(':') {
            Some(("CONSTRAINTS", rest)) => top.push_str(&format!("constraints:{rest}\n")),
            Some(("UTILS", rest)) => top.push_str(&format!("utils:{rest}\n")),
            _ => body.push_str(&format!("  {line}\n")),
        }
    }
    format!("id: r{id}\nlanguage: {language}\nrule:\n{body}{top}")
}

fn set(language: &str, rules: &[&str]) -> RuleSet {
    let mut set = RuleSet::empty();
    let mut wrong = Vec::new();
    for (id, rule) in rules.iter().enumerate() {
        let text = yaml(language, id, rule);
        let files = [(PathBuf::from(format!("r{id}.yml")), text)];
        if let Err(error) = set.add_texts(&format!("{id}"), files) {
            wrong.push(format!("{rule}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    set
}

/// Compares on the code and on every part of it that begins with a line; returns
/// how many places were found and how many rules found any.
fn agree(language: &str, rules: &[&str], code: &str) -> (u64, usize) {
    let set = set(language, rules);
    let oracle = Oracle::new(&set).expect("rules that ast-grep takes");
    let language = Language::by_id(language).expect("a language");
    let starts = std::iter::once(0).chain(code.match_indices('\n').map(|(at, _)| at + 1));
    let mut whole = None;
    for start in starts {
        let tree = parse(language, &code.as_bytes()[start..], &Limits::default()).expect("text");
        let found = oracle.compare("code", &tree);
        let unequal: Vec<_> = found
            .unequal()
            .map(|((_, id), counts)| (rules[id[1..].parse::<usize>().expect("a number")], counts))
            .collect();
        assert!(unequal.is_empty(), "{unequal:#?}\n{}", &code[start..]);
        whole.get_or_insert(found);
    }
    let whole = whole.expect("the whole code");
    let hits = whole.rules.values().map(|counts| counts.own).sum();
    (hits, whole.rules.values().filter(|c| c.own > 0).count())
}

#[test]
fn python_features_match_ast_grep() {
    let (hits, rules) = agree("python", PYTHON_RULES, PYTHON);
    assert!(hits > 400, "{hits} hits");
    assert!(
        rules * 10 >= PYTHON_RULES.len() * 8,
        "{rules} rules of {} find something",
        PYTHON_RULES.len()
    );
}

#[test]
fn other_grammars_match_ast_grep() {
    let (hits, rules) = agree("typescript", TYPESCRIPT_RULES, TYPESCRIPT);
    assert!(hits >= 14 && rules >= 10, "{hits} hits of {rules} rules");
    let (hits, rules) = agree("rust", RUST_RULES, RUST);
    assert!(hits >= 12 && rules >= 9, "{hits} hits of {rules} rules");
    for (language, code) in OTHERS {
        let (hits, rules) = agree(language, OTHER_RULES, code);
        assert!(
            hits >= 2 && rules >= 2,
            "{language}: {hits} hits of {rules} rules"
        );
    }
}

/// A key of a dict for a number: the same code in several spellings, and many non-keys.
fn key(number: u32) -> String {
    let of = number / 5 % 150;
    match number % 5 {
        0 => format!("k{of}"),
        1 => format!("'k{of}'"),
        2 => format!("a.b{of}"),
        3 => format!("a . b{of}"),
        _ => format!("f'{{k{of}}} x'"),
    }
}

/// Searches among very many siblings, for which they make an index.
const AMONG_MANY: &[&str] = &[
    "kind: pair\nhas: {field: key, pattern: $K}\nprecedes: {stopBy: end, kind: pair, has: {field: key, pattern: $K}}",
    "kind: pair\nhas: {field: key, kind: attribute, pattern: $K}\nprecedes: {stopBy: end, kind: pair, all: [{has: {field: key, pattern: $K}}, {has: {field: value, pattern: $V}}]}",
    "kind: pair\nhas: {field: value, pattern: $K}\nprecedes: {stopBy: end, kind: pair, has: {field: key, pattern: $K}}",
    "kind: pair\nprecedes: {stopBy: end, kind: pair, has: {field: key, pattern: $K}}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sibling_searches_match_ast_grep(
        numbers in proptest::collection::vec((0u32..1_000, 0u32..1_000), 60..200),
    ) {
        let pairs: Vec<String> = numbers
            .iter()
            .map(|&(left, right)| format!("{}: {}", key(left), key(right)))
            .collect();
        let (hits, _) = agree("python", AMONG_MANY, &format!("x = {{{}}}", pairs.join(", ")));
        prop_assert!(hits > 0);
    }
}

/// The embedded pack on its own examples, by both engines.
#[test]
fn embedded_pack_matches_ast_grep() {
    let set = RuleSet::embedded().unwrap();
    let oracle = Oracle::new(&set).unwrap();
    let mut hits = 0;
    for rule in set.rules() {
        for (code, &language) in rule
            .valid
            .iter()
            .chain(&rule.invalid)
            .flat_map(|code| rule.languages.iter().map(move |l| (code, l)))
        {
            let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
            let found = oracle.compare(&rule.id, &tree);
            let unequal: Vec<_> = found.unequal().collect();
            assert!(unequal.is_empty(), "{unequal:#?}\n{code}");
            hits += found.rules.values().map(|counts| counts.own).sum::<u64>();
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn comment_significance_is_configurable() {
    let rules = ["pattern: g($A, 1)", "pattern: f(1)"];
    let found = |comments: Comments| {
        let mut set = set("python", &rules);
        set.set_comments(comments);
        let python = Language::by_id("python").unwrap();
        let code = "g(\n    # note\n    a, 1)\nf(\n    # only\n    1)\n";
        let tree = parse(python, code.as_bytes(), &Limits::default()).unwrap();
        let mut hits = Vec::new();
        set.scan(&tree, &mut hits);
        hits.iter().map(|hit| hit.rule).collect::<Vec<_>>()
    };
    assert_eq!(
        (found(Comments::Skipped), found(Comments::Significant)),
        (vec![0, 1], vec![])
    );
}

#[test]
fn stored_rules_round_trip_per_version() {
    let python = Language::by_id("python").unwrap();
    let tree = parse(python, PYTHON.as_bytes(), &Limits::default()).unwrap();
    let scan = |set: &RuleSet| {
        let mut hits = Vec::new();
        set.scan(&tree, &mut hits);
        let messages: Vec<_> = hits.iter().map(|hit| set.message(hit, &tree)).collect();
        (hits, messages)
    };
    for set in [set("python", PYTHON_RULES), RuleSet::embedded().unwrap()] {
        let bytes = set.to_bytes().unwrap();
        let back = RuleSet::from_bytes(&bytes).unwrap();
        assert_eq!(scan(&set), scan(&back));
        assert_eq!(set.packs(), back.packs());
        assert_eq!(back.to_bytes().unwrap(), bytes);
        assert!(RuleSet::from_bytes(&bytes[..bytes.len() / 2]).is_err());
        let text = RuleSet::from_bytes(&[&[3], &b"old"[..], &bytes[4..]].concat());
        assert!(text.is_err());
    }
}

#[test]
fn embedded_pack_is_cached_after_compilation() {
    let mut made = RuleSet::embedded_cached(|_| None).unwrap();
    let embedded = (made.packs().clone(), made.rules().len());
    // Later rules are not stored with it.
    let text = yaml("python", 0, PYTHON_RULES[0]);
    made.add_texts("theirs", [(PathBuf::from("a.yml"), text)])
        .unwrap();
    let hits = |set: &RuleSet, language: &str, code: &str| {
        let language = Language::by_id(language).unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let mut hits = Vec::new();
        set.scan(&tree, &mut hits);
        hits.retain(|hit| (hit.rule as usize) < embedded.1);
        hits
    };
    assert_eq!(made.fresh_programs(), 0);
    let found = hits(&made, "python", PYTHON);
    let fresh = made.fresh_programs();
    assert!(fresh > 100 && fresh < embedded.1, "{fresh} programs");
    let bytes = made.embedded_bytes().unwrap();

    let key = RuleSet::embedded_key();
    let load = |asked: &str| (asked == key).then(|| bytes.clone());
    let read = RuleSet::embedded_cached(load).unwrap();
    assert_eq!((read.packs().clone(), read.rules().len()), embedded);
    assert_eq!(hits(&read, "python", PYTHON), found);
    assert_eq!(read.fresh_programs(), 0);
    assert_eq!(read.embedded_bytes().unwrap(), bytes);

    // Another language needs programs that were not stored; then both are.
    let code =
        "func f() error {\n\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n";
    let found = hits(&read, "go", code);
    assert_eq!(found, hits(&made, "go", code));
    let fresh = read.fresh_programs();
    assert!(fresh > 20, "{fresh} programs");
    let both = RuleSet::from_bytes(&read.embedded_bytes().unwrap()).unwrap();
    assert_eq!(hits(&both, "go", code), found);
    assert_eq!(both.fresh_programs(), 0);

    let damaged = RuleSet::embedded_cached(|_| Some(bytes[1..].to_vec())).unwrap();
    assert_eq!(damaged.rules().len(), embedded.1);
}

#[test]
fn multi_language_rules_and_utilities_load() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("sgconfig.yml", "ruleDirs: [rules]\n");
    write("rule-tests/a-test.yml", "id: a\nvalid: [x]\ninvalid: [y]\n");
    write(
        "utils/null.yml",
        "id: null-like\nlanguage: typescript\nrule: {kind: 'null'}\n",
    );
    write(
        "rules/a.yml",
        "# two rules\nid: a\nlanguage: typescript\nmessage: $A is null\nmetadata: {languages: [tsx, javascript], threshold: 2}\nrule: {pattern: f($A), has: {kind: arguments, has: {matches: null-like}}}\n---\nid: b\nlanguage: python\nmetadata: {default: off, weight: 3, category: [odd]}\nseverity: warning\nrule: {kind: call}\n",
    );
    let mut set = RuleSet::empty();
    set.add_path(folder.path()).unwrap();
    let [a, b] = set.rules() else {
        panic!("two rules")
    };
    let languages: Vec<_> = a.languages.iter().map(|l| l.id()).collect();
    assert_eq!(
        (languages, a.threshold, a.default_on),
        (vec!["typescript", "tsx", "javascript"], 2, true)
    );
    assert_eq!(
        (
            b.line,
            b.default_on,
            b.category.as_str(),
            b.message.as_str()
        ),
        (7, false, "other", "b")
    );
    for language in ["typescript", "tsx", "javascript"] {
        let language = Language::by_id(language).unwrap();
        let found = |code: &str| {
            let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
            let mut hits = Vec::new();
            set.scan(&tree, &mut hits);
            hits.iter()
                .map(|hit| set.message(hit, &tree))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found("f(null)\nf(null)\nf(1)\n"),
            ["null is null", "null is null"]
        );
        assert!(found("f(null)\n").is_empty());
    }
}

/// A small program of statements that rules above look at.
fn program() -> impl Strategy<Value = String> {
    let statement = prop_oneof![
        Just("g(a, a)\n"),
        Just("g(a, b)\n"),
        Just("# c\n"),
        Just("x = a\n"),
        Just("x = f(1)\n"),
        Just("if a:\n    return b\nelif a:\n    # d\n    pass\n"),
        Just("f(f(1), [1, 2])\n"),
        Just("for i in range(len(c)):\n    x = a\n    x = b\n"),
        Just("def h(a, b):\n    # e\n    x = a\n    return x\n"),
        Just("a.get(1).get(1)\n"),
        Just("g(a,\n  # f\n  a)\n"),
        Just("x = (\n"),
        Just("{'a': 1, **z}\n"),
    ];
    prop::collection::vec(statement, 1..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn random_programs_match_ast_grep(code in program()) {
        thread_local! {
            static ORACLE: Oracle<'static> =
                Oracle::new(Box::leak(Box::new(set("python", PYTHON_RULES)))).unwrap();
        }
        let tree = parse(Language::by_id("python").unwrap(), code.as_bytes(), &Limits::default()).unwrap();
        let found = ORACLE.with(|oracle| oracle.compare("code", &tree));
        let unequal: Vec<_> = found.unequal().collect();
        prop_assert!(unequal.is_empty(), "{:#?}", unequal);
    }
}
