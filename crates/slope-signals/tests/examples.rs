//! Every signal reports its bad example, and not the good one.

use slope_signals::{FileSignals, Options, SIGNALS, SignalFinding, facts, findings};
use slope_syntax::{Language, Limits, Profile, callables, parse};

fn signals_of(language: &str, code: &str) -> FileSignals {
    let language = Language::by_id(language).expect("a language");
    let tree = parse(language, code.as_bytes(), &Limits::default()).expect("text");
    assert_eq!(tree.errors(), None, "{code}");
    let source = tree.source_lines(Profile::Slope);
    facts(&tree, &callables(&tree, Profile::Slope, &source), &source)
}

fn all(files: &[(&str, &str)]) -> Vec<SignalFinding> {
    let facts: Vec<(&str, FileSignals)> = files
        .iter()
        .map(|&(path, code)| {
            let language = Language::of_path(std::path::Path::new(path)).expect("a suffix");
            (path, signals_of(language.id(), code))
        })
        .collect();
    let inputs: Vec<(&str, &FileSignals)> = facts.iter().map(|(p, f)| (*p, f)).collect();
    let options = Options {
        every_signal: true,
        ..Options::default()
    };
    findings(&inputs, &options)
}

fn rules(code: &str) -> Vec<&'static str> {
    all(&[("a.py", code)]).iter().map(|f| f.rule).collect()
}

#[test]
fn every_bad_example_is_reported_and_no_good_one() {
    for info in SIGNALS {
        if let (Some(bad), Some(good)) = (info.bad, info.good) {
            assert!(
                rules(bad).contains(&info.id),
                "{}: {:?}",
                info.id,
                rules(bad)
            );
            assert!(
                !rules(good).contains(&info.id),
                "{} in its good example",
                info.id
            );
        }
    }
}
