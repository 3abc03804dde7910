//! New functions that do what one in another file does, under another name.

use crate::common::signals_of;
use slope_signals::{FileSignals, Wanted, resemblances};

/// Names of the functions of a new file that do what one of an old file does.
fn found(old: (&str, &str), new: (&str, &str)) -> Vec<String> {
    let facts = [old, new].map(|(path, code)| (path, signals_of(path, code)));
    let files: Vec<(&str, &FileSignals)> = facts.iter().map(|(p, f)| (*p, f)).collect();
    let is_new = |path: &str| path == new.0;
    let found = resemblances(&files, &[], &Wanted::of_paths(&is_new));
    let found = found.reimplementations.into_iter();
    found.map(|like| like.callable).collect()
}

#[test]
fn rewritten_python_copies_are_found() {
    let old = "def peek_length(stream):\n    try:\n        return os.fstat(stream.fileno()).st_size\n    \
               except (AttributeError, OSError):\n        offset = stream.tell()\n        \
               length = stream.seek(0, os.SEEK_END)\n        stream.seek(offset)\n        return length\n";
    let new = "def body_size(f):\n    try:\n        size = os.fstat(f.fileno()).st_size\n        return size\n    \
               except (AttributeError, OSError):\n        pass\n    at = f.tell()\n    \
               size = f.seek(0, os.SEEK_END)\n    f.seek(at)\n    return size\n";
    assert_eq!(found(("a.py", old), ("b.py", new)), ["body_size"]);
    let other = new
        .replace("SEEK_END", "SEEK_SET")
        .replace("fstat", "stat")
        .replace("st_size", "st_mode");
    let other = other
        .replace("tell", "ask")
        .replace("AttributeError", "Other");
    assert_eq!(found(("a.py", old), ("b.py", &other)), [""; 0]);
}

#[test]
fn rewritten_typescript_copies_are_found() {
    let old = "export const getMimeType = (filename: string) => {\n  const match = filename.match(/\\.([a-z0-9]+?)$/)\n  \
               if (!match) {\n    return\n  }\n  return mimes[match[1].toLowerCase()]\n}\n";
    let new = "function lookupContentType(file: string) {\n  const ext = file.match(/\\.([a-z0-9]+?)$/)\n  \
               return ext ? types[ext[1].toLowerCase()] : undefined\n}\n";
    assert_eq!(found(("a.ts", old), ("b.ts", new)), ["lookupContentType"]);
    let other = new
        .replace("[a-z0-9]+?", "[0-9]")
        .replace("toLowerCase", "trim");
    assert_eq!(found(("a.ts", old), ("b.ts", &other)), [""; 0]);
}

#[test]
fn rewritten_go_copies_are_found() {
    let old = "package a\n\nfunc RedactURL(err error) error {\n\tvar e *url.Error\n\tif !errors.As(err, &e) {\n\t\t\
               return err\n\t}\n\te.URL = \"<redacted>\"\n\treturn e\n}\n";
    let new = "package b\n\nfunc hide(err error) error {\n\tvar urlErr *url.Error\n\tif errors.As(err, &urlErr) {\n\t\t\
               urlErr.URL = \"<redacted>\"\n\t\treturn urlErr\n\t}\n\treturn err\n}\n";
    assert_eq!(found(("a/a.go", old), ("b/b.go", new)), ["hide"]);
    let other = new.replace("URL = \"<redacted>\"", "Op = \"get\"");
    assert_eq!(found(("a/a.go", old), ("b/b.go", &other)), [""; 0]);
}

#[test]
fn rewritten_rust_copies_are_found() {
    let old = "fn same_file(a: &Path, b: &Path) -> bool {\n    match (fs::canonicalize(a), fs::canonicalize(b)) {\n        \
               (Ok(a), Ok(b)) => a == b,\n        _ => a == b,\n    }\n}\n";
    let new = "fn is_same_path(x: &Path, y: &Path) -> bool {\n    if let (Ok(x), Ok(y)) = (fs::canonicalize(x), \
               fs::canonicalize(y)) {\n        return x == y;\n    }\n    x == y\n}\n";
    assert_eq!(found(("a.rs", old), ("b.rs", new)), ["is_same_path"]);
    let other = new.replace("canonicalize", "metadata");
    assert_eq!(found(("a.rs", old), ("b.rs", &other)), [""; 0]);
}
