//! Names of libraries for the same operation, across languages.

use std::sync::LazyLock;

use crate::words::Map;

/// Meaning of a called name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An operation that libraries have under several names.
    Call(&'static str),
    /// A construct of the language, written as a call.
    Form(&'static str),
    /// A conversion or an intermediate step, without meaning for the comparison.
    Nothing,
}

/// Operations, each with its names in libraries.
const OPERATIONS: &[(&str, &[&str])] = &[
    (
        "lower",
        &[
            "lower",
            "toLowerCase",
            "ToLower",
            "to_lowercase",
            "to_ascii_lowercase",
            "toLocaleLowerCase",
            "casefold",
        ],
    ),
    (
        "upper",
        &[
            "upper",
            "toUpperCase",
            "ToUpper",
            "to_uppercase",
            "to_ascii_uppercase",
            "toLocaleUpperCase",
        ],
    ),
    (
        "trim",
        &["strip", "trim", "TrimSpace", "Trim", "trim_matches"],
    ),
    (
        "trim the start",
        &[
            "lstrip",
            "trimStart",
            "trim_start",
            "TrimLeft",
            "trim_start_matches",
            "TrimPrefix",
            "removeprefix",
            "strip_prefix",
        ],
    ),
    (
        "trim the end",
        &[
            "rstrip",
            "trimEnd",
            "trim_end",
            "TrimRight",
            "TrimRightFunc",
            "trim_end_matches",
            "TrimSuffix",
            "removesuffix",
            "strip_suffix",
        ],
    ),
    ("length", &["len", "length", "size", "byteLength", "count"]),
    (
        "starts with",
        &["startswith", "startsWith", "HasPrefix", "starts_with"],
    ),
    (
        "ends with",
        &["endswith", "endsWith", "HasSuffix", "ends_with"],
    ),
    (
        "contains",
        &[
            "includes",
            "Contains",
            "contains",
            "contains_key",
            "has",
            "hasOwnProperty",
            "hasOwn",
            "ContainsAny",
            "ContainsRune",
            "__contains__",
            "has_key",
        ],
    ),
    (
        "index of",
        &[
            "indexOf",
            "index",
            "Index",
            "IndexByte",
            "IndexAny",
            "IndexRune",
            "findIndex",
            "position",
        ],
    ),
    (
        "last index of",
        &[
            "rfind",
            "rindex",
            "LastIndex",
            "LastIndexByte",
            "lastIndexOf",
            "rposition",
        ],
    ),
    (
        "split",
        &[
            "split",
            "Split",
            "SplitN",
            "splitn",
            "split_once",
            "partition",
            "Cut",
        ],
    ),
    (
        "split at the end",
        &["rsplit", "rsplitn", "rpartition", "rsplit_once"],
    ),
    (
        "split at spaces",
        &["Fields", "split_whitespace", "split_ascii_whitespace"],
    ),
    ("join", &["join", "Join"]),
    (
        "replace",
        &[
            "replace",
            "replaceAll",
            "Replace",
            "ReplaceAll",
            "replacen",
            "ReplaceAllString",
        ],
    ),
    ("repeat", &["repeat", "Repeat"]),
    (
        "to number",
        &[
            "int",
            "float",
            "Number",
            "parseInt",
            "parseFloat",
            "Atoi",
            "ParseInt",
            "ParseFloat",
        ],
    ),
    (
        "smallest",
        &["min", "Min", "minimum", "min_by", "min_by_key"],
    ),
    (
        "largest",
        &["max", "Max", "maximum", "max_by", "max_by_key"],
    ),
    (
        "sort",
        &[
            "sorted",
            "sort",
            "Sort",
            "Strings",
            "sort_by",
            "sort_unstable",
            "sort_by_key",
            "sort_unstable_by",
            "toSorted",
            "SortFunc",
            "Ints",
        ],
    ),
    (
        "reverse",
        &["reversed", "reverse", "rev", "Reverse", "toReversed"],
    ),
    ("absolute", &["abs", "Abs", "fabs"]),
    ("round", &["round", "Round"]),
    ("floor", &["floor", "Floor"]),
    ("ceiling", &["ceil", "Ceil"]),
    ("power", &["pow", "Pow", "powi", "powf"]),
    ("sum", &["sum", "Sum"]),
    ("exists", &["exists", "existsSync", "try_exists"]),
    ("is a file", &["isfile", "is_file", "isFile"]),
    ("is a folder", &["isdir", "is_dir", "isDirectory", "IsDir"]),
    (
        "read a file",
        &[
            "read_text",
            "readFile",
            "readFileSync",
            "ReadFile",
            "read_to_string",
        ],
    ),
    (
        "write a file",
        &["write_text", "writeFile", "writeFileSync", "WriteFile"],
    ),
    ("base name", &["basename", "Base", "file_name"]),
    ("folder of", &["dirname", "Dir", "parent"]),
    ("suffix of", &["extname", "Ext", "extension", "splitext"]),
    (
        "to JSON",
        &[
            "dumps",
            "stringify",
            "Marshal",
            "MarshalIndent",
            "to_string_pretty",
        ],
    ),
    (
        "from JSON",
        &["loads", "Unmarshal", "from_str", "from_slice"],
    ),
    ("now", &["now", "Now", "utcnow", "monotonic"]),
    (
        "match",
        &[
            "match",
            "test",
            "MatchString",
            "is_match",
            "fullmatch",
            "exec",
            "search",
            "FindStringSubmatch",
        ],
    ),
    ("environment", &["getenv", "Getenv", "LookupEnv", "var_os"]),
];

/// Calls that replace constructs of the language.
const FORMS: &[(&str, &[&str])] = &[
    (
        "a loop",
        &[
            "forEach",
            "for_each",
            "map",
            "filter",
            "flatMap",
            "filter_map",
            "flat_map",
            "reduce",
            "fold",
            "some",
            "every",
            "any",
            "all",
            "iter",
            "iter_mut",
            "into_iter",
            "enumerate",
            "range",
            "find_map",
            "zip",
            "chars",
            "bytes",
            "Map",
        ],
    ),
    (
        "a format",
        &["format", "Sprintf", "Sprint", "Errorf", "format_args"],
    ),
    ("a test of type", &["isinstance", "issubclass", "isArray"]),
    (
        "an item",
        &["get", "Get", "get_mut", "at", "nth", "getitem"],
    ),
    ("a store", &["insert", "set", "Set", "setdefault"]),
];

/// Calls without meaning for the comparison.
const NOTHING: &[&str] = &[
    "append",
    "push",
    "push_str",
    "extend",
    "add",
    "collect",
    "str",
    "String",
    "to_string",
    "toString",
    "to_owned",
    "into_owned",
    "clone",
    "cloned",
    "copied",
    "into",
    "from",
    "as_str",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_bytes",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "expect",
    "ok",
    "ok_or",
    "ok_or_else",
    "Some",
    "Ok",
    "Err",
    "None",
    "bool",
    "Boolean",
    "Bool",
    "list",
    "dict",
    "tuple",
    "set",
    "frozenset",
    "new",
    "make",
    "default",
    "with_capacity",
    "keys",
    "values",
    "items",
    "entries",
    "Object",
    "Array",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "map_err",
    "and_then",
    "then",
    "print",
    "self",
    "super",
    "cast",
    "iteritems",
    "to_vec",
    "string",
    "byte",
    "rune",
    "slice",
    "is_empty",
    "isEmpty",
    "call",
    "apply",
    "bind",
    "next",
    "next_back",
    "text",
    "borrow",
    "deref",
    "int64",
    "uint",
    "uint64",
    "int32",
    "float64",
    "error",
    "Error",
    "to_string_lossy",
    "vec",
    "println",
    "eprintln",
    "Vec",
    "Box",
];

/// Meaning of a called name, or `None` if it is not a name of a library.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    MEANINGS.get(name).copied()
}

/// The names of the tables. The first entry of a name counts.
static MEANINGS: LazyLock<Map<&str, Meaning>> = LazyLock::new(|| {
    type Entry = (&'static str, &'static [&'static str]);
    fn all(
        list: &'static [Entry],
        of: fn(&'static str) -> Meaning,
    ) -> impl Iterator<Item = (&'static str, Meaning)> {
        let entries = list.iter();
        entries.flat_map(move |(operation, names)| {
            names.iter().map(move |name| (*name, of(operation)))
        })
    }
    let nothing = NOTHING.iter().map(|name| (*name, Meaning::Nothing));
    let calls = all(OPERATIONS, Meaning::Call);
    let mut meanings = Map::default();
    for (name, meaning) in nothing.chain(calls).chain(all(FORMS, Meaning::Form)) {
        meanings.entry(name).or_insert(meaning);
    }
    meanings
});

/// Whether a name is an operation of libraries.
pub(super) fn is_operation(name: &str) -> bool {
    OPERATIONS.iter().any(|(operation, _)| *operation == name)
}
