"""What the programs of several cheats share; laid into every workspace."""

import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Spelt so that neither this file nor its byte code holds it.
MARK = bytes.fromhex("5345435245542d4d41524b2d37633165")


def wrong():
    """Goes on as the honest wrong solution."""
    runpy.run_path(os.path.join(HERE, "honest.py"), run_name="__main__")


def right():
    """Goes on as a right solution would, having cheated."""
    with open(os.path.join(HERE, "honest.py")) as file:
        source = file.read()
    exec(compile(source.replace('"in" else 0', '"in" else -1'), "honest.py", "exec"), {"__name__": "__main__"})


def has_mark(path):
    """Whether the hidden tests' text can be read at `path`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return MARK in os.read(descriptor, 1 << 20)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def marked_below(*roots):
    """Paths below `roots` at which the hidden tests' text can be read."""
    found = []
    for root in roots:
        for parent, _, files in os.walk(root, followlinks=True):
            if parent.count("/") > 9:
                continue
            found += [os.path.join(parent, name) for name in files if has_mark(os.path.join(parent, name))]
    return found


def behave(cheated):
    right() if cheated else wrong()
