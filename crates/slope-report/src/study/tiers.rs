//! Panels of code bases, and tiers by stars.

use serde::{Deserialize, Serialize};

use crate::metric::Metric;

/// Tiers by stars, each with its lowest count.
const BY_STARS: [(u64, &str); 3] = [
    (0, "below 1,000 stars"),
    (1_000, "1,000 to 9,999 stars"),
    (10_000, "10,000 stars and more"),
];

/// A set of code bases, by the published definitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Its name and version.
    pub name: String,
    /// Whether its code bases are published repositories, which have stars. Others are not missing
    /// any.
    pub are_repositories: bool,
    /// Whether its table has a column `tier`, which then decides in place of stars.
    #[serde(default)]
    pub has_tier_column: bool,
    /// The tiers, in order; empty if neither tiers nor stars are known.
    pub tiers: Vec<String>,
    /// The code bases.
    pub members: Vec<PanelMember>,
}

/// A code base of a panel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PanelMember {
    /// Erosion, 0 to 1.
    pub erosion: Option<f64>,
    /// Verbosity, 0 to 1.
    pub verbosity: Option<f64>,
    /// Index of its tier in the panel, from 0; `None` if unknown.
    pub tier: Option<usize>,
}

/// An invalid panel table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PanelError {
    /// The line, from 1.
    pub line: u64,
    /// The problem, and the expected value.
    pub problem: String,
}

impl Panel {
    /// Reads a table of code bases: CSV with a header line. It uses the columns `erosion` and
    /// `verbosity`, each a share from 0 to 1 or empty, and `tier`, or else `stars`, an integer or
    /// empty; others are ignored. Tiers are in the order of their first lines, those by stars from
    /// few to many.
    ///
    /// # Errors
    ///
    /// If the table has neither erosion nor verbosity, no line, or an invalid value.
    pub fn from_csv(name: &str, text: &str) -> Result<Self, PanelError> {
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let torn = |error: csv::Error| torn(text, &error);
        let columns = Columns::of(reader.headers().map_err(torn)?)?;
        let mut panel = Self {
            name: name.to_owned(),
            are_repositories: true,
            has_tier_column: columns.tier.is_some(),
            tiers: Vec::new(),
            members: Vec::new(),
        };
        if columns.tier.is_none() && columns.stars.is_some() {
            panel.tiers = BY_STARS.map(|(_, tier)| tier.to_owned()).to_vec();
        }
        for record in reader.records() {
            let record = record.map_err(torn)?;
            let member = columns.member(&record, &mut panel.tiers);
            panel.members.push(member.map_err(|problem| PanelError {
                line: record.position().map_or(1, |start| line_at(text, start)),
                problem,
            })?);
        }
        if panel.members.is_empty() {
            return Err(PanelError {
                line: 2,
                problem: "the table has no code base\nhelp: add a line for each".to_owned(),
            });
        }
        Ok(panel)
    }

    /// Known values of a metric, sorted: of all code bases, or of a tier.
    pub(super) fn values(&self, metric: Metric, tier: Option<usize>) -> Vec<f64> {
        let own = self.members.iter().filter(|member| match tier {
            Some(tier) => member.tier == Some(tier),
            None => true,
        });
        let values = own.filter_map(|member| {
            if metric == Metric::EROSION {
                member.erosion
            } else {
                member.verbosity
            }
        });
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// Reason that the panel is not compared with some or all cohorts by tier.
    pub(super) fn without_tier(&self) -> Option<String> {
        let missing = self.members.iter().filter(|m| m.tier.is_none()).count();
        if missing == 0 || !self.are_repositories {
            return None;
        }
        let (name, all) = (&self.name, self.members.len());
        Some(match (self.has_tier_column, missing == all) {
            (true, true) => format!(
                "{name}: `tier` is empty for all of its code bases, so that there are no tiers; \
                 fill it in, or leave the column out and give `stars`"
            ),
            (true, false) => format!(
                "{name}: `tier` is empty for {missing} of its {all} code bases, and they are in \
                 no tier"
            ),
            (false, true) => format!(
                "{name}: the stars of its code bases are missing, so that there are no tiers; a \
                 table with a column `stars` or `tier` can be given by --panel"
            ),
            (false, false) => format!(
                "{name}: the stars of {missing} of its {all} code bases are missing, and they \
                 are in no tier"
            ),
        })
    }
}

fn torn(text: &str, error: &csv::Error) -> PanelError {
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!(
            "the line has {len} fields, but the first line has {expected_len}\n\
             help: give each line as many fields as the first"
        ),
        _ => format!("invalid CSV: {error}"),
    };
    PanelError {
        line: error.position().map_or(1, |start| line_at(text, start)),
        problem,
    }
}

/// The line number of the record read from `start`. The reader starts before the line ends that it
/// skips: the second half of the previous CRLF, and blank lines.
fn line_at(text: &str, start: &csv::Position) -> u64 {
    let bytes = text.as_bytes();
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let start = usize::try_from(start.byte()).map_or(bytes.len(), |byte| byte.min(bytes.len()));
    let skipped = bytes[start..].iter().take_while(|byte| is_end(byte));
    let before = &bytes[..start + skipped.count()];
    let is_line = |(place, byte): &(usize, &u8)| match byte {
        b'\r' => bytes.get(place + 1) != Some(&b'\n'),
        byte => **byte == b'\n',
    };
    1 + before.iter().enumerate().filter(is_line).count() as u64
}

/// Indices of the columns that are read.
struct Columns {
    erosion: Option<usize>,
    verbosity: Option<usize>,
    tier: Option<usize>,
    stars: Option<usize>,
}

impl Columns {
    fn of(names: &csv::StringRecord) -> Result<Self, PanelError> {
        let place = |wanted: &str| names.iter().position(|name| name.trim() == wanted);
        let columns = Self {
            erosion: place("erosion"),
            verbosity: place("verbosity"),
            tier: place("tier"),
            stars: place("stars"),
        };
        match (columns.erosion, columns.verbosity) {
            (None, None) => Err(PanelError {
                line: 1,
                problem:
                    "missing column erosion or verbosity\nhelp: add one of them, or give the output \
                          of `slope history --format json`"
                        .to_owned(),
            }),
            _ => Ok(columns),
        }
    }

    /// A code base; a new tier is added to `tiers`.
    fn member(
        &self,
        record: &csv::StringRecord,
        tiers: &mut Vec<String>,
    ) -> Result<PanelMember, String> {
        let text = |place: Option<usize>| {
            let text = place.and_then(|place| record.get(place));
            text.map(str::trim).filter(|text| !text.is_empty())
        };
        let tier = match (text(self.tier), text(self.stars)) {
            (Some(tier), _) => Some(place_of(tier, tiers)),
            (None, Some(stars)) if self.tier.is_none() => Some(by_stars(stars)?),
            _ => None,
        };
        Ok(PanelMember {
            erosion: text(self.erosion).map(share).transpose()?,
            verbosity: text(self.verbosity).map(share).transpose()?,
            tier,
        })
    }
}

fn place_of(tier: &str, tiers: &mut Vec<String>) -> usize {
    let known = tiers.iter().position(|known| known == tier);
    known.unwrap_or_else(|| {
        tiers.push(tier.to_owned());
        tiers.len() - 1
    })
}

fn by_stars(text: &str) -> Result<usize, String> {
    let stars: u64 = text
        .parse()
        .map_err(|_| format!("invalid stars {text:?}: expected a whole number or nothing"))?;
    let below = BY_STARS.partition_point(|(first, _)| *first <= stars);
    Ok(below - 1)
}

fn share(text: &str) -> Result<f64, String> {
    let value = text.parse().ok();
    value
        .filter(|value| (0.0..=1.0).contains(value))
        .ok_or_else(|| {
            format!(
                "invalid share {text:?}: expected a number from 0 to 1, or nothing where it is unknown"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_assign_tiers() {
        let text =
            "repo,stars,erosion,verbosity\na,999,0.1,\nb,1000,0.2,0.3\nc,,0.4,0.5\nd,10000,0,1\n";
        let panel = Panel::from_csv("p", text).unwrap();
        let tiers: Vec<Option<usize>> = panel.members.iter().map(|m| m.tier).collect();
        assert_eq!(tiers, [Some(0), Some(1), None, Some(2)]);
        assert_eq!(panel.members[0].verbosity, None);
        assert_eq!(panel.values(Metric::EROSION, None), [0.0, 0.1, 0.2, 0.4]);
        assert_eq!(panel.values(Metric::VERBOSITY, Some(1)), [0.3]);
        let told = panel.without_tier().unwrap();
        assert!(told.contains("1 of its 4"), "{told}");
    }

    #[test]
    fn explicit_tiers_override_stars() {
        let text = "tier,stars,erosion\nsmall,90000,0.1\nlarge,1,0.2\nsmall,2,0.3\n";
        let panel = Panel::from_csv("p", text).unwrap();
        assert_eq!(panel.tiers, ["small", "large"]);
        assert_eq!(panel.values(Metric::EROSION, Some(0)), [0.1, 0.3]);
        assert_eq!(panel.without_tier(), None);
        let plain = Panel::from_csv("p", "erosion\n0.1\n").unwrap();
        let told = plain.without_tier().unwrap();
        assert!(plain.tiers.is_empty() && told.contains("`stars`"), "{told}");
    }

    #[test]
    fn missing_tier_names_the_empty_column() {
        let empty = Panel::from_csv("p", "tier,stars,erosion\n,5,0.1\n,6,0.2\n").unwrap();
        let told = empty.without_tier().unwrap();
        assert!(told.contains("`tier` is empty for all"), "{told}");
        let some = Panel::from_csv("p", "tier,erosion\n,0.1\nlarge,0.2\n").unwrap();
        let told = some.without_tier().unwrap();
        assert!(told.contains("`tier` is empty for 1 of its 2"), "{told}");
        assert!(!told.contains("stars"), "{told}");
    }

    #[test]
    fn invalid_panel_csv_names_its_line() {
        for (text, line) in [
            ("repo\na\n", 1),
            ("erosion\n", 2),
            ("erosion,stars\n0.1,5\n0.2,many\n", 3),
            ("erosion\n0.1\n1.2\n", 3),
            ("erosion\nNaN\n", 2),
            ("erosion,stars\n0.1\n", 2),
            ("erosion,stars\r\n0.1,5\r\n0.2,many\r\n", 3),
            ("erosion,stars\r\n\r\n0.1,5\r\n\r\n0.2\r\n", 5),
            ("erosion\n\n\n1.2\n", 4),
            ("repo,erosion\n\"a\r\nb\",0.1\nc,1.2\n", 4),
            ("erosion\r0.1\r1.2\r", 3),
        ] {
            let error = Panel::from_csv("p", text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            let told = error.to_string();
            assert_eq!(told.matches("line:").count(), 0, "{told}");
        }
    }
}
