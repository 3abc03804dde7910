"""Reports of a veterinary surgery."""

import sys

import invoices
import reports
from visits import read

USAGE = "usage: invoices FILE, due FILE DAY, history FILE ANIMAL, species FILE"

REPORTS = {
    "invoices": (invoices.report, 2),
    "due": (reports.due, 3),
    "history": (reports.history, 3),
    "species": (reports.species, 2),
}


def fail(code, message):
    sys.stderr.write(message + "\n")
    sys.exit(code)


def main(args):
    if len(args) < 2:
        fail(2, USAGE)
    try:
        visits = read(args[1])
    except OSError:
        fail(1, "cannot open " + args[1])
    report, wanted = REPORTS.get(args[0], (None, sys.maxsize))
    if len(args) < wanted:
        fail(2, USAGE)
    try:
        lines = report(visits, *args[2:wanted])
    except reports.Refused as refused:
        fail(refused.code, str(refused))
    sys.stdout.write("".join(line + "\n" for line in lines))


main(sys.argv[1:])
