//! Sends runs of the benchmark to a server: the report, then what the server lacks of the details.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_model::exhibit::{CheckpointExhibit, Step};
use slope_model::schema;
use slope_model::sent_run::{
    CheckpointPlace, RunKept, RunRequest, SentDetails, SentRun, SentSteps,
};

use super::client::{Client, Server, ServerError, Verb};

/// Bytes of the steps in one request; the first step is always sent.
const MAX_BYTES: usize = 2 << 20;
/// Steps of one request.
const MAX_STEPS: usize = 500;

/// A connection to a server, for runs of one project.
pub struct RunSender<'s> {
    client: Client<'s>,
}

/// A server's answer to a report.
pub struct RunAnswer {
    /// The open request of a visitor.
    pub request: Option<RunRequest>,
    /// Digests of the details that the server has.
    known: BTreeMap<CheckpointPlace, String>,
}

impl RunAnswer {
    /// Whether the server lacks the details of a checkpoint, or has others.
    #[must_use]
    pub fn lacks(&self, place: &CheckpointPlace, digest: &str) -> bool {
        self.known.get(place).is_none_or(|known| known != digest)
    }
}

impl<'s> RunSender<'s> {
    /// A connection, which is opened by the first request.
    #[must_use]
    pub fn new(server: &'s Server) -> Self {
        Self {
            client: Client::new(server),
        }
    }

    /// Sends a run's report.
    ///
    /// # Errors
    /// [`ServerError`] if the server does not keep it.
    pub fn report(&self, key: &str, sent: &SentRun) -> Result<RunAnswer, ServerError> {
        debug_assert_eq!(sent.schema, schema::SENT_RUN);
        let text = self.put(&format!("runs/{key}"), sent)?;
        let kept: RunKept = serde_json::from_slice(&text).map_err(|error| {
            let message = slope_model::data_words::of_json(&error.to_string());
            self.client.unfit(message)
        })?;
        let known = kept.checkpoints.into_iter();
        Ok(RunAnswer {
            request: kept.request,
            known: known.map(|one| (one.place, one.digest)).collect(),
        })
    }

    /// Sends the steps of a checkpoint, then its details.
    ///
    /// # Errors
    /// [`ServerError`] if the server does not keep them. Sent again, they replace what is there.
    pub fn details(
        &self,
        key: &str,
        place: CheckpointPlace,
        digest: String,
        details: CheckpointExhibit,
        steps: Vec<Step>,
    ) -> Result<(), ServerError> {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let all = number(steps.len());
        let mut first = 0;
        loop {
            let rest = &steps[first..];
            let count = fitting(rest);
            let sent = SentSteps {
                place: place.clone(),
                first: number(first),
                steps: rest[..count].to_vec(),
            };
            self.put(&format!("runs/{key}/steps"), &sent)?;
            first += count;
            if first >= steps.len() {
                break;
            }
        }
        let sent = SentDetails {
            place,
            digest,
            steps: all,
            details,
        };
        self.put(&format!("runs/{key}/details"), &sent)?;
        Ok(())
    }

    fn put(&self, path: &str, body: &impl Serialize) -> Result<Vec<u8>, ServerError> {
        let body =
            serde_json::to_string(body).map_err(|error| self.client.unfit(error.to_string()))?;
        self.client.request(Verb::Put, path, &body)
    }
}

/// How many of the steps fit into one request.
fn fitting(steps: &[Step]) -> usize {
    let mut bytes = 0;
    let fits = |step: &&Step| {
        bytes += serde_json::to_string(step).map_or(0, |text| text.len());
        bytes <= MAX_BYTES
    };
    let count = steps.iter().take(MAX_STEPS).take_while(fits).count();
    count.max(1).min(steps.len())
}
