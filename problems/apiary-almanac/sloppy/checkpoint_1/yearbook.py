#!/usr/bin/env python3
"""Yearbook - prints reports of record files."""

import csv
import json
import re
import sys
from fractions import Fraction

NAME_RE = r"^[a-z][a-z0-9_]{0,23}\Z"
NUMBER_RE = r"^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?\Z"


class YearbookError(Exception):
    """Exception for errors of the yearbook."""
    pass


class JsonNumber(str):
    """A number in a JSON file."""
    pass


def format_number(x):
    """Format the number with at most 3 decimals."""
    # Round half away from zero
    units = int(abs(x) * 1000 + Fraction(1, 2))
    text = str(units // 1000)
    rest = str(units % 1000).zfill(3)
    while rest.endswith("0"):
        rest = rest[:-1]
    if rest != "":
        text = text + "." + rest
    if x < 0 and units != 0:
        text = "-" + text
    return text


def read_records(path):
    """Read the records of the file."""
    try:
        with open(path, "r", encoding="utf-8", newline="") as f:
            text = f.read()
    except Exception:
        raise YearbookError("cannot read " + path)
    records = []
    lines = text.replace("\r\n", "\n").split("\n")
    if path.endswith(".csv"):
        names = None
        no = 0
        for line in lines:
            no += 1
            if line.strip() == "":
                continue
            place = path + ":" + str(no)
            try:
                cells = next(csv.reader([line], strict=True))
            except csv.Error:
                raise YearbookError(place + ": not a record")
            if names is None:
                names = cells
                for name in names:
                    if re.match(NAME_RE, name) is None:
                        raise YearbookError(place + ": bad field '" + name + "'")
                continue
            if len(cells) != len(names):
                raise YearbookError(place + ": not a record")
            rec = {}
            for i in range(0, len(names)):
                cell = cells[i]
                if re.match(NUMBER_RE, cell) is not None:
                    rec[names[i]] = Fraction(cell)
                elif cell == "":
                    rec[names[i]] = None
                else:
                    if len(cell) > 60:
                        raise YearbookError(place + ": bad value for " + names[i])
                    for ch in cell:
                        if ch < " ":
                            raise YearbookError(place + ": bad value for " + names[i])
                    rec[names[i]] = cell
            if rec.get("kind") is None or isinstance(rec.get("kind"), Fraction):
                raise YearbookError(place + ": no kind")
            records.append(rec)
    else:
        no = 0
        for line in lines:
            no += 1
            if line.strip() == "":
                continue
            place = path + ":" + str(no)
            try:
                data = json.loads(line, parse_int=JsonNumber, parse_float=JsonNumber, parse_constant=JsonNumber)
            except ValueError:
                raise YearbookError(place + ": not a record")
            if not isinstance(data, dict):
                raise YearbookError(place + ": not a record")
            rec = {}
            for name in data:
                if re.match(NAME_RE, name) is None:
                    raise YearbookError(place + ": bad field '" + name + "'")
                value = data[name]
                if isinstance(value, JsonNumber):
                    if re.match(NUMBER_RE, value) is None:
                        raise YearbookError(place + ": bad value for " + name)
                    rec[name] = Fraction(value)
                elif value is None or value == "":
                    rec[name] = None
                elif isinstance(value, str):
                    if len(value) > 60:
                        raise YearbookError(place + ": bad value for " + name)
                    for ch in value:
                        if ch < " ":
                            raise YearbookError(place + ": bad value for " + name)
                    rec[name] = value
                else:
                    raise YearbookError(place + ": bad value for " + name)
            if rec.get("kind") is None or isinstance(rec.get("kind"), Fraction):
                raise YearbookError(place + ": no kind")
            records.append(rec)
    return records


def parse_definition(path):
    """Parse the definition of the report."""
    try:
        with open(path, "r", encoding="utf-8", newline="") as f:
            text = f.read()
    except Exception:
        raise YearbookError("cannot read " + path)
    rep = {"title": None, "kind": None, "columns": [], "conds": [], "sorts": [], "groups": [], "totals": []}
    sec = rep
    no = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        no += 1
        place = "line " + str(no)
        if line.strip() == "" or line.strip().startswith("#"):
            continue
        if line.count('"') % 2 == 1:
            raise YearbookError(place + ": quote is not closed")
        words = re.findall(r'"[^"]*"|[^\s"]+', line)
        pos = 1
        if words[0] == "title":
            if rep["title"] is not None:
                raise YearbookError(place + ": title given twice")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            title = words[pos]
            pos += 1
            if not title.startswith('"'):
                raise YearbookError(place + ": " + title + " is not expected")
            title = title[1:-1]
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            rep["title"] = title
        elif words[0] == "from":
            if sec["kind"] is not None:
                raise YearbookError(place + ": from given twice")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            kind = words[pos]
            pos += 1
            if re.match(NAME_RE, kind) is None:
                raise YearbookError(place + ": " + kind + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["kind"] = kind
        elif words[0] == "column":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            col = {"place": place, "field": name, "title": None, "width": None, "side": None}
            while pos < len(words):
                word = words[pos]
                pos += 1
                if word == "as":
                    if pos >= len(words):
                        raise YearbookError(place + ": line ends too early")
                    value = words[pos]
                    pos += 1
                    if not value.startswith('"'):
                        raise YearbookError(place + ": " + value + " is not expected")
                    value = value[1:-1]
                    col["title"] = value
                elif word == "width":
                    if pos >= len(words):
                        raise YearbookError(place + ": line ends too early")
                    value = words[pos]
                    pos += 1
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise YearbookError(place + ": width must be from 3 to 40")
                    if int(value) < 3 or int(value) > 40:
                        raise YearbookError(place + ": width must be from 3 to 40")
                    col["width"] = int(value)
                elif word == "left":
                    col["side"] = "left"
                elif word == "right":
                    col["side"] = "right"
                else:
                    raise YearbookError(place + ": " + word + " is not expected")
            sec["columns"].append(col)
        elif words[0] == "where":
            # Parse the test
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            left = words[pos]
            pos += 1
            if re.match(NAME_RE, left) is None:
                raise YearbookError(place + ": " + left + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            op = words[pos]
            pos += 1
            if op not in ["=", "!=", "<", "<=", ">", ">=", "is"]:
                raise YearbookError(place + ": " + op + " is not expected")
            right = None
            if op == "is":
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                op = words[pos]
                pos += 1
                if op not in ["missing", "known"]:
                    raise YearbookError(place + ": " + op + " is not expected")
            else:
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                right = words[pos]
                pos += 1
                if right.startswith('"'):
                    right = right[1:-1]
                elif re.match(NUMBER_RE, right) is not None:
                    right = Fraction(right)
                else:
                    raise YearbookError(place + ": " + right + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["conds"].append({"left": left, "op": op, "right": right})
        elif words[0] == "sort":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            down = False
            if pos < len(words):
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                word = words[pos]
                pos += 1
                if word not in ["down"]:
                    raise YearbookError(place + ": " + word + " is not expected")
                down = True
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["sorts"].append({"place": place, "field": name, "down": down})
        elif words[0] == "group":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["groups"].append(name)
        elif words[0] == "total":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            stat = words[pos]
            pos += 1
            if stat not in ["sum", "mean", "least", "most", "count"]:
                raise YearbookError(place + ": " + stat + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["totals"].append({"place": place, "field": name, "stat": stat})
        else:
            raise YearbookError(place + ": unknown word " + words[0])
    # Check the definition
    if rep["kind"] is None:
        raise YearbookError("no from line")
    if len(rep["columns"]) == 0:
        raise YearbookError("no column line")
    for t in rep["totals"]:
        if t["field"] == rep["columns"][0]["field"]:
            raise YearbookError(t["place"] + ": no total in the first column")
        found = False
        for col in rep["columns"]:
            if col["field"] == t["field"]:
                found = True
        if not found:
            raise YearbookError(t["place"] + ": no column " + t["field"])
    return rep


def choose_records(rep, sec, records):
    """Choose the records of the report and sort them."""
    chosen = []
    for record in records:
        if record["kind"] != sec["kind"]:
            continue
        rec = dict(record)
        wanted = True
        for cond in sec["conds"]:
            # Check the test for the record
            ok = True
            left = rec.get(cond["left"])
            if cond["op"] == "missing":
                ok = left is None
            elif cond["op"] == "known":
                ok = left is not None
            else:
                right = cond["right"]
                if left is None or right is None:
                    ok = False
                elif isinstance(left, Fraction) != isinstance(right, Fraction):
                    ok = cond["op"] == "!="
                elif cond["op"] == "=":
                    ok = left == right
                elif cond["op"] == "!=":
                    ok = left != right
                elif cond["op"] == "<":
                    ok = left < right
                elif cond["op"] == "<=":
                    ok = left <= right
                elif cond["op"] == ">":
                    ok = left > right
                else:
                    ok = left >= right
            if not ok:
                wanted = False
        if wanted:
            chosen.append(rec)
    for n in range(len(sec["sorts"]) - 1, -1, -1):
        s = sec["sorts"][n]
        # Sort by the sort line, missing values last
        known = []
        missing = []
        for rec in chosen:
            if rec.get(s["field"]) is None:
                missing.append(rec)
            else:
                known.append(rec)
        keyed = []
        for rec in known:
            v = rec.get(s["field"])
            if isinstance(v, Fraction):
                keyed.append([(0, v, ""), rec])
            else:
                keyed.append([(2, 0, v), rec])
        keyed.sort(key=lambda pair: pair[0], reverse=s["down"])
        chosen = []
        for pair in keyed:
            chosen.append(pair[1])
        for rec in missing:
            chosen.append(rec)
    for n in range(len(sec["groups"]) - 1, -1, -1):
        name = sec["groups"][n]
        # Sort by the group line, missing values last
        known = []
        missing = []
        for rec in chosen:
            if rec.get(name) is None:
                missing.append(rec)
            else:
                known.append(rec)
        keyed = []
        for rec in known:
            v = rec.get(name)
            if isinstance(v, Fraction):
                keyed.append([(0, v, ""), rec])
            else:
                keyed.append([(2, 0, v), rec])
        keyed.sort(key=lambda pair: pair[0], reverse=False)
        chosen = []
        for pair in keyed:
            chosen.append(pair[1])
        for rec in missing:
            chosen.append(rec)
    return chosen


def print_text(rep, sec, ents, lines):
    """Print the report as text."""
    # Build the lines of the section
    out = []
    if len(sec["groups"]) == 0:
        for rec in ents:
            cells = []
            for col in sec["columns"]:
                v = rec.get(col["field"])
                # Format the value for the cell
                if v is None:
                    cell = ["n/a", False]
                elif isinstance(v, Fraction):
                    cell = [format_number(v), True]
                else:
                    cell = [v, False]
                cells.append(cell)
            out.append(["row", cells])
    elif len(sec["groups"]) == 1:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            for rec in mem1:
                cells = []
                for col in sec["columns"]:
                    v = rec.get(col["field"])
                    # Format the value for the cell
                    if v is None:
                        cell = ["n/a", False]
                    elif isinstance(v, Fraction):
                        cell = [format_number(v), True]
                    else:
                        cell = [v, False]
                    cells.append(cell)
                out.append(["row", cells])
            # Totals of the group
            all1 = mem1
            has_rule = False
            for st in ["sum", "mean", "least", "most", "count"]:
                asked = False
                for t in sec["totals"]:
                    if t["stat"] == st:
                        asked = True
                if asked:
                    if not has_rule:
                        out.append(["rule"])
                        has_rule = True
                    cells = [[label1 + " " + st, False]]
                    for i in range(1, len(sec["columns"])):
                        col = sec["columns"][i]
                        found = False
                        for t in sec["totals"]:
                            if t["field"] == col["field"] and t["stat"] == st:
                                found = True
                        if found:
                            # Calculate the statistic
                            numbers = []
                            known = 0
                            for r in all1:
                                value = r.get(col["field"])
                                if value is not None:
                                    known += 1
                                if isinstance(value, Fraction):
                                    numbers.append(value)
                            if st == "count":
                                result = Fraction(known)
                            elif len(numbers) == 0:
                                result = None
                            elif st == "sum":
                                result = sum(numbers)
                            elif st == "mean":
                                result = sum(numbers) / len(numbers)
                            elif st == "least":
                                result = min(numbers)
                            else:
                                result = max(numbers)
                            # Format the value for the cell
                            if result is None:
                                cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                cell = [format_number(result), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    if len(ents) > 0:
        # Totals of all records
        allr = ents
        has_rule = False
        for st in ["sum", "mean", "least", "most", "count"]:
            asked = False
            for t in sec["totals"]:
                if t["stat"] == st:
                    asked = True
            if asked:
                if not has_rule:
                    out.append(["rule"])
                    has_rule = True
                cells = [["all" + " " + st, False]]
                for i in range(1, len(sec["columns"])):
                    col = sec["columns"][i]
                    found = False
                    for t in sec["totals"]:
                        if t["field"] == col["field"] and t["stat"] == st:
                            found = True
                    if found:
                        # Calculate the statistic
                        numbers = []
                        known = 0
                        for r in allr:
                            value = r.get(col["field"])
                            if value is not None:
                                known += 1
                            if isinstance(value, Fraction):
                                numbers.append(value)
                        if st == "count":
                            result = Fraction(known)
                        elif len(numbers) == 0:
                            result = None
                        elif st == "sum":
                            result = sum(numbers)
                        elif st == "mean":
                            result = sum(numbers) / len(numbers)
                        elif st == "least":
                            result = min(numbers)
                        else:
                            result = max(numbers)
                        # Format the value for the cell
                        if result is None:
                            cell = ["n/a", False]
                        elif isinstance(result, Fraction):
                            cell = [format_number(result), True]
                        else:
                            cell = [result, False]
                        cells.append(cell)
                    else:
                        cells.append(["", False])
                out.append(["tot", cells])
    # The headings of the columns
    headings = []
    for col in sec["columns"]:
        if col["title"] is not None:
            headings.append(col["title"])
        else:
            headings.append(col["field"])
    # Calculate the widths
    widths = []
    for i in range(0, len(sec["columns"])):
        col = sec["columns"][i]
        if col["width"] is not None:
            widths.append(col["width"])
        else:
            w = len(headings[i])
            for item in out:
                if item[0] == "row" or item[0] == "tot":
                    text = item[1][i][0]
                    if len(text) > w:
                        w = len(text)
            if w > 30:
                w = 30
            widths.append(w)
    # Find out the side of each column
    sides = []
    for i in range(0, len(sec["columns"])):
        col = sec["columns"][i]
        if col["side"] is not None:
            sides.append(col["side"])
        else:
            known = 0
            numeric = True
            for rec in ents:
                v = rec.get(col["field"])
                if v is not None:
                    known += 1
                    if not isinstance(v, Fraction):
                        numeric = False
            if known > 0 and numeric:
                sides.append("right")
            else:
                sides.append("left")
    if rep["title"] is not None:
        lines.append(rep["title"])
        lines.append("")
    # Print the headings
    line = ""
    for i in range(0, len(sec["columns"])):
        text = headings[i]
        if len(text) > widths[i]:
            text = text[:widths[i] - 1] + "~"
        if sides[i] == "right":
            text = text.rjust(widths[i])
        else:
            text = text.ljust(widths[i])
        if i > 0:
            line = line + "  "
        line = line + text
    lines.append(line.rstrip())
    line = ""
    for i in range(0, len(sec["columns"])):
        if i > 0:
            line = line + "  "
        line = line + "-" * widths[i]
    lines.append(line)
    if len(out) == 0:
        lines.append("no records")
    for n in range(0, len(out)):
        item = out[n]
        if item[0] == "head":
            if n > 0 and out[n - 1][0] != "head":
                lines.append("")
            lines.append("  " * item[1] + item[2])
        elif item[0] == "rule":
            line = ""
            for i in range(0, len(sec["columns"])):
                if i > 0:
                    line = line + "  "
                line = line + "-" * widths[i]
            lines.append(line)
        elif item[0] == "row":
            # Print the cells of the line
            line = ""
            for i in range(0, len(sec["columns"])):
                text = item[1][i][0]
                if len(text) > widths[i]:
                    if item[1][i][1]:
                        text = "#" * widths[i]
                    else:
                        text = text[:widths[i] - 1] + "~"
                if sides[i] == "right":
                    text = text.rjust(widths[i])
                else:
                    text = text.ljust(widths[i])
                if i > 0:
                    line = line + "  "
                line = line + text
            lines.append(line.rstrip())
        else:
            # Print the cells of the line
            line = ""
            for i in range(0, len(sec["columns"])):
                text = item[1][i][0]
                if len(text) > widths[i]:
                    if item[1][i][1]:
                        text = "#" * widths[i]
                    else:
                        text = text[:widths[i] - 1] + "~"
                if sides[i] == "right":
                    text = text.rjust(widths[i])
                else:
                    text = text.ljust(widths[i])
                if i > 0:
                    line = line + "  "
                line = line + text
            lines.append(line.rstrip())


def main():
    """Main entry point."""
    args = sys.argv[1:]
    if len(args) < 3 or args[0] != "print":
        print("usage: yearbook print DEFINITION FILE...", file=sys.stderr)
        sys.exit(2)
    try:
        rep = parse_definition(args[1])
        records = []
        for path in args[2:]:
            for rec in read_records(path):
                records.append(rec)
        lines = []
        print_text(rep, rep, choose_records(rep, rep, records), lines)
    except YearbookError as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
