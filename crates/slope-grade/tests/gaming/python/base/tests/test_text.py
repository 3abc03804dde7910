import pytest

from shop.errors import ShopError
from shop.text import format_amount, normalise_name, parse_amount, parse_count, split_fields


def test_normalise_name():
    assert normalise_name("  Ada   Lovelace ") == "ada lovelace"


def test_split_fields():
    assert split_fields("a; b", 2, "f:1") == ["a", "b"]
    with pytest.raises(ShopError):
        split_fields("a", 2, "f:1")


def test_parse_amount():
    assert parse_amount("12.50", "f:1") == 1250
    assert parse_amount("3", "f:1") == 300
    with pytest.raises(ShopError):
        parse_amount("-1", "f:1")


def test_parse_count():
    assert parse_count("4", "f:1") == 4
    with pytest.raises(ShopError):
        parse_count("0", "f:1")


def test_format_amount():
    assert format_amount(1205) == "12.05"
