//! Reading a workspace's requirements file.
//!
//! The graded program's author wrote the file, and an installer on the host reads it, so only the
//! plain form is allowed: names with extras, versions and markers. Options, links, paths and
//! version-control addresses would let it choose an index, read files or run code at once.

/// The requirements in `text`, one per line, without comments.
pub(super) fn parse(text: &str) -> Result<Vec<String>, String> {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut wanted = Vec::new();
    for (number, line) in joined.lines().enumerate() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        check(line).map_err(|why| format!("line {}: `{line}` {why}", number + 1))?;
        wanted.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    wanted.sort();
    wanted.dedup();
    Ok(wanted)
}

fn without_comment(line: &str) -> &str {
    let at = line
        .char_indices()
        .find(|&(i, c)| c == '#' && (i == 0 || line[..i].ends_with(char::is_whitespace)));
    at.map_or(line, |(i, _)| &line[..i])
}

fn check(line: &str) -> Result<(), &'static str> {
    if line.starts_with('-') {
        return Err("is an option; only named requirements are installed");
    }
    if line.contains("--") {
        return Err("has an option; only named requirements are installed");
    }
    let (requirement, _marker) = line.split_once(';').unwrap_or((line, ""));
    let name_end = requirement.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)));
    let (name, rest) = requirement.split_at(name_end.unwrap_or(requirement.len()));
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric())
        || !name.ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        return Err("does not start with a package's name");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || " \t[],<>=!~.*+()-_".contains(c);
    if rest.contains('@') {
        return Err("names a place; only named requirements are installed");
    }
    if !rest.chars().all(plain) {
        return Err("is not a name with versions");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn names_versions_extras_and_markers_pass() {
        let text = "# a comment\nPyYAML>=6.0,<7.0  # why\n\nrequests[socks] ~= 2.31 ; python_version < '3.13'\nb \\\n == 1\n";
        let wanted = parse(text).unwrap();
        assert_eq!(
            wanted,
            [
                "PyYAML>=6.0,<7.0",
                "b == 1",
                "requests[socks] ~= 2.31 ; python_version < '3.13'"
            ]
        );
    }

    #[test]
    fn requirement_paths_and_options_are_refused() {
        for bad in [
            "--index-url http://evil.example/simple",
            "-e .",
            "-r other.txt",
            "x @ file:///etc/passwd",
            "git+https://host/x.git",
            "./wheels/x.whl",
            "/etc/passwd",
            "x --global-option=y",
            "x==1 --hash=sha256:00",
            "../up",
        ] {
            let why = parse(bad).unwrap_err();
            assert!(why.starts_with("line 1"), "{bad}: {why}");
        }
    }
}
