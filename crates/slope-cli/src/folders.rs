//! Folders of this user: slope's own variables, else those of the XDG specification.

use std::path::PathBuf;

use etcetera::base_strategy::{BaseStrategy, Xdg};

/// Folder shared by all runs of this user. `None` without a home.
pub(crate) fn cache() -> Option<PathBuf> {
    own("SLOPE_CACHE_DIR").or_else(|| Some(Xdg::new().ok()?.cache_dir().join("slope")))
}

/// Folder of what slope remembers of agents' sessions. `None` without a home.
pub(crate) fn state() -> Option<PathBuf> {
    own("SLOPE_STATE_DIR").or_else(|| Some(Xdg::new().ok()?.state_dir()?.join("slope")))
}

/// The folder that a variable names, as an absolute path.
fn own(variable: &str) -> Option<PathBuf> {
    std::path::absolute(self::variable(variable)?).ok()
}

/// A variable of the environment that is not empty.
pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value))
}
