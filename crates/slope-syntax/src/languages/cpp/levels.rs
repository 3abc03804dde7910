//! The oldest standard of C++ that a build is for.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// Files of a build that may name a standard.
const BUILDS: &[&str] = &["CMakeLists.txt", "meson.build", "Makefile", "configure.ac"];

static STANDARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = r"CMAKE_CXX_STANDARD\s+|\bCXX_STANDARD\s+|cxx_std_|[-_]std=(?:c|gnu)\+\+";
    Regex::new(&format!(r"(?m)^[^#\n]*?(?:{names})(\d\d)\b")).ok()
});

/// The oldest standard that the builds in a folder name: 3 for C++98 and C++03.
pub(super) fn oldest(folder: &Path) -> Option<u32> {
    let texts = BUILDS
        .iter()
        .filter_map(|file| std::fs::read_to_string(folder.join(file)).ok());
    texts.filter_map(|text| of_build(&text)).min()
}

fn of_build(text: &str) -> Option<u32> {
    let named = STANDARD.as_ref()?.captures_iter(text);
    // A check asks whether the compiler knows a flag.
    let is_check = |line: &str| {
        line.to_ascii_lowercase()
            .contains("check_cxx_compiler_flag")
    };
    let named = named.filter(|found| found.get(0).is_some_and(|line| !is_check(line.as_str())));
    let years = named.filter_map(|found| found.get(1)?.as_str().parse::<u32>().ok());
    years.map(|year| if year == 98 { 3 } else { year }).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_standard_of_a_build_is_read() {
        for (text, oldest) in [
            ("set(CMAKE_CXX_STANDARD 11)\n", Some(11)),
            ("set(CMAKE_CXX_STANDARD 17)\n", Some(17)),
            (
                "target_compile_features(a PUBLIC cxx_std_20)\ntarget_compile_features(b PUBLIC cxx_std_11)\n",
                Some(11),
            ),
            (
                "set_target_properties(a PROPERTIES CXX_STANDARD 14)\n",
                Some(14),
            ),
            ("CXXFLAGS = -O2 -std=c++98\n", Some(3)),
            (
                "project('a', default_options: ['cpp_std=gnu++14'])\n",
                Some(14),
            ),
            (
                "# cxx_std_11 is too old\nset(CMAKE_CXX_STANDARD 17)\n",
                Some(17),
            ),
            ("set(CMAKE_CXX_STANDARD ${WANTED})\n", None),
            (
                "CHECK_CXX_COMPILER_FLAG(-std=c++11 HAS_11)\nset(CMAKE_CXX_STANDARD 17)\n",
                Some(17),
            ),
        ] {
            assert_eq!(of_build(text), oldest, "{text}");
        }
    }
}
