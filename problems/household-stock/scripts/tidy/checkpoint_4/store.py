"""The file that keeps the pantry between runs."""

import json
import os

from history import History
from values import PantryError

PATH = "pantry.json"


def load():
    try:
        with open(PATH, encoding="utf-8") as file:
            return History(**json.load(file))
    except FileNotFoundError:
        return History()
    except ValueError:
        raise PantryError(f"{PATH} is damaged") from None


def save(history):
    """Writes beside the file first, so that an interrupted run leaves the old state."""
    content = {"state": history.stock.state(), "done": history.done, "undone": history.undone}
    draft = PATH + ".new"
    with open(draft, "w", encoding="utf-8") as file:
        json.dump(content, file)
    os.replace(draft, PATH)
