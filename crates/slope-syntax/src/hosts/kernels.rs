//! Languages of Jupyter kernels.

use crate::language::Language;

/// Kernels whose names do not contain the name of their language.
const KERNELS: &[(&str, &[&str])] = &[
    (
        "python",
        &[
            "ipykernel",
            "ipython",
            "py",
            "pyodide",
            "pyolite",
            "pypy",
            "pyspark",
            "pysparkkernel",
            "xpython",
        ],
    ),
    ("cpp", &["c++", "cling", "xcpp"]),
    ("go", &["gonb", "gophernotes", "lgo"]),
    ("haskell", &["ihaskell"]),
    ("java", &["ijava", "ganymede", "jshell", "rapaio"]),
    (
        "javascript",
        &["ijavascript", "jslab", "nodejs", "xjavascript"],
    ),
    ("kotlin", &["ikotlin"]),
    ("lua", &["ilua", "xlua"]),
    ("ruby", &["iruby"]),
    ("rust", &["evcxr"]),
    ("scala", &["almond", "sparkkernel", "toree"]),
    ("typescript", &["deno", "itypescript", "tslab"]),
];

/// Words in names of kernels for languages that slope does not measure.
const OTHERS: &[&str] = &[
    "agda",
    "apl",
    "arkouda",
    "ballerina",
    "clojure",
    "coq",
    "cryptol",
    "crystal",
    "dart",
    "dyalog",
    "elixir",
    "elm",
    "emu",
    "erlang",
    "forth",
    "fortran",
    "f#",
    "fsharp",
    "gap",
    "gnuplot",
    "groovy",
    "hy",
    "iclojure",
    "idl",
    "idris",
    "ielixir",
    "ijulia",
    "imatlab",
    "ioctave",
    "iperl",
    "ir",
    "irkernel",
    "j",
    "julia",
    "kql",
    "lean",
    "lisp",
    "macaulay",
    "magma",
    "maple",
    "markdown",
    "mathematica",
    "mathics",
    "matlab",
    "maxima",
    "mongodb",
    "nim",
    "nushell",
    "ocaml",
    "octave",
    "perl",
    "postgresql",
    "powershell",
    "prolog",
    "pwsh",
    "q",
    "qsharp",
    "r",
    "racket",
    "raku",
    "sage",
    "sagemath",
    "sas",
    "scheme",
    "scilab",
    "singular",
    "sos",
    "sparkr",
    "sparkrkernel",
    "sparql",
    "spss",
    "sql",
    "sqlite",
    "stata",
    "tcl",
    "wolfram",
    "wolframlanguage",
    "xr",
    "xsqlite",
    "yacas",
];

/// The language that a kernel says it has, also with a version: `C++17`, `python3`.
///
/// # Errors
/// If slope does not measure it: the reason.
pub(super) fn language(name: &str) -> Result<Language, String> {
    let bare = without_version(name);
    let named = [name, bare].into_iter().find_map(Language::by_name);
    named
        .or_else(|| of_kernel(bare))
        .ok_or_else(|| unmeasured(name))
}

/// The language of a kernel that does not say it, by its names. A kernel with a name of one's own is mostly an
/// environment of Python, and the result is `None`.
///
/// # Errors
/// If slope does not measure it: the reason.
pub(super) fn named(names: &[String]) -> Result<Option<Language>, String> {
    let is_part = |c: char| c.is_alphanumeric() || "+#".contains(c);
    let words = names.iter().flat_map(|name| name.split(|c| !is_part(c)));
    let words: Vec<String> = words
        .map(|word| without_version(word).to_lowercase())
        .collect();
    let found: Vec<Language> = words.iter().filter_map(|word| of_kernel(word)).collect();
    // `conda-env-r-tools-py` is a kernel of Python.
    if let Some(python) = found.iter().find(|language| language.id() == "python") {
        return Ok(Some(*python));
    }
    if words.iter().any(|word| OTHERS.contains(&&**word)) {
        return Err(unmeasured(&names[0]));
    }
    Ok(found.first().copied())
}

fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// The language of a word in the name of a kernel.
fn of_kernel(word: &str) -> Option<Language> {
    let word = word.to_lowercase();
    let kernel = KERNELS.iter().find(|(_, names)| names.contains(&&*word));
    let id = kernel.map(|(id, _)| *id);
    // Suffixes of files are no names of languages here: `h` may be the name of an environment.
    let by_name = Language::by_name(&word)
        .filter(|language| !language.suffixes().contains(&&*word) || language.id() == word);
    id.map(super::known).or(by_name)
}

fn unmeasured(name: &str) -> String {
    let name: String = name.escape_debug().take(40).collect();
    format!("its kernel's language is `{name}`, which slope does not measure")
}
