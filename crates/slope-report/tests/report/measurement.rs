//! A measurement in every form, with foreign text in every place that has some.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::measured::{NAME, measurement, nothing, rules, subject};
use serde_json::Value;
use slope_report::{Detail, Format as Form, MEASUREMENT_FORMATS, Subject, render_measurement};

/// Rendered as on the command line, without a screen.
fn rendered(form: Form) -> String {
    let (measurement, rules) = (measurement(), rules());
    render_measurement(form, &subject(&measurement, &rules), &Detail::default()).unwrap()
}

fn human(detail: Detail) -> String {
    let (measurement, rules) = (measurement(), rules());
    render_measurement(Form::Human, &subject(&measurement, &rules), &detail).unwrap()
}

#[test]
fn summary_without_width_matches_snapshot() {
    insta::assert_snapshot!(human(Detail::default()));
}

#[test]
fn summary_at_80_columns_with_two_rows() {
    let text = human(Detail {
        width: Some(80),
        top: 2,
        ..Detail::default()
    });
    insta::assert_snapshot!(text);
}

#[test]
fn measurement_details_appear_on_request() {
    let text = human(Detail {
        findings: true,
        files: true,
        top: 0,
        ..Detail::default()
    });
    let (_, details) = text.split_once("\nFiles").unwrap();
    insta::assert_snapshot!(details);
}

#[test]
fn colour_adds_only_escape_codes() {
    let text = human(Detail {
        color: true,
        ..Detail::default()
    });
    assert!(text.contains("\u{1b}[1mHeadline\u{1b}[0m"), "{text}");
    let plain = anstream::adapter::strip_str(&text).to_string();
    assert_eq!(plain, human(Detail::default()));
}

#[test]
fn missing_values_are_not_zero() {
    let (measurement, rules) = (nothing(), rules());
    let subject = subject(&measurement, &rules);
    let text = render_measurement(Form::Human, &subject, &Detail::default()).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn every_format_names_profile_and_definitions() {
    let hash = measurement().definitions.hash;
    for &form in MEASUREMENT_FORMATS {
        let text = rendered(form);
        assert!(text.contains(&hash) && text.contains("slope"), "{form:?}");
        assert!(text.ends_with('\n'), "{form:?}");
    }
}

#[test]
fn empty_measurement_renders_in_every_format() {
    let (measurement, rules) = (nothing(), rules());
    let subject = subject(&measurement, &rules);
    for &form in MEASUREMENT_FORMATS {
        let text = render_measurement(form, &subject, &Detail::default()).unwrap();
        assert!(!text.is_empty(), "{form:?}");
    }
}

#[test]
fn hostile_text_is_escaped_everywhere() {
    for &form in MEASUREMENT_FORMATS {
        let text = rendered(form);
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{form:?}");
        // JSON keeps what was measured, and its readers print it.
        let is_data = matches!(form, Form::Json | Form::Jsonl);
        assert!(is_data || !text.contains('\u{202e}'), "{form:?}");
        // Between backticks Markdown knows no markup.
        let text: String = match form {
            Form::Markdown => text.replace("\\`", "").split('`').step_by(2).collect(),
            _ => text,
        };
        let is_markup = matches!(form, Form::Html | Form::Markdown | Form::Junit);
        assert!(!is_markup || !text.contains("<script>alert"), "{form:?}");
    }
}

#[test]
fn format_is_inferred_from_file_name() {
    for (name, form) in [
        ("x.json", Some(Form::Json)),
        ("X.SARIF", Some(Form::Sarif)),
        ("x.sarif.json", Some(Form::Sarif)),
        ("out/gl-code-quality-report.json", Some(Form::Gitlab)),
        ("x.html", Some(Form::Html)),
        ("x.md", Some(Form::Markdown)),
        ("x.xml", Some(Form::Junit)),
        ("x", None),
        ("json", None),
    ] {
        assert_eq!(Form::of_file(name), form, "{name}");
    }
    for &form in MEASUREMENT_FORMATS {
        assert_eq!(Form::by_name(form.name()), Some(form));
    }
}

/// A schema as it is checked in; rewritten where the environment asks for it.
fn is_current(name: &str, schema: &schemars::Schema) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/schemas")
        .join(name);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("SLOPE_UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{name} is out of date; run this test with SLOPE_UPDATE_SCHEMAS=1 and commit the file"
    );
}

fn valid(schema: &Value, text: &str) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn json_follows_the_published_schema() {
    let schema = slope_report::measurement_schema();
    is_current("measurement.schema.json", &schema);
    valid(schema.as_value(), &rendered(Form::Json));
    let read: slope_model::measurement::Measurement =
        serde_json::from_str(&rendered(Form::Json)).unwrap();
    assert_eq!(read, measurement());
    // The schema is not so wide that anything follows it.
    let validator = jsonschema::validator_for(schema.as_value()).unwrap();
    let mut value: Value = serde_json::from_str(&rendered(Form::Json)).unwrap();
    value["totals"]["files"] = Value::from("3");
    assert!(!validator.is_valid(&value));
}

#[test]
fn json_lines_follow_the_published_schema() {
    let schema = slope_report::lines_schema();
    is_current("measurement-lines.schema.json", &schema);
    let text = rendered(Form::Jsonl);
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for line in text.lines() {
        valid(schema.as_value(), line);
        let value: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        *kinds.entry(keys.concat()).or_default() += 1;
    }
    assert!(text.starts_with("{\"summary\":"), "{text}");
    insta::assert_snapshot!(format!("{kinds:?}"), @r#"{"clone_class": 2, "file": 3, "finding": 5, "skipped": 3, "summary": 1, "suppressed": 1, "unmeasured": 1}"#);
}

fn sarif_schema() -> Value {
    serde_json::from_str(include_str!("../data/sarif-2.1.0.schema.json")).unwrap()
}

#[test]
fn sarif_follows_the_official_schema() {
    let text = rendered(Form::Sarif);
    valid(&sarif_schema(), &text);
    insta::assert_snapshot!(text);
}

/// What the specification demands beyond its schema, and what code scanning needs.
#[test]
fn sarif_satisfies_rules_beyond_schema() {
    let log: Value = serde_json::from_str(&rendered(Form::Sarif)).unwrap();
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len(), "ids are unique");
    let mut prints = BTreeSet::new();
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(
            uri.starts_with("src/") && uri.is_ascii() && !uri.contains([':', ' ', '?']),
            "{uri}"
        );
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        let print = &result["partialFingerprints"]["primaryLocationLineHash"];
        assert!(
            prints.insert((result["ruleId"].to_string(), print.to_string())),
            "{print}"
        );
    }
    let notes = &run["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes.as_array().unwrap().len(), 2, "{notes}");
    let clone = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["ruleId"] == "clone");
    assert_eq!(
        clone.unwrap()["relatedLocations"].as_array().unwrap().len(),
        2
    );
    let silenced = run["results"].as_array().unwrap();
    let silenced = silenced
        .iter()
        .filter(|r| r["suppressions"].is_array())
        .count();
    assert_eq!(silenced, 1);
}

#[test]
fn sarif_columns_match_the_text() {
    let (measurement, rules) = (measurement(), rules());
    let sources = |path: &str| (path == "pantry.py").then(|| "é𝄞\n".repeat(400));
    let subject = Subject {
        sources: Some(&sources),
        ..subject(&measurement, &rules)
    };
    let text = render_measurement(Form::Sarif, &subject, &Detail::default()).unwrap();
    let log: Value = serde_json::from_str(&text).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let one = results
        .iter()
        .find(|r| r["ruleId"] == "unused-import")
        .unwrap();
    // Bytes 5 to 9 of é (2 bytes) and 𝄞 (4 bytes) begin inside a character.
    let region = &one["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], Value::Null);
    assert_eq!(region["startLine"], 1);
}

#[test]
fn gitlab_issues_have_unique_fingerprints() {
    let text = rendered(Form::Gitlab);
    let issues: Vec<Value> = serde_json::from_str(&text).unwrap();
    let names: BTreeSet<&str> = issues
        .iter()
        .map(|i| i["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), issues.len());
    for issue in &issues {
        let severity = issue["severity"].as_str().unwrap();
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
        assert!(issue["location"]["lines"]["begin"].as_u64().unwrap() > 0);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn github_lines_are_single_commands() {
    let text = rendered(Form::Github);
    for line in text.lines() {
        let known = ["::error file=", "::warning file=", "::notice "];
        assert!(known.iter().any(|k| line.starts_with(k)), "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn github_notes_omitted_annotations() {
    let (mut measurement, rules) = (measurement(), rules());
    let one = measurement.findings[3].clone();
    measurement.findings.extend(std::iter::repeat_n(one, 30));
    let subject = subject(&measurement, &rules);
    let text = render_measurement(Form::Github, &subject, &Detail::default()).unwrap();
    let warnings = text.lines().filter(|l| l.starts_with("::warning")).count();
    assert_eq!(warnings, 10);
    assert!(text.contains("23 more are not annotated"), "{text}");
}

#[test]
fn junit_is_well_formed_and_adds_up() {
    let text = rendered(Form::Junit);
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut told = String::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(e) | quick_xml::events::Event::Empty(e) => {
                let name = e.name().as_ref().to_owned();
                if name == "testsuites" {
                    for attribute in e.attributes() {
                        let attribute = attribute.unwrap();
                        told.push_str(&format!("{}={} ", attribute.key.as_ref(), attribute.value));
                    }
                }
                for attribute in e.attributes() {
                    attribute.unwrap();
                }
                *counts.entry(name).or_default() += 1;
            }
            _ => {}
        }
    }
    let of = |name: &str| counts.get(name).copied().unwrap_or_default();
    let sums = [
        ("tests", of("testcase")),
        ("failures", of("failure")),
        ("errors", of("error")),
    ];
    for (name, sum) in sums {
        assert!(
            told.contains(&format!("{name}={sum} ")),
            "{told} {counts:?}"
        );
    }
    insta::assert_snapshot!(text);
}

#[test]
fn measurement_markdown_matches_snapshot() {
    let text = rendered(Form::Markdown);
    insta::assert_snapshot!(text);
}

#[test]
fn csv_rows_round_trip() {
    let text = rendered(Form::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let callables: usize = measurement().files.iter().map(|f| f.callables.len()).sum();
    assert_eq!(rows.len(), callables);
    assert!(rows.iter().all(|row| row.len() == names.len()));
    insta::assert_snapshot!(text.replace("\r\n", "\n"));
}

#[test]
fn csv_cells_contain_no_formula() {
    let (mut measurement, rules) = (measurement(), rules());
    measurement.files[1].path = "@scope/a.py".into();
    measurement.files[1].callables[0].name = "=cmd|'/c calc'!A1".into();
    let subject = Subject {
        prefix: "",
        ..subject(&measurement, &rules)
    };
    let text = render_measurement(Form::Csv, &subject, &Detail::default()).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for row in reader.records() {
        let row = row.unwrap();
        assert!(
            row.iter().all(|f| !f.starts_with(['=', '+', '-', '@'])),
            "{row:?}"
        );
    }
    assert!(text.contains("./@scope/a.py"));
}

#[test]
fn page_runs_only_its_own_script() {
    let page = rendered(Form::Html);
    let (_, rest) = page.split_once("<script>").unwrap();
    let (script, rest) = rest.split_once("</script>").unwrap();
    assert!(!rest.contains("<script"), "one script");
    let hash = <sha2::Sha256 as sha2::Digest>::digest(script.as_bytes());
    let hash = data_encoding::BASE64.encode(&hash);
    assert!(
        page.contains(&format!("script-src 'sha256-{hash}'")),
        "templates/measurement.js.sha256 must hold {hash}"
    );
    for outside in [
        "http://",
        "https://",
        "src=",
        "url(",
        "@import",
        "<link",
        "onerror",
        "javascript:",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn page_body_matches_snapshot() {
    let page = rendered(Form::Html);
    let (_, body) = page.split_once("<body>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    insta::assert_snapshot!(body);
}

#[test]
fn large_tree_page_is_bounded() {
    let (mut measurement, rules) = (measurement(), rules());
    let one = measurement.findings[1].clone();
    measurement.findings.extend(std::iter::repeat_n(one, 5000));
    let page = render_measurement(
        Form::Html,
        &subject(&measurement, &rules),
        &Detail::default(),
    )
    .unwrap();
    assert!(page.contains("Of 5005 rows the first 1000 are shown"));
    assert!(!page.contains(NAME));
}
