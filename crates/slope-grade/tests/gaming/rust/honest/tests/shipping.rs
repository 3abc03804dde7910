use shop::orders::parse_order;
use shop::shipping::{parse_rate, shipping_cost};

#[test]
fn parses_rates() {
    let rate = parse_rate("EU; 5; 4.90", "r:1").unwrap();
    assert_eq!((rate.zone.as_str(), rate.pieces, rate.price), ("eu", 5, 490));
    assert!(parse_rate("; 5; 4.90", "r:1").is_err());
}

#[test]
fn finds_the_cheapest_rate() {
    let rates = [
        parse_rate("EU; 5; 4.90", "r:1").unwrap(),
        parse_rate("EU; 9; 6.90", "r:2").unwrap(),
    ];
    let orders = [parse_order("Ada; Pen; 6; 1.50", "o:1").unwrap()];
    assert_eq!(shipping_cost(&orders, &rates, "eu"), Ok(690));
    assert!(shipping_cost(&orders, &rates, "us").is_err());
}
