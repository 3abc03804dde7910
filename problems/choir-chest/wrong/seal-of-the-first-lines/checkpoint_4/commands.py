"""The commands: each takes the store and its arguments, and returns what to print."""
import os

from bundles import accept_seal, read_bundle, sealed
from inputs import read_text
from journal import FILE as JOURNAL
from letters import FORMS, fill_gaps, read_record
from locks import check_open, is_open, lock_of, opens
from paths import normal_path
from printer import run_printer
from questions import parse_question
from refusal import Refusal


def take(store, bundle):
    text = read_text(bundle)
    key = os.environ.get("CHEST_KEY")
    sheets = read_bundle(accept_seal(text, key) if key else text, store.sheets)
    store.sheets.update(sheets)
    store.save()
    return "taken: {}\n".format(len(sheets))


def seal(_store, bundle):
    key = os.environ.get("CHEST_KEY")
    if not key:
        raise Refusal("no key")
    return sealed(read_text(bundle), key)


def list_sheets(store):
    lines = [path + (" (locked)" if "lock" in sheet else "") for path, sheet in sorted(store.sheets.items())]
    return "".join(line + "\n" for line in lines)


def show(store, path):
    return _open_sheet(store, normal_path(path))["text"]


def drop(store, path):
    path = normal_path(path)
    _open_sheet(store, path)
    del store.sheets[path]
    store.save()
    return "dropped: 1\n"


def lock(store, path):
    sheet, word = _for_lock(store, path)
    if "lock" in sheet:
        raise Refusal("locked already")
    sheet["lock"] = lock_of(word)
    store.save()
    return "locked: 1\n"


def unlock(store, path):
    sheet, _ = _for_lock(store, path)
    if "lock" not in sheet:
        raise Refusal("not locked")
    del sheet["lock"]
    store.save()
    return "unlocked: 1\n"


def _for_lock(store, path):
    """A sheet that the word may lock or unlock, and the word."""
    sheet = store.sheet(normal_path(path))
    word = os.environ.get("CHEST_WORD")
    if not word:
        raise Refusal("no word")
    if "lock" in sheet and not opens(word, sheet["lock"]):
        raise Refusal("locked")
    return sheet, word


def _open_sheet(store, path):
    sheet = store.sheet(path)
    check_open(sheet)
    return sheet


def copy(store, out):
    if os.path.lexists(out) and not (os.path.isdir(out) and not os.listdir(out)):
        raise Refusal("folder not empty")
    opened = {path: sheet for path, sheet in store.sheets.items() if is_open(sheet)}
    for path, sheet in opened.items():
        _write_sheet(out, path, sheet["text"])
    os.makedirs(out, exist_ok=True)
    return "copied: {}\n".format(len(opened))


def journal(store):
    lines = enumerate(store.load(JOURNAL, []), 1)
    return "".join("{} {}\n".format(number, line) for number, line in lines)


def _write_sheet(out, path, text):
    file_path = os.path.join(out, *path.split("/"))
    os.makedirs(os.path.dirname(file_path), exist_ok=True)
    with open(file_path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def fill(store, path, record, form):
    text = _open_sheet(store, normal_path(path))["text"]
    if form not in FORMS:
        raise Refusal("unknown form")
    return fill_gaps(text, read_record(record), FORMS[form])


def print_sheet(store, path, title):
    return run_printer(title, _open_sheet(store, normal_path(path))["text"])


def find(store, question):
    holds = parse_question(question)
    opened = ((path, sheet) for path, sheet in sorted(store.sheets.items()) if is_open(sheet))
    return "".join(path + "\n" for path, sheet in opened if holds(path, sheet["text"]))


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
    "seal": (seal, 1),
    "lock": (lock, 1),
    "unlock": (unlock, 1),
    "journal": (journal, 0),
}
