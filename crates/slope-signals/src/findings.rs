//! Findings of a snapshot, from the facts of its files.

use std::cell::LazyCell;

use crate::catalogue::Signal;
use crate::facts::{FileSignals, Local, NO_NAME};
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::{Snapshot, is_documentation, is_test_input};
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
