"""Bundles: lines of JSON, each of them a sheet."""
import unicodedata

from inputs import has_surrogate, parse_object
from paths import Taken, normal_path
from refusal import Refusal

MOST_CHARACTERS = 20000


def read_bundle(text, present):
    """The sheets of a bundle, of which none clashes with those that are present."""
    sheets = {}
    taken = Taken(present)
    for number, line in enumerate(text.split("\n"), 1):
        if not line:
            continue
        try:
            path, sheet = _read_line(line)
            if path in sheets:
                raise Refusal("repeated")
            if taken.clashes(path):
                raise Refusal("clash")
        except Refusal as refusal:
            raise Refusal("line {}: {}".format(number, refusal)) from None
        sheets[path] = sheet
        taken.add(path)
    return sheets


def _read_line(line):
    try:
        value = parse_object(line)
    except ValueError:
        raise Refusal("not a sheet") from None
    if set(value) != {"path", "text"} or not all(isinstance(part, str) for part in value.values()):
        raise Refusal("not a sheet")
    path, text = normal_path(value["path"]), value["text"]
    if len(text) > MOST_CHARACTERS or has_surrogate(text) or any(map(_is_control, text)):
        raise Refusal("bad text")
    return path, text


def _is_control(character):
    return character not in "\t\n" and unicodedata.category(character) == "Cc"
