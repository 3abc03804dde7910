//! The rules, and the class that they assign to a failed test.

use regex::Regex;
use serde::Deserialize;
use slope_model::problem::Group;
use slope_model::verdict::Outcome;

use crate::attempt::SECURITY;
use crate::evidence::{Answer, Evidence};
use crate::same;

/// The rules that ship with slope.
const TEXT: &str = include_str!("../rules.toml");

/// Ordered rules. The first one that fits a failed test gives its class.
#[derive(Debug)]
pub struct Rules {
    /// Their version and hash: `1-0123abcd`. Classes of different rules are not comparable.
    pub version: String,
    rules: Vec<Rule>,
}

/// The class of a failed test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assigned<'a> {
    /// The class: `crash`.
    pub class: &'a str,
    /// Kind within the class: `null`.
    pub sub: Option<&'a str>,
}

impl std::fmt::Display for Assigned<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.sub {
            Some(sub) => write!(f, "{}/{sub}", self.class),
            None => f.write_str(self.class),
        }
    }
}

/// The class of a test that no rule fits.
const UNCLASSIFIED: Assigned<'static> = Assigned {
    class: "unclassified",
    sub: None,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    rules: Vec<RuleText>,
}

/// A rule. It fits if all of its conditions do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RuleText {
    class: String,
    sub: Option<String>,
    /// Outcomes of the test.
    outcomes: Option<Vec<Outcome>>,
    /// Groups of the test.
    groups: Option<Vec<Group>>,
    /// Languages of the program.
    languages: Option<Vec<String>>,
    /// Whether the test belongs to an earlier checkpoint.
    earlier: Option<bool>,
    /// What the attempt left.
    answer: Option<Answer>,
    /// Whether the test passed before.
    regression: Option<bool>,
    /// A pattern in the test's id.
    test: Option<String>,
    /// Whether both sides of the failed comparison are equal without white space, case, quotes and order.
    same_values: Option<bool>,
    /// A pattern in the message.
    message: Option<String>,
    /// A pattern that the message does not have.
    unless: Option<String>,
}

#[derive(Debug)]
struct Rule {
    text: RuleText,
    test: Option<Regex>,
    message: Option<Regex>,
    unless: Option<Regex>,
}

impl Rules {
    /// The rules that ship with slope.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn shipped() -> Self {
        Self::read(TEXT).expect("a test reads the shipped rules")
    }

    /// Reads rules.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn read(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let rules = file.rules.into_iter().map(Rule::new);
        let hash = blake3::hash(text.as_bytes()).to_hex();
        Ok(Self {
            version: format!("{}-{}", file.version, &hash[..8]),
            rules: rules.collect::<Result<_, _>>()?,
        })
    }

    /// The class of a failed test: that of the first rule that fits.
    #[must_use]
    pub fn of_test(&self, evidence: &Evidence<'_>) -> Assigned<'_> {
        let first = self.rules.iter().find(|rule| rule.fits(evidence));
        first.map_or(UNCLASSIFIED, Rule::assigned)
    }

    /// The names of the classes, in the order of their first rule.
    #[must_use]
    pub fn classes(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for rule in &self.rules {
            if !names.contains(&rule.text.class.as_str()) {
                names.push(rule.text.class.as_str());
            }
        }
        // No test has it: security findings decide.
        let place = names.iter().position(|name| *name == "regression");
        names.insert(place.unwrap_or(names.len()), SECURITY);
        names.push(UNCLASSIFIED.class);
        names
    }
}

impl Rule {
    fn new(text: RuleText) -> Result<Self, String> {
        let pattern = |text: &Option<String>| -> Result<Option<Regex>, String> {
            let pattern = text.as_deref().map(Regex::new).transpose();
            pattern.map_err(|error| error.to_string())
        };
        Ok(Self {
            test: pattern(&text.test)?,
            message: pattern(&text.message)?,
            unless: pattern(&text.unless)?,
            text,
        })
    }

    fn assigned(&self) -> Assigned<'_> {
        Assigned {
            class: &self.text.class,
            sub: self.text.sub.as_deref(),
        }
    }

    fn fits_texts(&self, evidence: &Evidence<'_>) -> bool {
        let matches = |pattern: &Regex, text: &str| pattern.is_match(text);
        let allows = |pattern: &Option<Regex>, text| {
            pattern
                .as_ref()
                .is_none_or(|pattern| matches(pattern, text))
        };
        let refuses = |pattern: &Option<Regex>, text| {
            pattern
                .as_ref()
                .is_some_and(|pattern| matches(pattern, text))
        };
        allows(&self.test, evidence.id)
            && allows(&self.message, evidence.message)
            && !refuses(&self.unless, evidence.message)
    }

    fn fits(&self, evidence: &Evidence<'_>) -> bool {
        let text = &self.text;
        has(text.outcomes.as_ref(), &evidence.outcome)
            && has(text.groups.as_ref(), &evidence.group)
            && text
                .languages
                .as_ref()
                .is_none_or(|all| all.iter().any(|one| one == evidence.language))
            && text
                .regression
                .is_none_or(|wanted| wanted == evidence.is_regression())
            && text.earlier.is_none_or(|it| it == evidence.is_earlier)
            && text.answer.is_none_or(|it| it == evidence.answer)
            && self.fits_texts(evidence)
            && text
                .same_values
                .is_none_or(|wanted| wanted == same::values(evidence.message))
    }
}

/// Whether a condition allows a value. No condition allows all.
fn has<T: PartialEq>(allowed: Option<&Vec<T>>, value: &T) -> bool {
    allowed.is_none_or(|allowed| allowed.contains(value))
}
