//! Comments that narrate code, in the forms in which people and agents write them.

use crate::common::quoted_in_changes;

/// How many places narrate their code.
fn count(path: &str, code: &str) -> usize {
    quoted_in_changes("narrated-code", &[(path, code)]).len()
}

#[test]
fn trailing_comments_narrate() {
    let python = |third: &str| {
        format!(
            "def f(items):\n    total = 0  # start total at zero\n    for item in items:  # loop over items\n        \
             total += item  # {third}\n    return total\n"
        )
    };
    assert_eq!(count("a.py", &python("add item to total")), 1);
    assert_eq!(count("a.py", &python("cents, as the bank has them")), 0);
    for (path, code) in [
        (
            "a.ts",
            "const f = (a) => {\n  const b = a.c; // get c of a\n  b.sort(); // sort b\n  return b; // return b\n};\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f(lines T) T {\n\tlines.Sort() // sort the lines\n\tlines.Trim() // trim the lines\n\treturn lines // return the lines\n}\n",
        ),
        (
            "a.rs",
            "fn f(lines: T) -> T {\n    lines.sort(); // sort the lines\n    lines.trim(); // trim the lines\n    return lines; // return the lines\n}\n",
        ),
    ] {
        assert_eq!(count(path, code), 1, "{code}");
    }
}

#[test]
fn lead_in_words_are_ignored() {
    let rust = |lead: &str| {
        format!(
            "fn f(names: Vec<String>) -> usize {{\n    // First, we sort the names\n    names.sort();\n    \
             // Then we reverse the names\n    names.reverse();\n    // {lead} return the count\n    names.count()\n}}\n"
        )
    };
    assert_eq!(count("a.rs", &rust("Finally,")), 1);
    assert_eq!(count("a.rs", &rust("The server must")), 0);
}

#[test]
fn function_expressions_can_be_narrated() {
    let code = |third: &str| {
        format!(
            "export const f = names => {{\n  // Trim each name\n  const trimmed = names.map(name => name.trim());\n\n  \
             // Sort the trimmed names\n  trimmed.sort();\n\n  // {third}\n  return trimmed;\n}};\n"
        )
    };
    assert_eq!(count("a.js", &code("Return the trimmed names")), 1);
    assert_eq!(count("a.js", &code("The caller needs an order")), 0);
}

#[test]
fn two_comments_narrate_a_short_function() {
    let go = |more: &str| {
        format!(
            "package a\n\nfunc f(c C) string {{\n\t// Get the names\n\tnames := c.Names()\n\n{more}\t// Join the names\n\treturn \
             strings.Join(names)\n}}\n"
        )
    };
    assert_eq!(count("a.go", &go("")), 1);
    assert_eq!(count("a.go", &go(&"\tg(names)\n".repeat(4))), 0);
    assert_eq!(
        count("a.go", &go("\t// Callers hold the lock.\n\tg(names)\n")),
        0
    );
}

#[test]
fn comments_outside_functions_narrate() {
    let code = "# Default chunk size\nDEFAULT_CHUNK_SIZE = 1\n\n# Maximum number of retries\nMAX_RETRIES = 2\n\n# Known schemes\nKNOWN_SCHEMES = 3\n";
    assert_eq!(count("a.py", code), 1);
    let told = code.replace("Known schemes", "What proxies let through");
    assert_eq!(count("a.py", &told), 0);
    let rust = "// Create the summary struct\npub struct Summary {\n    // The lowest value\n    pub lowest: f64,\n    // The highest value\n    pub highest: f64,\n}\n";
    assert_eq!(count("a.rs", rust), 1);
    let units = rust.replace("The lowest value", "In seconds since the start");
    assert_eq!(count("a.rs", &units), 0);
    let script = "// The default name\nexport const DEFAULT_NAME = 'a';\n// The maximum count\nexport const MAX_COUNT = 1;\n// Get the name\nexport const getName = () => DEFAULT_NAME;\n";
    assert_eq!(count("a.ts", script), 1);
    // In Go they are documentation.
    let go = "package a\n\n// The default name\nconst defaultName = 1\n\n// The maximum count\nconst maxCount = 2\n\n// The known name\nconst knownName = 3\n";
    assert_eq!(count("a.go", go), 0);
}

#[test]
fn numbered_steps_narrate() {
    let rust = |third: &str| {
        format!(
            "fn f(names: Vec<String>) -> usize {{\n    // 1. Everything in order\n    names.sort();\n    \
             // 2. The other way round\n    names.reverse();\n    // {third}\n    names.count()\n}}\n"
        )
    };
    assert_eq!(count("a.rs", &rust("3. How many there are")), 1);
    assert_eq!(count("a.rs", &rust("Next, how many there are")), 1);
    assert_eq!(count("a.rs", &rust("The protocol wants a number")), 0);
    let script = "function f(errors) {\n  // Let's start with an empty map\n  const found = new Map();\n  \
                  // Now we go through them one by one\n  for (const e of errors) {\n    // We look up the key\n    \
                  found.set(e.key, e);\n  }\n  // Finally we are done\n  return found;\n}\n";
    assert_eq!(count("a.ts", script), 1);
}

#[test]
fn reasons_are_not_narration() {
    let rust = "fn f(names: Vec<String>) -> usize {\n    // First, since the server sends them unsorted\n    \
                names.sort();\n    // Now they must be reversed for the client\n    names.reverse();\n    \
                // We cannot use len() here\n    names.count()\n}\n";
    assert_eq!(count("a.rs", rust), 0);
}

#[test]
fn field_name_comments_narrate() {
    let script = "class E {\n  toJSON() {\n    return {\n      // The name of the error\n      name: this.name,\n      \
                  // The url of the request\n      url: this.url,\n      // The status of the response\n      \
                  status: this.status,\n    };\n  }\n}\n";
    assert_eq!(count("a.ts", script), 1);
    assert_eq!(
        count(
            "a.ts",
            &script.replace("The url of the request", "Without the query")
        ),
        0
    );
}

#[test]
fn banners_are_ignored_in_narration() {
    let go = "package a\n\nfunc f(files []string) int {\n\t// --- Setup ---\n\tcount := 0\n\n\t// --- Work ---\n\t// Iterate over the files\n\tfor _, file := range files {\n\t\t// Get the info of the file\n\t\tinfo := stat(file)\n\t\t// Add the size to the count\n\t\tcount += info.Size()\n\t}\n\t// Return the count\n\treturn count\n}\n";
    assert_eq!(count("a.go", go), 1);
}

#[test]
fn many_commented_calls_take_linear_time() {
    const COUNT: usize = 20_000;
    let start = std::time::Instant::now();
    for (comment, found) in [("send", 0), ("notify", COUNT)] {
        let calls = (0..COUNT).map(|n| format!("    # {comment}{n}(customer)\n    send{n}(a)\n"));
        let code = format!("def f(a):\n{}", calls.collect::<String>());
        let quoted = quoted_in_changes("commented-out-code", &[("a.py", &code)]);
        assert_eq!(quoted.len(), found, "{comment}");
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
