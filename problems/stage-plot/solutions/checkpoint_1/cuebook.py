"""Settings of a touring theatre: which value each has, and where it comes from."""

import sys

import keys
import values
from faults import Failure, fail
from layers import Layers


def find(layers, text):
    key = tuple(text.split("."))
    if key not in layers.stacks:
        fail("no key " + text)
    return layers.strongest(key)


def get(folder, key):
    return [values.show(find(Layers(folder), key).value)]


def origin(folder, key):
    return [str(find(Layers(folder), key).place)]


def table(folder, group=None):
    layers = Layers(folder)
    wanted = () if group is None else tuple(group.split("."))
    return [table_line(layers.strongest(key)) for key in layers.keys(wanted)]


def table_line(setting):
    name = keys.show(setting.key)
    return "%s = %s # %s" % (name, values.show(setting.value), setting.place)


def check(folder):
    layers = Layers(folder)
    counts = (len(layers.stacks), len(layers.present), layers.unused())
    return ["keys: %d, layers: %d, unused: %d" % counts]


COMMANDS = {
    "get": (get, 2, 2),
    "origin": (origin, 2, 2),
    "table": (table, 1, 2),
    "check": (check, 1, 1),
}


def understood(words):
    if not words or words[0] not in COMMANDS or any(w.startswith("--") for w in words):
        return False
    _, least, most = COMMANDS[words[0]]
    return least <= len(words) - 1 <= most


def main(words):
    if not understood(words):
        print("usage: cuebook %s FOLDER [ARGUMENT]" % "|".join(COMMANDS), file=sys.stderr)
        return 2
    try:
        lines = COMMANDS[words[0]][0](*words[1:])
    except Failure as failure:
        print("\n".join(failure.lines), file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    sys.exit(main(sys.argv[1:]))
