//! JUnit XML.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use slope_grade::Case;
use slope_model::grade::TestOutcome;

use super::case;

/// The tests of a file.
pub(super) fn read(text: &str) -> Result<Vec<Case>, String> {
    let mut reader = Reader::from_str(text);
    let mut cases: Vec<Case> = Vec::new();
    let (mut depth, mut is_in_case) = (0_usize, false);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) => {
                depth += 1;
                is_in_case |= take(&element, is_in_case, &mut cases)?;
            }
            Event::Empty(element) => {
                take(&element, is_in_case, &mut cases)?;
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                is_in_case &= element.local_name().as_ref() != "testcase";
            }
            Event::DocType(_) => return Err("it has a document type".to_owned()),
            Event::Eof if depth > 0 => return Err("it is cut off".to_owned()),
            Event::Eof => return Ok(cases),
            _ => {}
        }
    }
}

/// Takes an element. Returns whether it is a test.
fn take(element: &BytesStart<'_>, is_in_case: bool, cases: &mut Vec<Case>) -> Result<bool, String> {
    let name = element.local_name();
    if name.as_ref() == "testcase" {
        let class = value(element, "classname")?.unwrap_or_default();
        let name = value(element, "name")?.ok_or("a test has no name")?;
        let id = if class.is_empty() {
            name
        } else {
            format!("{class}.{name}")
        };
        cases.push(case(id, TestOutcome::Passed));
        return Ok(true);
    }
    let outcome = match name.as_ref() {
        "failure" => TestOutcome::Failed,
        "error" => TestOutcome::Error,
        // A failure that is expected is as good as passing.
        "skipped" if value(element, "type")?.as_deref() == Some("pytest.xfail") => {
            return Ok(false);
        }
        "skipped" | "disabled" => TestOutcome::Skipped,
        _ => return Ok(false),
    };
    if let (true, Some(case)) = (is_in_case, cases.last_mut()) {
        let is_worse = case.outcome == TestOutcome::Passed || case.outcome == TestOutcome::Skipped;
        if is_worse {
            case.outcome = outcome;
        }
    }
    Ok(false)
}

fn value(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let attribute = element
        .try_get_attribute(name)
        .map_err(|error| error.to_string())?;
    let Some(attribute) = attribute else {
        return Ok(None);
    };
    let text = attribute
        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
        .map_err(|error| error.to_string())?;
    Ok(Some(text.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::read;
    use slope_model::grade::TestOutcome::{Error, Failed, Passed, Skipped};

    #[test]
    fn outcomes_are_those_of_elements() {
        let text = r#"<?xml version="1.0"?><testsuites><testsuite name="s" tests="6">
            <testcase classname="tests.test_a.T" name="test_x" time="0.1"/>
            <testcase classname="c" name="f"><failure message="no">assert &lt;</failure></testcase>
            <testcase classname="c" name="e"><system-out/><error/></testcase>
            <testcase classname="c" name="s"><skipped type="pytest.skip" message="later"/></testcase>
            <testcase classname="c" name="x[&quot;a&quot;]"><skipped type="pytest.xfail"/></testcase>
            <testcase name="alone"></testcase><failure/>
            </testsuite></testsuites>"#;
        let cases = read(text).unwrap();
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.id.as_str(), case.outcome))
            .collect();
        assert_eq!(
            found,
            [
                ("tests.test_a.T.test_x", Passed),
                ("c.f", Failed),
                ("c.e", Error),
                ("c.s", Skipped),
                ("c.x[\"a\"]", Passed),
                ("alone", Passed),
            ]
        );
    }

    #[test]
    fn broken_files_are_refused() {
        for text in [
            "<testsuite><testcase name=\"a\"/>",
            "<testsuite><testcase/></testsuite>",
            "<!DOCTYPE x [<!ENTITY a \"b\">]><testsuite/>",
            "<testsuite></testsuites>",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
