//! Findings of a snapshot, from the facts of its files.

use std::cell::LazyCell;

use slope_model::finding::{Severity, Span};

use crate::catalogue::Signal;
use crate::facts::{FileSignals, Local, NO_NAME};
use crate::gather::symbol_hash;
use crate::snapshot::{Snapshot, is_documentation, is_test_input};
use crate::{dead, deviations, layers, parameters, reimplementation, sizes};
use slope_syntax::view::Place;

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
    pub(crate) fn compares_functions(&self) -> bool {
        let info = Signal::Reimplementation.info();
        info.default_on || self.asks_for(info.id)
    }

    /// Whether styles are counted.
    pub(crate) fn looks_for_deviations(&self) -> bool {
        self.in_changes || self.asks_for(Signal::BreaksLocalPattern.info().id)
    }

    /// Whether a signal is reported in every file.
    fn asks_for(&self, id: &str) -> bool {
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
    /// Index of its file in the input of [`findings`].
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

/// Whether the subject of a finding is intentional in this kind of file.
fn is_at_home(snapshot: &Snapshot<'_>, file: usize, local: &Local) -> bool {
    let (path, facts) = snapshot.files[file];
    let in_tests = match local.signal {
        // Tests provoke errors, and replace classes, on purpose.
        Signal::CatchAllIgnored | Signal::HandlerOnlyLogs | Signal::PassThroughClass => true,
        // Frameworks for tests look for private functions by name.
        Signal::UnusedPrivateFunction => facts.conventions().tests.have_private_hooks,
        _ => local.tried,
    };
    // Documentation shows results for the reader to use.
    let is_no_test = local.signal == Signal::VacuousTest
        && !facts.conventions().tests.are_in_products
        && !snapshot.tests[file];
    is_no_test
        || in_tests && snapshot.tests[file]
        || local.signal == Signal::UnusedLocal && is_documentation(path)
}

/// Findings of a snapshot, by file and position. Paths are relative to its root and `/`-separated.
#[must_use]
pub fn findings(files: &[(&str, &FileSignals)], options: &Options) -> Vec<SignalFinding> {
    let snapshot = Snapshot::new(files);
    let mut found = Vec::new();
    for (file, (_, facts)) in files.iter().enumerate() {
        let taken = LazyCell::new(|| snapshot.taken_by_name(file));
        for local in &facts.local {
            if is_at_home(&snapshot, file, local) {
                continue;
            }
            // The callee may be a function, which returns any type.
            let class = |local| taken.get(&local).copied().unwrap_or(local);
            if local.class != NO_NAME && snapshot.classes(file, class(local.class)) == 0 {
                continue;
            }
            let mut finding = SignalFinding::new(
                file,
                local.signal,
                local.place,
                &local.callable,
                local.message.clone(),
                "",
            );
            finding.symbol = local.symbol;
            found.push(finding);
        }
    }
    dead::find(&snapshot, &mut found);
    layers::find(&snapshot, options, &mut found);
    parameters::find(&snapshot, options, &mut found);
    sizes::find(&snapshot, options, &mut found);
    if options.looks_for_deviations() {
        deviations::find(&snapshot, &mut found);
    }
    // Functions are compared for this signal only; others are removed below.
    if options.compares_functions() {
        reimplementation::find(&snapshot, &mut found);
    }
    // A signal is on in the languages that its precision was measured in.
    found.retain(|f| {
        let info = f.signal.info();
        let language = files[f.file].1.language.as_str();
        let on = info.default_on && info.languages.contains(&language)
            || options.in_changes && info.in_changes.contains(&language);
        options.asks_for(info.id) || on && !is_test_input(files[f.file].0)
    });
    let key = |f: &SignalFinding| (f.file, f.start_byte, f.end_byte, f.signal);
    found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)));
    found.dedup_by(|a, b| key(a) == key(b));
    found
}
