#!/usr/bin/env python3
"""Pantry manager - A comprehensive command-line tool for managing pantry items."""

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
            return data
        except ValueError:
            raise PantryException("pantry.json is damaged")
    else:
        # Return empty data
        return {"lots": []}


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
    amount, unit = parse_quantity(quantity)
    if best_before is not None:
        best_before = parse_date(best_before)
    place = place.strip().lower()
    if place == "":
        raise PantryException("empty place")
    # Check that the unit matches
    existing = get_lots_for_name(data, name)
    if len(existing) > 0 and existing[0]["unit"] != unit:
        raise PantryException(name + " is kept in " + existing[0]["unit"])
    # Add the lot
    data["lots"].append({"name": name, "amount": amount, "unit": unit, "best_before": best_before, "place": place})
    return "added " + str(amount) + " " + unit + " of " + name


def take_item(data, name, quantity):
    """Take the quantity from the lots of the name."""
    name = normalize_name(name)
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
        if args[i] in ("--best-before", "--place"):
            # The option needs a value
            if i + 1 >= len(args):
                usage_error("missing value")
            options[args[i]] = args[i + 1]
            i += 2
        elif args[i] == "--lots":
            options["--lots"] = True
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
            message = add_lot(data, positionals[0], positionals[1], options.get("--best-before"), options.get("--place", DEFAULT_PLACE))
            save_data(data)
        elif command == "take" and len(positionals) == 2:
            data = load_data()
            message = take_item(data, positionals[0], positionals[1])
            save_data(data)
        elif command == "list" and len(positionals) == 0:
            message = list_items(load_data(), options.get("--lots", False))
        else:
            usage_error("invalid command line")
        print(message)
    except PantryException as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
