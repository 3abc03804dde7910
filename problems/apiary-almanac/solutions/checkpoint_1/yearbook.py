"""Prints reports of record files."""
import sys

from choosing import chosen
from definition import read_definition
from faults import Refused, Usage
from outline import outline
from records import read_records
from text_form import text_lines


def print_report(definition_path, paths):
    report = read_definition(definition_path)
    records = chosen(report, read_records(paths))
    return text_lines(report, records, outline(report, records))


def run(arguments):
    if len(arguments) < 3 or arguments[0] != "print":
        raise Usage("usage: yearbook print DEFINITION FILE...")
    return print_report(arguments[1], arguments[2:])


def main():
    try:
        lines = run(sys.argv[1:])
    except Usage as fault:
        print(fault, file=sys.stderr)
        return 2
    except Refused as fault:
        print("error: %s" % fault, file=sys.stderr)
        return 1
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
