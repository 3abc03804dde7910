//! Generated, vendored and minified files; virtual environments.
//!
//! The signs are those that GitHub's linguist uses, as far as they concern languages that slope
//! measures. Each answer names its sign.

use std::path::Path;

use slope_syntax::Language;

use super::{minified, signs};

/// Folders of third-party code, in lower case and with `_` for `-`.
const VENDORED_FOLDERS: &[&str] = &[
    "vendor",
    "vendors",
    "vendored",
    "_vendor",
    "third_party",
    "thirdparty",
    "3rd_party",
    "3rdparty",
    "extern",
    "externals",
    "static_dependencies",
    "vendored_libs",
    "bower_components",
    "site_packages",
];

/// Folders of package managers, which are always written so.
const PACKAGE_FOLDERS: &[&str] = &["Godeps", "Pods", "Carthage"];

/// Path suffixes of folders with third-party code.
const VENDORED_PATHS: &[&str] = &[
    ".yarn/releases",
    ".yarn/plugins",
    ".yarn/sdks",
    ".yarn/versions",
    ".yarn/unplugged",
    "wwwroot/lib",
];

/// Folders with third-party code at the top of a repository. Below the top these names may be
/// anything.
const VENDORED_AT_TOP: &[&str] = &["deps", "autosetup"];

/// Folder at the top of a repository with the single-header version of a library, written by a
/// program.
const GENERATED_AT_TOP: &str = "single_include";

/// Names that virtual environments nearly always have.
const ENVIRONMENTS: &[&str] = &["venv", ".venv"];

/// Ends of names of files that programs write.
const GENERATED_ENDS: &[&str] = &[
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb.js",
    "_pb.d.ts",
    ".pb.go",
    ".pb.cc",
    ".pb.h",
    ".pb.gw.go",
    ".g.cs",
    ".g.i.cs",
    ".designer.cs",
    ".feature.cs",
    ".generated.cs",
    ".generated.ts",
    ".generated.js",
    ".generated.go",
    ".generated.rs",
    "_generated.go",
    "_generated.rs",
    ".gen.go",
    ".gen.ts",
    ".autogen.cs",
    ".pb.swift",
    ".grpc.swift",
    ".generated.swift",
    ".zep.c",
    ".zep.h",
];

/// Reason that a folder is excluded, by its path from the root alone. `is_top` tells whether the
/// root is the top of a repository.
pub(crate) fn folder_by_name(path: &str, is_top: bool) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if ENVIRONMENTS.contains(&name) {
        return Some(format!("virtual environment: in a folder called {name}"));
    }
    // Copies of notebooks that Jupyter keeps.
    if matches!(name, "__generated__" | ".ipynb_checkpoints") || is_top && path == GENERATED_AT_TOP
    {
        return Some(format!("generated: in a folder called {name}"));
    }
    if let Some(found) = VENDORED_PATHS
        .iter()
        .find(|end| Path::new(path).ends_with(end))
    {
        return Some(format!("vendored: in a folder called {found}"));
    }
    let spelled = name.to_ascii_lowercase().replace('-', "_");
    let is_vendored = VENDORED_FOLDERS.contains(&spelled.as_str())
        || PACKAGE_FOLDERS.contains(&name)
        || is_top && VENDORED_AT_TOP.contains(&path);
    is_vendored.then(|| format!("vendored: in a folder called {name}"))
}

/// Configuration file by which a virtual environment is recognized, whatever its name.
pub(super) const VIRTUAL_ENVIRONMENT: &str = "pyvenv.cfg";

pub(super) fn is_virtual_environment(folder: &Path) -> bool {
    folder.join(VIRTUAL_ENVIRONMENT).is_file()
}

/// Reason that a file is excluded, by its path alone.
pub(crate) fn by_name(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    let minified = [".min.js", "-min.js", ".min.mjs", ".min.cjs"];
    if minified.iter().any(|end| lower.ends_with(end)) {
        return Some(format!("minified: called {name}"));
    }
    if let Some(end) = GENERATED_ENDS.iter().find(|end| lower.ends_with(**end)) {
        return Some(format!("generated: its name ends in {end}"));
    }
    if name.starts_with(".pnp.") {
        return Some(format!("generated: called {name}"));
    }
    if is_vendored_script(&lower) {
        return Some(format!("vendored: called {name}"));
    }
    // In other languages these are names like any other.
    let mut folders = path.split('/').rev().skip(1).filter(|_| is_script(&lower));
    folders.find_map(|folder| match folder {
        "dist" => Some("vendored: in a folder called dist".to_owned()),
        _ if is_javadoc(folder) => Some(format!("generated: in a folder called {folder}")),
        _ => None,
    })
}

/// Whether a folder has the documentation that javadoc writes, with its scripts.
fn is_javadoc(folder: &str) -> bool {
    matches!(folder, "apidocs" | "javadoc" | "javadocs") || folder.starts_with("apidocs-")
}

fn is_script(name: &str) -> bool {
    let language = Language::of_path(Path::new(name));
    language.is_some_and(|language| language.files().are_minified)
}

/// Whether a file name is that of a copied third-party library: `jquery-3.6.0.js`,
/// `jquery.ui.core.js`, `bootstrap.bundle.js`, `d3.v7.js`, or any name with a version:
/// `underscore-1.8.3.js`.
fn is_vendored_script(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".js") else {
        return false;
    };
    if stem == "mockserviceworker" {
        return true;
    }
    let is_version = |text: &str| {
        let text = text.strip_suffix(".slim").unwrap_or(text);
        text.is_empty()
            || text.starts_with('-') && text[1..].starts_with(|c: char| c.is_ascii_digit())
    };
    let is_number = |text: &str| {
        let number = text.strip_prefix(".v");
        text.is_empty()
            || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_release = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.matches('.').count() == 2
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    let has_release = stem
        .rsplit_once('-')
        .is_some_and(|(_, end)| is_release(end));
    has_release
        || stem.strip_prefix("jquery").is_some_and(|rest| {
            is_version(rest)
                || ["-ui", ".ui.", ".effects."]
                    .iter()
                    .any(|part| rest.starts_with(part))
        })
        || stem.strip_prefix("d3").is_some_and(is_number)
        || stem.strip_prefix("bootstrap").is_some_and(|rest| {
            rest.starts_with(['-', '.']) && rest.contains(|c: char| c.is_ascii_digit())
                || rest.starts_with(".bundle")
        })
}

/// Whether a file is excluded by its path: by its own name, or that of a folder around it.
pub(crate) fn is_excluded_by_path(path: &str) -> bool {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    by_name(path).is_some()
        || folders
            .into_iter()
            .any(|folder| folder_by_name(folder, true).is_some())
}

/// Reason that a file is excluded, by its text.
pub(crate) fn by_text(language: &str, text: &str) -> Option<String> {
    if let Some(reason) = signs::generated(language, text) {
        return Some(reason);
    }
    let files = Language::by_id(language)?.files();
    if let Some(reason) = (files.generated)(text) {
        return Some(reason.to_owned());
    }
    files.are_minified.then(|| minified::reason(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_and_minified_names_are_recognised() {
        assert!(by_name("a/b_pb2.py").is_some_and(|r| r.starts_with("generated")));
        assert!(by_name("a/jquery.min.js").is_some_and(|r| r.starts_with("minified")));
        assert_eq!(by_name("a/pb2.py"), None);
    }

    #[test]
    fn generated_sign_must_be_in_header() {
        let head = "#!/usr/bin/env python\n# Code generated by x. DO NOT EDIT.\na = 1\n";
        let reason = by_text("python", head);
        assert!(reason.is_some_and(|r| r.contains("line 2")));
        assert_eq!(by_text("python", "a = 1\n# do not edit\n"), None);
        assert_eq!(by_text("python", "TEXT = 'do not edit'\n"), None);
    }

    #[test]
    fn pysmi_output_is_generated() {
        let head = "#\n# PySNMP MIB module A\n# Produced by pysmi-1.5 at some time\nx = 1\n";
        let reason = by_text("python", head);
        assert!(reason.is_some_and(|r| r.contains("line 3")));
    }

    #[test]
    fn sign_below_imports_marks_generated() {
        let sign = "# PLEASE DO NOT EDIT THIS FILE, IT IS GENERATED";
        let file = |above: &str, sign: &str| format!("{above}\n{sign}\nx = 1\n");
        let reason = by_text("python", &file("import os\nsys.path.append(root)\n", sign));
        assert_eq!(reason.as_deref(), Some("generated: line 4 says so"));
        let said = file("import os", "# This is a generated file!");
        assert!(by_text("python", &said).is_some());
        for (above, sign) in [
            ("import os", "# do not edit the keys"),
            ("import os", "# the keys are generated"),
            ("import os", "x = 'do not edit, generated'"),
            ("HEAD = \"\"\"", sign),
            (&"import os\n".repeat(40), sign),
        ] {
            assert_eq!(
                by_text("python", &file(above, sign)),
                None,
                "{above} {sign}"
            );
        }
    }

    #[test]
    fn library_in_one_file_is_vendored() {
        let code = "int f(void);\n".repeat(2_000);
        for (head, known) in [
            (
                "/* All sources have been combined into a\n * single file to make it easy to use. */\n",
                true,
            ),
            ("/* This file is an amalgamation of many files. */\n", true),
            ("// The single source file, bootstrap version of it\n", true),
            ("// Both lists are combined into a new one.\n", false),
            ("const char *s = \"combined into a single file\";\n", false),
        ] {
            let text = format!("{head}{code}");
            assert_eq!(by_text("c", &text).is_some(), known, "{head}");
            assert_eq!(by_text("c", head), None, "a short file: {head}");
        }
        assert!(by_name("public/mockServiceWorker.js").is_some());
        assert_eq!(by_name("public/worker.js"), None);
        assert!(folder_by_name("single_include", true).is_some());
        assert_eq!(folder_by_name("src/single_include", true), None);
    }

    #[test]
    fn java_template_is_not_measured() {
        let template = "package a;\n#parse(\"Header.java\")\npublic class ${NAME} {}\n";
        assert!(by_text("java", template).is_some());
        for code in [
            "package a;\nclass A { String s = \"${x}\"; }\n",
            "/*\n#set(${x})\nclass ${A}\n*/\nclass A {}\n",
        ] {
            assert_eq!(by_text("java", code), None, "{code}");
        }
    }

    #[test]
    fn module_docstring_can_mark_generated() {
        let says = "Types of the API.\n\nThis is generated:\nDo not edit!\n";
        for (before, text, known) in [
            ("", says, true),
            ("# -*- coding: utf-8 -*-\n\nr", says, true),
            ("", "Types.\n\nDo not edit!\n", false),
            ("", "Types.\n\nThis is generated.\n", false),
            ("import os\nx = ", says, false),
            (
                "from a import b\n\n\n",
                "\nIt has been generated automatically and must not be modified directly.\n",
                true,
            ),
            ("import os\n\n", "Keys must not be modified.\n", false),
            (
                "",
                "Ids are auto-generated and must not be changed.\n",
                false,
            ),
            (&"# A licence.\n".repeat(60), says, false),
        ] {
            let code = format!("{before}\"\"\"{text}\"\"\"\nx = 'do not edit, generated'\n");
            assert_eq!(by_text("python", &code).is_some(), known, "{code}");
        }
    }

    #[test]
    fn antlr_output_is_generated() {
        for (head, known) in [
            ("# Generated from a/Expr.g4 by ANTLR 4.9.2", true),
            ("# encoding: utf-8\n# Generated by ANTLR", true),
            ("# Reads Expr.g4 with ANTLR", false),
        ] {
            let code = format!("{head}\nx = 1\n");
            assert_eq!(by_text("python", &code).is_some(), known, "{head}");
        }
    }

    #[test]
    fn vendored_folder_names_are_recognised() {
        for (path, known) in [
            ("static_dependencies", true),
            ("externals", true),
            ("vendored_libs", true),
            ("a/vendors", true),
            ("Vendor", true),
            ("a/ThirdParty", true),
            ("3rd-party", true),
            ("3rd_party", true),
            ("extern", true),
            ("a/wwwroot/lib", true),
            ("bower_components", true),
            ("lib/site-packages", true),
            (".yarn/releases", true),
            ("src/__generated__", true),
            ("venv", true),
            ("a/.venv", true),
            ("deps", true),
            ("Pods", true),
            ("pods", false),
            ("a/deps", false),
            ("lib", false),
            ("external", false),
            ("my_externals", false),
            ("dist", false),
        ] {
            assert_eq!(folder_by_name(path, true).is_some(), known, "{path}");
        }
        assert_eq!(folder_by_name("deps", false), None);
    }

    #[test]
    fn vendored_and_build_files_are_recognised() {
        for (path, known) in [
            ("a/jquery.js", true),
            ("a/jquery-3.6.0.js", true),
            ("a/jquery-migrate-3.0.1.js", true),
            ("a/underscore-1.8.3.js", true),
            ("a/step-2.js", false),
            ("a/step-1.2.js", false),
            ("a/http-1.1.js", false),
            ("src/apidocs_helper/a.js", false),
            ("packages/javadoc-parser/a.js", false),
            ("docs/apidocs-all/search.js", true),
            ("docs/javadoc/script.js", true),
            ("a/jquery-3.6.0.slim.js", true),
            ("a/jquery-ui.js", true),
            ("a/bootstrap.js", false),
            ("a/bootstrap-3.3.7.js", true),
            ("a/bootstrap.bundle.js", true),
            ("a/d3.js", true),
            ("a/d3.v7.js", true),
            ("a/dist/index.js", true),
            ("Login.feature.cs", true),
            ("a.zep.c", true),
            (".pnp.cjs", true),
            ("a/jquery-plugin.js", false),
            ("a/bootstrapper.js", false),
            ("a/d3chart.js", false),
            ("a/bootstrap.ts", false),
            ("a/dist/core.py", false),
            ("kind_string.go", false),
        ] {
            assert_eq!(by_name(path).is_some(), known, "{path}");
        }
    }

    #[test]
    fn script_naming_its_sources_is_generated() {
        let made = "var a = 1;\n//# sourceMappingURL=a.js.map\n";
        assert!(by_text("javascript", made).is_some());
        assert_eq!(by_text("typescript", made), None);
        let talks = "var a = '//# sourceMappingURL=';\nf();\ng();\n";
        assert_eq!(by_text("javascript", talks), None);
    }

    #[test]
    fn only_scripts_count_as_minified() {
        let long = format!("{}\n", "f();".repeat(400));
        assert!(by_text("javascript", &long).is_some());
        assert_eq!(by_text("python", &long), None);
    }
}
