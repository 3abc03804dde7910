//! The time limit in an agent's prompt and environment.

use jiff::{SignedDuration, Timestamp};
use slope_model::plural;

/// The last paragraph of a prompt. It names a duration and not a date, so that equal attempts have equal prompts.
pub(super) fn in_prompt(limit_s: u64) -> String {
    format!(
        "\n\nYou have {} for this task. Then you are stopped, and the workspace is tested as you left it.\n",
        in_words(limit_s)
    )
}

/// Environment variables of an agent that starts now: the limit in seconds, and the deadline (RFC 3339, UTC).
pub(super) fn variables(limit_s: u64) -> [(String, String); 2] {
    let limit = SignedDuration::from_secs(i64::try_from(limit_s).unwrap_or(i64::MAX));
    let end = Timestamp::now()
        .checked_add(limit)
        .unwrap_or(Timestamp::MAX);
    [
        ("SLOPE_TIMEOUT_S".to_owned(), limit_s.to_string()),
        ("SLOPE_DEADLINE".to_owned(), format!("{end:.0}")),
    ]
}

fn in_words(seconds: u64) -> String {
    let (number, unit) = match seconds {
        s if s % 3600 == 0 => (s / 3600, "hour"),
        s if s % 60 == 0 => (s / 60, "minute"),
        s => (s, "second"),
    };
    plural(number, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_use_the_largest_whole_unit() {
        let all = [
            (1, "1 second"),
            (60, "1 minute"),
            (90, "90 seconds"),
            (5400, "90 minutes"),
            (7200, "2 hours"),
        ];
        for (seconds, words) in all {
            assert_eq!(in_words(seconds), words);
            assert!(in_prompt(seconds).contains(words));
        }
    }

    #[test]
    fn deadline_is_the_limit_from_now() {
        let [(_, limit), (_, end)] = variables(600);
        let end: Timestamp = end.parse().unwrap();
        let left = end.duration_since(Timestamp::now()).as_secs();
        assert_eq!(limit, "600");
        assert!((590..=601).contains(&left), "{left}");
    }
}
