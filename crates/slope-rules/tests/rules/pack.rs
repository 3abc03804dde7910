//! The embedded pack against its own examples and conventions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::LazyLock;

use slope_rules::{CATEGORIES, Rule, RuleSet, SECURITY};
use slope_syntax::{Language, Limits, parse};

/// The embedded pack, read and compiled once and then read back.
fn embedded() -> RuleSet {
    static STORED: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let set = RuleSet::embedded().expect("the pack");
        set.to_bytes().expect("a program for every rule")
    });
    RuleSet::from_bytes(&STORED).expect("what was stored")
}

/// Ids of the rules that match somewhere in the code.
fn matched<'a>(set: &'a RuleSet, rule: &Rule, code: &str) -> BTreeSet<&'a str> {
    let tree = parse(rule.language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(
        tree.errors(),
        None,
        "{}: example is no code:\n{code}",
        rule.id
    );
    let hits = set.scan_every(&tree).hits;
    hits.iter()
        .map(|h| set.rules()[h.rule as usize].id.as_str())
        .collect()
}

/// Language of a rule.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Written {
    Map(BTreeMap<String, Self>),
    List(Vec<Self>),
    Text(String),
    Other(serde::de::IgnoredAny),
}

impl Written {
    /// The regular expressions in it.
    fn expressions(&self, found: &mut Vec<String>) {
        match self {
            Self::Map(parts) => {
                for (key, part) in parts {
                    match part {
                        Self::Text(text) if key == "regex" => found.push(text.clone()),
                        part => part.expressions(found),
                    }
                }
            }
            Self::List(parts) => parts.iter().for_each(|part| part.expressions(found)),
            Self::Text(_) | Self::Other(_) => {}
        }
    }
}

#[test]
fn every_regular_expression_compiles() {
    let mut all = Vec::new();
    for rule in embedded().rules() {
        let written: Written = ast_grep_config::from_str(&rule.yaml).expect("YAML");
        written.expressions(&mut all);
    }
    assert!(all.len() > 100, "only {} expressions", all.len());
    for expression in all {
        if let Err(error) = regex::Regex::new(&expression) {
            panic!("{expression}: {error}");
        }
    }
}

#[test]
fn every_rule_agrees_with_its_examples() {
    let set = embedded();
    let mut wrong = Vec::new();
    for rule in set.rules() {
        for code in &rule.invalid {
            if !matched(&set, rule, code).contains(rule.id.as_str()) {
                wrong.push(format!("{} finds nothing in:\n{code}", rule.id));
            }
        }
        for code in &rule.valid {
            if matched(&set, rule, code).contains(rule.id.as_str()) {
                wrong.push(format!("{} should find nothing in:\n{code}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

#[test]
fn every_rule_follows_the_conventions() {
    let set = embedded();
    assert!(set.rules().len() >= 35, "{} rules", set.rules().len());
    for rule in set.rules() {
        let id = &rule.id;
        assert!(
            CATEGORIES.contains(&rule.category.as_str()),
            "{id}: category"
        );
        assert!(
            rule.path
                .ends_with(format!("{}/{id}.yml", rule.language.id())),
            "{id}: file name"
        );
        assert!(rule.message.ends_with('.'), "{id}: message is one sentence");
        assert!(rule.message.len() <= 100, "{id}: message is short");
        assert!(
            rule.note.len() >= 60 && rule.note.ends_with('.'),
            "{id}: note says why"
        );
        assert!(
            rule.invalid.len() >= 2,
            "{id}: two invalid examples or more"
        );
        assert!(rule.valid.len() >= 2, "{id}: two valid examples or more");
    }
}

#[test]
fn security_rules_cite_weaknesses_and_are_off() {
    let set = embedded();
    let security = set.rules().iter().filter(|rule| rule.category == SECURITY);
    let mut languages = BTreeSet::new();
    for rule in security {
        let id = &rule.id;
        let url = rule.url.as_deref().unwrap_or_default();
        let number = url
            .strip_prefix("https://cwe.mitre.org/data/definitions/")
            .and_then(|rest| rest.strip_suffix(".html"));
        let number = number.and_then(|number| number.parse::<u32>().ok());
        let number = number.unwrap_or_else(|| panic!("{id}: {url} is not a weakness"));
        assert!(
            rule.note.ends_with(&format!("CWE-{number}.")),
            "{id}: the note names CWE-{number}"
        );
        assert!(!rule.default_on, "{id}: off by default");
        languages.extend(rule.languages.iter().map(|language| language.id()));
    }
    let expected = [
        "c",
        "cpp",
        "go",
        "java",
        "javascript",
        "python",
        "rust",
        "tsx",
        "typescript",
    ];
    assert_eq!(Vec::from_iter(languages), expected);
}

fn hits(code: &str) -> Vec<(String, u32, u32)> {
    hits_in("python", code)
}

fn hits_in(language: &str, code: &str) -> Vec<(String, u32, u32)> {
    let set = embedded();
    let language = Language::by_id(language).expect(language);
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    let mut hits = Vec::new();
    set.scan(&tree, &mut hits);
    hits.iter()
        .map(|h| {
            (
                set.rules()[h.rule as usize].id.clone(),
                h.first_row + 1,
                h.last_row + 1,
            )
        })
        .collect()
}

#[test]
fn comments_do_not_silence_rules() {
    let plain = hits("if a == None:\n    b()\n");
    assert_eq!(plain, [("none-equality".to_owned(), 1, 1)]);
    assert_eq!(hits("if a == None:  # ast-grep-ignore\n    b()\n"), plain);
    for comment in ["# ast-grep-ignore", "# ast-grep-ignore: none-equality"] {
        let found = hits(&format!("{comment}\n\nif a == None:\n    b()\n"));
        assert_eq!(found, [("none-equality".to_owned(), 3, 3)]);
        let found = hits(&format!("{comment}\nif a == None:\n    b()\n"));
        assert_eq!(found, [("none-equality".to_owned(), 2, 2)]);
    }
}

#[test]
fn hits_are_the_smallest_matching_node() {
    let code = "\
for k in table.keys():
    if bool(k):
        one()
        two()
    else:
        three(f'{str(k)}')
class A(object):
    def f(self, a=[]):
        return super(A, self).f()
";
    insta::assert_debug_snapshot!(hits(code));
}

/// Examples cannot say this: those of a rule are of one language, and without errors.
#[test]
fn cpp_operators_and_macros_are_excused() {
    let finds = |code: &str, id: &str| hits_in("cpp", code).iter().any(|(rule, ..)| rule == id);
    let written = "A &operator>>=(A &a, int b) { return a = a >> b; }\n";
    assert!(!finds(written, "compound-assignment"));
    let used = "void f(int a, int b) { a = a >> b; }\n";
    assert!(finds(used, "compound-assignment"));
    let class = |member: &str| format!("class A {{ public: {member} }};\n");
    let macro_behind = class("void held() ASSERT_HELD() {}");
    assert!(!finds(&macro_behind, "empty-special-member"));
    assert!(finds(&class("A() {}"), "empty-special-member"));
}

/// The rules are those of JavaScript, whose examples have no types.
#[test]
fn strings_and_symbols_of_typescript_are_excused() {
    let finds = |code: &str, id: &str| {
        let hits = hits_in("typescript", code);
        hits.iter().any(|(rule, ..)| rule == id)
    };
    let text =
        |parameter: &str| format!("function f({parameter}) {{ return `${{a.toString()}}`; }}\n");
    for parameter in ["a: symbol", "a: string | symbol", "a?: PropertyKey"] {
        assert!(
            !finds(&text(parameter), "text-call-in-template"),
            "{parameter}"
        );
    }
    assert!(finds(&text("a: number"), "text-call-in-template"));
    let walk = |parameter: &str| {
        format!("function f({parameter}) {{ for (let i = 0; i < a.length; i++) {{ g(a[i]); }} }}\n")
    };
    for parameter in ["a: string", "a?: string", "a = 'bc'", "a: string | null"] {
        assert!(!finds(&walk(parameter), "index-loop"), "{parameter}");
    }
    assert!(finds(&walk("a: string[]"), "index-loop"));
}

#[test]
fn typescript_headings_restate_constructors() {
    let code = "class A {\n  // Constructor\n  public constructor(private b: B) {}\n}\n";
    let found = hits_in("typescript", code);
    assert!(
        found.iter().any(|(id, ..)| id == "restating-comment"),
        "{found:?}"
    );
}

fn add(yaml: &str) -> String {
    let mut set = embedded();
    let files = [(PathBuf::from("extra/a.yml"), yaml.to_owned())];
    match set.add_texts("extra", files) {
        Ok(()) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_file_line_and_remedy() {
    let rule = |head: &str, rule: &str| {
        format!(
            "{head}\nlanguage: python\nmessage: M.\nmetadata: {{category: noise}}\nrule:\n  {rule}\n"
        )
    };
    let errors = [
        ("taken id", rule("id: none-equality", "pattern: $X == None")),
        ("no kinds", rule("id: any", "regex: a")),
        ("bad pattern", rule("id: bad", "pattern: ''")),
        ("unknown kind", rule("id: bad", "kind: nonsense")),
        ("unknown key", rule("id: bad\ncolour: red", "kind: call")),
        ("no id", rule("note: n", "kind: call")),
        ("globs", rule("id: bad\nfiles: ['*.py']", "kind: call")),
        (
            "arguments",
            rule(
                "id: bad",
                "{kind: call, matches: {wrap: {BODY: {kind: call}}}}",
            ),
        ),
        (
            "free variable",
            rule("id: bad", "kind: call\nconstraints: {A: {kind: call}}"),
        ),
        (
            "second in a file",
            format!(
                "{}---\n{}",
                rule("id: a", "kind: call"),
                rule("id: b", "kind: nonsense")
            ),
        ),
        (
            "bare",
            "id: any_id\nlanguage: python\nrule: {kind: call}\n".to_owned(),
        ),
        (
            "other language",
            rule("id: bad", "kind: call_expression").replace("python", "kotlin"),
        ),
        ("no yaml", "id: [\n".to_owned()),
        ("fine", rule("id: good", "kind: call")),
        (
            "off",
            rule("id: none-equality\nseverity: 'off'", "kind: call"),
        ),
    ];
    let report: Vec<_> = errors
        .iter()
        .map(|(name, yaml)| format!("{name}: {}", add(yaml)))
        .collect();
    insta::assert_snapshot!(report.join("\n"));
}

#[test]
fn packs_hash_content_and_load_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let yaml = "id: own\nlanguage: python\nmessage: M.\nmetadata: {category: noise}\nrule: {kind: pass_statement}\n";
    std::fs::create_dir(folder.path().join("deep")).expect("a folder");
    std::fs::write(folder.path().join("deep/own.yaml"), yaml).expect("a file");
    std::fs::write(folder.path().join("README.md"), "no rule").expect("a file");
    let mut set = embedded();
    let before = set.rules().len();
    set.add_path(folder.path()).expect("a pack");
    assert_eq!(set.rules().len(), before + 1);
    let name = folder.path().to_string_lossy().into_owned();
    let mut other = RuleSet::default();
    let changed = yaml.replace("M.", "N.");
    other
        .add_texts("x", [(PathBuf::from("own.yml"), changed)])
        .expect("a pack");
    assert_ne!(set.packs()[&name], other.packs()["x"]);
    let missing = set.add_path(&folder.path().join("none"));
    assert!(missing.is_err_and(|e| e.to_string().contains("none")));
}
