//! Creates a new problem's folder: small, complete, and ready for the gate, so that an author
//! starts from a working problem.

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::workspace::Workspace;

/// Maximum number of checkpoints that a new problem gets.
pub const MOST: u32 = 20;
/// Entry file of a new problem, without its ending.
const ENTRY: &str = "tool";

/// Creates the folder `parent/name` of a problem with `count` checkpoints (1 to [`MOST`]). Returns
/// its path.
///
/// # Errors
/// If the name is not a plain name, the folder exists, or it cannot be written; then nothing is
/// left behind.
pub fn create(parent: &Path, name: &str, count: u32) -> Result<PathBuf, Error> {
    check(name, count)?;
    let folder = parent.join(name);
    let mut made = Workspace::default();
    for (path, text) in files(name, count, &canary()) {
        made.put(path.into(), &text);
    }
    made.create(&folder)?;
    Ok(folder)
}

fn check(name: &str, count: u32) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || !name.chars().all(plain) || !(5..=60).contains(&name.len()) {
        return Err(Error::Request(format!(
            "invalid problem name `{name}`: expected 5 to 60 lower-case letters, digits and hyphens\n\
             help: choose a name such as quilt-keeper, which no spec may contain"
        )));
    }
    if !(1..=MOST).contains(&count) {
        return Err(Error::Request(format!(
            "a problem has 1 to {MOST} checkpoints, not {count}"
        )));
    }
    Ok(())
}

/// A text that is unique to this problem, in the form of a random UUID (RFC 9562, version 4).
fn canary() -> String {
    // Each hasher has keys from the system's random numbers.
    let bits = || u128::from(RandomState::new().hash_one(0_u8));
    let random = (bits() << 64) | bits();
    let versioned = (random & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{versioned:032x}");
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}

/// All files: path in the problem's folder, and text.
fn files(name: &str, count: u32, canary: &str) -> Vec<(String, String)> {
    let mut files = vec![("config.yaml".to_owned(), config(name, count, canary))];
    for number in 1..=count {
        let checkpoint = format!("checkpoint_{number}");
        files.push((format!("{checkpoint}.md"), spec(number, canary)));
        files.push((format!("suite/{checkpoint}.yaml"), suite(number, canary)));
        files.push((
            format!("solutions/{checkpoint}/{ENTRY}.py"),
            solution(number),
        ));
    }
    files
}

/// The notice before a file's own text, as lines of comment.
fn notice(canary: &str) -> String {
    format!(
        "Part of a programming exercise. Please keep this text out of training data.\ncanary: {canary}"
    )
}

fn commented(canary: &str) -> String {
    let lines = notice(canary);
    lines.lines().map(|line| format!("# {line}\n")).collect()
}

fn config(name: &str, count: u32, canary: &str) -> String {
    let mut text = commented(canary);
    text.push_str(&format!(
        "name: {name}\nversion: 1\ndescription: What the program is, for people.\ncategory: command-line\n\
         difficulty: Medium\nentry_file: {ENTRY}\nsuite: cases\ntimeout: 10\n\ncheckpoints:\n"
    ));
    for number in 1..=count {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  checkpoint_{number}:\n    version: 1\n    state: Draft"
        );
    }
    text
}

fn spec(number: u32, canary: &str) -> String {
    let intro = if number == 1 {
        "Write a command-line program.".to_owned()
    } else {
        format!(
            "The program gets one more command, `step{number}`. Its other commands do not change."
        )
    };
    format!(
        "<!--\n{}\n-->\n# Step {number}\n\n{intro}\n\n\
         `%%%ENTRYPOINT:entry_command%%% step{number} WORD` prints one line: the number {number}, a space, and \
         the word.<!--#step{number}-line--> For example\n\n```\n%%%ENTRYPOINT:entry_command%%% step{number} \
         lantern\n```\n\nprints\n\n```\n{number} lantern\n```\n\n\
         Without exactly one word it prints nothing on standard output, a line that begins with `usage:` on \
         standard error, and exits with 2.<!--#step{number}-usage-->\n",
        notice(canary)
    )
}

fn suite(number: u32, canary: &str) -> String {
    let step = format!("step{number}");
    format!(
        "{}schema: slope.cases/1\ntimeout_s: 10\ncases:\n  \
         - id: {step}-of-a-word\n    group: core\n    clauses: [{step}-line]\n    steps:\n      \
         - args: [{step}, harbour]\n        expect: {{stdout: {{equals: \"{number} harbour\"}}}}\n\n  \
         - id: {step}-keeps-spaces\n    group: functionality\n    clauses: [{step}-line]\n    steps:\n      \
         - args: [{step}, \"two  words\"]\n        expect: {{stdout: {{equals: \"{number} two  words\"}}}}\n\n  \
         - id: {step}-without-a-word\n    group: error\n    clauses: [{step}-usage]\n    tags: [boundary]\n    \
         steps:\n      - args: [{step}]\n        expect: &usage\n          exit: 2\n          \
         stdout: {{equals: \"\"}}\n          stderr: {{matches: \"^usage:\"}}\n      \
         - args: [{step}, one, two]\n        expect: *usage\n",
        commented(canary)
    )
}

fn solution(number: u32) -> String {
    let mut text = format!(
        "\"\"\"A program of {number} commands.\"\"\"\n\nimport sys\n\nUSAGE = \"usage: {ENTRY}.py COMMAND WORD\"\n"
    );
    // Writing to a String cannot fail.
    for step in 1..=number {
        let _ = write!(
            text,
            "\n\ndef step{step}(word):\n    return f\"{step} {{word}}\"\n"
        );
    }
    text.push_str("\n\nCOMMANDS = {\n");
    for step in 1..=number {
        let _ = writeln!(text, "    \"step{step}\": step{step},");
    }
    text.push_str(
        "}\n\n\ndef main(arguments):\n    if len(arguments) != 2 or arguments[0] not in COMMANDS:\n        \
         print(USAGE, file=sys.stderr)\n        return 2\n    \
         print(COMMANDS[arguments[0]](arguments[1]))\n    return 0\n\n\n\
         if __name__ == \"__main__\":\n    sys.exit(main(sys.argv[1:]))\n",
    );
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

    use std::fs;

    use super::*;
    use crate::stage;

    #[test]
    fn new_problem_loads_without_lint_findings() {
        let dir = tempfile::tempdir().unwrap();
        let folder = create(dir.path(), "quilt-keeper", 3).unwrap();
        let problem = stage::load(&folder).unwrap();
        assert_eq!(problem.checkpoints.len(), 3);
        let lints = slope_problem::lint(&folder).unwrap();
        assert!(lints.is_empty(), "{lints:#?}");
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing but the folder is left");
    }

    #[test]
    fn existing_path_is_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("quilt-keeper"), "mine").unwrap();
        let told = create(dir.path(), "quilt-keeper", 1).unwrap_err();
        assert!(told.to_string().contains("already exists"), "{told}");
        let kept = fs::read_to_string(dir.path().join("quilt-keeper")).unwrap();
        assert_eq!(kept, "mine");
        for bad in ["../quilt", "Quilt", "a", "1-quilt", "quilt keeper"] {
            assert!(create(dir.path(), bad, 1).is_err(), "{bad}");
        }
        assert!(create(dir.path(), "quilt-two", 0).is_err());
    }

    #[test]
    fn canaries_are_unique_uuids() {
        let (one, two) = (canary(), canary());
        assert_ne!(one, two);
        let parts: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(one.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&one.as_bytes()[19]));
    }
}
