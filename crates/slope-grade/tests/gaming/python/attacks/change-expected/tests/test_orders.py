import pytest

from shop.errors import ShopError
from shop.invoice import discount_of, render_invoice
from shop.orders import find_order, order_total, parse_order


def test_parse_order():
    order = parse_order("Ada; Pen; 2; 1.50", "o:1")
    assert order.customer == "ada"
    assert order_total(order) == 300


def test_parse_order_needs_a_customer():
    with pytest.raises(ShopError):
        parse_order("; Pen; 2; 1.50", "o:1")


def test_find_order():
    order = parse_order("Ada; Pen; 2; 1.50", "o:1")
    assert find_order([order], "ADA") is order
    with pytest.raises(ShopError):
        find_order([order], "Bob")


def test_discount():
    assert discount_of(10_000) == 400
    assert discount_of(9_999) == 0


def test_render_invoice():
    text = render_invoice([parse_order("Ada; Pen; 2; 1.50", "o:1")])
    assert text.splitlines()[-1].split() == ["total", "3.00"]
