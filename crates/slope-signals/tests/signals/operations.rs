//! New functions that do what another one does, written afresh: other names, order and loops.

use slope_signals::{FileSignals, Options, Resemblance, Wanted, facts_for, resemblances};
use slope_syntax::{Language, Limits, Profile, callables, parse};

/// The facts of a file that a change touches.
fn reimplementations(
    files: &[(&str, &FileSignals)],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Resemblance> {
    resemblances(files, &[], &Wanted::of_paths(is_wanted)).reimplementations
}

fn signals_of(path: &str, code: &str) -> FileSignals {
    let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    let wanted = Options {
        in_changes: true,
        ..Options::default()
    };
    facts_for(
        &tree,
        &callables(&tree, Profile::Slope, &source),
        &source,
        &wanted,
    )
}

/// What functions of the second file are found to do that another one does.
fn found(old: (&str, &str), new: (&str, &str)) -> Vec<Resemblance> {
    let facts = [old, new].map(|(path, code)| (path, signals_of(path, code)));
    let files: Vec<(&str, &FileSignals)> = facts.iter().map(|(p, f)| (*p, f)).collect();
    reimplementations(&files, &|path| path == new.0)
}

/// Whether exactly one new function does what an old one does.
fn is_found(old: (&str, &str), new: (&str, &str)) -> bool {
    found(old, new).len() == 1
}

const CHUNKED: &str = "def chunked(seq: list, n: int) -> list:\n    pos = 0\n    while pos < len(seq):\n        \
                       yield seq[pos : pos + n]\n        pos += n\n";

#[test]
fn python_loop_forms_match() {
    let new = "def _in_groups(items: list, size: int) -> list:\n    for start in range(0, len(items), size):\n        \
               yield items[start : start + size]\n";
    assert!(is_found(("a.py", CHUNKED), ("b.py", new)));
    let other = "def _remainders(items: list, size: int) -> list:\n    return [item % size for item in items]\n";
    assert!(!is_found(("a.py", CHUNKED), ("b.py", other)));
}

#[test]
fn python_small_helpers_match() {
    let old =
        "def slugify(text):\n    return text.strip().lower().replace(' ', '-').replace('_', '-')\n";
    let new = "def _url_name(title):\n    name = title.lower().strip()\n    for sign in (' ', '_'):\n        \
               name = name.replace(sign, '-')\n    return name\n";
    assert!(is_found(("a.py", old), ("b.py", new)));
    let other = "def _url_name(title):\n    name = title.upper().encode()\n    return name.hex()\n";
    assert!(!is_found(("a.py", old), ("b.py", other)));
}

#[test]
fn typescript_branches_match() {
    let old = "export function typeName(kind: Kind): string {\n  switch (kind) {\n    case Kind.direct:\n      return 'mutation'\n    \
               case Kind.patch:\n      return '$patch'\n    default:\n      return 'unknown'\n  }\n}\n";
    let new = "function label(of: Kind): string {\n  if (of === Kind.direct) return 'mutation'\n  \
               return of === Kind.patch ? '$patch' : 'unknown'\n}\n";
    assert!(is_found(("a.ts", old), ("b.ts", new)));
    let other = new
        .replace("mutation", "read")
        .replace("$patch", "write")
        .replace("unknown", "none");
    assert!(!is_found(("a.ts", old), ("b.ts", &other)));
}

#[test]
fn go_prefixes_match() {
    let old = "package a\n\nfunc cleanPath(p string) string {\n\tif p == \"\" {\n\t\treturn \"/\"\n\t}\n\tif p[0] != '/' {\n\t\t\
               p = \"/\" + p\n\t}\n\tnp := path.Clean(p)\n\tif p[len(p)-1] == '/' && np != \"/\" {\n\t\tnp += \"/\"\n\t}\n\treturn np\n}\n";
    let new = "package a\n\nfunc canonical(raw string) string {\n\tif len(raw) == 0 {\n\t\treturn \"/\"\n\t}\n\t\
               if !strings.HasPrefix(raw, \"/\") {\n\t\traw = \"/\" + raw\n\t}\n\tout := path.Clean(raw)\n\t\
               if strings.HasSuffix(raw, \"/\") && out != \"/\" {\n\t\tout = out + \"/\"\n\t}\n\treturn out\n}\n";
    assert!(is_found(("a/a.go", old), ("a/b.go", new)));
    let other = new
        .replace("path.Clean", "url.QueryEscape")
        .replace("\"/\"", "\"-\"");
    assert!(!is_found(("a/a.go", old), ("a/b.go", &other)));
}

#[test]
fn rust_conversions_match() {
    let old = "fn ext(path: &Path) -> Option<String> {\n    let name = path.file_name().map(|f| f.to_string_lossy().to_string())?;\n    \
               name.rfind('.').map(|p| name[p + 1..].to_ascii_lowercase())\n}\n";
    let new = "fn suffix(file: &Path) -> Option<String> {\n    let base = file.file_name()?.to_string_lossy().into_owned();\n    \
               let dot = base.rfind('.')?;\n    Some(base[dot + 1..].to_lowercase())\n}\n";
    assert!(is_found(("a.rs", old), ("b.rs", new)));
    let other = new
        .replace("rfind('.')", "find('/')")
        .replace("fn suffix", "fn rest")
        .replace("to_lowercase", "trim");
    assert!(!is_found(("a.rs", old), ("b.rs", &other)));
}

#[test]
fn match_can_be_within_one_file() {
    let code = "package a\n\nfunc getHost(r *http.Request) string {\n\tif r.URL.IsAbs() {\n\t\treturn r.URL.Host\n\t}\n\treturn r.Host\n}\n\n\
                func target(req *http.Request) string {\n\tif !req.URL.IsAbs() {\n\t\treturn req.Host\n\t}\n\treturn req.URL.Host\n}\n";
    let facts = signals_of("a.go", code);
    let found = reimplementations(&[("a.go", &facts)], &|_| true);
    assert_eq!(found.len(), 2);
    assert!(
        found
            .iter()
            .all(|like| like.shared.contains(&"IsAbs".to_owned()))
    );
}

#[test]
fn siblings_in_one_file_pass() {
    let one = "def read_KIND(path, mode):\n    with open(path, mode) as file:\n        return parse_KIND(file.read(), 'utf-8')\n\n\n";
    let code = ["users", "groups", "roles"]
        .map(|kind| one.replace("KIND", kind))
        .concat();
    let facts = signals_of("a.py", &code);
    assert_eq!(reimplementations(&[("a.py", &facts)], &|_| true), []);
}

#[test]
fn opposite_operations_pass() {
    let old =
        "def show(box):\n    box.window.attributes('-topmost', True)\n    box.window.deiconify()\n";
    let new = "def hide(frame):\n    frame.window.attributes('-topmost', True)\n    frame.window.deiconify()\n";
    assert!(!is_found(("a.py", old), ("b.py", new)));
}
