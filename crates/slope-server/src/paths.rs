//! Paths that stay below the root.

use std::path::{Path, PathBuf};

use crate::Refusal;

/// A file or folder below the root, by a relative or an absolute path. `root` must be canonical:
/// links are followed, and one that leads out of it is refused.
pub(crate) fn below(root: &Path, path: Option<&str>) -> Result<PathBuf, Refusal> {
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return Ok(root.to_owned());
    };
    let joined = root.join(path);
    let Ok(found) = joined.canonicalize() else {
        return Err(Refusal::new(format!(
            "no `{path}` in {}\nhelp: give a path relative to that folder",
            root.display()
        )));
    };
    if !found.starts_with(root) {
        return Err(Refusal::new(format!(
            "`{path}` is outside of {}, the folder of this server\n\
             help: start another server with `slope mcp DIR`",
            root.display()
        )));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_outside_root_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a.py"), "x = 1\n").unwrap();
        std::fs::write(top.join("b.py"), "x = 1\n").unwrap();
        std::os::unix::fs::symlink("../b.py", root.join("link.py")).unwrap();
        assert_eq!(below(&root, Some("a.py")).unwrap(), root.join("a.py"));
        assert_eq!(below(&root, None).unwrap(), root);
        let inside = root.join("a.py");
        assert_eq!(below(&root, inside.to_str()).unwrap(), inside);
        for outside in ["../b.py", "link.py", "/etc/passwd", ".."] {
            let refusal = below(&root, Some(outside)).unwrap_err();
            assert!(refusal.message.contains("outside of"), "{outside}");
        }
        let refusal = below(&root, Some("none.py")).unwrap_err();
        assert!(refusal.message.contains("no `none.py` in"));
    }
}
