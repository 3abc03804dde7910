"""The file that keeps the pantry between runs."""

import json
import os

from stock import Lot, Stock
from values import PantryError

PATH = "pantry.json"


def load():
    try:
        with open(PATH, encoding="utf-8") as file:
            return Stock(Lot(*fields) for fields in json.load(file)["lots"])
    except FileNotFoundError:
        return Stock()
    except ValueError:
        raise PantryError(f"{PATH} is damaged") from None


def save(stock):
    """Writes beside the file first, so that an interrupted run leaves the old state."""
    draft = PATH + ".new"
    with open(draft, "w", encoding="utf-8") as file:
        json.dump({"lots": stock.lots}, file)
    os.replace(draft, PATH)
