import unittest

from stockroom.errors import StockError
from stockroom.lines import Line, line_total
from stockroom.offers import Offer
from stockroom.orders import order_total
from stockroom.packs import unit_price
from stockroom.pricing import with_tax
from stockroom.suppliers import offers_of


class SalesTest(unittest.TestCase):
    def test_line_has_a_discount(self) -> None:
        self.assertEqual(line_total(Line("A1", 1000, 3, 10)), 2700)

    def test_order_has_shipping(self) -> None:
        self.assertEqual(order_total([Line("A1", 1000, 1)], 490), 1490)
        with self.assertRaises(StockError):
            order_total([], -1)

    def test_price_has_tax(self) -> None:
        self.assertEqual(with_tax(1000), 1190)

    def test_piece_of_a_pack_rounds_up(self) -> None:
        self.assertEqual(unit_price(100, 3), 34)
        with self.assertRaises(StockError):
            unit_price(100, 0)

    def test_offers_of_a_supplier(self) -> None:
        offers = [Offer("Ann", "A1", 100, 2), Offer("Bob", "A1", 90, 2)]
        self.assertEqual(offers_of(offers, "Bob"), offers[1:])
