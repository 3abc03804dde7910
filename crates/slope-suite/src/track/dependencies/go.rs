//! Dependencies of a Go module.

use std::path::Path;
use std::process::Command;

use super::{Order, plain};

pub(super) fn order(manifest: &str, sums: Option<&str>) -> Result<Option<Order>, String> {
    let mut own = String::new();
    let mut packages = Vec::new();
    let mut block = None;
    for (number, line) in (1..).zip(manifest.lines()) {
        let line = line.split("//").next().unwrap_or_default();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let verb = match (block, words.as_slice()) {
            (_, []) => continue,
            (Some(_), [")"]) => {
                block = None;
                continue;
            }
            (None, [verb, "("]) => {
                block = Some(*verb);
                continue;
            }
            (Some(verb), _) => verb,
            (None, _) => words.remove(0),
        };
        match (verb, words.as_slice()) {
            ("module" | "go", [what]) if plain(what, "-_.~/") => {
                own.push_str(&format!("{verb} {what}\n"));
            }
            ("require", [module, version]) if plain(module, "-_.~/!") && plain(version, "-.+") => {
                own.push_str(&format!("require {module} {version}\n"));
                packages.push(format!("{module} {version}"));
            }
            ("toolchain", _) => {}
            _ => {
                let line = line.trim();
                return Err(format!(
                    "line {number}: `{line}` is not supported: use only `require` with a version"
                ));
            }
        }
    }
    if packages.is_empty() {
        return Ok(None);
    }
    let sums = sums.unwrap_or_default().to_owned();
    Ok(Some(Order {
        files: vec![("go.mod", own), ("go.sum", sums)],
        args: vec!["mod", "download"],
        results: &["modules/cache/download"],
        packages,
    }))
}

/// The command, restricted to proxies: version control could be made to run programs.
pub(super) fn command(go: &Path, folder: &Path) -> Command {
    let proxies = Command::new(go)
        .args(["env", "GOPROXY"])
        .current_dir("/")
        .output();
    let proxies = proxies.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    let proxies = proxies.unwrap_or_default();
    let proxies = proxies.split([',', '|']).filter(|p| *p != "direct");
    let mut command = Command::new(go);
    command
        .env("GOPROXY", proxies.collect::<Vec<_>>().join(","))
        .env("GOVCS", "*:off")
        .env("GOTOOLCHAIN", "local")
        .env("GOFLAGS", "-mod=mod -modcacherw")
        .env("GOMODCACHE", folder.join("modules"));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versioned_requirements_are_copied() {
        assert_eq!(order("module a\n\ngo 1.19 // why\n", None), Ok(None));
        let text = "module a\ngo 1.19\nrequire b.org/c v1.2.3\nrequire (\n\td.org/e v0.1.0 // indirect\n)\n";
        let order_ = order(text, None).unwrap().unwrap();
        assert_eq!(order_.packages, ["b.org/c v1.2.3", "d.org/e v0.1.0"]);
        assert_eq!(
            order_.files[0].1,
            "module a\ngo 1.19\nrequire b.org/c v1.2.3\nrequire d.org/e v0.1.0\n"
        );
        for bad in [
            "replace b => /etc",
            "replace (\nb => ../x\n)",
            "require b latest; x",
            "go",
        ] {
            assert!(order(&format!("{text}{bad}\n"), None).is_err(), "{bad}");
        }
    }
}
