"""Prints reports of record files."""
import sys

from choosing import chosen, in_units
from csv_form import csv_lines
from definition import read_definition
from faults import Refused, Usage
from markdown_form import markdown_lines
from outline import outline
from records import read_records
from text_form import text_lines

FORMS = {"text": text_lines, "csv": csv_lines, "markdown": markdown_lines}


def print_report(form, definition_path, paths):
    report = read_definition(definition_path)
    records = [in_units(report.units, record) for record in read_records(paths)]
    outlines = [outline(section, chosen(section, records)) for section in report.sections]
    return FORMS[form](report, outlines)


def run(arguments):
    command, rest = arguments[:1], arguments[1:]
    form = "text"
    if rest[:1] == ["--form"]:
        form, rest = "".join(rest[1:2]), rest[2:]
    if command != ["print"] or form not in FORMS or len(rest) < 2:
        raise Usage("usage: yearbook print [--form FORM] DEFINITION FILE...")
    return print_report(form, rest[0], rest[1:])


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
