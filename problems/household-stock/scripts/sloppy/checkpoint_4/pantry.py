#!/usr/bin/env python3
"""Pantry manager - A comprehensive command-line tool for managing pantry items."""

import copy
import csv
import io
import json
import os
import re
import sys
from datetime import datetime

# Constants
DATA_FILE = "pantry.json"
DEFAULT_PLACE = "shelf"


class PantryException(Exception):
    """Base exception for the pantry application."""
    pass


def load_data():
    """Load the data from the data file."""
    # Check if the file exists
    if os.path.exists(DATA_FILE):
        try:
            # Open the file and load the JSON
            with open(DATA_FILE, "r", encoding="utf-8") as f:
                data = json.load(f)
            # Make sure that all keys exist
            if "lots" not in data:
                data["lots"] = []
            if "aliases" not in data:
                data["aliases"] = {}
            if "minimums" not in data:
                data["minimums"] = {}
            if "history" not in data:
                data["history"] = []
            if "undone" not in data:
                data["undone"] = []
            return data
        except ValueError:
            raise PantryException("pantry.json is damaged")
    else:
        # Return empty data
        return {"lots": [], "aliases": {}, "minimums": {}, "history": [], "undone": []}


def save_data(data):
    """Save the data to the data file."""
    # Open the file and dump the JSON
    with open(DATA_FILE, "w", encoding="utf-8") as f:
        json.dump(data, f, indent=2)


def normalize_name(name):
    """Normalize the name."""
    name = name.strip().lower()
    if name == "":
        raise PantryException("empty name")
    return name


def parse_quantity(text):
    """Parse the quantity text and return a tuple of amount and unit."""
    m = re.match(r"^([0-9]+)(kg|g|ml|l|pc)\Z", text)
    if m is None:
        raise PantryException("bad quantity '" + text + "'")
    amount = int(m.group(1))
    unit = m.group(2)
    # Convert to base unit
    if unit == "kg":
        amount = amount * 1000
        unit = "g"
    elif unit == "l":
        amount = amount * 1000
        unit = "ml"
    # Check that the amount is at least 1
    if amount < 1:
        raise PantryException("bad quantity '" + text + "'")
    return amount, unit


def parse_date(text):
    """Parse the date text."""
    if not re.match(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", text):
        raise PantryException("bad date '" + text + "'")
    try:
        datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise PantryException("bad date '" + text + "'")
    return text


def get_sort_key(lot):
    """Get the sort key for the lot."""
    return (lot["name"], lot["best_before"] or "9999-99-99")


def get_lots_for_name(data, name):
    """Get all lots for the name, sorted by taking order."""
    return sorted([lot for lot in data["lots"] if lot["name"] == name], key=get_sort_key)


def format_lot(lot):
    """Format the lot as a string."""
    line = lot["name"] + ": " + str(lot["amount"]) + " " + lot["unit"]
    if lot["best_before"] is not None:
        line = line + ", best before " + lot["best_before"]
    return line + ", " + lot["place"]


def add_lot(data, name, quantity, best_before, place):
    """Add a lot to the data."""
    name = normalize_name(name)
    # Resolve the alias
    if name in data["aliases"].keys():
        name = data["aliases"][name]
    amount, unit = parse_quantity(quantity)
    if best_before is not None:
        best_before = parse_date(best_before)
    place = place.strip().lower()
    if place == "":
        raise PantryException("empty place")
    # Make sure that the quantity is valid
    if amount is None or unit is None:
        raise PantryException("bad quantity '" + quantity + "'")
    # Check that the unit matches
    existing = get_lots_for_name(data, name)
    if len(existing) > 0 and existing[0]["unit"] != unit:
        raise PantryException(name + " is kept in " + existing[0]["unit"])
    if len(existing) == 0 and name in data["minimums"].keys():
        if data["minimums"][name]["unit"] != unit:
            raise PantryException(name + " is kept in " + data["minimums"][name]["unit"])
    # Add the lot
    data["lots"].append({"name": name, "amount": amount, "unit": unit, "best_before": best_before, "place": place})
    return "added " + str(amount) + " " + unit + " of " + name


def take_item(data, name, quantity):
    """Take the quantity from the lots of the name."""
    name = normalize_name(name)
    # Resolve the alias
    if name in data["aliases"].keys():
        name = data["aliases"][name]
    amount, unit = parse_quantity(quantity)
    lots = get_lots_for_name(data, name)
    if not lots:
        raise PantryException("no " + name + " in stock")
    if lots[0]["unit"] != unit:
        raise PantryException(name + " is kept in " + lots[0]["unit"])
    total = sum(lot["amount"] for lot in lots)
    if total < amount:
        raise PantryException("only " + str(total) + " " + unit + " of " + name + " left")
    remaining = amount
    for lot in lots:
        # Take as much as possible from the lot
        used = min(remaining, lot["amount"])
        lot["amount"] -= used
        remaining -= used
    # Remove the empty lots
    data["lots"] = [lot for lot in data["lots"] if lot["amount"] > 0]
    return "took " + str(amount) + " " + unit + " of " + name


def list_items(data, show_lots):
    """List the items in the pantry."""
    lots = sorted(data["lots"], key=get_sort_key)
    if len(lots) == 0:
        return "nothing in stock"
    if show_lots:
        return "\n".join(format_lot(lot) for lot in lots)
    totals = {}
    for lot in lots:
        totals[lot["name"]] = totals.get(lot["name"], 0) + lot["amount"]
    units = {lot["name"]: lot["unit"] for lot in lots}
    return "\n".join(name + ": " + str(total) + " " + units[name] for name, total in totals.items())


def import_file(data, filename):
    """Import the lots from the file into the pantry.

    Args:
        data: The data dictionary.
        filename: The name of the file to import.

    Returns:
        The message to print.
    """
    # Check the format of the file
    if filename.endswith(".csv") == True:
        file_format = "csv"
    elif filename.endswith(".jsonl") == True:
        file_format = "jsonl"
    elif filename.endswith(".txt") == True:
        file_format = "txt"
    else:
        raise PantryException("unknown format of " + filename)

    # Read the content of the file
    try:
        with open(filename, "r", encoding="utf-8") as f:
            content = f.read()
    except Exception:
        raise PantryException("cannot read " + filename)

    lines = content.split("\n")
    count = 0

    # Step 1: Handle the CSV format
    if file_format == "csv":
        columns = None
        for i in range(len(lines)):
            line_number = i + 1
            line = lines[i]
            if columns is None:
                # Parse the header line
                rows = list(csv.reader([line]))
                if len(rows) > 0:
                    columns = rows[0]
                else:
                    columns = []
                # Check for unknown columns
                for column in columns:
                    if column != "name" and column != "quantity" and column != "best_before" and column != "place":
                        raise PantryException(filename + ":" + str(line_number) + ": unknown column '" + column + "'")
                # Check for missing columns
                if "name" not in columns:
                    raise PantryException(filename + ":" + str(line_number) + ": missing column 'name'")
                if "quantity" not in columns:
                    raise PantryException(filename + ":" + str(line_number) + ": missing column 'quantity'")
                continue
            # Skip the empty lines
            if len(line.strip()) == 0:
                continue
            cells = list(csv.reader([line]))[0]
            if len(cells) != len(columns):
                raise PantryException(filename + ":" + str(line_number) + ": expected " + str(len(columns)) + " cells, got " + str(len(cells)))
            # Build the entry from the cells
            entry = {}
            for j in range(len(columns)):
                if columns[j] == "best_before" or columns[j] == "place":
                    if len(cells[j]) > 0:
                        entry[columns[j]] = cells[j]
                else:
                    entry[columns[j]] = cells[j]
            # Add the lot to the pantry
            try:
                name = normalize_name(entry["name"])
                # Resolve the alias
                if name in data["aliases"].keys():
                    name = data["aliases"][name]
                amount, unit = parse_quantity(entry["quantity"])
                best_before = entry.get("best_before", None)
                if best_before is not None:
                    best_before = parse_date(best_before)
                place = entry.get("place", DEFAULT_PLACE)
                place = place.strip().lower()
                if place == "":
                    raise PantryException("empty place")
                existing = get_lots_for_name(data, name)
                if len(existing) > 0 and existing[0]["unit"] != unit:
                    raise PantryException(name + " is kept in " + existing[0]["unit"])
                if len(existing) == 0 and name in data["minimums"].keys():
                    if data["minimums"][name]["unit"] != unit:
                        raise PantryException(name + " is kept in " + data["minimums"][name]["unit"])
            except PantryException as e:
                raise PantryException(filename + ":" + str(line_number) + ": " + str(e))
            new_lot = {"name": name, "amount": amount, "unit": unit, "best_before": best_before, "place": place}
            data["lots"].append(new_lot)
            count = count + 1

    # Step 2: Handle the JSONL format
    elif file_format == "jsonl":
        for i in range(len(lines)):
            line_number = i + 1
            line = lines[i]
            # Skip the empty lines
            if len(line.strip()) == 0:
                continue
            # Parse the JSON object
            entry = None
            try:
                entry = json.loads(line)
            except Exception:
                entry = None
            if isinstance(entry, dict) == False:
                raise PantryException(filename + ":" + str(line_number) + ": not a JSON object")
            # Check for unknown keys
            for key in entry.keys():
                if key != "name" and key != "quantity" and key != "best_before" and key != "place":
                    raise PantryException(filename + ":" + str(line_number) + ": unknown key '" + key + "'")
            # Check for missing keys
            if "name" not in entry:
                raise PantryException(filename + ":" + str(line_number) + ": missing key 'name'")
            if "quantity" not in entry:
                raise PantryException(filename + ":" + str(line_number) + ": missing key 'quantity'")
            # Check that all values are texts
            for key in entry.keys():
                if isinstance(entry[key], str) == False:
                    raise PantryException(filename + ":" + str(line_number) + ": '" + key + "' is not a text")
            # Add the lot to the pantry
            try:
                name = normalize_name(entry["name"])
                # Resolve the alias
                if name in data["aliases"].keys():
                    name = data["aliases"][name]
                amount, unit = parse_quantity(entry["quantity"])
                best_before = entry.get("best_before", None)
                if best_before is not None:
                    best_before = parse_date(best_before)
                place = entry.get("place", DEFAULT_PLACE)
                place = place.strip().lower()
                if place == "":
                    raise PantryException("empty place")
                existing = get_lots_for_name(data, name)
                if len(existing) > 0 and existing[0]["unit"] != unit:
                    raise PantryException(name + " is kept in " + existing[0]["unit"])
                if len(existing) == 0 and name in data["minimums"].keys():
                    if data["minimums"][name]["unit"] != unit:
                        raise PantryException(name + " is kept in " + data["minimums"][name]["unit"])
            except PantryException as e:
                raise PantryException(filename + ":" + str(line_number) + ": " + str(e))
            new_lot = {"name": name, "amount": amount, "unit": unit, "best_before": best_before, "place": place}
            data["lots"].append(new_lot)
            count = count + 1

    # Step 3: Handle the TXT format
    elif file_format == "txt":
        for i in range(len(lines)):
            line_number = i + 1
            line = lines[i]
            # Skip the empty lines
            if len(line.strip()) == 0:
                continue
            # Skip the comment lines
            if line.startswith("#") == True:
                continue
            words = line.split()
            entry = {}
            entry["quantity"] = words[0]
            name_words = []
            # Go through all words after the quantity
            for word in words[1:]:
                if word.startswith("@") == True:
                    entry["place"] = word[1:]
                elif word.startswith("!") == True:
                    entry["best_before"] = word[1:]
                else:
                    name_words.append(word)
            if len(name_words) == 0:
                raise PantryException(filename + ":" + str(line_number) + ": missing name")
            entry["name"] = " ".join(name_words)
            # Add the lot to the pantry
            try:
                name = normalize_name(entry["name"])
                # Resolve the alias
                if name in data["aliases"].keys():
                    name = data["aliases"][name]
                amount, unit = parse_quantity(entry["quantity"])
                best_before = entry.get("best_before", None)
                if best_before is not None:
                    best_before = parse_date(best_before)
                place = entry.get("place", DEFAULT_PLACE)
                place = place.strip().lower()
                if place == "":
                    raise PantryException("empty place")
                existing = get_lots_for_name(data, name)
                if len(existing) > 0 and existing[0]["unit"] != unit:
                    raise PantryException(name + " is kept in " + existing[0]["unit"])
                if len(existing) == 0 and name in data["minimums"].keys():
                    if data["minimums"][name]["unit"] != unit:
                        raise PantryException(name + " is kept in " + data["minimums"][name]["unit"])
            except PantryException as e:
                raise PantryException(filename + ":" + str(line_number) + ": " + str(e))
            new_lot = {"name": name, "amount": amount, "unit": unit, "best_before": best_before, "place": place}
            data["lots"].append(new_lot)
            count = count + 1

    # Return the message
    return "lots imported: " + str(count)


def export_file(data, filename):
    """Export the lots of the pantry to the file.

    Args:
        data: The data dictionary.
        filename: The name of the file to export to.

    Returns:
        The message to print.
    """
    # Check the format of the file
    if filename.endswith(".csv") == True:
        file_format = "csv"
    elif filename.endswith(".jsonl") == True:
        file_format = "jsonl"
    elif filename.endswith(".txt") == True:
        file_format = "txt"
    else:
        raise PantryException("unknown format of " + filename)

    lots = sorted(data["lots"], key=get_sort_key)
    content = ""

    # Step 1: Handle the CSV format
    if file_format == "csv":
        output = io.StringIO()
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(["name", "quantity", "best_before", "place"])
        for lot in lots:
            quantity = str(lot["amount"]) + lot["unit"]
            if lot["best_before"] is not None:
                writer.writerow([lot["name"], quantity, lot["best_before"], lot["place"]])
            else:
                writer.writerow([lot["name"], quantity, "", lot["place"]])
        content = output.getvalue()

    # Step 2: Handle the JSONL format
    elif file_format == "jsonl":
        for lot in lots:
            quantity = str(lot["amount"]) + lot["unit"]
            entry = {}
            entry["name"] = lot["name"]
            entry["quantity"] = quantity
            if lot["best_before"] is not None:
                entry["best_before"] = lot["best_before"]
            entry["place"] = lot["place"]
            content = content + json.dumps(entry) + "\n"

    # Step 3: Handle the TXT format
    elif file_format == "txt":
        for lot in lots:
            quantity = str(lot["amount"]) + lot["unit"]
            if len(lot["place"].split()) != 1:
                raise PantryException("cannot write place '" + lot["place"] + "' to " + filename)
            if lot["best_before"] is not None:
                content = content + quantity + " " + lot["name"] + " @" + lot["place"] + " !" + lot["best_before"] + "\n"
            else:
                content = content + quantity + " " + lot["name"] + " @" + lot["place"] + "\n"

    # Write the content to the file
    try:
        with open(filename, "w", encoding="utf-8", newline="\n") as f:
            f.write(content)
    except Exception:
        raise PantryException("cannot write " + filename)

    # Return the message
    return "lots exported: " + str(len(lots))


def find_lots(data, options):
    """Find the lots that match the filters.

    Args:
        data: The data dictionary.
        options: The options dictionary.

    Returns:
        The message to print.
    """
    # Parse the filters
    name_pattern = None
    if options.get("--name", None) is not None:
        # Convert the pattern to a regular expression
        regex = ""
        for char in options["--name"].strip().lower():
            if char == "*":
                regex = regex + ".*"
            elif char == "?":
                regex = regex + "."
            else:
                regex = regex + re.escape(char)
        name_pattern = re.compile(regex + r"\Z", re.DOTALL)
    place = None
    if options.get("--place", None) is not None:
        place = options["--place"].strip().lower()
        if place == "":
            raise PantryException("empty place")
    before = None
    if options.get("--before", None) is not None:
        before = parse_date(options["--before"])
    undated = options.get("--undated", False)
    min_amount = None
    min_unit = None
    if options.get("--min", None) is not None:
        min_amount, min_unit = parse_quantity(options["--min"])
    max_amount = None
    max_unit = None
    if options.get("--max", None) is not None:
        max_amount, max_unit = parse_quantity(options["--max"])

    # Filter the lots
    found_lots = []
    for lot in sorted(data["lots"], key=get_sort_key):
        matches = True
        if name_pattern is not None:
            if name_pattern.match(lot["name"]) is None:
                matches = False
        if place is not None:
            if lot["place"] != place:
                matches = False
        if before is not None:
            if lot["best_before"] is None:
                matches = False
            else:
                if lot["best_before"] >= before:
                    matches = False
        if undated == True:
            if lot["best_before"] is not None:
                matches = False
        if min_amount is not None:
            if lot["unit"] != min_unit or lot["amount"] < min_amount:
                matches = False
        if max_amount is not None:
            if lot["unit"] != max_unit or lot["amount"] > max_amount:
                matches = False
        if matches == True:
            found_lots.append(lot)

    # Return the message
    if options.get("--count", False) == True:
        return "lots: " + str(len(found_lots))
    else:
        if len(found_lots) > 0:
            lines = []
            for lot in found_lots:
                lines.append(format_lot(lot))
            return "\n".join(lines)
        else:
            return "no lots found"


def move_items(data, name, new_place, options):
    """Move the lots of the name to the new place."""
    name = normalize_name(name)
    # Resolve the alias
    if name in data["aliases"].keys():
        name = data["aliases"][name]
    new_place = new_place.strip().lower()
    if new_place == "":
        raise PantryException("empty place")
    from_place = options.get("--from", None)
    if from_place is not None:
        from_place = from_place.strip().lower()
        if from_place == "":
            raise PantryException("empty place")
    # Check that there are lots of the name
    lots = get_lots_for_name(data, name)
    if len(lots) == 0:
        raise PantryException("no " + name + " in stock")
    count = 0
    for lot in lots:
        # Check if the lot is at the right place
        if from_place is None or lot["place"] == from_place:
            lot["place"] = new_place
            count = count + 1
    if count == 0 and from_place is not None:
        raise PantryException("no " + name + " in " + from_place)
    return "lots moved: " + str(count)


def report_lots(data, options):
    """Create a report of the lots that match the filters.

    Args:
        data: The data dictionary.
        options: The options dictionary.

    Returns:
        The message to print.
    """
    # Validate the options
    report_by = options.get("--by", None)
    if report_by != "name" and report_by != "place" and report_by != "month":
        usage_error("invalid key")
    report_format = options.get("--format", "text")
    if report_format != "text" and report_format != "csv" and report_format != "json":
        usage_error("invalid format")

    # Parse the filters
    name_pattern = None
    if options.get("--name", None) is not None:
        # Convert the pattern to a regular expression
        regex = ""
        for char in options["--name"].strip().lower():
            if char == "*":
                regex = regex + ".*"
            elif char == "?":
                regex = regex + "."
            else:
                regex = regex + re.escape(char)
        name_pattern = re.compile(regex + r"\Z", re.DOTALL)
    place = None
    if options.get("--place", None) is not None:
        place = options["--place"].strip().lower()
        if place == "":
            raise PantryException("empty place")
    before = None
    if options.get("--before", None) is not None:
        before = parse_date(options["--before"])
    undated = options.get("--undated", False)
    min_amount = None
    min_unit = None
    if options.get("--min", None) is not None:
        min_amount, min_unit = parse_quantity(options["--min"])
    max_amount = None
    max_unit = None
    if options.get("--max", None) is not None:
        max_amount, max_unit = parse_quantity(options["--max"])

    # Filter the lots
    found_lots = []
    for lot in sorted(data["lots"], key=get_sort_key):
        matches = True
        if name_pattern is not None:
            if name_pattern.match(lot["name"]) is None:
                matches = False
        if place is not None:
            if lot["place"] != place:
                matches = False
        if before is not None:
            if lot["best_before"] is None:
                matches = False
            else:
                if lot["best_before"] >= before:
                    matches = False
        if undated == True:
            if lot["best_before"] is not None:
                matches = False
        if min_amount is not None:
            if lot["unit"] != min_unit or lot["amount"] < min_amount:
                matches = False
        if max_amount is not None:
            if lot["unit"] != max_unit or lot["amount"] > max_amount:
                matches = False
        if matches == True:
            found_lots.append(lot)

    # Group the lots
    groups = {}
    if report_by == "name":
        for lot in found_lots:
            key = lot["name"]
            # Create the group if it does not exist
            if key in groups:
                group = groups[key]
            else:
                group = {"key": key, "lots": 0, "g": 0, "ml": 0, "pc": 0}
                groups[key] = group
            # Update the group
            group["lots"] = group["lots"] + 1
            if lot["unit"] == "g":
                group["g"] = group["g"] + lot["amount"]
            elif lot["unit"] == "ml":
                group["ml"] = group["ml"] + lot["amount"]
            elif lot["unit"] == "pc":
                group["pc"] = group["pc"] + lot["amount"]
    elif report_by == "place":
        for lot in found_lots:
            key = lot["place"]
            # Create the group if it does not exist
            if key in groups:
                group = groups[key]
            else:
                group = {"key": key, "lots": 0, "g": 0, "ml": 0, "pc": 0}
                groups[key] = group
            # Update the group
            group["lots"] = group["lots"] + 1
            if lot["unit"] == "g":
                group["g"] = group["g"] + lot["amount"]
            elif lot["unit"] == "ml":
                group["ml"] = group["ml"] + lot["amount"]
            elif lot["unit"] == "pc":
                group["pc"] = group["pc"] + lot["amount"]
    elif report_by == "month":
        for lot in found_lots:
            key = lot["best_before"][:7] if lot["best_before"] is not None else "none"
            # Create the group if it does not exist
            if key in groups:
                group = groups[key]
            else:
                group = {"key": key, "lots": 0, "g": 0, "ml": 0, "pc": 0}
                groups[key] = group
            # Update the group
            group["lots"] = group["lots"] + 1
            if lot["unit"] == "g":
                group["g"] = group["g"] + lot["amount"]
            elif lot["unit"] == "ml":
                group["ml"] = group["ml"] + lot["amount"]
            elif lot["unit"] == "pc":
                group["pc"] = group["pc"] + lot["amount"]

    # Sort the groups
    sorted_groups = []
    for key in sorted(groups.keys()):
        sorted_groups.append(groups[key])

    # Format the report
    if report_format == "csv":
        output = io.StringIO()
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(["key", "lots", "g", "ml", "pc"])
        for group in sorted_groups:
            writer.writerow([group["key"], group["lots"], group["g"], group["ml"], group["pc"]])
        return output.getvalue().rstrip("\n")
    elif report_format == "json":
        return json.dumps(sorted_groups)
    else:
        if len(sorted_groups) == 0:
            return "no lots found"
        lines = []
        for group in sorted_groups:
            line = group["key"] + ": " + str(group["lots"]) + " lots"
            if group["g"] > 0:
                line = line + ", " + str(group["g"]) + " g"
            if group["ml"] > 0:
                line = line + ", " + str(group["ml"]) + " ml"
            if group["pc"] > 0:
                line = line + ", " + str(group["pc"]) + " pc"
            lines.append(line)
        return "\n".join(lines)


def add_alias(data, other, name):
    """Add an alias so that other means name.

    Args:
        data: The data dictionary.
        other: The other name.
        name: The name.

    Returns:
        The message to print and the description of the change.
    """
    other = normalize_name(other)
    name = normalize_name(name)
    # Resolve the alias
    if name in data["aliases"].keys():
        name = data["aliases"][name]
    if other == name:
        raise PantryException("cannot alias " + name + " to itself")
    # Get the unit of the other name
    other_unit = None
    other_lots = get_lots_for_name(data, other)
    if len(other_lots) > 0:
        other_unit = other_lots[0]["unit"]
    else:
        if other in data["minimums"].keys():
            other_unit = data["minimums"][other]["unit"]
    # Get the unit of the name
    name_unit = None
    name_lots = get_lots_for_name(data, name)
    if len(name_lots) > 0:
        name_unit = name_lots[0]["unit"]
    else:
        if name in data["minimums"].keys():
            name_unit = data["minimums"][name]["unit"]
    # Check that the units match
    if other_unit is not None and name_unit is not None:
        if other_unit != name_unit:
            raise PantryException(name + " is kept in " + name_unit)
    # Rename the lots
    for lot in data["lots"]:
        if lot["name"] == other:
            lot["name"] = name
    # Move the minimum
    if other in data["minimums"].keys():
        if name not in data["minimums"].keys():
            data["minimums"][name] = data["minimums"][other]
        del data["minimums"][other]
    # Update the aliases
    for key in data["aliases"].keys():
        if data["aliases"][key] == other:
            data["aliases"][key] = name
    data["aliases"][other] = name
    return other + " means " + name, "alias " + other + " to " + name


def set_minimum(data, name, quantity):
    """Set the minimum of the name.

    Args:
        data: The data dictionary.
        name: The name.
        quantity: The quantity or none.

    Returns:
        The message to print and the description of the change.
    """
    name = normalize_name(name)
    # Resolve the alias
    if name in data["aliases"].keys():
        name = data["aliases"][name]
    if quantity == "none":
        # Remove the minimum
        if name not in data["minimums"].keys():
            raise PantryException("no minimum for " + name)
        del data["minimums"][name]
        return "no minimum for " + name, "minimum of " + name + " none"
    else:
        amount, unit = parse_quantity(quantity)
        # Check that the unit matches
        existing = get_lots_for_name(data, name)
        if len(existing) > 0 and existing[0]["unit"] != unit:
            raise PantryException(name + " is kept in " + existing[0]["unit"])
        data["minimums"][name] = {"amount": amount, "unit": unit}
        message = "minimum of " + name + " is " + str(amount) + " " + unit
        description = "minimum of " + name + " " + str(amount) + " " + unit
        return message, description


def shopping_list(data, options):
    """Create the shopping list.

    Args:
        data: The data dictionary.
        options: The options dictionary.

    Returns:
        The message to print.
    """
    # Validate the options
    shopping_format = options.get("--format", "text")
    if shopping_format != "text" and shopping_format != "csv" and shopping_format != "json":
        usage_error("invalid format")

    # Collect the items
    items = []
    for name in sorted(data["minimums"].keys()):
        total = 0
        for lot in data["lots"]:
            if lot["name"] == name:
                total = total + lot["amount"]
        if total < data["minimums"][name]["amount"]:
            item = {"name": name, "amount": data["minimums"][name]["amount"] - total, "unit": data["minimums"][name]["unit"]}
            items.append(item)

    # Format the list
    if shopping_format == "csv":
        output = io.StringIO()
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(["name", "amount", "unit"])
        for item in items:
            writer.writerow([item["name"], item["amount"], item["unit"]])
        return output.getvalue().rstrip("\n")
    elif shopping_format == "json":
        return json.dumps(items)
    else:
        if len(items) == 0:
            return "nothing to buy"
        lines = []
        for item in items:
            lines.append(item["name"] + ": buy " + str(item["amount"]) + " " + item["unit"])
        return "\n".join(lines)


def expire_lots(data, date_text):
    """Remove the lots that are expired.

    Args:
        data: The data dictionary.
        date_text: The date.

    Returns:
        The message to print and the description of the change, if there is one.
    """
    date = parse_date(date_text)
    expired_lots = []
    remaining_lots = []
    for lot in data["lots"]:
        if lot["best_before"] is not None:
            if lot["best_before"] < date:
                expired_lots.append(lot)
            else:
                remaining_lots.append(lot)
        else:
            remaining_lots.append(lot)
    data["lots"] = remaining_lots
    if len(expired_lots) > 0:
        lines = []
        for lot in sorted(expired_lots, key=get_sort_key):
            lines.append("threw away " + str(lot["amount"]) + " " + lot["unit"] + " of " + lot["name"] + ", best before " + lot["best_before"])
        return "\n".join(lines), "expire " + date + " (" + str(len(expired_lots)) + " lots)"
    else:
        return "nothing to throw away", None


def format_quantity(amount, unit):
    """Format the quantity as a string."""
    if amount is not None:
        return str(amount) + " " + unit
    else:
        return ""


def usage_error(message):
    """Print the usage error and exit."""
    print("usage error: " + message, file=sys.stderr)
    sys.exit(2)


def main():
    """Main entry point of the application."""
    args = sys.argv[1:]
    if len(args) == 0:
        usage_error("no command given")
    command = args[0]
    # Parse the options
    positionals = []
    options = {}
    i = 1
    while i < len(args):
        if args[i] == "--best-before" or args[i] == "--place" or args[i] == "--name" or args[i] == "--before" or args[i] == "--min" or args[i] == "--max" or args[i] == "--from" or args[i] == "--by" or args[i] == "--format":
            # The option needs a value
            if i + 1 >= len(args):
                usage_error("missing value")
            options[args[i]] = args[i + 1]
            i += 2
        elif args[i] == "--lots":
            options["--lots"] = True
            i += 1
        elif args[i] == "--undated":
            options["--undated"] = True
            i += 1
        elif args[i] == "--count":
            options["--count"] = True
            i += 1
        elif args[i].startswith("--"):
            usage_error("unknown option " + args[i])
        else:
            positionals.append(args[i])
            i += 1
    try:
        # Handle the command
        if command == "add" and len(positionals) == 2:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message = add_lot(data, positionals[0], positionals[1], options.get("--best-before"), options.get("--place", DEFAULT_PLACE))
            # Add the change to the history
            description = "add " + message[len("added "):]
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "take" and len(positionals) == 2:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message = take_item(data, positionals[0], positionals[1])
            # Add the change to the history
            description = "take " + message[len("took "):]
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "list" and len(positionals) == 0:
            message = list_items(load_data(), options.get("--lots", False))
        elif command == "import" and len(positionals) == 1:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message = import_file(data, positionals[0])
            # Add the change to the history
            description = "import " + positionals[0] + " (" + message[len("lots imported: "):] + " lots)"
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "export" and len(positionals) == 1:
            data = load_data()
            message = export_file(data, positionals[0])
        elif command == "find" and len(positionals) == 0:
            data = load_data()
            message = find_lots(data, options)
        elif command == "move" and len(positionals) == 2:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message = move_items(data, positionals[0], positionals[1], options)
            name = normalize_name(positionals[0])
            # Resolve the alias
            if name in data["aliases"].keys():
                name = data["aliases"][name]
            new_place = positionals[1].strip().lower()
            # Add the change to the history
            description = "move " + name + " to " + new_place + " (" + message[len("lots moved: "):] + " lots)"
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "report" and len(positionals) == 0:
            data = load_data()
            message = report_lots(data, options)
        elif command == "alias" and len(positionals) == 2:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message, change_description = add_alias(data, positionals[0], positionals[1])
            # Add the change to the history
            description = change_description
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "minimum" and len(positionals) == 2:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message, change_description = set_minimum(data, positionals[0], positionals[1])
            # Add the change to the history
            description = change_description
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "expire" and len(positionals) == 1:
            data = load_data()
            # Create a snapshot for the history
            snapshot = {}
            for part in ["lots", "aliases", "minimums"]:
                if part in data.keys():
                    snapshot[part] = copy.deepcopy(data[part])
            message, change_description = expire_lots(data, positionals[0])
            # Add the change to the history
            description = change_description
            if description is not None and len(description) > 0:
                change = {"description": description, "snapshot": snapshot}
                data["history"].append(change)
                data["undone"] = []
            save_data(data)
        elif command == "shopping" and len(positionals) == 0:
            data = load_data()
            message = shopping_list(data, options)
        elif command == "history" and len(positionals) == 0:
            data = load_data()
            if len(data["history"]) == 0:
                message = "no changes"
            else:
                lines = []
                for i in range(len(data["history"])):
                    change = data["history"][i]
                    lines.append(str(i + 1) + ". " + change["description"])
                message = "\n".join(lines)
        elif command == "undo" and len(positionals) <= 1:
            data = load_data()
            # Parse the count
            if len(positionals) > 0:
                count_text = positionals[0]
            else:
                count_text = "1"
            if re.match(r"^[0-9]+\Z", count_text) is None:
                raise PantryException("bad count '" + count_text + "'")
            count = int(count_text)
            if count < 1:
                raise PantryException("bad count '" + count_text + "'")
            # Check that there are enough changes
            if len(data["history"]) == 0:
                raise PantryException("nothing to undo")
            if len(data["history"]) < count:
                raise PantryException("only " + str(len(data["history"])) + " changes to undo")
            lines = []
            for i in range(count):
                change = data["history"].pop()
                # Create a snapshot of the current state
                snapshot = {}
                for part in ["lots", "aliases", "minimums"]:
                    if part in data.keys():
                        snapshot[part] = copy.deepcopy(data[part])
                data["undone"].append({"description": change["description"], "snapshot": snapshot})
                # Restore the state from the snapshot
                for part in ["lots", "aliases", "minimums"]:
                    if part in change["snapshot"].keys():
                        data[part] = change["snapshot"][part]
                lines.append("undone: " + change["description"])
            message = "\n".join(lines)
            save_data(data)
        elif command == "redo" and len(positionals) <= 1:
            data = load_data()
            # Parse the count
            if len(positionals) > 0:
                count_text = positionals[0]
            else:
                count_text = "1"
            if re.match(r"^[0-9]+\Z", count_text) is None:
                raise PantryException("bad count '" + count_text + "'")
            count = int(count_text)
            if count < 1:
                raise PantryException("bad count '" + count_text + "'")
            # Check that there are enough changes
            if len(data["undone"]) == 0:
                raise PantryException("nothing to redo")
            if len(data["undone"]) < count:
                raise PantryException("only " + str(len(data["undone"])) + " changes to redo")
            lines = []
            for i in range(count):
                change = data["undone"].pop()
                # Create a snapshot of the current state
                snapshot = {}
                for part in ["lots", "aliases", "minimums"]:
                    if part in data.keys():
                        snapshot[part] = copy.deepcopy(data[part])
                data["history"].append({"description": change["description"], "snapshot": snapshot})
                # Restore the state from the snapshot
                for part in ["lots", "aliases", "minimums"]:
                    if part in change["snapshot"].keys():
                        data[part] = change["snapshot"][part]
                lines.append("redone: " + change["description"])
            message = "\n".join(lines)
            save_data(data)
        else:
            usage_error("invalid command line")
        print(message)
    except PantryException as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
