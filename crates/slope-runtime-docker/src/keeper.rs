//! Looks after one container.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bollard::query_parameters::{EventsOptionsBuilder, RemoveContainerOptionsBuilder};
use futures_util::StreamExt;
use slope_sandbox::hosted::Keeper;
use tokio::task::JoinHandle;

use crate::Engine;
use crate::error::{is_missing, status, words};
use crate::seat::Seat;

/// Longest wait for the engine to have removed a container.
const REMOVAL: Duration = Duration::from_secs(60);
/// Looks after a container, ten milliseconds apart, until its removal is asked for again.
const ASK_AGAIN_AFTER: u32 = 20;

/// What the engine has told of a container.
#[derive(Debug, Default)]
struct Fate {
    out_of_memory: bool,
    ended: Option<String>,
}

/// A container that exists. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Container {
    engine: Engine,
    id: String,
    seat: Seat,
    fate: Arc<Mutex<Fate>>,
    listening: Option<JoinHandle<()>>,
}

impl Container {
    /// Takes over the container `id`, and listens to what the engine tells of it.
    pub(crate) fn new(engine: &Engine, id: String, seat: Seat) -> Self {
        let fate = Arc::<Mutex<Fate>>::default();
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
async fn listen(engine: Engine, id: String, fate: Arc<Mutex<Fate>>) {
    let filters = HashMap::from([("container", vec![id.as_str()])]);
    // From a moment ago, since the container may be faster than this request.
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
                fate.ended = Some(format!("the engine is gone: {}", words(&e)));
                return;
            }
        };
        match event.action.as_deref() {
            Some("oom") => fate.out_of_memory = true,
            Some("die" | "died") => {
                let code = event.actor.and_then(|actor| {
                    let attributes = actor.attributes?;
                    let code = attributes
                        .get("exitCode")
                        .or(attributes.get("containerExitCode"));
                    code.cloned()
                });
                let hint = match code.as_deref() {
                    Some("127") => " (the image lacks a library of slope's binary, see `ldd`)",
                    _ => "",
                };
                let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
                let memory = if fate.out_of_memory {
                    ", killed for memory"
                } else {
                    ""
                };
                fate.ended = Some(format!("it ended{code}{memory}{hint}"));
                return;
            }
            _ => {}
        }
    }
}

impl Keeper for Container {
    fn ended(&self) -> Option<String> {
        let fate = self.fate.lock().unwrap_or_else(PoisonError::into_inner);
        fate.ended.clone()
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
                // podman refuses to stop what has stopped meanwhile.
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
    /// Asks once. A container that is not there has been removed.
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
        // What the engine still holds, `slope gc` will find by its labels.
        let _ = self.remove();
        if let Some(listening) = self.listening.take() {
            listening.abort();
        }
    }
}
