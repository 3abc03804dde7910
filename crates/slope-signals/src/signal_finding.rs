//! A finding of a signal, and which signals are reported.

use slope_model::finding::{Severity, Span};
use slope_syntax::view::Place;

use crate::catalogue::Signal;
use crate::gather::symbol_hash;

/// Reported signals, and their thresholds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Report also the signals that are off by default.
    pub every_signal: bool,
    /// Ids of signals to report even if they are off by default, or in a language.
    pub enabled: Vec<String>,
    /// Whether this is compared with an earlier version, so that signals that are off by default also report
    /// code that a change has left without use.
    pub in_changes: bool,
    /// Maximum number of parameters by position without a finding.
    pub most_parameters: u32,
    /// Source lines above which a file may be a god module.
    pub module_lines: u32,
    /// Functions and methods above which a file may be a god module.
    pub module_callables: u32,
    /// Source lines above which a class may be a god class.
    pub class_lines: u32,
    /// Methods above which a class may be a god class.
    pub class_methods: u32,
}

impl Options {
    /// Whether functions are compared by their behaviour.
    #[must_use]
    pub fn compares_functions(&self) -> bool {
        let info = Signal::Reimplementation.info();
        info.default_on || self.asks_for(info.id)
    }

    /// Whether styles are counted.
    pub(crate) fn looks_for_deviations(&self) -> bool {
        self.in_changes || self.asks_for(Signal::BreaksLocalPattern.info().id)
    }

    /// Whether a signal is reported in every file.
    pub(crate) fn asks_for(&self, id: &str) -> bool {
        self.every_signal || self.enabled.iter().any(|enabled| enabled == id)
    }
}

impl Default for Options {
    /// The thresholds of `docs/metrics/signals.md`, which gives their sources.
    fn default() -> Self {
        Self {
            every_signal: false,
            enabled: Vec::new(),
            in_changes: false,
            most_parameters: 6,
            module_lines: 1_000,
            module_callables: 50,
            class_lines: 500,
            class_methods: 30,
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalFinding {
    /// Index of its file in the input of [`findings`](crate::findings()).
    pub file: usize,
    /// The signal.
    pub signal: Signal,
    /// Its id.
    pub rule: &'static str,
    /// Its category.
    pub category: &'static str,
    /// Its severity.
    pub severity: Severity,
    /// First byte, in the text that was parsed.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// Lines and columns.
    pub span: Span,
    /// Dotted name of the callable it is in, or is; empty at the top level.
    pub callable: String,
    /// The problem, in one sentence.
    pub message: String,
    /// Its evidence, most distinctive first.
    pub evidence: Vec<String>,
    /// The other place that it is about.
    pub related: Option<(usize, Span)>,
    /// Hash of its subject, stable over shifts and edits elsewhere.
    pub(crate) symbol: u32,
}

impl SignalFinding {
    /// A finding without evidence.
    pub(crate) fn new(
        file: usize,
        signal: Signal,
        place: Place,
        callable: &str,
        message: String,
        symbol: &str,
    ) -> Self {
        let info = signal.info();
        Self {
            file,
            signal,
            rule: info.id,
            category: info.category,
            severity: info.severity,
            start_byte: place.start_byte,
            end_byte: place.end_byte,
            span: place.span,
            callable: callable.to_owned(),
            message,
            evidence: Vec::new(),
            related: None,
            symbol: symbol_hash(callable, symbol),
        }
    }
}
