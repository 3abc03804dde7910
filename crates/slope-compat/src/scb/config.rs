//! The original's configuration: its exclusions.

use std::path::{Path, PathBuf};

use super::Error;
use super::text::{glob_parts, strip};

/// A configuration file's content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Config {
    /// The folder that patterns are relative to; `None` without a file.
    pub(crate) folder: Option<PathBuf>,
    exclude: Vec<Vec<String>>,
}

impl Config {
    /// Whether a file is excluded.
    pub(crate) fn excludes(&self, file: &Path) -> bool {
        let Some(folder) = &self.folder else {
            return false;
        };
        let path = file.strip_prefix(folder).unwrap_or(file);
        let parts: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        self.exclude.iter().any(|pattern| {
            let pattern: Vec<&str> = pattern.iter().map(String::as_str).collect();
            glob_parts(&pattern, &parts)
        })
    }
}

/// Reads the configuration at `explicit`, or the nearest at or above `start`.
pub(crate) fn read(start: &Path, explicit: Option<&Path>) -> Result<Config, Error> {
    if let Some(path) = explicit {
        let table = table(path)?;
        let own = if path
            .file_name()
            .is_some_and(|name| name == "pyproject.toml")
        {
            from_pyproject(path, &table)?
        } else {
            from_own(path, &table)?
        };
        return Ok(own.unwrap_or_default());
    }
    for folder in start.ancestors() {
        let own = folder.join("scb-check.toml");
        if own.is_file() {
            return Ok(from_own(&own, &table(&own)?)?.unwrap_or_default());
        }
        let shared = folder.join("pyproject.toml");
        if shared.is_file()
            && let Some(config) = from_pyproject(&shared, &table(&shared)?)?
        {
            return Ok(config);
        }
        if folder.join(".git").is_dir() {
            break;
        }
    }
    Ok(Config::default())
}

fn table(path: &Path) -> Result<toml::Table, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })?;
    text.parse()
        .map_err(|error: toml::de::Error| Error::Config {
            path: path.to_owned(),
            message: error.message().to_owned(),
        })
}

fn from_own(path: &Path, table: &toml::Table) -> Result<Option<Config>, Error> {
    let wrong = |message: String| Error::Config {
        path: path.to_owned(),
        message,
    };
    let mut keys = table.keys();
    if let Some(key) = keys.find(|k| *k != "exclude" && *k != "context") {
        return Err(wrong(format!("unknown setting `{key}`\nhelp: remove it")));
    }
    let exclude = strings(table.get("exclude"))
        .ok_or_else(|| wrong("invalid `exclude`: expected a list of strings".to_owned()))?;
    Ok(Some(Config {
        folder: path.parent().map(Path::to_owned),
        exclude: exclude.iter().map(|p| split(p)).collect(),
    }))
}

/// The configuration in a project file; `None` if it has no relevant part.
fn from_pyproject(path: &Path, table: &toml::Table) -> Result<Option<Config>, Error> {
    let tool = |name: &str| table.get("tool").and_then(|tool| tool.get(name));
    let own = tool("scb-check").and_then(toml::Value::as_table);
    let ruff = tool("ruff");
    let ty = tool("ty").and_then(|ty| ty.get("src"));
    if own.is_none() && ruff.is_none() && ty.is_none() {
        return Ok(None);
    }
    let mut config = match own {
        Some(own) => from_own(path, own)?.unwrap_or_default(),
        None => Config::default(),
    };
    config.folder = path.parent().map(Path::to_owned);
    let lists = [
        ruff.and_then(|r| r.get("exclude")),
        ruff.and_then(|r| r.get("extend-exclude")),
        ty.and_then(|t| t.get("exclude")),
    ];
    for list in lists {
        let patterns = strings(list).ok_or_else(|| Error::Config {
            path: path.to_owned(),
            message: "invalid exclude list of ruff or ty: expected a list of strings".to_owned(),
        })?;
        for pattern in patterns {
            config
                .exclude
                .extend(imported(pattern).iter().map(|p| split(p)));
        }
    }
    Ok(Some(config))
}

/// A list of texts; empty if it is absent, `None` if it is something else.
fn strings(value: Option<&toml::Value>) -> Option<Vec<&str>> {
    match value {
        None => Some(Vec::new()),
        Some(value) => value.as_array()?.iter().map(toml::Value::as_str).collect(),
    }
}

fn split(pattern: &str) -> Vec<String> {
    let parts = pattern.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// A pattern of another tool in the original's syntax.
fn imported(pattern: &str) -> Vec<String> {
    let mut text = strip(pattern).replace('\\', "/");
    while let Some(rest) = text.strip_prefix("./") {
        text = rest.to_owned();
    }
    let text = text.trim_start_matches('/');
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(folder) = text.strip_suffix('/') {
        return vec![format!("{}/**", folder.trim_end_matches('/'))];
    }
    if text.contains(['*', '?', '[']) || text.ends_with(".py") {
        return vec![text.to_owned()];
    }
    vec![text.to_owned(), format!("{text}/**")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(toml: &str, path: &str) -> bool {
        let table: toml::Table = toml.parse().unwrap();
        let file = Path::new("/r/pyproject.toml");
        let config = from_pyproject(file, &table).unwrap().unwrap();
        config.excludes(&Path::new("/r").join(path))
    }

    #[test]
    fn other_tool_lists_exclude_folders() {
        let toml = "[tool.ruff]\nextend-exclude = [\"docs\", \"./gen/\", \"*_pb2.py\"]\n";
        assert!(excluded(toml, "docs/a/b.py"));
        assert!(excluded(toml, "gen/a.py"));
        assert!(excluded(toml, "x_pb2.py"));
        assert!(!excluded(toml, "a/x_pb2.py"));
        assert!(!excluded(toml, "a/docs/b.py"));
    }

    #[test]
    fn own_exclude_list_uses_exact_patterns() {
        let toml = "[tool.scb-check]\nexclude = [\"docs\", \"**/gen/*\"]\n";
        assert!(!excluded(toml, "docs/a.py"));
        assert!(excluded(toml, "a/gen/b.py"));
    }

    #[test]
    fn project_file_without_tables_is_skipped() {
        let table: toml::Table = "[tool.black]\n".parse().unwrap();
        let found = from_pyproject(Path::new("/r/pyproject.toml"), &table).unwrap();
        assert!(found.is_none());
    }

    #[test]
    fn unknown_settings_are_refused_by_name() {
        let table: toml::Table = "[tool.scb-check]\nexcludes = []\n".parse().unwrap();
        let error = from_pyproject(Path::new("/r/pyproject.toml"), &table).unwrap_err();
        assert!(error.to_string().contains("`excludes`"));
    }
}
