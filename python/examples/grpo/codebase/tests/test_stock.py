import unittest

from stockroom.alerts import sold_out
from stockroom.errors import StockError
from stockroom.intake import read_items
from stockroom.items import Item, find_item, take
from stockroom.reports import price_lines
from stockroom.search import cheaper_than
from stockroom.shelves import shelf_of, zones_of
from stockroom.transfers import clear


def some_items() -> list[Item]:
    return [Item("A1", "Hammer", 1250, 3), Item("B2", "Nails", 199, 0, "yard")]


class StockTest(unittest.TestCase):
    def test_item_is_found_in_any_case(self) -> None:
        self.assertEqual(find_item(some_items(), " b2").name, "Nails")
        with self.assertRaises(StockError):
            find_item(some_items(), "C3")

    def test_items_are_read(self) -> None:
        self.assertEqual(read_items("A1; Hammer; 12.50"), [Item("A1", "Hammer", 1250)])
        with self.assertRaises(StockError):
            read_items("A1; Hammer")

    def test_stock_is_searched(self) -> None:
        self.assertEqual([item.sku for item in sold_out(some_items(), "yard")], ["B2"])
        self.assertEqual([item.sku for item in cheaper_than(some_items(), 200)], ["B2"])
        self.assertEqual(price_lines(some_items(), 3)[0], "Ham: 12.50 EUR")

    def test_shelves_and_zones(self) -> None:
        self.assertEqual(zones_of(some_items()), ["main", "yard"])
        self.assertIn(shelf_of(some_items()[0], 4), range(1, 5))

    def test_only_stock_can_be_taken(self) -> None:
        item = some_items()[0]
        take(item, 2)
        self.assertEqual(item.count, 1)
        with self.assertRaises(StockError):
            take(item, 2)
        self.assertEqual(clear(item), 1)
