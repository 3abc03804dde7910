//! Dependencies of a Rust package.

use toml::{Table, Value};

use super::{Order, plain};

/// The registry, as lock files call it.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Tables that name packages.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
/// Tables that would change the meaning of other tables.
const REFUSED: [&str; 4] = ["patch", "replace", "target", "workspace"];

pub(super) fn order(manifest: &str, lock: Option<&str>) -> Result<Option<Order>, String> {
    // The build refuses invalid TOML.
    let Ok(manifest) = manifest.parse::<Table>() else {
        return Ok(None);
    };
    let mut own = Table::new();
    let mut packages = Vec::new();
    for name in TABLES {
        let Some(Value::Table(wanted)) = manifest.get(name) else {
            continue;
        };
        let mut table = Table::new();
        for (package, how) in wanted {
            table.insert(package.clone(), dependency(package, how)?);
            packages.push(told(package, how));
        }
        own.insert(name.to_owned(), table.into());
    }
    if packages.is_empty() {
        return Ok(None);
    }
    if let Some(refused) = REFUSED.iter().find(|name| fills(manifest.get(**name))) {
        return Err(format!("[{refused}] is not allowed next to dependencies"));
    }
    own.insert("package".to_owned(), package(&manifest)?.into());
    // Folders around it are not a workspace of this package.
    own.insert("workspace".to_owned(), Table::new().into());
    let mut files = vec![
        ("Cargo.toml", own.to_string()),
        ("src/main.rs", "fn main() {}\n".to_owned()),
    ];
    let mut args = vec!["vendor", "--quiet", "--versioned-dirs"];
    if let Some(lock) = lock {
        files.push(("Cargo.lock", checked(lock)?));
        args.push("--locked");
    }
    Ok(Some(Order {
        files,
        args,
        results: &["vendor", "Cargo.lock"],
        packages,
    }))
}

fn fills(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.as_table().is_none_or(|table| !table.is_empty()))
}

/// Name and version, by which the lock file identifies the package.
fn package(manifest: &Table) -> Result<Table, String> {
    let said = manifest.get("package").and_then(Value::as_table);
    let field = |name: &str, others: &str| {
        let text = said?.get(name)?.as_str()?;
        plain(text, others).then(|| Value::from(text))
    };
    let name = field("name", "-_").ok_or("the package has no plain name")?;
    let version = field("version", ".-+").unwrap_or_else(|| Value::from("0.0.0"));
    Ok(Table::from_iter([
        ("name".to_owned(), name),
        ("version".to_owned(), version),
        ("edition".to_owned(), Value::from("2021")),
    ]))
}

/// A dependency that names a version, and only keys that go with one.
fn dependency(package: &str, how: &Value) -> Result<Value, String> {
    let bad = |what: &str| {
        Err(format!(
            "{package}: {what}; only versions of the registry are fetched"
        ))
    };
    if !plain(package, "-_") {
        return bad("is not a plain name");
    }
    let table = match how {
        Value::String(_) => Table::from_iter([("version".to_owned(), how.clone())]),
        Value::Table(table) => table.clone(),
        _ => return bad("is no version"),
    };
    for (key, value) in &table {
        let holds = match (key.as_str(), value) {
            ("version", Value::String(version)) => plain(version, " .,<>=^~*+-"),
            ("package", Value::String(name)) => plain(name, "-_"),
            ("optional" | "default-features", Value::Boolean(_)) => true,
            ("features", Value::Array(features)) => {
                let plain = |f: &Value| f.as_str().is_some_and(|f| plain(f, "-_+./?:"));
                features.iter().all(plain)
            }
            _ => false,
        };
        if !holds {
            return bad(&format!("`{key} = {value}` is not supported"));
        }
    }
    if !table.contains_key("version") {
        return bad("has no version");
    }
    Ok(table.into())
}

fn told(package: &str, how: &Value) -> String {
    let version = how.as_str().or_else(|| how.get("version")?.as_str());
    format!("{package} {}", version.unwrap_or_default())
}

/// The lock file, if all that it names is the registry's.
fn checked(lock: &str) -> Result<String, String> {
    let table = lock
        .parse::<Table>()
        .map_err(|why| format!("Cargo.lock: {}", why.message()))?;
    let packages = table.get("package").and_then(Value::as_array);
    let mut sources = packages
        .into_iter()
        .flatten()
        .filter_map(|p| p.get("source"));
    if let Some(other) = sources.find(|source| source.as_str() != Some(CRATES_IO)) {
        return Err(format!(
            "Cargo.lock names {other}, which is not the registry"
        ));
    }
    Ok(lock.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "[package]\nname = \"tool\"\nversion = \"1.2.0\"\nbuild = \"evil.rs\"\n";

    #[test]
    fn only_names_versions_features_are_copied() {
        assert_eq!(order(PACKAGE, None), Ok(None));
        assert_eq!(order("no toml", None), Ok(None));
        let text = format!(
            "{PACKAGE}[workspace]\n[dependencies]\nserde = {{ version = \"1\", features = [\"derive\"] }}\nlog = \"0.4\"\n"
        );
        let order = order(&text, Some("version = 4\n")).unwrap().unwrap();
        assert_eq!(order.packages, ["log 0.4", "serde 1"]);
        let manifest = &order.files[0].1;
        assert!(
            manifest.contains("derive") && manifest.contains("1.2.0"),
            "{manifest}"
        );
        assert!(!manifest.contains("evil"), "{manifest}");
        assert!(order.args.contains(&"--locked"));
    }

    #[test]
    fn path_and_git_dependencies_are_refused() {
        for bad in [
            "[dependencies]\na = { path = \"/etc\" }\n",
            "[dependencies]\na = { git = \"https://host/a\" }\n",
            "[dependencies]\na = { version = \"1\", registry = \"own\" }\n",
            "[dependencies]\na = { workspace = true }\n",
            "[dependencies]\na = \"1\"\n[patch.crates-io]\na = { path = \"/etc\" }\n",
            "[dependencies]\na = \"1\"\n[target.'cfg(unix)'.dependencies]\nb = { path = \"/etc\" }\n",
        ] {
            assert!(order(&format!("{PACKAGE}{bad}"), None).is_err(), "{bad}");
        }
        let lock =
            "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"git+https://host/a\"\n";
        let why = order(&format!("{PACKAGE}[dependencies]\na = \"1\"\n"), Some(lock)).unwrap_err();
        assert!(why.contains("git+https://host/a"), "{why}");
    }
}
