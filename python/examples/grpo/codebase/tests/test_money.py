import unittest

from stockroom.errors import StockError
from stockroom.money import format_cents, parse_cents, percent_of


class MoneyTest(unittest.TestCase):
    def test_percentage_rounds_half_away(self) -> None:
        self.assertEqual(percent_of(150, 5), 8)
        self.assertEqual(percent_of(-150, 5), -8)
        self.assertEqual(percent_of(149, 5), 7)

    def test_amount_has_two_digits(self) -> None:
        self.assertEqual(format_cents(123450), "1,234.50 EUR")
        self.assertEqual(format_cents(-5), "-0.05 EUR")

    def test_amount_is_parsed(self) -> None:
        self.assertEqual(parse_cents("12.50"), 1250)
        self.assertEqual(parse_cents("3"), 300)
        with self.assertRaises(StockError):
            parse_cents("three")
