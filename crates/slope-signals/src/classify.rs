//! Origins of the findings of a change.

use crate::catalogue::Signal;
use crate::facts::FileSignals;
use crate::findings::findings;
use crate::signal_finding::{Options, SignalFinding};
use crate::words::Map;

/// Origin of a finding, relative to a base snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// New with code that the base does not have: born dead, if it is dead code.
    Born,
    /// The code was there and in use; the change took the use away.
    Orphaned,
    /// The base has the same finding.
    Inherited,
}

/// Findings of `head`, each with its origin.
///
/// A file that `base` has only under another path counts as moved. A statement that became
/// unreachable counts as orphaned if its function existed before, whether or not the statement did.
#[must_use]
pub fn classify(
    base: &[(&str, &FileSignals)],
    head: &[(&str, &FileSignals)],
    options: &Options,
) -> Vec<(SignalFinding, Origin)> {
    let mut before = Before::new(base, head, options);
    let found = findings(head, options);
    let origin = |finding: SignalFinding| {
        let path = head[finding.file].0;
        let origin = before.origin(path, &finding);
        (finding, origin)
    };
    found.into_iter().map(origin).collect()
}

/// A base's findings and symbols.
struct Before<'a> {
    /// Findings by path, signal and symbol; the path is empty for files that head lacks.
    findings: Map<(&'a str, Signal, u32), u32>,
    symbols: Map<(&'a str, u32), ()>,
    callables: Map<&'a str, ()>,
    paths: Map<&'a str, ()>,
}

impl<'a> Before<'a> {
    fn new(
        base: &[(&'a str, &'a FileSignals)],
        head: &[(&'a str, &'a FileSignals)],
        options: &Options,
    ) -> Self {
        let kept: Map<&str, ()> = head.iter().map(|(path, _)| (*path, ())).collect();
        let place = |path: &'a str| if kept.contains_key(path) { path } else { "" };
        let mut this = Self {
            findings: Map::default(),
            symbols: Map::default(),
            callables: Map::default(),
            paths: base.iter().map(|(path, _)| (*path, ())).collect(),
        };
        for finding in findings(base, options) {
            let key = (place(base[finding.file].0), finding.signal, finding.symbol);
            *this.findings.entry(key).or_default() += 1;
        }
        for &(path, facts) in base {
            let symbols = facts
                .symbols
                .iter()
                .map(|&symbol| ((place(path), symbol), ()));
            this.symbols.extend(symbols);
            this.callables
                .extend(facts.functions.iter().map(|f| (f.callable.as_str(), ())));
            let classes = facts
                .classes
                .iter()
                .filter_map(|c| facts.names.get(c.name as usize));
            this.callables.extend(classes.map(|name| (name, ())));
        }
        this
    }

    fn origin(&mut self, path: &'a str, finding: &SignalFinding) -> Origin {
        let path = if self.paths.contains_key(path) {
            path
        } else {
            ""
        };
        if let Some(left) = self
            .findings
            .get_mut(&(path, finding.signal, finding.symbol))
            && *left > 0
        {
            *left -= 1;
            return Origin::Inherited;
        }
        let was_there = match finding.signal {
            Signal::UnusedImport | Signal::UnusedLocal | Signal::UnusedPrivateClass => {
                self.symbols.contains_key(&(path, finding.symbol))
            }
            Signal::UnusedPrivateFunction => self.callables.contains_key(finding.callable.as_str()),
            Signal::UnreachableCode => {
                !finding.callable.is_empty()
                    && self.callables.contains_key(finding.callable.as_str())
            }
            _ => false,
        };
        if was_there {
            Origin::Orphaned
        } else {
            Origin::Born
        }
    }
}
