//! The rules about security, which are off by default.

use slope_measure::{Options, Profile, SECURITY, measure_files};
use slope_model::measurement::Measurement;

const CODE: &str =
    "import os\n\ndef f(name, a):\n    os.system('ls ' + name)\n    return a == None\n";

fn measured(enabled: &[&str], disabled: &[&str], profile: Profile) -> Measurement {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let options = Options {
        enabled: names(enabled),
        disabled: names(disabled),
        profile,
        ..Options::default()
    };
    measure_files([("a.py", CODE)], &options).expect("rules")
}

fn rules(measurement: &Measurement) -> Vec<&str> {
    let findings = measurement.findings.iter();
    findings.map(|finding| finding.rule.as_str()).collect()
}

#[test]
fn category_enables_and_disables_its_rules() {
    let shell = "shell-command-from-text";
    let slope = |enabled: &[&str], disabled: &[&str]| measured(enabled, disabled, Profile::Slope);
    assert_eq!(rules(&slope(&[], &[])), ["none-equality"]);
    let both = [shell, "none-equality"];
    assert_eq!(rules(&slope(&[SECURITY], &[])), both);
    assert_eq!(rules(&slope(&[shell], &[])), both);
    assert_eq!(rules(&slope(&[SECURITY], &[shell])), ["none-equality"]);
    let strict = measured(&[], &[SECURITY], Profile::Strict);
    assert!(!rules(&strict).contains(&shell), "{:?}", rules(&strict));
}

#[test]
fn security_findings_are_not_verbose_lines() {
    let without = measured(&[], &[], Profile::Slope);
    let with = measured(&[SECURITY], &[], Profile::Slope);
    assert_eq!(without.totals, with.totals);
    assert_eq!(without.totals.flagged_lines, Some(1));
}

#[test]
fn only_security_reports_nothing_else() {
    let measurement = measure_files([("a.py", CODE)], &Options::only_security()).expect("rules");
    assert_eq!(rules(&measurement), ["shell-command-from-text"]);
    assert_eq!(measurement.totals.flagged_lines, Some(0));
}
