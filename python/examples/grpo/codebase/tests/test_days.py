import unittest
from datetime import date

from stockroom.dates import is_workday, next_workday
from stockroom.errors import StockError
from stockroom.shipping import leaving_day


class DaysTest(unittest.TestCase):
    def test_weekend_is_closed(self) -> None:
        self.assertFalse(is_workday(date(2026, 11, 28)))
        self.assertEqual(next_workday(date(2026, 11, 27)), date(2026, 11, 30))

    def test_holiday_is_closed(self) -> None:
        self.assertEqual(next_workday(date(2025, 12, 31)), date(2026, 1, 2))

    def test_order_leaves_before_noon(self) -> None:
        self.assertEqual(leaving_day(date(2026, 11, 26), 9), date(2026, 11, 26))
        self.assertEqual(leaving_day(date(2026, 11, 26), 12), date(2026, 11, 27))
        with self.assertRaises(StockError):
            leaving_day(date(2026, 11, 26), 24)
