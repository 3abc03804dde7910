//! Supervises one container.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bollard::models::EventMessage;
use bollard::query_parameters::{EventsOptionsBuilder, RemoveContainerOptionsBuilder};
use futures_util::StreamExt;
use slope_sandbox::hosted::{ContainerHandle, Death};
use tokio::task::JoinHandle;

use crate::Engine;
use crate::error::{is_missing, status, words};
use crate::seat::ControlDir;

/// Longest wait for the engine to have removed a container.
const REMOVAL: Duration = Duration::from_secs(60);
/// Number of polls, ten milliseconds apart, after which the removal of a container is requested
/// again.
const ASK_AGAIN_AFTER: u32 = 20;

/// Exit code of a process that SIGKILL has ended.
const KILLED: &str = "137";

/// The engine's reports about a container.
#[derive(Debug, Default)]
struct ContainerExit {
    /// Whether the kernel killed a process of the container for memory.
    out_of_memory: bool,
    /// Whether a signal was requested from the engine.
    signalled: bool,
    death: Option<Death>,
}

impl ContainerExit {
    /// Records an event. Returns whether it is the last one.
    fn see(&mut self, event: &EventMessage) -> bool {
        match event.action.as_deref() {
            Some("oom") => self.out_of_memory = true,
            Some("kill") => self.signalled = true,
            Some("die" | "died") => {
                self.death = Some(self.death_with(exit_code(event)));
                return true;
            }
            _ => {}
        }
        false
    }

    /// The death of a container with this exit code.
    ///
    /// A first process ignores SIGKILL from its own container. Without a request to the engine only
    /// the kernel sends it, when the container reaches its memory limit. The engine's report of
    /// that may be late or missing.
    fn death_with(&self, code: Option<&str>) -> Death {
        let memory = code == Some(KILLED) && (self.out_of_memory || !self.signalled);
        let hint = match code {
            Some("127") => " (the image lacks a library of slope's binary, see `ldd`)",
            _ if memory => ", killed for memory",
            _ => "",
        };
        let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
        Death {
            how: format!("it ended{code}{hint}"),
            memory,
        }
    }
}

fn exit_code(event: &EventMessage) -> Option<&str> {
    let attributes = event.actor.as_ref()?.attributes.as_ref()?;
    let code = attributes
        .get("exitCode")
        .or(attributes.get("containerExitCode"));
    code.map(String::as_str)
}

/// A container that exists. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Container {
    engine: Engine,
    id: String,
    seat: ControlDir,
    fate: Arc<Mutex<ContainerExit>>,
    listening: Option<JoinHandle<()>>,
}

impl Container {
    /// Takes over the container `id`, and listens to its engine events.
    pub(crate) fn new(engine: &Engine, id: String, seat: ControlDir) -> Self {
        let fate = Arc::<Mutex<ContainerExit>>::default();
        let listening = engine.spawn(listen(engine.clone(), id.clone(), Arc::clone(&fate)));
        Self {
            engine: engine.clone(),
            id,
            seat,
            fate,
            listening: Some(listening),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    fn gone(&self) -> bool {
        let docker = &self.engine.docker;
        let found = self.engine.wait(docker.inspect_container(&self.id, None));
        found.is_err_and(|e| is_missing(&e))
    }
}

/// Listens until the container has ended.
async fn listen(engine: Engine, id: String, fate: Arc<Mutex<ContainerExit>>) {
    let filters = HashMap::from([("container", vec![id.as_str()])]);
    // Events start two seconds ago, because the container may be faster than this request.
    let since = jiff::Timestamp::now().as_second() - 2;
    let options = EventsOptionsBuilder::default()
        .since(&since.to_string())
        .filters(&filters)
        .build();
    let mut events = std::pin::pin!(engine.docker.events(Some(options)));
    while let Some(event) = events.next().await {
        let mut fate = fate.lock().unwrap_or_else(PoisonError::into_inner);
        let event = match event {
            Ok(event) => event,
            Err(e) => {
                fate.death = Some(Death {
                    how: format!("the engine is gone: {}", words(&e)),
                    memory: false,
                });
                return;
            }
        };
        if fate.see(&event) {
            return;
        }
    }
}

impl ContainerHandle for Container {
    fn ended(&self) -> Option<Death> {
        let fate = self.fate.lock().unwrap_or_else(PoisonError::into_inner);
        fate.death.clone()
    }

    fn called_back(&self) {
        self.seat.clear();
    }

    fn remove(&self) -> Result<(), String> {
        let end = Instant::now() + REMOVAL;
        loop {
            let Err(error) = self.ask_for_removal() else {
                return Ok(());
            };
            let at_it = match status(&error) {
                // The engine is at it already, since the container has ended.
                Some(409) => true,
                // podman refuses to stop a container that has stopped meanwhile.
                Some(500) => self.engine.about.is_podman,
                _ => false,
            };
            if !at_it || Instant::now() >= end {
                let why = words(&error);
                return Err(format!("its container {} remains: {why}", self.id));
            }
            for _ in 0..ASK_AGAIN_AFTER {
                if self.gone() {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

impl Container {
    /// Requests removal once. A missing container counts as removed.
    fn ask_for_removal(&self) -> Result<(), bollard::errors::Error> {
        let options = RemoveContainerOptionsBuilder::default().force(true).v(true);
        let docker = &self.engine.docker;
        let removed = docker.remove_container(&self.id, Some(options.build()));
        match self.engine.wait(removed) {
            Err(e) if !is_missing(&e) => Err(e),
            _ => Ok(()),
        }
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        // `slope gc` finds leftovers by their labels.
        let _ = self.remove();
        if let Some(listening) = self.listening.take() {
            listening.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(action: &str, code: Option<&str>) -> EventMessage {
        let attributes = code.map(|code| HashMap::from([("exitCode".into(), code.into())]));
        EventMessage {
            action: Some(action.to_owned()),
            actor: Some(bollard::models::EventActor {
                attributes,
                ..Default::default()
            }),
            ..EventMessage::default()
        }
    }

    /// Whether these events mean that the container reached its memory limit.
    fn memory(events: &[(&str, Option<&str>)]) -> bool {
        let mut fate = ContainerExit::default();
        let last = events
            .iter()
            .map(|(action, code)| fate.see(&event(action, *code)));
        assert_eq!(last.collect::<Vec<_>>().last(), Some(&true));
        fate.death.unwrap().memory
    }

    #[test]
    fn kernel_kills_are_memory_limits() {
        assert!(memory(&[
            ("start", None),
            ("oom", None),
            ("die", Some("137"))
        ]));
        assert!(memory(&[
            ("oom", None),
            ("kill", None),
            ("die", Some("137"))
        ]));
        // The engine may lose the event.
        assert!(memory(&[("start", None), ("die", Some("137"))]));
    }

    #[test]
    fn other_deaths_are_not_memory_limits() {
        assert!(!memory(&[("kill", None), ("die", Some("137"))]));
        assert!(!memory(&[("die", Some("1"))]));
        assert!(!memory(&[("oom", None), ("die", Some("0"))]));
        assert!(!memory(&[("die", None)]));
    }
}
