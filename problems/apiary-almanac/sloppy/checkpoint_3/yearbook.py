#!/usr/bin/env python3
"""Yearbook - prints reports of record files."""

import csv
import datetime
import json
import re
import sys
from fractions import Fraction

NAME_RE = r"^[a-z][a-z0-9_]{0,23}\Z"
FIELD_RE = r"^[a-z][a-z0-9_]{0,23}(\.[a-z][a-z0-9_]{0,23})?\Z"
NUMBER_RE = r"^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?\Z"


class YearbookError(Exception):
    """Exception for errors of the yearbook."""
    pass


class JsonNumber(str):
    """A number in a JSON file."""
    pass


class PeriodText(str):
    """A period with its first day."""
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


def format_exact(x):
    """Format the number with at most 6 decimals."""
    # Round half away from zero
    units = int(abs(x) * 1000000 + Fraction(1, 2))
    text = str(units // 1000000)
    rest = str(units % 1000000).zfill(6)
    while rest.endswith("0"):
        rest = rest[:-1]
    if rest != "":
        text = text + "." + rest
    if x < 0 and units != 0:
        text = "-" + text
    return text


def format_fixed(x, decimals):
    """Format the number with exactly so many decimals."""
    # Round half away from zero
    units = int(abs(x) * 10 ** decimals + Fraction(1, 2))
    text = str(units // 10 ** decimals)
    if decimals > 0:
        text = text + "." + str(units % 10 ** decimals).zfill(decimals)
    if x < 0 and units != 0:
        text = "-" + text
    return text


def parse_expr(words, pos, place):
    """Parse an expression with & and return it with the position."""
    left, pos = parse_sum(words, pos, place)
    while pos < len(words) and words[pos] == "&":
        pos += 1
        right, pos = parse_sum(words, pos, place)
        left = ["&", left, right]
    return left, pos


def parse_sum(words, pos, place):
    """Parse a sum and return it with the position."""
    left, pos = parse_product(words, pos, place)
    while pos < len(words) and (words[pos] == "+" or words[pos] == "-"):
        op = words[pos]
        pos += 1
        right, pos = parse_product(words, pos, place)
        left = [op, left, right]
    return left, pos


def parse_product(words, pos, place):
    """Parse a product and return it with the position."""
    left, pos = parse_atom(words, pos, place)
    while pos < len(words) and (words[pos] == "*" or words[pos] == "/"):
        op = words[pos]
        pos += 1
        right, pos = parse_atom(words, pos, place)
        left = [op, left, right]
    return left, pos


def parse_atom(words, pos, place):
    """Parse an atom and return it with the position."""
    if pos >= len(words):
        raise YearbookError(place + ": line ends too early")
    word = words[pos]
    pos += 1
    if word == "-":
        inner, pos = parse_atom(words, pos, place)
        return ["neg", inner], pos
    elif word.startswith('"'):
        return ["const", word[1:-1]], pos
    elif word[0] in "0123456789":
        if re.match(NUMBER_RE, word) is None:
            raise YearbookError(place + ": " + word + " is not expected")
        return ["const", Fraction(word)], pos
    elif word == "(":
        inner, pos = parse_expr(words, pos, place)
        if pos >= len(words):
            raise YearbookError(place + ": line ends too early")
        close = words[pos]
        pos += 1
        if close not in [")"]:
            raise YearbookError(place + ": " + close + " is not expected")
        return inner, pos
    elif word == "first" and pos < len(words) and words[pos] == "(":
        pos += 1
        choices = []
        while True:
            inner, pos = parse_expr(words, pos, place)
            choices.append(inner)
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            close = words[pos]
            pos += 1
            if close not in [",", ")"]:
                raise YearbookError(place + ": " + close + " is not expected")
            if close == ")":
                break
        return ["first", choices], pos
    elif word == "round" and pos < len(words) and words[pos] == "(":
        pos += 1
        inner, pos = parse_expr(words, pos, place)
        if pos >= len(words):
            raise YearbookError(place + ": line ends too early")
        comma = words[pos]
        pos += 1
        if comma not in [","]:
            raise YearbookError(place + ": " + comma + " is not expected")
        if pos >= len(words):
            raise YearbookError(place + ": line ends too early")
        number = words[pos]
        pos += 1
        if re.match(r"^[0-9]{1,6}\Z", number) is None:
            raise YearbookError(place + ": decimals must be from 0 to 6")
        if int(number) < 0 or int(number) > 6:
            raise YearbookError(place + ": decimals must be from 0 to 6")
        if pos >= len(words):
            raise YearbookError(place + ": line ends too early")
        close = words[pos]
        pos += 1
        if close not in [")"]:
            raise YearbookError(place + ": " + close + " is not expected")
        return ["round", inner, int(number)], pos
    elif re.match(FIELD_RE, word) is None:
        raise YearbookError(place + ": " + word + " is not expected")
    return ["field", word], pos


def eval_expr(expr, rec):
    """Evaluate the expression for the record."""
    if expr[0] == "const":
        return expr[1]
    elif expr[0] == "field":
        return rec.get(expr[1])
    elif expr[0] == "neg":
        v = eval_expr(expr[1], rec)
        if not isinstance(v, Fraction):
            return None
        return -v
    elif expr[0] == "first":
        for choice in expr[1]:
            v = eval_expr(choice, rec)
            if v is not None:
                return v
        return None
    elif expr[0] == "round":
        v = eval_expr(expr[1], rec)
        if not isinstance(v, Fraction):
            return None
        units = int(abs(v) * 10 ** expr[2] + Fraction(1, 2))
        result = Fraction(units, 10 ** expr[2])
        if v < 0:
            return -result
        return result
    elif expr[0] == "&":
        left = eval_expr(expr[1], rec)
        right = eval_expr(expr[2], rec)
        if left is None or right is None:
            return None
        if isinstance(left, Fraction):
            left = format_number(left)
        if isinstance(right, Fraction):
            right = format_number(right)
        return str(left) + str(right)
    elif expr[0] == "+":
        left = eval_expr(expr[1], rec)
        right = eval_expr(expr[2], rec)
        if not isinstance(left, Fraction) or not isinstance(right, Fraction):
            return None
        return left + right
    elif expr[0] == "-":
        left = eval_expr(expr[1], rec)
        right = eval_expr(expr[2], rec)
        if not isinstance(left, Fraction) or not isinstance(right, Fraction):
            return None
        return left - right
    elif expr[0] == "*":
        left = eval_expr(expr[1], rec)
        right = eval_expr(expr[2], rec)
        if not isinstance(left, Fraction) or not isinstance(right, Fraction):
            return None
        return left * right
    else:
        left = eval_expr(expr[1], rec)
        right = eval_expr(expr[2], rec)
        if not isinstance(left, Fraction) or not isinstance(right, Fraction):
            return None
        if right == 0:
            return None
        return left / right


def get_period(size, value):
    """Get the period of a date, or None."""
    if value is None or isinstance(value, Fraction):
        return None
    if re.match(r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}\Z", value) is None:
        return None
    year = int(value[0:4])
    month = int(value[5:7])
    day = int(value[8:10])
    try:
        date = datetime.date(year, month, day)
    except ValueError:
        return None
    if size == "day":
        result = PeriodText(value)
        result.first = date.toordinal()
    elif size == "week":
        iso = date.isocalendar()
        result = PeriodText(str(iso[0]) + "-W" + str(iso[1]).zfill(2))
        result.first = date.toordinal() - iso[2] + 1
    elif size == "month":
        result = PeriodText(value[0:7])
        result.first = datetime.date(year, month, 1).toordinal()
    elif size == "season":
        if month == 12:
            result = PeriodText(str(year + 1) + " winter")
            result.first = datetime.date(year, 12, 1).toordinal()
        elif month <= 2:
            result = PeriodText(str(year) + " winter")
            result.first = datetime.date(year - 1, 12, 1).toordinal()
        elif month <= 5:
            result = PeriodText(str(year) + " spring")
            result.first = datetime.date(year, 3, 1).toordinal()
        elif month <= 8:
            result = PeriodText(str(year) + " summer")
            result.first = datetime.date(year, 6, 1).toordinal()
        else:
            result = PeriodText(str(year) + " autumn")
            result.first = datetime.date(year, 9, 1).toordinal()
    else:
        result = PeriodText(value[0:4])
        result.first = datetime.date(year, 1, 1).toordinal()
    return result


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


def new_section(place, title):
    """Create a new section."""
    sec = {"place": place, "title": title, "kind": None, "columns": [], "conds": [], "sorts": [], "groups": [], "totals": [], "computes": [], "begun": False}
    sec["joins"] = []
    sec["rows"] = []
    return sec


def parse_definition(path):
    """Parse the definition of the report."""
    try:
        with open(path, "r", encoding="utf-8", newline="") as f:
            text = f.read()
    except Exception:
        raise YearbookError("cannot read " + path)
    rep = {"title": None, "units": {}, "sections": []}
    sec = new_section(None, None)
    shared = sec
    no = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        no += 1
        place = "line " + str(no)
        if line.strip() == "" or line.strip().startswith("#"):
            continue
        if line.count('"') % 2 == 1:
            raise YearbookError(place + ": quote is not closed")
        words = re.findall(r'"[^"]*"|[^\s"]+', line)
        if words[0] in ["where", "compute"]:
            words = re.findall(r'"[^"]*"|[=!<>]+|[-+*/&(),]|[^\s"=!<>*/&(),+-]+', line)
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
        elif words[0] == "unit":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            if name in rep["units"]:
                raise YearbookError(place + ": unit " + name + " given twice")
            factor = Fraction(1)
            if pos < len(words):
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                equals = words[pos]
                pos += 1
                if equals not in ["="]:
                    raise YearbookError(place + ": " + equals + " is not expected")
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                number = words[pos]
                pos += 1
                if re.match(NUMBER_RE, number) is None or Fraction(number) <= 0:
                    raise YearbookError(place + ": " + number + " is not expected")
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                other = words[pos]
                pos += 1
                if re.match(NAME_RE, other) is None:
                    raise YearbookError(place + ": " + other + " is not expected")
                if other not in rep["units"]:
                    raise YearbookError(place + ": no unit " + other)
                factor = Fraction(number) * rep["units"][other]
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            rep["units"][name] = factor
        elif words[0] == "section":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            title = words[pos]
            pos += 1
            if not title.startswith('"'):
                raise YearbookError(place + ": " + title + " is not expected")
            title = title[1:-1]
            if shared["begun"]:
                raise YearbookError(place + ": section comes too late")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec = new_section(place, title)
            for c in shared["computes"]:
                sec["computes"].append(c)
            rep["sections"].append(sec)
        elif words[0] == "compute":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            for c in sec["computes"]:
                if c["name"] == name:
                    raise YearbookError(place + ": " + name + " is computed twice")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            equals = words[pos]
            pos += 1
            if equals not in ["="]:
                raise YearbookError(place + ": " + equals + " is not expected")
            expr, pos = parse_expr(words, pos, place)
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["computes"].append({"name": name, "expr": expr, "size": None, "of": None})
        elif words[0] == "period":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(NAME_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            for c in sec["computes"]:
                if c["name"] == name:
                    raise YearbookError(place + ": " + name + " is computed twice")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            equals = words[pos]
            pos += 1
            if equals not in ["="]:
                raise YearbookError(place + ": " + equals + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            size = words[pos]
            pos += 1
            if size not in ["day", "week", "month", "season", "year"]:
                raise YearbookError(place + ": " + size + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            of = words[pos]
            pos += 1
            if of not in ["of"]:
                raise YearbookError(place + ": " + of + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            of = words[pos]
            pos += 1
            if re.match(FIELD_RE, of) is None:
                raise YearbookError(place + ": " + of + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["computes"].append({"name": name, "expr": None, "size": size, "of": of})
        elif words[0] == "join":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            kind = words[pos]
            pos += 1
            if re.match(NAME_RE, kind) is None:
                raise YearbookError(place + ": " + kind + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            by = words[pos]
            pos += 1
            if by not in ["as", "by"]:
                raise YearbookError(place + ": " + by + " is not expected")
            alias = kind
            if by == "as":
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                alias = words[pos]
                pos += 1
                if re.match(NAME_RE, alias) is None:
                    raise YearbookError(place + ": " + alias + " is not expected")
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                by = words[pos]
                pos += 1
                if by not in ["by"]:
                    raise YearbookError(place + ": " + by + " is not expected")
            for j in sec["joins"]:
                if j["name"] == alias:
                    raise YearbookError(place + ": join " + alias + " given twice")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            theirs = words[pos]
            pos += 1
            if re.match(NAME_RE, theirs) is None:
                raise YearbookError(place + ": " + theirs + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            equals = words[pos]
            pos += 1
            if equals not in ["="]:
                raise YearbookError(place + ": " + equals + " is not expected")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            ours = words[pos]
            pos += 1
            if re.match(FIELD_RE, ours) is None:
                raise YearbookError(place + ": " + ours + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["joins"].append({"place": place, "kind": kind, "name": alias, "theirs": theirs, "ours": ours})
            sec["begun"] = True
        elif words[0] == "row":
            if len(sec["rows"]) == 3:
                raise YearbookError(place + ": more than 3 rows")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(FIELD_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            filled = False
            if pos < len(words):
                if pos >= len(words):
                    raise YearbookError(place + ": line ends too early")
                word = words[pos]
                pos += 1
                if word not in ["filled"]:
                    raise YearbookError(place + ": " + word + " is not expected")
                filled = True
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["rows"].append({"place": place, "field": name, "filled": filled})
            sec["begun"] = True
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
            sec["begun"] = True
        elif words[0] == "column":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(FIELD_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            col = {"place": place, "field": name, "title": None, "width": None, "side": None}
            col["decimals"] = None
            col["unit"] = None
            col["factor"] = None
            col["or"] = None
            col["stat"] = None
            col["course"] = None
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
                elif word == "decimals":
                    if pos >= len(words):
                        raise YearbookError(place + ": line ends too early")
                    value = words[pos]
                    pos += 1
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise YearbookError(place + ": decimals must be from 0 to 6")
                    if int(value) < 0 or int(value) > 6:
                        raise YearbookError(place + ": decimals must be from 0 to 6")
                    col["decimals"] = int(value)
                elif word == "in":
                    if pos >= len(words):
                        raise YearbookError(place + ": line ends too early")
                    value = words[pos]
                    pos += 1
                    if re.match(NAME_RE, value) is None:
                        raise YearbookError(place + ": " + value + " is not expected")
                    if value not in rep["units"]:
                        raise YearbookError(place + ": no unit " + value)
                    col["unit"] = value
                    col["factor"] = rep["units"][value]
                elif word == "or":
                    if pos >= len(words):
                        raise YearbookError(place + ": line ends too early")
                    value = words[pos]
                    pos += 1
                    if not value.startswith('"'):
                        raise YearbookError(place + ": " + value + " is not expected")
                    value = value[1:-1]
                    col["or"] = value
                elif word in ["sum", "mean", "least", "most", "count"]:
                    col["stat"] = word
                elif word in ["running", "change"]:
                    col["course"] = word
                else:
                    raise YearbookError(place + ": " + word + " is not expected")
            sec["columns"].append(col)
            sec["begun"] = True
        elif words[0] == "where":
            # Parse the test
            left, pos = parse_expr(words, pos, place)
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
                right, pos = parse_expr(words, pos, place)
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["conds"].append({"left": left, "op": op, "right": right})
            sec["begun"] = True
        elif words[0] == "sort":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(FIELD_RE, name) is None:
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
            sec["begun"] = True
        elif words[0] == "group":
            if len(sec["groups"]) == 3:
                raise YearbookError(place + ": more than 3 groups")
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(FIELD_RE, name) is None:
                raise YearbookError(place + ": " + name + " is not expected")
            if pos < len(words):
                raise YearbookError(place + ": " + words[pos] + " is not expected")
            sec["groups"].append(name)
            sec["begun"] = True
        elif words[0] == "total":
            if pos >= len(words):
                raise YearbookError(place + ": line ends too early")
            name = words[pos]
            pos += 1
            if re.match(FIELD_RE, name) is None:
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
            sec["begun"] = True
        else:
            raise YearbookError(place + ": unknown word " + words[0])
    if len(rep["sections"]) == 0:
        rep["sections"].append(shared)
    # Check the sections
    for sec in rep["sections"]:
        prefix = ""
        if sec["place"] is not None:
            prefix = sec["place"] + ": "
        if sec["kind"] is None:
            raise YearbookError(prefix + "no from line")
        if len(sec["columns"]) == 0:
            raise YearbookError(prefix + "no column line")
        for i in range(0, len(sec["rows"])):
            row = sec["rows"][i]
            if row["filled"]:
                if i < len(sec["rows"]) - 1:
                    raise YearbookError(row["place"] + ": only the last row can be filled")
                found = False
                for c in sec["computes"]:
                    if c["name"] == row["field"] and c["size"] is not None:
                        found = True
                if not found:
                    raise YearbookError(row["place"] + ": " + row["field"] + " is no period")
        for col in sec["columns"]:
            if col["stat"] is not None and len(sec["rows"]) == 0:
                raise YearbookError(col["place"] + ": no row line")
            if col["stat"] is None and len(sec["rows"]) > 0:
                found = False
                for row in sec["rows"]:
                    if row["field"] == col["field"]:
                        found = True
                for name in sec["groups"]:
                    if name == col["field"]:
                        found = True
                if not found:
                    raise YearbookError(col["place"] + ": " + col["field"] + " needs a statistic")
        for s in sec["sorts"]:
            if len(sec["rows"]) > 0:
                raise YearbookError(s["place"] + ": no sort with row lines")
        for t in sec["totals"]:
            if t["field"] == sec["columns"][0]["field"]:
                raise YearbookError(t["place"] + ": no total in the first column")
            found = False
            for col in sec["columns"]:
                if col["field"] == t["field"] and col["course"] is None:
                    if col["stat"] is None or col["stat"] == t["stat"]:
                        found = True
            if not found:
                if len(sec["rows"]) > 0:
                    raise YearbookError(t["place"] + ": no column " + t["field"] + " " + t["stat"])
                raise YearbookError(t["place"] + ": no column " + t["field"])
    return rep


def choose_records(rep, sec, records):
    """Choose the records of the report and sort them."""
    chosen = []
    # Build the indexes of the joins
    indexes = []
    for j in sec["joins"]:
        index = {}
        for other in records:
            if other["kind"] == j["kind"] and other.get(j["theirs"]) is not None:
                key = other.get(j["theirs"])
                if key not in index:
                    index[key] = []
                index[key].append(other)
        indexes.append(index)
    for record in records:
        if record["kind"] != sec["kind"]:
            continue
        rec = dict(record)
        for n in range(0, len(sec["joins"])):
            j = sec["joins"][n]
            key = rec.get(j["ours"])
            if key is not None and key in indexes[n]:
                others = indexes[n][key]
                if len(others) > 1:
                    value = others[0][j["theirs"]]
                    if isinstance(value, Fraction):
                        value = format_number(value)
                    raise YearbookError(j["place"] + ": several records of " + j["kind"] + " with " + j["theirs"] + " " + value)
                for name in others[0]:
                    rec[j["name"] + "." + name] = others[0][name]
        for c in sec["computes"]:
            if c["size"] is not None:
                rec[c["name"]] = get_period(c["size"], rec.get(c["of"]))
            else:
                rec[c["name"]] = eval_expr(c["expr"], rec)
        wanted = True
        for cond in sec["conds"]:
            # Check the test for the record
            ok = True
            left = eval_expr(cond["left"], rec)
            if cond["op"] == "missing":
                ok = left is None
            elif cond["op"] == "known":
                ok = left is not None
            else:
                right = eval_expr(cond["right"], rec)
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
            elif isinstance(v, PeriodText):
                keyed.append([(1, v.first, v), rec])
            else:
                keyed.append([(2, 0, v), rec])
        keyed.sort(key=lambda pair: pair[0], reverse=s["down"])
        chosen = []
        for pair in keyed:
            chosen.append(pair[1])
        for rec in missing:
            chosen.append(rec)
    for n in range(len(sec["rows"]) - 1, -1, -1):
        row = sec["rows"][n]
        # Sort by the row line, missing values last
        known = []
        missing = []
        for rec in chosen:
            if rec.get(row["field"]) is None:
                missing.append(rec)
            else:
                known.append(rec)
        keyed = []
        for rec in known:
            v = rec.get(row["field"])
            if isinstance(v, Fraction):
                keyed.append([(0, v, ""), rec])
            elif isinstance(v, PeriodText):
                keyed.append([(1, v.first, v), rec])
            else:
                keyed.append([(2, 0, v), rec])
        keyed.sort(key=lambda pair: pair[0], reverse=False)
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
            elif isinstance(v, PeriodText):
                keyed.append([(1, v.first, v), rec])
            else:
                keyed.append([(2, 0, v), rec])
        keyed.sort(key=lambda pair: pair[0], reverse=False)
        chosen = []
        for pair in keyed:
            chosen.append(pair[1])
        for rec in missing:
            chosen.append(rec)
    return chosen


def make_entries(sec, chosen):
    """Make the entries of the section, one for each row."""
    ents = []
    if len(sec["rows"]) == 0:
        for rec in chosen:
            e = {"fields": rec, "recs": [rec], "values": []}
            for col in sec["columns"]:
                e["values"].append(rec.get(col["field"]))
            ents.append(e)
    else:
        names = []
        for name in sec["groups"]:
            names.append(name)
        for row in sec["rows"]:
            names.append(row["field"])
        for rec in chosen:
            same = False
            if len(ents) > 0:
                same = True
                for name in names:
                    if ents[-1]["fields"][name] != rec.get(name):
                        same = False
            if same:
                ents[-1]["recs"].append(rec)
            else:
                e = {"fields": {}, "recs": [rec], "values": []}
                for name in names:
                    e["fields"][name] = rec.get(name)
                ents.append(e)
        if sec["rows"][-1]["filled"]:
            # Fill the gaps of the periods
            last = names[-1]
            size = None
            for c in sec["computes"]:
                if c["name"] == last:
                    size = c["size"]
            low = None
            high = None
            for e in ents:
                p = e["fields"][last]
                if p is not None:
                    if low is None or p.first < low.first:
                        low = p
                    if high is None or p.first > high.first:
                        high = p
            if low is not None:
                periods = []
                day = low.first
                while True:
                    p = get_period(size, datetime.date.fromordinal(day).isoformat())
                    if len(periods) == 0 or periods[-1] != p:
                        periods.append(p)
                    if p == high:
                        break
                    day += 1
                filled = []
                a = 0
                while a < len(ents):
                    b = a
                    while b < len(ents):
                        same = True
                        for name in names[:-1]:
                            if ents[b]["fields"][name] != ents[a]["fields"][name]:
                                same = False
                        if not same:
                            break
                        b += 1
                    for p in periods:
                        found = None
                        for e in ents[a:b]:
                            if e["fields"][last] == p:
                                found = e
                        if found is None:
                            found = {"fields": dict(ents[a]["fields"]), "recs": [], "values": []}
                            found["fields"][last] = p
                        filled.append(found)
                    for e in ents[a:b]:
                        if e["fields"][last] is None:
                            filled.append(e)
                    a = b
                ents = filled
        for e in ents:
            for col in sec["columns"]:
                if col["stat"] is None:
                    e["values"].append(e["fields"][col["field"]])
                else:
                    # Calculate the statistic
                    numbers = []
                    known = 0
                    for r in e["recs"]:
                        value = r.get(col["field"])
                        if value is not None:
                            known += 1
                        if isinstance(value, Fraction):
                            numbers.append(value)
                    if col["stat"] == "count":
                        result = Fraction(known)
                    elif len(numbers) == 0:
                        result = None
                    elif col["stat"] == "sum":
                        result = sum(numbers)
                    elif col["stat"] == "mean":
                        result = sum(numbers) / len(numbers)
                    elif col["stat"] == "least":
                        result = min(numbers)
                    else:
                        result = max(numbers)
                    e["values"].append(result)
    # Running sums and changes
    for i in range(0, len(sec["columns"])):
        col = sec["columns"][i]
        if col["course"] == "running":
            so_far = None
            before = None
            for e in ents:
                if before is not None:
                    for name in sec["groups"]:
                        if before["fields"].get(name) != e["fields"].get(name):
                            so_far = None
                    for row in sec["rows"][:-1]:
                        if before["fields"].get(row["field"]) != e["fields"].get(row["field"]):
                            so_far = None
                v = e["values"][i]
                if isinstance(v, Fraction):
                    if so_far is None:
                        so_far = v
                    else:
                        so_far = so_far + v
                e["values"][i] = so_far
                before = e
        elif col["course"] == "change":
            last_value = None
            before = None
            for e in ents:
                if before is not None:
                    for name in sec["groups"]:
                        if before["fields"].get(name) != e["fields"].get(name):
                            last_value = None
                    for row in sec["rows"][:-1]:
                        if before["fields"].get(row["field"]) != e["fields"].get(row["field"]):
                            last_value = None
                v = e["values"][i]
                if isinstance(v, Fraction) and isinstance(last_value, Fraction):
                    e["values"][i] = v - last_value
                else:
                    e["values"][i] = None
                last_value = v
                before = e
    return ents


def print_text(rep, sec, ents, lines):
    """Print the report as text."""
    # Build the lines of the section
    out = []
    if len(sec["groups"]) == 0:
        for e in ents:
            cells = []
            for i in range(0, len(sec["columns"])):
                col = sec["columns"][i]
                v = e["values"][i]
                # Format the value for the cell
                if v is None:
                    if col["or"] is not None:
                        cell = [col["or"], False]
                    else:
                        cell = ["n/a", False]
                elif isinstance(v, Fraction):
                    num = v
                    if col["unit"] is not None and not (col["stat"] == "count"):
                        num = num / col["factor"]
                    if col["decimals"] is not None and not (col["stat"] == "count"):
                        cell = [format_fixed(num, col["decimals"]), True]
                    else:
                        cell = [format_number(num), True]
                else:
                    cell = [v, False]
                cells.append(cell)
            out.append(["row", cells])
    elif len(sec["groups"]) == 1:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            for e in mem1:
                cells = []
                for i in range(0, len(sec["columns"])):
                    col = sec["columns"][i]
                    v = e["values"][i]
                    # Format the value for the cell
                    if v is None:
                        if col["or"] is not None:
                            cell = [col["or"], False]
                        else:
                            cell = ["n/a", False]
                    elif isinstance(v, Fraction):
                        num = v
                        if col["unit"] is not None and not (col["stat"] == "count"):
                            num = num / col["factor"]
                        if col["decimals"] is not None and not (col["stat"] == "count"):
                            cell = [format_fixed(num, col["decimals"]), True]
                        else:
                            cell = [format_number(num), True]
                    else:
                        cell = [v, False]
                    cells.append(cell)
                out.append(["row", cells])
            # Totals of the group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    elif len(sec["groups"]) == 2:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            a2 = 0
            while a2 < len(mem1):
                g2 = mem1[a2]["fields"].get(sec["groups"][1])
                b2 = a2
                while b2 < len(mem1) and mem1[b2]["fields"].get(sec["groups"][1]) == g2:
                    b2 += 1
                mem2 = mem1[a2:b2]
                if g2 is None:
                    label2 = "n/a"
                elif isinstance(g2, Fraction):
                    label2 = format_number(g2)
                else:
                    label2 = g2
                out.append(["head", 1, sec["groups"][1] + ": " + label2])
                for e in mem2:
                    cells = []
                    for i in range(0, len(sec["columns"])):
                        col = sec["columns"][i]
                        v = e["values"][i]
                        # Format the value for the cell
                        if v is None:
                            if col["or"] is not None:
                                cell = [col["or"], False]
                            else:
                                cell = ["n/a", False]
                        elif isinstance(v, Fraction):
                            num = v
                            if col["unit"] is not None and not (col["stat"] == "count"):
                                num = num / col["factor"]
                            if col["decimals"] is not None and not (col["stat"] == "count"):
                                cell = [format_fixed(num, col["decimals"]), True]
                            else:
                                cell = [format_number(num), True]
                        else:
                            cell = [v, False]
                        cells.append(cell)
                    out.append(["row", cells])
                # Totals of the inner group
                all2 = []
                for e in mem2:
                    for r in e["recs"]:
                        all2.append(r)
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
                        cells = [[label2 + " " + st, False]]
                        for i in range(1, len(sec["columns"])):
                            col = sec["columns"][i]
                            found = False
                            for t in sec["totals"]:
                                if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                    if col["stat"] is None or col["stat"] == st:
                                        found = True
                            if found:
                                # Calculate the statistic
                                numbers = []
                                known = 0
                                for r in all2:
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
                                    if col["or"] is not None:
                                        cell = [col["or"], False]
                                    else:
                                        cell = ["n/a", False]
                                elif isinstance(result, Fraction):
                                    num = result
                                    if col["unit"] is not None and not (st == "count"):
                                        num = num / col["factor"]
                                    if col["decimals"] is not None and not (st == "count"):
                                        cell = [format_fixed(num, col["decimals"]), True]
                                    else:
                                        cell = [format_number(num), True]
                                else:
                                    cell = [result, False]
                                cells.append(cell)
                            else:
                                cells.append(["", False])
                        out.append(["tot", cells])
                a2 = b2
            # Totals of the outer group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    else:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            a2 = 0
            while a2 < len(mem1):
                g2 = mem1[a2]["fields"].get(sec["groups"][1])
                b2 = a2
                while b2 < len(mem1) and mem1[b2]["fields"].get(sec["groups"][1]) == g2:
                    b2 += 1
                mem2 = mem1[a2:b2]
                if g2 is None:
                    label2 = "n/a"
                elif isinstance(g2, Fraction):
                    label2 = format_number(g2)
                else:
                    label2 = g2
                out.append(["head", 1, sec["groups"][1] + ": " + label2])
                a3 = 0
                while a3 < len(mem2):
                    g3 = mem2[a3]["fields"].get(sec["groups"][2])
                    b3 = a3
                    while b3 < len(mem2) and mem2[b3]["fields"].get(sec["groups"][2]) == g3:
                        b3 += 1
                    mem3 = mem2[a3:b3]
                    if g3 is None:
                        label3 = "n/a"
                    elif isinstance(g3, Fraction):
                        label3 = format_number(g3)
                    else:
                        label3 = g3
                    out.append(["head", 2, sec["groups"][2] + ": " + label3])
                    for e in mem3:
                        cells = []
                        for i in range(0, len(sec["columns"])):
                            col = sec["columns"][i]
                            v = e["values"][i]
                            # Format the value for the cell
                            if v is None:
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(v, Fraction):
                                num = v
                                if col["unit"] is not None and not (col["stat"] == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (col["stat"] == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [v, False]
                            cells.append(cell)
                        out.append(["row", cells])
                    # Totals of the innermost group
                    all3 = []
                    for e in mem3:
                        for r in e["recs"]:
                            all3.append(r)
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
                            cells = [[label3 + " " + st, False]]
                            for i in range(1, len(sec["columns"])):
                                col = sec["columns"][i]
                                found = False
                                for t in sec["totals"]:
                                    if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                        if col["stat"] is None or col["stat"] == st:
                                            found = True
                                if found:
                                    # Calculate the statistic
                                    numbers = []
                                    known = 0
                                    for r in all3:
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
                                        if col["or"] is not None:
                                            cell = [col["or"], False]
                                        else:
                                            cell = ["n/a", False]
                                    elif isinstance(result, Fraction):
                                        num = result
                                        if col["unit"] is not None and not (st == "count"):
                                            num = num / col["factor"]
                                        if col["decimals"] is not None and not (st == "count"):
                                            cell = [format_fixed(num, col["decimals"]), True]
                                        else:
                                            cell = [format_number(num), True]
                                    else:
                                        cell = [result, False]
                                    cells.append(cell)
                                else:
                                    cells.append(["", False])
                            out.append(["tot", cells])
                    a3 = b3
                # Totals of the middle group
                all2 = []
                for e in mem2:
                    for r in e["recs"]:
                        all2.append(r)
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
                        cells = [[label2 + " " + st, False]]
                        for i in range(1, len(sec["columns"])):
                            col = sec["columns"][i]
                            found = False
                            for t in sec["totals"]:
                                if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                    if col["stat"] is None or col["stat"] == st:
                                        found = True
                            if found:
                                # Calculate the statistic
                                numbers = []
                                known = 0
                                for r in all2:
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
                                    if col["or"] is not None:
                                        cell = [col["or"], False]
                                    else:
                                        cell = ["n/a", False]
                                elif isinstance(result, Fraction):
                                    num = result
                                    if col["unit"] is not None and not (st == "count"):
                                        num = num / col["factor"]
                                    if col["decimals"] is not None and not (st == "count"):
                                        cell = [format_fixed(num, col["decimals"]), True]
                                    else:
                                        cell = [format_number(num), True]
                                else:
                                    cell = [result, False]
                                cells.append(cell)
                            else:
                                cells.append(["", False])
                        out.append(["tot", cells])
                a2 = b2
            # Totals of the outer group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    if len(ents) > 0:
        # Totals of all records
        allr = []
        for e in ents:
            for r in e["recs"]:
                allr.append(r)
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
                        if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                            if col["stat"] is None or col["stat"] == st:
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
                            if col["or"] is not None:
                                cell = [col["or"], False]
                            else:
                                cell = ["n/a", False]
                        elif isinstance(result, Fraction):
                            num = result
                            if col["unit"] is not None and not (st == "count"):
                                num = num / col["factor"]
                            if col["decimals"] is not None and not (st == "count"):
                                cell = [format_fixed(num, col["decimals"]), True]
                            else:
                                cell = [format_number(num), True]
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
            heading = col["field"]
            if col["stat"] is not None:
                heading = heading + " " + col["stat"]
            if col["course"] is not None:
                heading = heading + " " + col["course"]
            if col["unit"] is not None and col["stat"] != "count":
                heading = heading + " (" + col["unit"] + ")"
            headings.append(heading)
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
            for e in ents:
                v = e["values"][i]
                if v is not None:
                    known += 1
                    if not isinstance(v, Fraction):
                        numeric = False
            if known > 0 and numeric:
                sides.append("right")
            else:
                sides.append("left")
    if sec["title"] is not None:
        lines.append("== " + sec["title"] + " ==")
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


def print_csv(rep, sec, ents, lines):
    """Print the report as CSV."""
    # The headings of the columns
    headings = []
    for col in sec["columns"]:
        if col["title"] is not None:
            headings.append(col["title"])
        else:
            heading = col["field"]
            if col["stat"] is not None:
                heading = heading + " " + col["stat"]
            if col["course"] is not None:
                heading = heading + " " + col["course"]
            if col["unit"] is not None and col["stat"] != "count":
                heading = heading + " (" + col["unit"] + ")"
            headings.append(heading)
    leading = []
    for name in sec["groups"]:
        shown = False
        for col in sec["columns"]:
            if col["field"] == name:
                shown = True
        if not shown:
            leading.append(name)
    # Print the headings
    line = ""
    for heading in leading + headings:
        if "," in heading or '"' in heading:
            heading = '"' + heading.replace('"', '""') + '"'
        line = line + "," + heading
    lines.append(line[1:])
    for e in ents:
        rec = e["fields"]
        line = ""
        for name in leading:
            v = rec.get(name)
            if v is None:
                text = ""
            elif isinstance(v, Fraction):
                text = format_exact(v)
            else:
                text = v
            if "," in text or '"' in text:
                text = '"' + text.replace('"', '""') + '"'
            line = line + "," + text
        for i in range(0, len(sec["columns"])):
            col = sec["columns"][i]
            v = e["values"][i]
            is_count = col["stat"] == "count"
            if v is None:
                text = ""
            elif isinstance(v, Fraction):
                num = v
                if col["unit"] is not None and not is_count:
                    num = num / col["factor"]
                if col["decimals"] is not None and not is_count:
                    text = format_fixed(num, col["decimals"])
                else:
                    text = format_exact(num)
            else:
                text = v
            if "," in text or '"' in text:
                text = '"' + text.replace('"', '""') + '"'
            line = line + "," + text
        lines.append(line[1:])


def print_markdown(rep, sec, ents, lines):
    """Print the report as Markdown."""
    # Build the lines of the section
    out = []
    if len(sec["groups"]) == 0:
        for e in ents:
            cells = []
            for i in range(0, len(sec["columns"])):
                col = sec["columns"][i]
                v = e["values"][i]
                # Format the value for the cell
                if v is None:
                    if col["or"] is not None:
                        cell = [col["or"], False]
                    else:
                        cell = ["n/a", False]
                elif isinstance(v, Fraction):
                    num = v
                    if col["unit"] is not None and not (col["stat"] == "count"):
                        num = num / col["factor"]
                    if col["decimals"] is not None and not (col["stat"] == "count"):
                        cell = [format_fixed(num, col["decimals"]), True]
                    else:
                        cell = [format_number(num), True]
                else:
                    cell = [v, False]
                cells.append(cell)
            out.append(["row", cells])
    elif len(sec["groups"]) == 1:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            for e in mem1:
                cells = []
                for i in range(0, len(sec["columns"])):
                    col = sec["columns"][i]
                    v = e["values"][i]
                    # Format the value for the cell
                    if v is None:
                        if col["or"] is not None:
                            cell = [col["or"], False]
                        else:
                            cell = ["n/a", False]
                    elif isinstance(v, Fraction):
                        num = v
                        if col["unit"] is not None and not (col["stat"] == "count"):
                            num = num / col["factor"]
                        if col["decimals"] is not None and not (col["stat"] == "count"):
                            cell = [format_fixed(num, col["decimals"]), True]
                        else:
                            cell = [format_number(num), True]
                    else:
                        cell = [v, False]
                    cells.append(cell)
                out.append(["row", cells])
            # Totals of the group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    elif len(sec["groups"]) == 2:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            a2 = 0
            while a2 < len(mem1):
                g2 = mem1[a2]["fields"].get(sec["groups"][1])
                b2 = a2
                while b2 < len(mem1) and mem1[b2]["fields"].get(sec["groups"][1]) == g2:
                    b2 += 1
                mem2 = mem1[a2:b2]
                if g2 is None:
                    label2 = "n/a"
                elif isinstance(g2, Fraction):
                    label2 = format_number(g2)
                else:
                    label2 = g2
                out.append(["head", 1, sec["groups"][1] + ": " + label2])
                for e in mem2:
                    cells = []
                    for i in range(0, len(sec["columns"])):
                        col = sec["columns"][i]
                        v = e["values"][i]
                        # Format the value for the cell
                        if v is None:
                            if col["or"] is not None:
                                cell = [col["or"], False]
                            else:
                                cell = ["n/a", False]
                        elif isinstance(v, Fraction):
                            num = v
                            if col["unit"] is not None and not (col["stat"] == "count"):
                                num = num / col["factor"]
                            if col["decimals"] is not None and not (col["stat"] == "count"):
                                cell = [format_fixed(num, col["decimals"]), True]
                            else:
                                cell = [format_number(num), True]
                        else:
                            cell = [v, False]
                        cells.append(cell)
                    out.append(["row", cells])
                # Totals of the inner group
                all2 = []
                for e in mem2:
                    for r in e["recs"]:
                        all2.append(r)
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
                        cells = [[label2 + " " + st, False]]
                        for i in range(1, len(sec["columns"])):
                            col = sec["columns"][i]
                            found = False
                            for t in sec["totals"]:
                                if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                    if col["stat"] is None or col["stat"] == st:
                                        found = True
                            if found:
                                # Calculate the statistic
                                numbers = []
                                known = 0
                                for r in all2:
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
                                    if col["or"] is not None:
                                        cell = [col["or"], False]
                                    else:
                                        cell = ["n/a", False]
                                elif isinstance(result, Fraction):
                                    num = result
                                    if col["unit"] is not None and not (st == "count"):
                                        num = num / col["factor"]
                                    if col["decimals"] is not None and not (st == "count"):
                                        cell = [format_fixed(num, col["decimals"]), True]
                                    else:
                                        cell = [format_number(num), True]
                                else:
                                    cell = [result, False]
                                cells.append(cell)
                            else:
                                cells.append(["", False])
                        out.append(["tot", cells])
                a2 = b2
            # Totals of the outer group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    else:
        a1 = 0
        while a1 < len(ents):
            g1 = ents[a1]["fields"].get(sec["groups"][0])
            b1 = a1
            while b1 < len(ents) and ents[b1]["fields"].get(sec["groups"][0]) == g1:
                b1 += 1
            mem1 = ents[a1:b1]
            if g1 is None:
                label1 = "n/a"
            elif isinstance(g1, Fraction):
                label1 = format_number(g1)
            else:
                label1 = g1
            out.append(["head", 0, sec["groups"][0] + ": " + label1])
            a2 = 0
            while a2 < len(mem1):
                g2 = mem1[a2]["fields"].get(sec["groups"][1])
                b2 = a2
                while b2 < len(mem1) and mem1[b2]["fields"].get(sec["groups"][1]) == g2:
                    b2 += 1
                mem2 = mem1[a2:b2]
                if g2 is None:
                    label2 = "n/a"
                elif isinstance(g2, Fraction):
                    label2 = format_number(g2)
                else:
                    label2 = g2
                out.append(["head", 1, sec["groups"][1] + ": " + label2])
                a3 = 0
                while a3 < len(mem2):
                    g3 = mem2[a3]["fields"].get(sec["groups"][2])
                    b3 = a3
                    while b3 < len(mem2) and mem2[b3]["fields"].get(sec["groups"][2]) == g3:
                        b3 += 1
                    mem3 = mem2[a3:b3]
                    if g3 is None:
                        label3 = "n/a"
                    elif isinstance(g3, Fraction):
                        label3 = format_number(g3)
                    else:
                        label3 = g3
                    out.append(["head", 2, sec["groups"][2] + ": " + label3])
                    for e in mem3:
                        cells = []
                        for i in range(0, len(sec["columns"])):
                            col = sec["columns"][i]
                            v = e["values"][i]
                            # Format the value for the cell
                            if v is None:
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(v, Fraction):
                                num = v
                                if col["unit"] is not None and not (col["stat"] == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (col["stat"] == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [v, False]
                            cells.append(cell)
                        out.append(["row", cells])
                    # Totals of the innermost group
                    all3 = []
                    for e in mem3:
                        for r in e["recs"]:
                            all3.append(r)
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
                            cells = [[label3 + " " + st, False]]
                            for i in range(1, len(sec["columns"])):
                                col = sec["columns"][i]
                                found = False
                                for t in sec["totals"]:
                                    if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                        if col["stat"] is None or col["stat"] == st:
                                            found = True
                                if found:
                                    # Calculate the statistic
                                    numbers = []
                                    known = 0
                                    for r in all3:
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
                                        if col["or"] is not None:
                                            cell = [col["or"], False]
                                        else:
                                            cell = ["n/a", False]
                                    elif isinstance(result, Fraction):
                                        num = result
                                        if col["unit"] is not None and not (st == "count"):
                                            num = num / col["factor"]
                                        if col["decimals"] is not None and not (st == "count"):
                                            cell = [format_fixed(num, col["decimals"]), True]
                                        else:
                                            cell = [format_number(num), True]
                                    else:
                                        cell = [result, False]
                                    cells.append(cell)
                                else:
                                    cells.append(["", False])
                            out.append(["tot", cells])
                    a3 = b3
                # Totals of the middle group
                all2 = []
                for e in mem2:
                    for r in e["recs"]:
                        all2.append(r)
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
                        cells = [[label2 + " " + st, False]]
                        for i in range(1, len(sec["columns"])):
                            col = sec["columns"][i]
                            found = False
                            for t in sec["totals"]:
                                if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                    if col["stat"] is None or col["stat"] == st:
                                        found = True
                            if found:
                                # Calculate the statistic
                                numbers = []
                                known = 0
                                for r in all2:
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
                                    if col["or"] is not None:
                                        cell = [col["or"], False]
                                    else:
                                        cell = ["n/a", False]
                                elif isinstance(result, Fraction):
                                    num = result
                                    if col["unit"] is not None and not (st == "count"):
                                        num = num / col["factor"]
                                    if col["decimals"] is not None and not (st == "count"):
                                        cell = [format_fixed(num, col["decimals"]), True]
                                    else:
                                        cell = [format_number(num), True]
                                else:
                                    cell = [result, False]
                                cells.append(cell)
                            else:
                                cells.append(["", False])
                        out.append(["tot", cells])
                a2 = b2
            # Totals of the outer group
            all1 = []
            for e in mem1:
                for r in e["recs"]:
                    all1.append(r)
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
                            if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                                if col["stat"] is None or col["stat"] == st:
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
                                if col["or"] is not None:
                                    cell = [col["or"], False]
                                else:
                                    cell = ["n/a", False]
                            elif isinstance(result, Fraction):
                                num = result
                                if col["unit"] is not None and not (st == "count"):
                                    num = num / col["factor"]
                                if col["decimals"] is not None and not (st == "count"):
                                    cell = [format_fixed(num, col["decimals"]), True]
                                else:
                                    cell = [format_number(num), True]
                            else:
                                cell = [result, False]
                            cells.append(cell)
                        else:
                            cells.append(["", False])
                    out.append(["tot", cells])
            a1 = b1
    if len(ents) > 0:
        # Totals of all records
        allr = []
        for e in ents:
            for r in e["recs"]:
                allr.append(r)
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
                        if t["field"] == col["field"] and t["stat"] == st and col["course"] is None:
                            if col["stat"] is None or col["stat"] == st:
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
                            if col["or"] is not None:
                                cell = [col["or"], False]
                            else:
                                cell = ["n/a", False]
                        elif isinstance(result, Fraction):
                            num = result
                            if col["unit"] is not None and not (st == "count"):
                                num = num / col["factor"]
                            if col["decimals"] is not None and not (st == "count"):
                                cell = [format_fixed(num, col["decimals"]), True]
                            else:
                                cell = [format_number(num), True]
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
            heading = col["field"]
            if col["stat"] is not None:
                heading = heading + " " + col["stat"]
            if col["course"] is not None:
                heading = heading + " " + col["course"]
            if col["unit"] is not None and col["stat"] != "count":
                heading = heading + " (" + col["unit"] + ")"
            headings.append(heading)
    # Find out the side of each column
    sides = []
    for i in range(0, len(sec["columns"])):
        col = sec["columns"][i]
        if col["side"] is not None:
            sides.append(col["side"])
        else:
            known = 0
            numeric = True
            for e in ents:
                v = e["values"][i]
                if v is not None:
                    known += 1
                    if not isinstance(v, Fraction):
                        numeric = False
            if known > 0 and numeric:
                sides.append("right")
            else:
                sides.append("left")
    if sec["title"] is not None:
        lines.append("## " + sec["title"].replace("|", "\\|"))
        lines.append("")
    if len(out) == 0:
        lines.append("no records")
        lines.append("")
        return
    in_table = False
    for item in out:
        if item[0] == "head":
            if in_table:
                lines.append("")
            in_table = False
            lines.append("#" * (item[1] + 3) + " " + item[2].replace("|", "\\|"))
            lines.append("")
            continue
        if item[0] == "rule":
            continue
        if not in_table:
            in_table = True
            line = "|"
            for heading in headings:
                line = line + " " + heading.replace("|", "\\|") + " |"
            lines.append(line)
            line = "|"
            for side in sides:
                if side == "right":
                    line = line + " ---: |"
                else:
                    line = line + " --- |"
            lines.append(line)
        if item[0] == "row":
            line = "|"
            for cell in item[1]:
                line = line + " " + cell[0].replace("|", "\\|") + " |"
            lines.append(line)
        else:
            line = "|"
            for i in range(0, len(item[1])):
                text = item[1][i][0].replace("|", "\\|")
                if i == 0:
                    text = "**" + text + "**"
                line = line + " " + text + " |"
            lines.append(line)
    lines.append("")


def main():
    """Main entry point."""
    args = sys.argv[1:]
    form = "text"
    if len(args) > 1 and args[0] == "print" and args[1] == "--form":
        if len(args) < 3 or args[2] not in ["text", "csv", "markdown"]:
            print("usage: yearbook print [--form FORM] DEFINITION FILE...", file=sys.stderr)
            sys.exit(2)
        form = args[2]
        args = ["print"] + args[3:]
    if len(args) < 3 or args[0] != "print":
        print("usage: yearbook print [--form FORM] DEFINITION FILE...", file=sys.stderr)
        sys.exit(2)
    try:
        rep = parse_definition(args[1])
        records = []
        for path in args[2:]:
            for rec in read_records(path):
                records.append(rec)
        lines = []
        # Convert the quantities
        for rec in records:
            for name in rec:
                value = rec[name]
                if isinstance(value, str) and " " in value:
                    number = value.split(" ", 1)[0]
                    unit = value.split(" ", 1)[1]
                    if re.match(NUMBER_RE, number) is not None and unit in rep["units"]:
                        rec[name] = Fraction(number) * rep["units"][unit]
        if form == "text":
            if rep["title"] is not None:
                lines.append(rep["title"])
                lines.append("")
            for n in range(0, len(rep["sections"])):
                sec = rep["sections"][n]
                if n > 0:
                    lines.append("")
                ents = make_entries(sec, choose_records(rep, sec, records))
                print_text(rep, sec, ents, lines)
        elif form == "csv":
            for n in range(0, len(rep["sections"])):
                sec = rep["sections"][n]
                if n > 0:
                    lines.append("")
                ents = make_entries(sec, choose_records(rep, sec, records))
                print_csv(rep, sec, ents, lines)
        else:
            if rep["title"] is not None:
                lines.append("# " + rep["title"].replace("|", "\\|"))
                lines.append("")
            for sec in rep["sections"]:
                ents = make_entries(sec, choose_records(rep, sec, records))
                print_markdown(rep, sec, ents, lines)
            while len(lines) > 0 and lines[-1] == "":
                lines.pop()
    except YearbookError as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)
    sys.stdout.reconfigure(encoding="utf-8")
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
