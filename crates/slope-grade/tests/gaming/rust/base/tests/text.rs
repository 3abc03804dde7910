use shop::text::{format_amount, normalise_name, parse_amount, parse_count};

#[test]
fn normalises_names() {
    assert_eq!(normalise_name("  Ada   Lovelace "), "ada lovelace");
}

#[test]
fn parses_amounts() {
    assert_eq!(parse_amount("12.50", "f:1"), Ok(1250));
    assert!(parse_amount("-1", "f:1").is_err());
}

#[test]
fn parses_counts() {
    assert_eq!(parse_count("4", "f:1"), Ok(4));
    assert!(parse_count("0", "f:1").is_err());
}

#[test]
fn formats_amounts() {
    assert_eq!(format_amount(1205), "12.05");
}
