//! Comments that silence findings.
//!
//! `slope: ignore[rule-a, rule-b] until 2027-06-30 reason`, in a comment after code for that line,
//! or on separate lines for the next line of code. The rules and a reason are required, the expiry
//! date is optional. A comment silences reports, not counts, and each silenced finding is listed.

use std::collections::HashMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::Suppressed;
use slope_syntax::{LineSet, Roles, SyntaxTree};

use crate::fingerprint::Fingerprints;

/// Id of the finding for a comment that silences nothing or is invalid.
pub(crate) const STALE: &str = "stale-suppression";

/// Rules without a finding if a comment explains the code. The mark is such a comment.
const ANSWERED_BY_COMMENTS: &[&str] = &[
    "catch-all-ignored",
    "empty-branch",
    "handler-only-logs",
    "handler-only-raises",
    "handler-only-reraises",
    "handler-raises-its-name",
    "swallowed-error",
    "swallowed-exception",
    "swallowed-panic",
    "useless-catch",
];

/// Accepted spellings of the start of the mark.
const MARKS: [&str; 3] = ["slope:", "Slope:", "SLOPE:"];

/// The verb of the mark.
const IGNORE: &str = "ignore";

/// Starts of directives to other tools. One to slope may follow them.
const OTHERS: &[&str] = &[
    "noqa",
    "type:",
    "pyright:",
    "mypy:",
    "pylint:",
    "ruff:",
    "flake8:",
    "fmt:",
    "isort:",
    "nosec",
    "pragma:",
    "nolint",
    "eslint-",
    "prettier-ignore",
    "biome-ignore",
    "@ts-",
    "istanbul ",
    "c8 ",
    "v8 ",
    "rubocop:",
    "cppcheck-",
    "clang-format",
    "noinspection",
];

/// An empty request.
const NO_RULES: &str = "it names no rules; write slope: ignore[RULE] and the reason";

/// Comment that requests silence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Directive {
    /// Position of the comment.
    span: Span,
    /// Line that it is for, from 1; 0 if no code follows.
    line: u32,
    rules: Vec<String>,
    until: Option<String>,
    reason: String,
    /// Reason that it is invalid.
    fault: Option<String>,
}

/// The directives of a file in order.
pub(crate) fn directives(tree: &SyntaxTree, source: &LineSet) -> Vec<Directive> {
    let text = tree.text().as_bytes();
    let is_in_text = |mark: &str| memchr::memmem::find(text, mark.as_bytes()).is_some();
    if !MARKS.into_iter().any(is_in_text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    // Comments come in order, so the next row of code is never before that of the last comment.
    let mut rows = source.rows().peekable();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        if !tree.info(index).roles.any(Roles::COMMENT) {
            continue;
        }
        let Some(asked) = asked(tree.node_text(index)) else {
            continue;
        };
        while rows.next_if(|&row| row < node.start_row).is_some() {}
        let mut directive = parse(asked.trim_end_matches("*/").trim());
        directive.span = tree.node_span(index);
        directive.line = rows.peek().map_or(0, |row| row + 1);
        if directive.fault.is_none() && directive.line == 0 {
            directive.fault = Some("no code follows it".to_owned());
        }
        found.push(directive);
    }
    found
}

/// Text of a comment after the mark. `None` unless the mark is at its start, or after a directive
/// to another tool. Elsewhere the comment only mentions it.
fn asked(comment: &str) -> Option<&str> {
    let at = MARKS.iter().filter_map(|mark| comment.find(mark)).min()?;
    let asked = comment[at + MARKS[0].len()..].trim_start_matches([' ', '\t']);
    let asked = asked.strip_prefix(IGNORE)?;
    let is_word = asked.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    (!is_word && is_apart(&comment[..at])).then_some(asked)
}

/// Whether the comment has no text of its own before the mark.
fn is_apart(before: &str) -> bool {
    let said = before.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '@');
    if said.is_empty() {
        return true;
    }
    let ends = before.trim_end();
    let is_closed = ["#", "//", "--"].iter().any(|mark| ends.ends_with(mark));
    let said = said.to_ascii_lowercase();
    is_closed && OTHERS.iter().any(|other| said.starts_with(other))
}

fn parse(text: &str) -> Directive {
    let mut directive = Directive {
        span: Span::default(),
        line: 0,
        rules: Vec::new(),
        until: None,
        reason: String::new(),
        fault: None,
    };
    let list = text.strip_prefix('[').and_then(|t| t.split_once(']'));
    let Some((rules, rest)) = list else {
        directive.fault = Some(NO_RULES.to_owned());
        return directive;
    };
    let rules = rules
        .split(',')
        .map(str::trim)
        .filter(|rule| !rule.is_empty());
    directive.rules = rules.map(str::to_owned).collect();
    if directive.rules.is_empty() {
        directive.fault = Some(NO_RULES.to_owned());
        return directive;
    }
    let mut rest = rest.trim().trim_start_matches([':', '-']).trim();
    if let Some(after) = rest.strip_prefix("until ") {
        let (date, reason) = after.trim().split_once(' ').unwrap_or((after, ""));
        rest = reason.trim().trim_start_matches([':', '-']).trim();
        let date = date.trim_end_matches([':', ',', ';', '.']);
        match date.parse::<Date>() {
            Ok(_) => directive.until = Some(date.to_owned()),
            Err(_) => {
                directive.fault = Some(format!("{date} is not a date; write it as 2027-06-30"));
            }
        }
    }
    rest.clone_into(&mut directive.reason);
    if directive.fault.is_none() && directive.reason.is_empty() {
        directive.fault = Some("it gives no reason; say why the code may stay".to_owned());
    }
    directive
}

/// Remaining findings of a file, and those that comments have silenced.
pub(crate) struct AppliedSuppressions {
    pub(crate) findings: Vec<Finding>,
    pub(crate) suppressed: Vec<Suppressed>,
}

/// State of a rule in a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleState {
    /// The rule ran.
    On,
    /// The rule exists and is off.
    Off,
    /// No such rule exists.
    Unknown,
}

/// Moves findings silenced by comments out of the list, and adds a finding for each comment that
/// silences nothing. `looked` returns the state of a rule.
pub(crate) fn obey(
    path: &str,
    findings: Vec<Finding>,
    directives: &[Directive],
    today: Date,
    looked: &dyn Fn(&str) -> RuleState,
) -> AppliedSuppressions {
    let mut used = vec![false; directives.len()];
    let mut by_line: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, directive) in directives.iter().enumerate() {
        by_line.entry(directive.line).or_default().push(index);
    }
    let mut obeyed = AppliedSuppressions {
        findings: Vec::new(),
        suppressed: Vec::new(),
    };
    for finding in findings {
        let here = by_line.get(&finding.span.start_line);
        let mut here = here.into_iter().flatten();
        match here.find(|&&index| directives[index].silences(&finding, today)) {
            Some(&index) => {
                used[index] = true;
                obeyed.suppressed.push(Suppressed {
                    finding,
                    reason: directives[index].reason.clone(),
                });
            }
            None => obeyed.findings.push(finding),
        }
    }
    if looked(STALE) == RuleState::Off {
        return obeyed;
    }
    let mut prints = Fingerprints::default();
    for (directive, used) in directives.iter().zip(used) {
        if let Some(why) = directive.stale(used, today, looked) {
            obeyed.findings.push(Finding {
                rule: STALE.to_owned(),
                category: "suppression".to_owned(),
                severity: Severity::Warning,
                path: path.to_owned(),
                span: directive.span,
                message: format!("This comment silences nothing: {why}."),
                fingerprint: prints.of(STALE, "", &directive.rules.join(",")),
            });
        }
    }
    obeyed
}

impl Directive {
    fn silences(&self, finding: &Finding, today: Date) -> bool {
        self.fault.is_none()
            && !self.is_expired(today)
            && finding.span.start_line == self.line
            && self.rules.contains(&finding.rule)
    }

    fn is_expired(&self, today: Date) -> bool {
        let until = self.until.as_ref().and_then(|d| d.parse::<Date>().ok());
        until.is_some_and(|until| until < today)
    }

    /// Reason that the comment silences nothing. `None` for a rule that did not run.
    fn stale(&self, used: bool, today: Date, looked: &dyn Fn(&str) -> RuleState) -> Option<String> {
        if let Some(fault) = &self.fault {
            return Some(fault.clone());
        }
        if self.is_expired(today) {
            let until = self.until.as_deref().unwrap_or_default();
            return Some(format!("it expired on {until}"));
        }
        // A mark at the end of a line of code explains nothing to the rule.
        let is_alone = self.span.start_line < self.line;
        let is_answer = |rule: &String| ANSWERED_BY_COMMENTS.contains(&rule.as_str());
        if used || is_alone && self.rules.iter().all(is_answer) {
            return None;
        }
        let is = |rule: &String, how: RuleState| looked(rule) == how;
        if let Some(rule) = self.rules.iter().find(|rule| is(rule, RuleState::Unknown)) {
            return Some(format!("no rule or signal is called {rule}"));
        }
        let rules = self.rules.join(", ");
        let all = self.rules.iter().all(|rule| is(rule, RuleState::On));
        all.then(|| format!("no finding of {rules} in line {}", self.line))
    }
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Language, Limits, Profile, parse as parse_tree};

    use super::*;

    fn found(code: &str) -> Vec<Directive> {
        found_in("python", code)
    }

    fn found_in(language: &str, code: &str) -> Vec<Directive> {
        let language = Language::by_id(language).unwrap();
        let tree = parse_tree(language, code.as_bytes(), &Limits::default()).unwrap();
        directives(&tree, &tree.source_lines(Profile::Slope))
    }

    fn finding(rule: &str, line: u32) -> Finding {
        Finding {
            rule: rule.to_owned(),
            category: "c".to_owned(),
            severity: Severity::Warning,
            path: "a.py".to_owned(),
            span: Span {
                start_line: line,
                ..Span::default()
            },
            message: String::new(),
            fingerprint: String::new(),
        }
    }

    fn obeyed(code: &str, findings: &[(&str, u32)]) -> AppliedSuppressions {
        let findings = findings.iter().map(|&(r, l)| finding(r, l)).collect();
        obey(
            "a.py",
            findings,
            &found(code),
            "2026-11-22".parse().unwrap(),
            &|rule| match rule {
                "off" => RuleState::Off,
                "unknown" => RuleState::Unknown,
                _ => RuleState::On,
            },
        )
    }

    #[test]
    fn comment_suppresses_own_or_next_line() {
        let code =
            "a = 1  # slope: ignore[x] known\n\n# slope: ignore[y, z] known\n\n# note\nb = 2\n";
        let lines: Vec<_> = found(code).iter().map(|d| d.line).collect();
        assert_eq!(lines, [1, 6]);
        let result = obeyed(code, &[("x", 1), ("y", 6), ("x", 6)]);
        assert_eq!(result.suppressed.len(), 2);
        assert_eq!(result.findings.len(), 1);
        assert_eq!(result.suppressed[0].reason, "known");
    }

    #[test]
    fn ineffective_suppressions_are_reported_with_reason() {
        for (code, why) in [
            ("a = 1  # slope: ignore[x] known\n", "no finding of x"),
            ("a = 1  # slope: ignore[x]\n", "no reason"),
            ("a = 1  # slope: ignore all of it\n", "names no rules"),
            (
                "a = 1  # slope: ignore[x] until 2026-11-21 known\n",
                "expired",
            ),
            (
                "a = 1  # slope: ignore[x] until soon known\n",
                "soon is not a date",
            ),
            ("a = 1\n# slope: ignore[x] known\n", "no code follows"),
            ("a = 1  # slope: ignore[] known\n", "names no rules"),
            (
                "a = 1  # slope: ignore[unknown] known\n",
                "no rule or signal is called unknown",
            ),
        ] {
            let result = obeyed(code, &[("y", 1)]);
            assert_eq!(result.findings.len(), 2, "{code}");
            let message = &result.findings[1].message;
            assert!(message.contains(why), "{message}");
        }
    }

    #[test]
    fn unexpired_suppression_applies() {
        let code = "a = 1  # slope: ignore[x] until 2026-11-22 till the release\n";
        let result = obeyed(code, &[("x", 1)]);
        assert_eq!(result.findings.len(), 0);
        assert_eq!(result.suppressed[0].reason, "till the release");
    }

    #[test]
    fn disabled_rule_leaves_suppression_unjudged() {
        let result = obeyed("a = 1  # slope: ignore[off] known\n", &[]);
        assert_eq!(result.findings.len(), 0);
    }

    #[test]
    fn stale_rule_can_be_switched_off() {
        let directives = found("a = 1  # slope: ignore[x] known\n");
        let today = "2026-11-22".parse().unwrap();
        let looked = |rule: &str| match rule {
            STALE => RuleState::Off,
            _ => RuleState::On,
        };
        let result = obey("a.py", Vec::new(), &directives, today, &looked);
        assert_eq!(result.findings.len(), 0);
    }

    #[test]
    fn mark_that_explains_is_not_stale() {
        for (code, stale) in [
            (
                "try:\n    f()\nexcept E:\n    # slope: ignore[swallowed-exception] known\n    pass\n",
                0,
            ),
            (
                "try:\n    f()\nexcept E:\n    # slope: ignore[none-equality] known\n    pass\n",
                1,
            ),
            (
                "try:\n    f()\nexcept E:\n    # slope: ignore[none-equality, useless-catch] known\n    pass\n",
                1,
            ),
            ("a = f()  # slope: ignore[swallowed-exception] known\n", 1),
        ] {
            assert_eq!(obeyed(code, &[]).findings.len(), stale, "{code}");
        }
    }

    #[test]
    fn suppression_marker_is_read_leniently() {
        for code in [
            "a = 1  # slope: ignore[x] known\n",
            "a = 1  # slope:ignore[x] known\n",
            "a = 1  # Slope: ignore[x] known\n",
            "a = 1  # type: ignore  # slope: ignore[x] known\n",
            "a = 1  # noqa: E711 # slope: ignore[x] known\n",
            "a = 1  # slope: ignore[x] until 2027-06-30: known\n",
        ] {
            let result = obeyed(code, &[("x", 1)]);
            assert_eq!(result.suppressed.len(), 1, "{code}");
            assert_eq!(result.suppressed[0].reason, "known", "{code}");
        }
        for code in [
            "a = 1  # slope: ignored because\n",
            "a = 1  # Example: # slope: ignore[x] known\n",
            "a = 1  # slope: ignore-file\n",
        ] {
            assert_eq!(found(code), [], "{code}");
        }
    }

    #[test]
    fn many_trailing_comments_stay_linear() {
        let code = format!("a = 1\n{}", "# slope: ignore[x] y\n".repeat(20_000));
        // The Python grammar does not see all of them.
        let found = found_in("ruby", &code);
        assert_eq!(found.len(), 20_000);
        assert!(found.iter().all(|directive| directive.line == 0));
    }

    #[test]
    fn marker_must_begin_the_comment() {
        assert!(found("# write slope: ignore[x] there\na = 'slope: ignore[x] y'\n").is_empty());
    }
}
