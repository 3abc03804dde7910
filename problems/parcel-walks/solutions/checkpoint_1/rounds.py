"""Rounds of postmen: what they carry, and where they walk."""

import os
import sys

import reports
from parcels import read

#: The report of each command, and its number of arguments.
COMMANDS = {
    "loads": (reports.loads, 2),
    "walk": (reports.walk, 3),
    "doubles": (reports.doubles, 2),
    "states": (reports.states, 2),
}


def fail(code, message):
    print(message, file=sys.stderr)
    sys.exit(code)


def main(args):
    if len(args) < 2:
        fail(2, "need a command and a file")
    if args[0] not in COMMANDS:
        fail(2, "unknown command " + args[0])
    report, wanted = COMMANDS[args[0]]
    if len(args) < wanted:
        fail(2, "need a name")
    if not os.path.exists(args[1]):
        fail(1, "missing file: " + args[1])
    for line in report(read(args[1]), *args[2:wanted]):
        print(line)


main(sys.argv[1:])
