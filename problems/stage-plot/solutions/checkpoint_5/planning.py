"""What a change would do to all nights."""

import keys
from book import Book
from changing import plan_change
from comparing import differences
from faults import Failure
from folder import Folder
from sections import Performance


def plan(command, folder):
    """The lines to print, and whether a night breaks."""
    change = plan_change(command, folder)
    after = Folder(folder.path, change.texts)
    Book(after, command.performance, command.night)
    lines, breaks = [change.told], False
    for night in names_of_nights(folder):
        effects, broken = effects_on(night, folder, after)
        lines += ["%s: %s" % (night, effect) for effect in effects]
        breaks = breaks or broken
    return lines, breaks


def names_of_nights(folder):
    names = [file[len("nights/") : -len(".cue")] for file in folder.nights()]
    return sorted(name for name in names if keys.PART.match(name))


def effects_on(night, before, after):
    try:
        old = Book(before, Performance(), night)
    except Failure:
        return ["faulty"], False
    try:
        new = Book(after, Performance(), night)
    except Failure as failure:
        return ["breaks, " + failure.lines[0]], True
    return differences(old, new) or ["no change"], False
