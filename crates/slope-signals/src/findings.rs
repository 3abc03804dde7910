//! Findings of a snapshot, from the facts of its files.

use std::cell::LazyCell;

use slope_model::time_limit;

use crate::background::Background;
use crate::catalogue::Signal;
use crate::facts::{FileSignals, Local, NO_NAME};
use crate::file_paths::{is_documentation, is_test_input};
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::Snapshot;
use crate::{dead, deviations, layers, parameters, reimplementation, sizes};

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
///
/// The files are in path order.
#[must_use]
pub fn findings(files: &[(&str, &FileSignals)], options: &Options) -> Vec<SignalFinding> {
    let background = Background::new(files);
    let snapshot = Snapshot::whole(&background, files);
    // Functions are compared for this signal only; others are removed below.
    let mut by_file: Vec<Vec<SignalFinding>> = vec![Vec::new(); files.len()];
    if options.compares_functions() {
        let mut found = Vec::new();
        reimplementation::find(&snapshot, &mut found);
        for finding in found {
            by_file[finding.file].push(finding);
        }
    }
    let mut search = Search::new(&snapshot, options);
    let all = by_file.into_iter().enumerate();
    all.flat_map(|(file, known)| search.of_file(file, known))
        .collect()
}

/// Looks for the findings of files one by one.
pub(crate) struct Search<'s, 'a> {
    snapshot: &'s Snapshot<'a>,
    options: &'s Options,
    folders: deviations::Folders<'a>,
}

impl<'s, 'a> Search<'s, 'a> {
    pub(crate) fn new(snapshot: &'s Snapshot<'a>, options: &'s Options) -> Self {
        Self {
            snapshot,
            options,
            folders: deviations::Folders::default(),
        }
    }

    /// Findings of a file by position, with those that are known already.
    pub(crate) fn of_file(&mut self, file: usize, known: Vec<SignalFinding>) -> Vec<SignalFinding> {
        time_limit::check();
        let (snapshot, options) = (self.snapshot, self.options);
        let (path, facts) = snapshot.files[file];
        let mut found = known;
        local_findings(snapshot, file, &mut found);
        dead::find(snapshot, file, &mut found);
        layers::find(snapshot, file, options, &mut found);
        parameters::find(snapshot, file, options, &mut found);
        sizes::find(snapshot, file, options, &mut found);
        if options.looks_for_deviations() {
            deviations::find(snapshot, file, &mut self.folders, &mut found);
        }
        // A signal is on in the languages that its precision was measured in.
        let is_input = LazyCell::new(|| is_test_input(path));
        found.retain(|f| {
            let info = f.signal.info();
            let language = facts.language.as_str();
            let on = info.default_on && info.languages.contains(&language)
                || options.in_changes && info.in_changes.contains(&language);
            options.asks_for(info.id) || on && !*is_input
        });
        let key = |f: &SignalFinding| (f.start_byte, f.end_byte, f.signal);
        found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)));
        found.dedup_by(|a, b| key(a) == key(b));
        found
    }
}

/// Adds the findings that need no other file, or only the names of classes.
fn local_findings(snapshot: &Snapshot<'_>, file: usize, found: &mut Vec<SignalFinding>) {
    let taken = LazyCell::new(|| snapshot.taken_by_name(file));
    for local in &snapshot.files[file].1.local {
        if is_at_home(snapshot, file, local) {
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
