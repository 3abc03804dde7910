use shop::invoice::{discount_of, Invoice};
use shop::orders::{find_order, parse_order};

#[test]
fn parses_orders() {
    let order = parse_order("Ada; Pen; 2; 1.50", "o:1").unwrap();
    assert_eq!(order.customer, "ada");
    assert_eq!(order.total(), 300);
    assert!(parse_order("; Pen; 2; 1.50", "o:1").is_err());
}

#[test]
fn finds_orders() {
    let orders = [parse_order("Ada; Pen; 2; 1.50", "o:1").unwrap()];
    assert_eq!(find_order(&orders, "ADA"), Ok(&orders[0]));
    assert!(find_order(&orders, "Bob").is_err());
}

#[test]
fn gives_discounts() {
    assert_eq!(discount_of(10_000), Ok(400));
    assert_eq!(discount_of(9_999), Ok(0));
}

#[test]
fn renders_invoices() {
    let order = parse_order("Ada; Pen; 2; 1.50", "o:1").unwrap();
    let invoice = Invoice { orders: vec![order], ..Default::default() };
    assert!(invoice.render().unwrap().ends_with("3.00"));
}
