//! Every signal reports its bad example, and not the good one.

mod languages;

use languages::{QUIET, QUIET_TOO, REPORTED};
use slope_signals::{FileSignals, Options, SIGNALS, SignalFinding, facts, findings};
use slope_syntax::{Language, Limits, Profile, callables, parse};

fn signals_of(language: &str, code: &str) -> FileSignals {
    let language = Language::by_id(language).expect("a language");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    facts(&tree, &callables(&tree, Profile::Slope, &source), &source)
}

fn all(files: &[(&str, &str)]) -> Vec<SignalFinding> {
    let facts: Vec<(&str, FileSignals)> = files
        .iter()
        .map(|&(path, code)| {
            let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
            (path, signals_of(language.id(), code))
        })
        .collect();
    let inputs: Vec<(&str, &FileSignals)> = facts.iter().map(|(p, f)| (*p, f)).collect();
    let options = Options {
        every_signal: true,
        ..Options::default()
    };
    findings(&inputs, &options)
}

fn rules(code: &str) -> Vec<&'static str> {
    all(&[("a.py", code)]).iter().map(|f| f.rule).collect()
}

#[test]
fn only_bad_examples_fire() {
    for info in SIGNALS {
        if let (Some(bad), Some(good)) = (info.bad, info.good) {
            assert!(
                rules(bad).contains(&info.id),
                "{}: {:?}",
                info.id,
                rules(bad)
            );
            assert!(
                !rules(good).contains(&info.id),
                "{} in its good example",
                info.id
            );
        }
    }
}

/// Ids of the findings of one file.
fn rules_of(path: &str, code: &str) -> Vec<&'static str> {
    all(&[(path, code)]).iter().map(|f| f.rule).collect()
}

#[test]
fn implicitly_used_names_are_not_dead() {
    for code in [
        "import os  # noqa: F401\nx = 1\ndef f():\n    y = x + 1\n    return y\n",
        "from a import b as b\ndef f(c):\n    return c + 1\n",
        "from __future__ import annotations\ndef f(c):\n    return c + 1\n",
        "import json\n__all__ = ['json']\ndef f(c):\n    return c + 1\n",
        "try:\n    import ujson\nexcept ImportError:\n    ujson = None\ndef f(c):\n    return c + 1\n",
        "from typing import List\ndef f(c: 'List[int]'):\n    return c + 1\n",
        "def _handle_get(a):\n    return a + 1\ndef f(name):\n    return globals()[f'_handle_{name}']\n",
        "def _get(a):\n    return a + 1\ndef f(o):\n    return getattr(o, '_get')\n",
        "@register\ndef _hook(a):\n    return a + 1\n",
        "class C(Base):\n    def _hook(self, a):\n        return a + 1\n",
        "def f(a):\n    total = a\n    return locals()\n",
        "def f():\n    total = 1\n    def g():\n        return total\n    return g\n",
        "def f(a):\n    return a\n    yield\n",
        "def f(a, b):\n    return a + 1\nx = [f]\n",
        "def f(a):\n    total = a  # NOQA\n    return a\n",
        "def on(a, b):\n    return a + 1\n",
        "def f(a, b, *c):\n    return (a, c)\nx = f(1, 2)\n",
        "class C:\n    def __init__(self, a):\n        self.a = a\n    def f(self):\n        return getattr(self, 'a', 1)\nclass D(C):\n    def __init__(self):\n        self.b = 1\n",
        "def f(a):\n    # set_order\n    a.set_order(1)\n    # order = None\n    a.g()\n    # fit().h()\n    return a\n",
        "class C:\n    def f(self, a, b):\n        return a + 1\nclass D:\n    def f(self, a, b):\n        return b + 1\n",
        "class C:\n    def area(self, a, b):\n        return a + 1\nx = C().area(1, 2)\n",
        "def to_html(a, b):\n    return a + 1\ndef to_text(a, b, c):\n    return a + b + c\nx = to_html(1, 2) + to_text(1, 2, 3)\n",
        "def f(a):\n    return a\n    'why that is'\n",
        "def f(a):\n    return a\n    # pylint: disable=unreachable\n    a.g()\n    return 1\n",
        "def f(a):\n    # Does not work for now.\n    return a\n    a.g()\n",
        "def f(a):\n    # Doesn't work.\n    return a\n    a.g()\n",
        "def f(a):\n    return a  # TODO: back to the other way\n    a.g()\n",
        "def f(a):\n    raise NotImplementedError(a)\n    b = a.g()\n    return b\n",
        "def f(a):\n    a.g()\n    raise KeyError(a)\n    return 1  # silences the linter\n",
        "def f(a):\n    try:\n        a.run()\n    except KeyError:\n        raise  # the caller knows the key\n",
        "def f(a):\n    try:\n        a.run()\n    except (\n        KeyError,\n        ValueError,\n    ):\n        pass\n    return a\n",
        "class C:\n    def f(self, a):\n        # Counter fields\n        self.one = CounterField(a)\n        return a\n",
    ] {
        assert_eq!(rules(code), [""; 0], "{code}");
    }
}

#[test]
fn unexplained_unreachable_code_is_reported() {
    for code in [
        "def f(a):\n    # The result.\n    return a\n    a.g()\n",
        "def f(a):\n    return a\n    # Clean up.\n    a.g()\n",
        "def f(a):\n    # Debug output, below the threshold of all.\n    return a\n    a.g()\n",
        "def f(a):\n    # TODO: faster\n    a.h()\n    return a\n    a.g()\n",
        "def f(a):\n    raise KeyError(a)\n    return 1\n",
    ] {
        assert_eq!(rules(code), ["unreachable-code"], "{code}");
    }
}

#[test]
fn import_taken_elsewhere_is_used() {
    let shim = "import os\ndef f(a):\n    return a + 1\n";
    let alone = all(&[("pkg/tools.py", shim)]);
    assert_eq!(alone.len(), 1);
    let user = "from pkg.tools import os, f\nprint(os, f)\n";
    assert_eq!(all(&[("pkg/tools.py", shim), ("b.py", user)]), []);
}

#[test]
fn checks_that_can_fire_are_excused() {
    for code in [
        "def f(a):\n    x = []\n    for b in a:\n        if x is None:\n            return b\n        x = None\n    return x\n",
        "def f(a):\n    if a is None:\n        a = g()\n    if a is None:\n        return 1\n    return a\n",
        "def f(a):\n    global x\n    x = []\n    g()\n    if x is None:\n        return 1\n    return a\n",
        "def f(a):\n    try:\n        x = []\n    finally:\n        x = g(a)\n    if x is None:\n        return 1\n    return x\n",
        "def f(a, b):\n    x = a and a.name\n    if a is None:\n        return 1\n    return x + b\n",
        "def f(a, b):\n    assert a is None or b, a.name\n    if a is None:\n        return 1\n    return a\n",
        "def f(a):\n    x = IMailbox(a, None)\n    if x is None:\n        return 1\n    return x\n",
    ] {
        assert!(!rules(code).contains(&"impossible-check"), "{code}");
    }
}

#[test]
fn attribute_is_certain_if_set_first() {
    let class = |bases: &str, constructor: &str, more: &str| {
        format!(
            "class C{bases}:\n    def __init__(self, a):\n{constructor}    def f(self):\n        \
             if hasattr(self, 'b'):\n            return self.b\n        return 1\n{more}"
        )
    };
    let (set, set_up) = ("        self.b = a.c()\n", "        super().__init__()\n");
    let is_reported = |code: &str| rules(code).contains(&"impossible-check");
    for constructor in [
        set.to_owned(),
        format!("        self.c = a.get(1)\n{set}"),
        format!("{set}        self.f()\n"),
        format!("{set_up}{set}"),
    ] {
        let code = class("", &constructor, "");
        assert!(is_reported(&code), "{code}");
    }
    for (bases, constructor, more) in [
        // A base class may ask while it is made.
        ("(Base)", format!("{set_up}{set}"), ""),
        ("", format!("        self.f()\n{set}"), ""),
        ("", format!("        a.add(self)\n{set}"), ""),
        ("", format!("        self.c = self.f()\n{set}"), ""),
        // A setter may ask.
        (
            "",
            format!("        self.c = 1\n{set}"),
            "    @property\n    def c(self):\n        return self.f()\n",
        ),
        // Unpickled without its constructor.
        ("(list)", set.to_owned(), ""),
    ] {
        let code = class(bases, &constructor, more);
        assert!(!is_reported(&code), "{code}");
    }
    let code = class("(Base)", &format!("{set}{set_up}"), "");
    assert!(is_reported(&code), "{code}");
}

const LOOP: &str = "\
def find_long_titles(books, limit):
    titles = []
    for book in books:
        if book.is_published and len(book.title) > limit:
            titles.append(normalize_title(book.title) + ' (long)')
    if not titles:
        raise MissingTitles('no long titles')
    return titles
";

const COMPREHENSION: &str = "\
def long_titles_of(shelf, size):
    result = [normalize_title(b.title) + ' (long)' for b in shelf if b.is_published and len(b.title) > size]
    if len(result) == 0:
        raise MissingTitles('no long titles')
    return result
";

#[test]
fn comprehension_redoing_loop_is_reimplementation() {
    // Enough other functions that what the two share is rare.
    let others: String = (0..40)
        .map(|n| format!("def other_{n}(a):\n    b = [c.field_{n} for c in a.list_{n}()]\n    if b:\n        return call_{n}(b, 'text {n}')\n    for d in a:\n        step_{n}(d)\n        b.append(d)\n    c = last_{n}(b)\n    return c or b\n"))
        .collect();
    let found = all(&[("a.py", LOOP), ("b.py", COMPREHENSION), ("c.py", &others)]);
    let found: Vec<_> = found
        .iter()
        .filter(|f| f.rule == "reimplementation")
        .collect();
    let [finding] = found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (finding.file, finding.related.map(|(file, _)| file)),
        (1, Some(0))
    );
    assert!(
        finding.message.contains("find_long_titles"),
        "{}",
        finding.message
    );
    assert!(
        finding
            .evidence
            .iter()
            .any(|e| e.contains("normalize_title")),
        "{:?}",
        finding.evidence
    );
    // The same code under other names is a clone and is found as one.
    let renamed = LOOP.replace("titles", "names").replace("book", "volume");
    let found = all(&[("a.py", LOOP), ("b.py", &renamed), ("c.py", &others)]);
    assert!(
        found.iter().all(|f| f.rule != "reimplementation"),
        "{found:?}"
    );
}

#[test]
fn findings_are_classified_by_origin() {
    let base = "import os\nimport re\n\ndef _used(a):\n    return a + 1\n\ndef f(a):\n    return _used(a) + re.x\n";
    let head = "import os\nimport re\nimport json\n\ndef _used(a):\n    return a + 1\n\ndef _new(a):\n    return a + 2\n\ndef f(a):\n    return a\n";
    let (base, head) = (signals_of("python", base), signals_of("python", head));
    let options = Options {
        enabled: vec!["unused-private-function".to_owned()],
        ..Options::default()
    };
    let found = slope_signals::classify(&[("a.py", &base)], &[("a.py", &head)], &options);
    let origins: Vec<(String, slope_signals::Origin)> = found
        .into_iter()
        .map(|(f, origin)| (f.message, origin))
        .collect();
    use slope_signals::Origin::{Born, Inherited, Orphaned};
    let expected = [
        ("`os` is imported and never used.", Inherited),
        ("`re` is imported and never used.", Orphaned),
        ("`json` is imported and never used.", Born),
        ("The private function `_used` is never used.", Orphaned),
        ("The private function `_new` is never used.", Born),
    ];
    let expected: Vec<_> = expected.map(|(m, o)| (m.to_owned(), o)).to_vec();
    assert_eq!(origins, expected);
}

#[test]
fn unjudged_signals_are_off_per_language() {
    let code = "def f\n  # set version\n  version = set_version(1)\nend\n";
    let facts = signals_of("ruby", code);
    assert_eq!(findings(&[("a.rb", &facts)], &Options::default()), []);
    assert!(rules_of("a.rb", code).contains(&"comment-restates-code"));
}

#[test]
fn test_inputs_are_excused() {
    let facts = signals_of("python", "import os\n\ndef f(a):\n    return a + 1\n");
    let count = |path| findings(&[(path, &facts)], &Options::default()).len();
    assert_eq!(count("tests/test_os.py"), 1);
    assert_eq!(count("data/load.py"), 1);
    for path in [
        "tests/roots/ext/a.py",
        "tests/data/a.py",
        "src/testdata/a.py",
        "test/configCases/x/a.py",
    ] {
        assert_eq!(count(path), 0, "{path}");
    }
}

#[test]
fn other_languages_report_only_sound_signals() {
    for &(path, code, rule) in REPORTED {
        let found = rules_of(path, code);
        assert!(found.contains(&rule), "{path} {rule}: {found:?}");
    }
    for &(path, code) in QUIET.iter().chain(QUIET_TOO) {
        assert_eq!(rules_of(path, code), [""; 0], "{path} {code}");
    }
}

#[test]
fn signal_facts_round_trip() {
    let facts = signals_of("python", LOOP);
    let text = serde_json::to_string(&facts).expect("facts are plain data");
    let read: FileSignals = serde_json::from_str(&text).expect("what was written");
    assert_eq!(facts, read);
}

#[test]
fn hostile_nesting_terminates() {
    let deep = 1_500;
    for code in [
        format!("x = {}1{}\n", "(".repeat(deep), ")".repeat(deep)),
        format!("x = {}1{}\n", "f(".repeat(deep), ")".repeat(deep)),
        format!(
            "{}y = 1\n",
            (0..60)
                .map(|n| format!("{}if x:\n", " ".repeat(n)))
                .collect::<String>()
                + &" ".repeat(60)
        ),
    ] {
        signals_of("python", &code);
    }
}

/// Classes of one module: `family` with the same base and `others` without, each of five methods
/// and 42 lines.
fn module_of(family: usize, others: usize) -> String {
    let class = |(number, base): (usize, &str)| {
        let method = |m| format!("    def m{m}(self, a):\n") + &"        a += 1\n".repeat(7);
        let methods: String = (0..5).map(method).collect();
        format!("class C{number}{base}:\n    name = {number}\n{methods}\n\n")
    };
    let bases = [vec!["(Operator)"; family], vec![""; others]].concat();
    bases.into_iter().enumerate().map(class).collect()
}

#[test]
fn family_listing_is_not_god_module() {
    let is_god = |code: &str| rules(code).contains(&"god-module");
    assert!(is_god(&module_of(0, 30)));
    assert!(!is_god(&module_of(30, 0)));
    assert!(!is_god(&module_of(16, 14)));
    assert!(is_god(&module_of(14, 16)), "less than half of the file");
    assert!(is_god(&module_of(7, 23)), "too few to be a family");
    // A member that is a god class by its lines is not a small finding.
    let large = format!(
        "class Large(Operator):\n    def m(self, a):\n{}",
        "        a += 1\n".repeat(501)
    );
    assert!(is_god(&(module_of(30, 0) + &large)));
}
