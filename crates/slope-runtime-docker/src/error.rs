//! Errors of an engine.

use std::path::PathBuf;

use slope_model::error_text::one_line;

/// Reason that an engine cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No engine answers.
    #[error(
        "no container engine answers at {address}: {why}\nhelp: start one, or set DOCKER_HOST to its socket"
    )]
    NoEngine {
        /// Address that was tried.
        address: String,
        /// The response.
        why: String,
    },
    /// An address of a kind that cannot work.
    #[error(
        "the engine at {address} is not on this machine, and slope reaches sandboxes through a \
         socket in the file system\nhelp: give unix:///path/to.sock or tcp://127.0.0.1:PORT"
    )]
    Address {
        /// The address as given.
        address: String,
    },
    /// The engine does not run Linux containers.
    #[error(
        "the engine at {address} runs containers for {system}, not for Linux\nhelp: switch it to Linux containers, or use another engine"
    )]
    System {
        /// Address of the engine.
        address: String,
        /// Its own message.
        system: String,
    },
    /// The declared base image is missing.
    #[error(
        "the engine has no image `{image}`, and slope does not pull from registries\n\
         help: get it with `docker pull {image}`, `docker load` or `docker import`"
    )]
    NoImage {
        /// Declared name.
        image: String,
    },
    /// Not enough room for images and containers.
    #[error(
        "the engine's folder {} has {} MiB of free space, but the run needs {} MiB\n\
         help: remove the leftovers of earlier runs with `slope gc`, and look for others with `docker system df`",
        path.display(), free >> 20, needed >> 20
    )]
    NoRoom {
        /// The engine's folder.
        path: PathBuf,
        /// Free bytes.
        free: u64,
        /// Bytes that have to be free.
        needed: u64,
    },
    /// The engine refuses a request.
    #[error("the engine cannot {what}: {why}")]
    Refused {
        /// The request.
        what: String,
        /// Its words.
        why: String,
    },
    /// A host file cannot be used.
    #[error("{}: cannot {action}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Failed action.
        action: &'static str,
        /// System error.
        source: std::io::Error,
    },
}

impl Error {
    /// The error for the engine's refusal to do `what`.
    pub(crate) fn refused(what: impl Into<String>) -> impl FnOnce(bollard::errors::Error) -> Self {
        let what = what.into();
        move |error| Self::Refused {
            what,
            why: words(&error),
        }
    }

    /// A failure to `action` the file at `path`.
    pub(crate) fn file(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File {
            path,
            action,
            source,
        }
    }
}

impl From<Error> for slope_sandbox::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::File {
                path,
                action,
                source,
            } => Self::HostFile {
                path,
                action,
                source,
            },
            other => Self::Engine(Box::new(other)),
        }
    }
}

/// The engine's own words, without the client's.
pub(crate) fn words(error: &bollard::errors::Error) -> String {
    match error {
        bollard::errors::Error::DockerResponseServerError { message, .. } => message.clone(),
        bollard::errors::Error::DockerStreamError { error } => error.clone(),
        other => one_line(other),
    }
}

/// Whether the engine reports that the object does not exist.
pub(crate) fn is_missing(error: &bollard::errors::Error) -> bool {
    status(error) == Some(404)
}

/// The status of the engine's answer, if there was one.
pub(crate) fn status(error: &bollard::errors::Error) -> Option<u16> {
    match error {
        bollard::errors::Error::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}
