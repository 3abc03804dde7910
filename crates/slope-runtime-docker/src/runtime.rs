//! The runtime.

use std::path::PathBuf;
use std::time::Duration;

use bollard::query_parameters::{CreateContainerOptions, UploadToContainerOptionsBuilder};
use slope_sandbox::hosted;
use slope_sandbox::{Capabilities, Feature, Running, Runtime, Spec, State};

use crate::archive::{self, Part};
use crate::body::{self, Wanted};
use crate::error::{is_missing, words};
use crate::image::{Images, layers};
use crate::keeper::Container;
use crate::labels::{self, CONTAINER_GRACE, Owner};
use crate::seat::ControlDirs;
use crate::{Engine, Error};

/// Time that a container may take to connect. Engines on busy machines are slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Configuration of containers.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The declared base image: it needs a GNU C library at least as new as slope's own, and
    /// everything that agents and programs need.
    pub image: String,
    /// The run that containers are made for, as a label.
    pub run: String,
    /// Processors, at most; all if `None`.
    pub cpus: Option<f64>,
    /// Memory in bytes that the kernel tries to leave to each container when it gets short: the request,
    /// not the limit of the specification.
    pub memory_request: Option<u64>,
}

/// Runs commands in containers of an engine on this machine.
#[derive(Debug)]
pub struct DockerRuntime {
    engine: Engine,
    config: Config,
    images: Images,
    seats: ControlDirs,
    owner: Option<Owner>,
}

impl DockerRuntime {
    /// A runtime whose containers `engine` creates according to `config`.
    ///
    /// # Errors
    /// If the declared image does not exist, or the running binary cannot be copied to the folder
    /// of temporary files.
    pub fn new(engine: Engine, config: Config) -> Result<Self, Error> {
        Ok(Self {
            images: Images::of(&engine, &config.image)?,
            seats: ControlDirs::new()?,
            owner: Owner::here(),
            engine,
            config,
        })
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Creates the container and fills its read-only volumes.
    fn create(&self, spec: &Spec) -> Result<(Container, std::os::unix::net::UnixListener), Error> {
        let layers = layers(spec);
        let image = self.images.ensure(&layers)?;
        let (seat, door) = self.seats.take()?;
        let lease = spec.limits.wall + spec.limits.grace + CONTAINER_GRACE;
        let wanted = Wanted {
            spec,
            config: &self.config,
            about: &self.engine.about,
            image: &image,
            seat: seat.path(),
            binary: self.seats.binary_size(),
            labels: labels::labels(&self.config.run, self.owner.as_ref(), lease),
        };
        let docker = &self.engine.docker;
        let made = docker.create_container(None::<CreateContainerOptions>, wanted.body());
        let id = match self.engine.wait(made) {
            Ok(made) => made.id,
            Err(e) => {
                if is_missing(&e) {
                    self.images.forget(&image);
                }
                return Err(Error::refused("make a container")(e));
            }
        };
        let container = Container::new(&self.engine, id, seat);
        for volume in spec.volumes.iter().filter(|v| body::is_private(v)) {
            if let Some(tar) = &volume.fill {
                self.lay_down(&container, &volume.target.to_string_lossy(), tar.clone())?;
            }
        }
        Ok((container, door))
    }

    fn lay_down(&self, container: &Container, target: &str, tar: PathBuf) -> Result<(), Error> {
        // A missing file is the caller's mistake and should be reported as such.
        std::fs::File::open(&tar).map_err(Error::file("read", &tar))?;
        let options = UploadToContainerOptionsBuilder::default().path(target);
        let parts = vec![Part::Tar(PathBuf::new(), tar)];
        let body = bollard::body_try_stream(archive::stream(parts));
        let docker = &self.engine.docker;
        let sent = docker.upload_to_container(container.id(), Some(options.build()), body);
        self.engine
            .wait(sent)
            .map_err(Error::refused(format!("copy files to {target}")))
    }
}

impl Runtime for DockerRuntime {
    fn name(&self) -> &'static str {
        "docker"
    }

    fn identity(&self) -> String {
        format!("docker {}", self.images.base())
    }

    fn probe(&self) -> Capabilities {
        let mut capabilities = self.engine.about.capabilities();
        let image = State::Works(Some(self.images.base().to_owned()));
        capabilities.features.insert(1, (Feature::Image, image));
        capabilities
    }

    fn start(&self, spec: &Spec) -> Result<Running, slope_sandbox::Error> {
        hosted::check(spec)?;
        let (container, door) = self.create(spec)?;
        let docker = &self.engine.docker;
        let started = self
            .engine
            .wait(docker.start_container(container.id(), None));
        if let Err(e) = started {
            return Err(not_started(&words(&e)).into());
        }
        hosted::start(spec, door, Box::new(container), PATIENCE)
    }
}

/// The likely meaning of a refusal to start a container.
fn not_started(why: &str) -> Error {
    let hint = if why.contains("slope-init") && why.contains("no such file") {
        "\nhelp: choose an image with the GNU C library, since this one has no matching program loader"
    } else {
        ""
    };
    Error::Refused {
        what: "start a container".to_owned(),
        why: format!("{why}{hint}"),
    }
}
