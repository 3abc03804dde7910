//! Counts for Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    code: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WithStatus {
    status: String,
}

pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<Answered, Counter>,
    grades: Family<WithStatus, Counter>,
    repeated: Counter,
    waiting: Gauge,
    bases: Gauge,
    seconds: Histogram,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("slope");
        let answers = Family::<Answered, Counter>::default();
        let grades = Family::<WithStatus, Counter>::default();
        let repeated = Counter::default();
        let (waiting, bases) = (Gauge::default(), Gauge::default());
        // From 1 ms to 16 s.
        let seconds = Histogram::new(exponential_buckets(0.001, 2.0, 15));
        registry.register("http_answers", "Answers by route and code", answers.clone());
        registry.register("grades", "Grades by status", grades.clone());
        registry.register(
            "grades_repeated",
            "Grades of edits that were graded before",
            repeated.clone(),
        );
        registry.register(
            "grades_in_flight",
            "Edits that wait or run",
            waiting.clone(),
        );
        registry.register("bases", "Bases that are open", bases.clone());
        registry.register_with_unit(
            "grade",
            "Time of a grade without the wait",
            Unit::Seconds,
            seconds.clone(),
        );
        Self {
            registry,
            answers,
            grades,
            repeated,
            waiting,
            bases,
            seconds,
        }
    }
}

impl Metrics {
    pub(crate) fn answered(&self, route: &str, code: u16) {
        let route = route.to_owned();
        self.answers.get_or_create(&Answered { route, code }).inc();
    }

    pub(crate) fn graded(&self, status: String) {
        self.grades.get_or_create(&WithStatus { status }).inc();
    }

    pub(crate) fn repeated(&self) {
        self.repeated.inc();
    }

    pub(crate) fn waiting(&self, count: usize) {
        self.waiting.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn bases(&self, count: usize) {
        self.bases.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn took(&self, time: Duration) {
        self.seconds.observe(time.as_secs_f64());
    }

    /// All counts in the text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _: std::fmt::Result =
            prometheus_client::encoding::text::encode(&mut text, &self.registry);
        text
    }
}
