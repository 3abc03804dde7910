"""Gives a key another name in all files."""

import re

import keys
import schema
from book import Book
from changing import finish, require_key
from document import Document, value_start
from faults import fail
from reader import Reader, includes_of
from renames import Renames
from sources import LAYERS, included_path


def move(command, folder):
    _, old_name, new_name = command.arguments
    book = Book(folder, command.performance, command.night)
    old, new = require_key(old_name), require_key(new_name)
    for key in (old, new):
        number = book.layers.renames.number(key)
        if number is not None:
            fail("%s is renamed in %s:%d" % (keys.show(key), schema.FILE, number))
    texts = all_texts(folder)
    require_free(texts, old, new)
    return rename_all(command, folder, texts, {old: new})


def migrate(command, folder):
    book = Book(folder, command.performance, command.night)
    renames = book.layers.renames
    texts = all_texts(folder)
    texts.pop(schema.FILE, None)
    names = {key: renames.last(key) for key in renames.next}
    return rename_all(command, folder, texts, names) or ["nothing to do"]


def require_free(texts, old, new):
    written = [line for name in sorted(texts) for line in settings_of(name, texts[name])]
    if not any(line.key == old for line in written):
        fail(keys.show(old) + " is set nowhere")
    taken = next((line for line in written if line.key == new), None)
    if taken:
        fail("%s is set in %s" % (keys.show(new), taken.place))


def rename_all(command, folder, texts, names):
    """Puts other names for keys into all texts; returns what is told."""
    changes, told = {}, []
    for name in sorted(texts):
        document = Document(texts[name])
        count = rename(document, name, texts[name], names)
        if count:
            changes[name] = document.text()
            told.append("%s: %d" % (name, count))
    finish(command, folder, changes)
    return told


def all_texts(folder):
    """The texts of all files that say something for any night, by name."""
    texts = {}
    waiting = [schema.FILE] + list(LAYERS) + folder.nights()
    while waiting:
        name = waiting.pop()
        text = None if name in texts else folder.read(name)
        if text is not None:
            texts[name] = text
            if name != schema.FILE:
                waiting += [included_path(name, i.path) for i in includes_of(text) if i.counts]
    return texts


def settings_of(name, text):
    if name == schema.FILE:
        return []
    reader = Reader(0, name, Renames())
    reader.read(text)
    return reader.well_formed


def rename(document, name, text, names):
    """Renames in one document; returns how many lines are changed."""
    if name == schema.FILE:
        return rename_in_schema(document, schema.Schema(text), names)
    return sum(rename_in_line(document, line, names) for line in settings_of(name, text))


def rename_in_schema(document, found, names):
    declared = [d for d in found.declarations.values() if d.key in names]
    for declaration in declared:
        rename_first(document, declaration.place.number - 1, 0, (declaration.key, names))
    arrows = [arrow for arrow in found.arrows if arrow.new in names]
    for arrow in arrows:
        start = document.lines[arrow.number - 1].index("->")
        rename_first(document, arrow.number - 1, start, (arrow.new, names))
    return len(declared) + len(arrows)


def rename_first(document, index, start, renaming):
    """Puts the new name for a key in place of its first occurrence behind START."""
    key, names = renaming
    line = document.lines[index]
    changed = line[start:].replace(keys.show(key), keys.show(names[key]), 1)
    document.lines[index] = line[:start] + changed


def rename_in_line(document, setting, names):
    index = setting.place.number - 1
    before = document.lines[index]
    start = value_start(before)
    value = rename_references(setting.text, names)
    document.lines[index] = before[:start] + value + before[start + len(setting.text) :]
    if setting.key in names:
        rename_first(document, index, 0, (setting.key, names))
    return document.lines[index] != before


def rename_references(text, names):
    """Renames in a written value; what follows a backslash begins no reference."""

    def other(match):
        key = match.group(1) and keys.parse(match.group(1))
        return "${%s}" % keys.show(names[key]) if key in names else match.group()

    return re.sub(r"\\.|\$\{([^}]*)\}", other, text)
