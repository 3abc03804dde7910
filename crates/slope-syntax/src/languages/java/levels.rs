//! The oldest version of Java that a build is for.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// Reads the versions that a text names.
type Reader = fn(&str) -> Vec<u32>;

/// Files of a build, each with its reader.
const BUILDS: &[(&str, Reader)] = &[
    ("pom.xml", of_maven),
    ("build.gradle", of_gradle),
    ("build.gradle.kts", of_gradle),
];

static XML_COMMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)<!--.*?-->").ok());
static PROPERTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = r"(?:maven\.compiler\.(?:source|release|target)|java\.version)";
    Regex::new(&format!(r"<{names}>\s*([\d.]+)\s*<")).ok()
});
static COMPILER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)maven-compiler-plugin\s*</artifactId>(.*?)</plugin>").ok());
static OPTION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"<(?:source|release|target)>\s*([\d.]+)\s*<").ok());
static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names =
        r"(?:(?:source|target)Compatibility|options\.release|LanguageVersion\.of|jvmToolchain)";
    Regex::new(&format!(r"{names}([^\n]*)")).ok()
});
static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:VERSION_|["'(=\s])(\d+(?:[._]\d+)?)\b"#).ok());

/// The oldest version that the builds in a folder name. A build may choose between several.
pub(super) fn oldest(folder: &Path) -> Option<u32> {
    let texts = BUILDS.iter().filter_map(|&(file, read)| {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        Some(read(&text))
    });
    texts.flatten().min()
}

/// Versions in a project of Maven: its properties, and the options of the plugin that compiles.
fn of_maven(text: &str) -> Vec<u32> {
    let Some(comment) = XML_COMMENT.as_ref() else {
        return Vec::new();
    };
    let text = comment.replace_all(text, "");
    let compilers = groups(COMPILER.as_ref(), &text);
    let options = compilers
        .iter()
        .flat_map(|part| groups(OPTION.as_ref(), part));
    let properties = groups(PROPERTY.as_ref(), &text);
    properties
        .into_iter()
        .chain(options)
        .filter_map(version)
        .collect()
}

/// Versions in the settings of a build of Gradle.
fn of_gradle(text: &str) -> Vec<u32> {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let settings = lines.flat_map(|line| groups(SETTING.as_ref(), line));
    settings
        .flat_map(|rest| groups(NUMBER.as_ref(), rest))
        .filter_map(version)
        .collect()
}

/// The first group of each match.
fn groups<'t>(find: Option<&Regex>, text: &'t str) -> Vec<&'t str> {
    let matches = find.into_iter().flat_map(|find| find.captures_iter(text));
    matches
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .collect()
}

/// The number of a version: 8 of `8`, `1.8` and `1_8`.
fn version(text: &str) -> Option<u32> {
    let mut parts = text.split(['.', '_']).map(str::parse);
    match (parts.next()?.ok()?, parts.next()) {
        (1, Some(minor)) => minor.ok(),
        (major, _) => Some(major),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maven_compiler_settings_count() {
        for (text, versions) in [
            (
                "<maven.compiler.source>1.7</maven.compiler.source>",
                &[7][..],
            ),
            ("<java.version>17</java.version>", &[17]),
            ("<maven.compiler.target>11</maven.compiler.target>", &[11]),
            (
                "<plugin><artifactId>maven-compiler-plugin</artifactId><configuration>\
                 <source>1.6</source></configuration></plugin>",
                &[6],
            ),
            (
                "<plugin><artifactId>maven-javadoc-plugin</artifactId><configuration>\
                 <source>6</source></configuration></plugin>",
                &[],
            ),
            ("<!-- <java.version>5</java.version> -->", &[]),
            ("<release>2</release>", &[]),
        ] {
            assert_eq!(of_maven(text), versions, "{text}");
        }
    }

    #[test]
    fn gradle_compiler_settings_count() {
        for (text, versions) in [
            ("sourceCompatibility = 1.8", &[8][..]),
            ("sourceCompatibility '1.7'", &[7]),
            (
                "sourceCompatibility = isOld ? JavaVersion.VERSION_1_5 : JavaVersion.VERSION_1_8",
                &[5, 8],
            ),
            ("languageVersion = JavaLanguageVersion.of(17)", &[17]),
            ("options.release.set(6)", &[6]),
            ("options.release = 11", &[11]),
            ("def release = 2", &[]),
            ("api = Api.VERSION_2", &[]),
            ("// sourceCompatibility was VERSION_1_6", &[]),
        ] {
            assert_eq!(of_gradle(text), versions, "{text}");
        }
    }
}
