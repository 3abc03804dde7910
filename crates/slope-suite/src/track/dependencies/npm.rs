//! Dependencies of a package for Node.js.

use serde_json::{Map, Value, json};

use super::{Order, plain};

/// Tables that name packages.
const TABLES: [&str; 2] = ["dependencies", "devDependencies"];
/// Keys that would change the meaning of other keys.
const REFUSED: [&str; 5] = [
    "bundleDependencies",
    "optionalDependencies",
    "overrides",
    "peerDependencies",
    "workspaces",
];

pub(super) fn order(manifest: &str, lock: Option<&str>) -> Result<Option<Order>, String> {
    // The build refuses invalid JSON.
    let Ok(Value::Object(manifest)) = serde_json::from_str(manifest) else {
        return Ok(None);
    };
    let mut own = Map::new();
    let mut packages = Vec::new();
    for name in TABLES {
        let Some(Value::Object(wanted)) = manifest.get(name) else {
            continue;
        };
        for (package, version) in wanted {
            packages.push(dependency(package, version)?);
        }
        own.insert(name.to_owned(), Value::Object(wanted.clone()));
    }
    if packages.is_empty() {
        return Ok(None);
    }
    if let Some(refused) = REFUSED.iter().find(|key| manifest.contains_key(**key)) {
        return Err(format!("`{refused}` is not supported"));
    }
    for key in ["name", "version"] {
        let said = manifest.get(key).and_then(Value::as_str);
        if let Some(text) = said.filter(|text| plain(text, "@/._-+")) {
            own.insert(key.to_owned(), text.into());
        }
    }
    let mut files = vec![("package.json", Value::Object(own).to_string())];
    let mut args = vec!["install"];
    if let Some(lock) = lock {
        files.push(("package-lock.json", checked(lock)?));
        args = vec!["ci"];
    }
    args.extend(["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]);
    args.extend(["--no-update-notifier", "--loglevel=error"]);
    Ok(Some(Order {
        files,
        args,
        results: &["node_modules"],
        packages,
    }))
}

fn dependency(package: &str, version: &Value) -> Result<String, String> {
    let version = version.as_str().unwrap_or_default();
    let parts: Vec<&str> = package.split('/').collect();
    let named = match parts.as_slice() {
        [name] => plain(name, "._-"),
        [scope, name] => scope.starts_with('@') && plain(&scope[1..], "._-") && plain(name, "._-"),
        _ => false,
    };
    if named && plain(version, " .^~<>=|*+-") {
        return Ok(format!("{package} {version}"));
    }
    Err(format!(
        "{package}: `{version}` is not supported: use a version from the registry"
    ))
}

/// The lock file without places: packages come from the registry, and are checked by their hashes.
fn checked(lock: &str) -> Result<String, String> {
    let bad = |what: String| format!("package-lock.json: {what}");
    let mut lock: Value = serde_json::from_str(lock).map_err(|why| bad(why.to_string()))?;
    let packages = lock.get_mut("packages").and_then(Value::as_object_mut);
    let packages =
        packages.ok_or_else(|| bad("has no `packages`; make it with npm 7 or later".to_owned()))?;
    for (place, package) in packages.iter_mut() {
        let Some(package) = package.as_object_mut() else {
            return Err(bad(format!("`{place}` is not an object")));
        };
        package.remove("resolved");
        let inside = place.is_empty() || place.starts_with("node_modules/");
        let whole = place.is_empty() || package.contains_key("integrity");
        if !inside || !whole || place.contains("..") || package.contains_key("link") {
            return Err(bad(format!(
                "`{place}` is not a package of the registry with its hash"
            )));
        }
    }
    let packages = packages.clone();
    Ok(json!({ "lockfileVersion": 3, "requires": true, "packages": packages }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_copied_paths_refused() {
        assert_eq!(order("{\"type\": \"module\"}", None), Ok(None));
        let text = r#"{"name": "x", "scripts": {"install": "evil"}, "dependencies": {"@a/b": "^1.2.0 || 2"}}"#;
        let order_ = order(text, None).unwrap().unwrap();
        assert_eq!(order_.packages, ["@a/b ^1.2.0 || 2"]);
        assert!(!order_.files[0].1.contains("evil"));
        for version in [
            "file:/etc",
            "git+ssh://h/x",
            "user/repo",
            "npm:other@1",
            "http://h/x.tgz",
            "",
        ] {
            let text = json!({ "dependencies": { "a": version } }).to_string();
            assert!(order(&text, None).is_err(), "{version}");
        }
    }

    #[test]
    fn lock_keeps_hashes_drops_urls() {
        let text = r#"{"dependencies": {"a": "1"}}"#;
        let lock = r#"{"packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a":
            {"version": "1.0.0", "resolved": "http://evil/a.tgz", "integrity": "sha512-x"}}}"#;
        let order_ = order(text, Some(lock)).unwrap().unwrap();
        let own = &order_.files[1].1;
        assert!(own.contains("sha512-x") && !own.contains("evil"), "{own}");
        assert_eq!(order_.args[0], "ci");
        for bad in [
            lock.replace("\"integrity\"", "\"x\""),
            lock.replace("node_modules/a", "../a"),
        ] {
            assert!(order(text, Some(&bad)).is_err(), "{bad}");
        }
    }
}
