import pytest

from shop.errors import ShopError
from shop.invoice import render_invoice
from shop.orders import parse_order
from shop.shipping import load_rates, parse_rate, shipping_cost


def test_parse_rate():
    rate = parse_rate("EU; 5; 4.90", "r:1")
    assert (rate.zone, rate.pieces, rate.price) == ("eu", 5, 490)
    with pytest.raises(ShopError):
        parse_rate("; 5; 4.90", "r:1")


def test_load_rates(tmp_path):
    path = tmp_path / "rates"
    path.write_text("# zone; pieces; price\nEU; 5; 4.90\n")
    assert [rate.price for rate in load_rates(path)] == [490]


def test_shipping_cost():
    rates = [parse_rate("EU; 5; 4.90", "r:1"), parse_rate("EU; 9; 6.90", "r:2")]
    order = parse_order("Ada; Pen; 6; 1.50", "o:1")
    assert shipping_cost([order], rates, "eu") == 690
    with pytest.raises(ShopError):
        shipping_cost([order], rates, "us")


def test_render_invoice_with_shipping():
    order = parse_order("Ada; Pen; 2; 1.50", "o:1")
    assert render_invoice([order], 490).splitlines()[-1].split() == ["total", "7.90"]
