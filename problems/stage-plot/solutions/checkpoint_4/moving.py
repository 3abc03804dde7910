"""Gives a key another name in all files."""

import re

import keys
import schema
from book import Book
from changing import finish, require_key
from document import Document, value_start
from faults import fail
from reader import Reader, includes_of
from sources import LAYERS, included_path


def move(command, folder):
    _, old_name, new_name = command.arguments
    Book(folder, command.performance, command.night)
    old, new = require_key(old_name), require_key(new_name)
    texts = all_texts(folder)
    settings = {name: settings_of(name, text) for name, text in texts.items()}
    written = [line for name in sorted(settings) for line in settings[name]]
    if not any(line.key == old for line in written):
        fail(old_name + " is set nowhere")
    taken = next((line for line in written if line.key == new), None)
    if taken:
        fail("%s is set in %s" % (new_name, taken.place))
    changes, told = {}, []
    for name in sorted(texts):
        document = Document(texts[name])
        count = rename(document, name, texts[name], settings[name], (old, new))
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
    reader = Reader(0, name)
    reader.read(text)
    return reader.well_formed


def rename(document, name, text, settings, names):
    """Renames in one document; returns how many lines are changed."""
    if name == schema.FILE:
        return rename_declaration(document, text, names)
    return sum(rename_in_line(document, setting, names) for setting in settings)


def rename_declaration(document, text, names):
    found = [d for d in schema.Schema(text).declarations.values() if d.key == names[0]]
    for declaration in found:
        rename_at_start(document, declaration.place.number - 1, names)
    return len(found)


def rename_at_start(document, index, names):
    old, new = [keys.show(key) for key in names]
    document.lines[index] = document.lines[index].replace(old, new, 1)


def rename_in_line(document, setting, names):
    index = setting.place.number - 1
    before = document.lines[index]
    start = value_start(before)
    value = rename_references(setting.text, names)
    document.lines[index] = before[:start] + value + before[start + len(setting.text) :]
    if setting.key == names[0]:
        rename_at_start(document, index, names)
    return document.lines[index] != before


def rename_references(text, names):
    """Renames in a written value; what follows a backslash begins no reference."""
    old, new = ["${%s}" % keys.show(key) for key in names]
    pattern = re.compile(r"\\.|" + re.escape(old))
    return pattern.sub(lambda match: new if match.group() == old else match.group(), text)
