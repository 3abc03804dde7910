"""The commands: each takes the store and its arguments, and returns what to print."""
import os

from bundles import read_bundle
from inputs import read_text
from letters import FORMS, fill_gaps, read_record
from paths import normal_path
from printer import run_printer
from questions import parse_question
from refusal import Refusal


def take(store, bundle):
    sheets = read_bundle(read_text(bundle), store.sheets)
    store.sheets.update(sheets)
    store.save()
    return "taken: {}\n".format(len(sheets))


def list_sheets(store):
    return "".join(path + "\n" for path in sorted(store.sheets))


def show(store, path):
    return store.sheet(normal_path(path))


def drop(store, path):
    path = normal_path(path)
    store.sheet(path)
    del store.sheets[path]
    store.save()
    return "dropped: 1\n"


def copy(store, out):
    if os.path.lexists(out) and not (os.path.isdir(out) and not os.listdir(out)):
        raise Refusal("folder not empty")
    for path, text in store.sheets.items():
        _write_sheet(out, path, text)
    os.makedirs(out, exist_ok=True)
    return "copied: {}\n".format(len(store.sheets))


def _write_sheet(out, path, text):
    file_path = os.path.join(out, *path.split("/"))
    os.makedirs(os.path.dirname(file_path), exist_ok=True)
    with open(file_path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def fill(store, path, record, form):
    text = store.sheet(normal_path(path))
    if form not in FORMS:
        raise Refusal("unknown form")
    return fill_gaps(text, read_record(record), FORMS[form])


def print_sheet(store, path, title):
    return run_printer(title, store.sheet(normal_path(path)))


def find(store, question):
    holds = parse_question(question)
    return "".join(path + "\n" for path, text in sorted(store.sheets.items()) if holds(path, text))


# Name to command and the number of its arguments.
COMMANDS = {
    "take": (take, 1),
    "list": (list_sheets, 0),
    "show": (show, 1),
    "drop": (drop, 1),
    "copy": (copy, 1),
    "fill": (fill, 3),
    "print": (print_sheet, 2),
    "find": (find, 1),
}
