#!/usr/bin/env python3
"""Canal simulator - simulates boats and locks on a canal."""

import json
import re
import sys

NAME_RE = r"^[A-Za-z][A-Za-z0-9-]{0,23}\Z"
MINUTES_PER_DAY = 1440


class CanalException(Exception):
    """Exception for errors of the canal."""
    pass


def parse_time(text):
    """Parse the time and return the minutes, or None if it is bad."""
    m = re.match(r"^(([0-9]{1,4})d)?([0-9]{2}):([0-9]{2})\Z", text)
    if m is None:
        return None
    day = 0
    if m.group(2) is not None:
        day = int(m.group(2))
    hour = int(m.group(3))
    minute = int(m.group(4))
    if hour > 23:
        return None
    if minute > 59:
        return None
    # Return the total minutes
    return day * MINUTES_PER_DAY + hour * 60 + minute


def format_time(t):
    """Format the time."""
    day = t // MINUTES_PER_DAY
    hour = (t % MINUTES_PER_DAY) // 60
    minute = t % 60
    return str(day) + "d" + str(hour).zfill(2) + ":" + str(minute).zfill(2)


def parse_big_time(text):
    """Parse the time of a log line, with any number of digits of the day."""
    parts = text.split("d")
    return int(parts[0]) * MINUTES_PER_DAY + int(parts[1].split(":")[0]) * 60 + int(parts[1].split(":")[1])


def parse_scenario(path):
    """Parse the scenario file."""
    try:
        with open(path, "r", encoding="utf-8") as f:
            text = f.read()
    except Exception:
        raise CanalException("cannot read " + path)
    data = {"canals": [], "stops": [], "reaches": {}, "locks": {}, "boats": {}, "names": {}, "reservoirs": {}, "reservations": [], "closures": []}
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        # Remove the comment
        line = line.split("#")[0].strip()
        if line == "":
            continue
        words = line.split()
        if words[0] not in ["canal", "stop", "reach", "lock", "boat", "reservoir", "reserve", "closure", "fleet"]:
            raise CanalException("line " + str(line_no) + ": unknown word '" + words[0] + "'")
        if len(words) < 2:
            raise CanalException("line " + str(line_no) + ": missing name")
        name = words[1]
        if re.match(NAME_RE, name) is None:
            raise CanalException("line " + str(line_no) + ": bad name '" + name + "'")
        if words[0] == "stop":
            if len(words) > 2:
                raise CanalException("line " + str(line_no) + ": bad option '" + words[2] + "'")
            if len(data["canals"]) == 0:
                data["canals"].append({"name": None, "elements": []})
            # A stop may be in several canals, but only once in each
            if name in data["names"]:
                if name not in data["stops"] or ["stop", name] in data["canals"][-1]["elements"]:
                    raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if len(data["canals"][-1]["elements"]) > 0 and data["canals"][-1]["elements"][-1][0] == "stop":
                raise CanalException("line " + str(line_no) + ": two stops in a row")
            data["names"][name] = line_no
            if name not in data["stops"]:
                data["stops"].append(name)
            data["canals"][-1]["elements"].append(["stop", name])
        elif words[0] == "canal":
            if len(words) > 2:
                raise CanalException("line " + str(line_no) + ": bad option '" + words[2] + "'")
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if len(data["canals"]) > 0:
                if len(data["canals"][-1]["elements"]) == 0:
                    raise CanalException("line " + str(line_no) + ": canal " + data["canals"][-1]["name"] + " has no stop")
                if data["canals"][-1]["elements"][-1][0] != "stop":
                    raise CanalException("line " + str(line_no) + ": canal must end with a stop")
            data["names"][name] = line_no
            data["canals"].append({"name": name, "elements": []})
        elif words[0] == "reach":
            # Parse the options of the reach
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["length"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "length":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 9999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["length"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if len(data["canals"]) == 0 or len(data["canals"][-1]["elements"]) == 0:
                raise CanalException("line " + str(line_no) + ": canal must begin with a stop")
            data["names"][name] = line_no
            data["reaches"][name] = {"name": name, "length": opts["length"]}
            data["canals"][-1]["elements"].append(["reach", name])
        elif words[0] == "lock":
            # Parse the options of the lock
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["up", "down", "room", "turn", "start", "water", "reservoir"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "up":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "down":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "room":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "turn":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "start":
                    if value != "low" and value != "high":
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "water":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "reservoir":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
            # Check that all required options are there
            for key in ["up", "down"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            # Check the water supply
            if "water" in opts and "reservoir" not in opts:
                raise CanalException("line " + str(line_no) + ": water needs reservoir")
            if "reservoir" in opts and "water" not in opts:
                raise CanalException("line " + str(line_no) + ": reservoir needs water")
            if "reservoir" in opts:
                if opts["reservoir"] not in data["reservoirs"]:
                    raise CanalException("line " + str(line_no) + ": no reservoir '" + opts["reservoir"] + "'")
                if opts["water"] > data["reservoirs"][opts["reservoir"]]["capacity"]:
                    raise CanalException("line " + str(line_no) + ": reservoir " + opts["reservoir"] + " holds too little")
            if len(data["canals"]) == 0 or len(data["canals"][-1]["elements"]) == 0:
                raise CanalException("line " + str(line_no) + ": canal must begin with a stop")
            # Create the lock
            data["names"][name] = line_no
            data["locks"][name] = {
                "name": name, "up": opts["up"], "down": opts["down"], "queue": [], "until": 0,
                "lifted": 0, "lowered": 0, "busy": 0, "longest": 0,
                "room": opts.get("room"), "turn": opts.get("turn", 0), "level": opts.get("start", "low"),
                "passages": 0, "turns": 0,
                "water": opts.get("water", 0), "reservoir": opts.get("reservoir"), "dry": False,
                "used": 0, "taken": [],
            }
            data["canals"][-1]["elements"].append(["lock", name])
        elif words[0] == "boat":
            # Parse the options of the boat
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["from", "to", "at", "pace", "size", "rank"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "from":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "to":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "at":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "pace":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "size":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "rank":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 9:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["from", "to", "at", "pace"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            data["names"][name] = line_no
            # Check the stops
            if opts["from"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["from"] + "'")
            if opts["to"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["to"] + "'")
            if opts["from"] == opts["to"]:
                raise CanalException("line " + str(line_no) + ": boat " + name + " goes nowhere")
            if "size" not in opts:
                opts["size"] = 10
            if "rank" not in opts:
                opts["rank"] = 0
            data["boats"][name] = {
                "name": name, "from": opts["from"], "to": opts["to"], "at": opts["at"],
                "pace": opts["pace"], "size": opts["size"], "rank": opts["rank"], "line": line_no,
                "state": "waiting", "until": opts["at"], "path": None, "pos": 0, "departed": None,
                "arrived": None, "joined": None, "waited": 0, "where": opts["from"], "held_since": None, "held": 0,
            }
        elif words[0] == "reservoir":
            # Parse the options of the reservoir
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["capacity", "refill", "start"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "capacity":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "refill":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "start":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 999999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["capacity", "refill"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if "start" not in opts:
                opts["start"] = opts["capacity"]
            if opts["start"] > opts["capacity"]:
                raise CanalException("line " + str(line_no) + ": start is above capacity")
            data["names"][name] = line_no
            data["reservoirs"][name] = {
                "name": name, "capacity": opts["capacity"], "refill": opts["refill"],
                "level": opts["start"], "used": 0,
            }
        elif words[0] == "reserve":
            # Parse the options of the reservation
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["boat", "from", "until"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "boat":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "from":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "until":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
            # Check that all required options are there
            for key in ["boat", "from", "until"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["locks"]:
                raise CanalException("line " + str(line_no) + ": no lock '" + name + "'")
            if opts["boat"] not in data["boats"]:
                raise CanalException("line " + str(line_no) + ": no boat '" + opts["boat"] + "'")
            if opts["until"] <= opts["from"]:
                raise CanalException("line " + str(line_no) + ": until is not after from")
            for other in data["reservations"]:
                if other["lock"] == name:
                    if opts["from"] < other["until"] and other["from"] < opts["until"]:
                        raise CanalException("line " + str(line_no) + ": lock " + name + " is already reserved then")
            data["reservations"].append({"lock": name, "boat": opts["boat"], "from": opts["from"], "until": opts["until"]})
        elif words[0] == "closure":
            # Parse the options of the closure
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["from", "until"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "from":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "until":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
            # Check that all required options are there
            for key in ["from", "until"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["reaches"] and name not in data["locks"]:
                raise CanalException("line " + str(line_no) + ": no reach or lock '" + name + "'")
            if opts["until"] <= opts["from"]:
                raise CanalException("line " + str(line_no) + ": until is not after from")
            data["closures"].append({"section": name, "from": opts["from"], "until": opts["until"]})
        elif words[0] == "fleet":
            # Parse the options of the fleet
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["count", "every", "from", "to", "at", "pace", "size", "rank"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "count":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 9999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "every":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 9999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "from":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "to":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "at":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "pace":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "size":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "rank":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 9:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["count", "every", "from", "to", "at", "pace"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            data["names"][name] = line_no
            # Check the stops
            if opts["from"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["from"] + "'")
            if opts["to"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["to"] + "'")
            if opts["from"] == opts["to"]:
                raise CanalException("line " + str(line_no) + ": fleet " + name + " goes nowhere")
            if "size" not in opts:
                opts["size"] = 10
            if "rank" not in opts:
                opts["rank"] = 0
            # Create all the boats of the fleet
            for i in range(opts["count"]):
                boat_name = name + "-" + str(i + 1)
                if boat_name in data["names"]:
                    raise CanalException("line " + str(line_no) + ": name '" + boat_name + "' is taken")
                data["names"][boat_name] = line_no
                boat_at = opts["at"] + i * opts["every"]
                data["boats"][boat_name] = {
                    "name": boat_name, "from": opts["from"], "to": opts["to"], "at": boat_at,
                    "pace": opts["pace"], "size": opts["size"], "rank": opts["rank"], "line": line_no,
                    "state": "waiting", "until": boat_at, "path": None, "pos": 0, "departed": None,
                    "arrived": None, "joined": None, "waited": 0, "where": opts["from"], "held_since": None, "held": 0,
                }
    # Check the canals
    if len(data["canals"]) == 0:
        raise CanalException("no canal")
    if len(data["canals"][-1]["elements"]) == 0:
        raise CanalException("canal " + data["canals"][-1]["name"] + " has no stop")
    if data["canals"][-1]["elements"][-1][0] != "stop":
        raise CanalException("canal must end with a stop")
    # Check that every boat has a path
    for boat in data["boats"].values():
        if find_path(data, boat, boat["from"], []) is None:
            raise CanalException("line " + str(boat["line"]) + ": boat " + boat["name"] + " cannot get from " + boat["from"] + " to " + boat["to"])
    return data


def find_path(data, boat, start, closed):
    """Find the best path of the boat from the start to its goal."""
    # List of (minutes, locks, names, stop, path)
    todo = [(0, 0, [], start, [])]
    done = []
    while len(todo) > 0:
        todo.sort()
        minutes, locks, names, stop, path = todo.pop(0)
        if stop == boat["to"]:
            return path
        if stop in done:
            continue
        done.append(stop)
        for canal in data["canals"]:
            elements = canal["elements"]
            if ["stop", stop] not in elements:
                continue
            index = elements.index(["stop", stop])
            # Go up
            new_minutes = minutes
            new_locks = locks
            new_names = list(names)
            new_path = list(path)
            possible = True
            for i in range(index + 1, len(elements)):
                new_path.append([elements[i][0], elements[i][1], "up"])
                if elements[i][0] == "stop":
                    if possible:
                        todo.append((new_minutes, new_locks, new_names, elements[i][1], new_path))
                    break
                new_names.append(elements[i][1])
                if elements[i][1] in closed:
                    possible = False
                if elements[i][0] == "reach":
                    new_minutes += data["reaches"][elements[i][1]]["length"] * boat["pace"]
                else:
                    lock = data["locks"][elements[i][1]]
                    new_minutes += lock["up"]
                    new_locks += 1
                    if lock["room"] is not None and lock["room"] < boat["size"]:
                        possible = False
            # Go down
            new_minutes = minutes
            new_locks = locks
            new_names = list(names)
            new_path = list(path)
            possible = True
            for i in range(index - 1, -1, -1):
                new_path.append([elements[i][0], elements[i][1], "down"])
                if elements[i][0] == "stop":
                    if possible:
                        todo.append((new_minutes, new_locks, new_names, elements[i][1], new_path))
                    break
                new_names.append(elements[i][1])
                if elements[i][1] in closed:
                    possible = False
                if elements[i][0] == "reach":
                    new_minutes += data["reaches"][elements[i][1]]["length"] * boat["pace"]
                else:
                    lock = data["locks"][elements[i][1]]
                    new_minutes += lock["down"]
                    new_locks += 1
                    if lock["room"] is not None and lock["room"] < boat["size"]:
                        possible = False
    return None


def get_closed(data, t):
    """Get the closed sections."""
    closed = []
    for closure in data["closures"]:
        if closure["from"] <= t and t < closure["until"]:
            closed.append(closure["section"])
    return closed


def next_opening(data, t):
    """Get the time of the next end of a closure."""
    best = None
    for closure in data["closures"]:
        if closure["until"] > t:
            if best is None or closure["until"] < best:
                best = closure["until"]
    return best


def run_simulation(data, until=None):
    """Run the simulation and return the log."""
    log = []
    log_size = 0
    t = data.get("now", 0)
    if "now" in data:
        t = t + 1
    last_hour = data.get("now", 0) // 60
    active = []
    for name in sorted(data["boats"].keys()):
        if data["boats"][name]["state"] != "arrived":
            active.append(name)
    while True:
        if until is not None and t > until:
            break
        # Refill the reservoirs
        if t // 60 > last_hour:
            for reservoir in data["reservoirs"].values():
                reservoir["level"] += reservoir["refill"] * (t // 60 - last_hour)
                if reservoir["level"] > reservoir["capacity"]:
                    reservoir["level"] = reservoir["capacity"]
            last_hour = t // 60
        # First the boats, in the order of their names
        for name in list(active):
            boat = data["boats"][name]
            if boat["until"] is None or boat["until"] != t:
                continue
            if boat["state"] == "waiting":
                # The boat departs
                boat["departed"] = t
                log.append(format_time(t) + " " + boat["name"] + " departs " + boat["from"])
                # Choose the path
                path = find_path(data, boat, boat["from"], get_closed(data, t))
                if path is None:
                    if boat["held_since"] is None:
                        boat["held_since"] = t
                        log.append(format_time(t) + " " + boat["name"] + " is held at " + boat["from"])
                    boat["state"] = "held"
                    boat["until"] = next_opening(data, t)
                    continue
                if boat["held_since"] is not None:
                    boat["held"] += t - boat["held_since"]
                    boat["held_since"] = None
                    log.append(format_time(t) + " " + boat["name"] + " goes on")
                old_names = None
                if boat["path"] is not None:
                    old_names = []
                    for element in boat["path"][boat["pos"]:]:
                        if element[0] != "stop":
                            old_names.append(element[1])
                new_names = []
                for element in path:
                    if element[0] != "stop":
                        new_names.append(element[1])
                if old_names is not None and old_names != new_names:
                    log.append(format_time(t) + " " + boat["name"] + " reroutes by " + ", ".join(new_names))
                boat["path"] = path
                boat["pos"] = 0
                # Go into the next element
                element = boat["path"][boat["pos"]]
                if element[0] == "reach":
                    boat["state"] = "moving"
                    boat["until"] = t + data["reaches"][element[1]]["length"] * boat["pace"]
                elif element[0] == "lock":
                    boat["state"] = "queue"
                    boat["joined"] = t
                    boat["until"] = None
                    data["locks"][element[1]]["queue"].append(boat["name"])
                    log.append(format_time(t) + " " + boat["name"] + " reaches " + element[1])
            elif boat["state"] == "held":
                if boat["where"] is not None:
                    # Choose the path
                    path = find_path(data, boat, boat["where"], get_closed(data, t))
                    if path is None:
                        if boat["held_since"] is None:
                            boat["held_since"] = t
                            log.append(format_time(t) + " " + boat["name"] + " is held at " + boat["where"])
                        boat["state"] = "held"
                        boat["until"] = next_opening(data, t)
                        continue
                    if boat["held_since"] is not None:
                        boat["held"] += t - boat["held_since"]
                        boat["held_since"] = None
                        log.append(format_time(t) + " " + boat["name"] + " goes on")
                    old_names = None
                    if boat["path"] is not None:
                        old_names = []
                        for element in boat["path"][boat["pos"]:]:
                            if element[0] != "stop":
                                old_names.append(element[1])
                    new_names = []
                    for element in path:
                        if element[0] != "stop":
                            new_names.append(element[1])
                    if old_names is not None and old_names != new_names:
                        log.append(format_time(t) + " " + boat["name"] + " reroutes by " + ", ".join(new_names))
                    boat["path"] = path
                    boat["pos"] = 0
                else:
                    # Check if the next reach is closed
                    if boat["path"][boat["pos"]][0] == "reach" and boat["path"][boat["pos"]][1] in get_closed(data, t):
                        if boat["held_since"] is None:
                            boat["held_since"] = t
                            log.append(format_time(t) + " " + boat["name"] + " is held before " + boat["path"][boat["pos"]][1])
                        boat["state"] = "held"
                        boat["until"] = next_opening(data, t)
                        continue
                    if boat["held_since"] is not None:
                        boat["held"] += t - boat["held_since"]
                        boat["held_since"] = None
                        log.append(format_time(t) + " " + boat["name"] + " goes on")
                # Go into the next element
                element = boat["path"][boat["pos"]]
                if element[0] == "reach":
                    boat["state"] = "moving"
                    boat["until"] = t + data["reaches"][element[1]]["length"] * boat["pace"]
                elif element[0] == "lock":
                    boat["state"] = "queue"
                    boat["joined"] = t
                    boat["until"] = None
                    data["locks"][element[1]]["queue"].append(boat["name"])
                    log.append(format_time(t) + " " + boat["name"] + " reaches " + element[1])
            elif boat["state"] == "moving":
                boat["pos"] += 1
                boat["where"] = None
                # Check if the boat is at a stop
                if boat["path"][boat["pos"]][0] == "stop":
                    stop = boat["path"][boat["pos"]][1]
                    if stop == boat["to"]:
                        boat["state"] = "arrived"
                        boat["arrived"] = t
                        boat["until"] = None
                        active.remove(name)
                        log.append(format_time(t) + " " + boat["name"] + " arrives at " + stop)
                        continue
                    else:
                        log.append(format_time(t) + " " + boat["name"] + " passes " + stop)
                        boat["pos"] += 1
                        boat["where"] = stop
                        # Choose the path
                        path = find_path(data, boat, stop, get_closed(data, t))
                        if path is None:
                            if boat["held_since"] is None:
                                boat["held_since"] = t
                                log.append(format_time(t) + " " + boat["name"] + " is held at " + stop)
                            boat["state"] = "held"
                            boat["until"] = next_opening(data, t)
                            continue
                        if boat["held_since"] is not None:
                            boat["held"] += t - boat["held_since"]
                            boat["held_since"] = None
                            log.append(format_time(t) + " " + boat["name"] + " goes on")
                        old_names = None
                        if boat["path"] is not None:
                            old_names = []
                            for element in boat["path"][boat["pos"]:]:
                                if element[0] != "stop":
                                    old_names.append(element[1])
                        new_names = []
                        for element in path:
                            if element[0] != "stop":
                                new_names.append(element[1])
                        if old_names is not None and old_names != new_names:
                            log.append(format_time(t) + " " + boat["name"] + " reroutes by " + ", ".join(new_names))
                        boat["path"] = path
                        boat["pos"] = 0
                else:
                    # Check if the next reach is closed
                    if boat["path"][boat["pos"]][0] == "reach" and boat["path"][boat["pos"]][1] in get_closed(data, t):
                        if boat["held_since"] is None:
                            boat["held_since"] = t
                            log.append(format_time(t) + " " + boat["name"] + " is held before " + boat["path"][boat["pos"]][1])
                        boat["state"] = "held"
                        boat["until"] = next_opening(data, t)
                        continue
                    if boat["held_since"] is not None:
                        boat["held"] += t - boat["held_since"]
                        boat["held_since"] = None
                        log.append(format_time(t) + " " + boat["name"] + " goes on")
                # Go into the next element
                element = boat["path"][boat["pos"]]
                if element[0] == "reach":
                    boat["state"] = "moving"
                    boat["until"] = t + data["reaches"][element[1]]["length"] * boat["pace"]
                elif element[0] == "lock":
                    boat["state"] = "queue"
                    boat["joined"] = t
                    boat["until"] = None
                    data["locks"][element[1]]["queue"].append(boat["name"])
                    log.append(format_time(t) + " " + boat["name"] + " reaches " + element[1])
            elif boat["state"] == "lock":
                log.append(format_time(t) + " " + boat["name"] + " leaves " + boat["path"][boat["pos"]][1])
                boat["pos"] += 1
                boat["where"] = None
                # Check if the boat is at a stop
                if boat["path"][boat["pos"]][0] == "stop":
                    stop = boat["path"][boat["pos"]][1]
                    if stop == boat["to"]:
                        boat["state"] = "arrived"
                        boat["arrived"] = t
                        boat["until"] = None
                        active.remove(name)
                        log.append(format_time(t) + " " + boat["name"] + " arrives at " + stop)
                        continue
                    else:
                        log.append(format_time(t) + " " + boat["name"] + " passes " + stop)
                        boat["pos"] += 1
                        boat["where"] = stop
                        # Choose the path
                        path = find_path(data, boat, stop, get_closed(data, t))
                        if path is None:
                            if boat["held_since"] is None:
                                boat["held_since"] = t
                                log.append(format_time(t) + " " + boat["name"] + " is held at " + stop)
                            boat["state"] = "held"
                            boat["until"] = next_opening(data, t)
                            continue
                        if boat["held_since"] is not None:
                            boat["held"] += t - boat["held_since"]
                            boat["held_since"] = None
                            log.append(format_time(t) + " " + boat["name"] + " goes on")
                        old_names = None
                        if boat["path"] is not None:
                            old_names = []
                            for element in boat["path"][boat["pos"]:]:
                                if element[0] != "stop":
                                    old_names.append(element[1])
                        new_names = []
                        for element in path:
                            if element[0] != "stop":
                                new_names.append(element[1])
                        if old_names is not None and old_names != new_names:
                            log.append(format_time(t) + " " + boat["name"] + " reroutes by " + ", ".join(new_names))
                        boat["path"] = path
                        boat["pos"] = 0
                else:
                    # Check if the next reach is closed
                    if boat["path"][boat["pos"]][0] == "reach" and boat["path"][boat["pos"]][1] in get_closed(data, t):
                        if boat["held_since"] is None:
                            boat["held_since"] = t
                            log.append(format_time(t) + " " + boat["name"] + " is held before " + boat["path"][boat["pos"]][1])
                        boat["state"] = "held"
                        boat["until"] = next_opening(data, t)
                        continue
                    if boat["held_since"] is not None:
                        boat["held"] += t - boat["held_since"]
                        boat["held_since"] = None
                        log.append(format_time(t) + " " + boat["name"] + " goes on")
                # Go into the next element
                element = boat["path"][boat["pos"]]
                if element[0] == "reach":
                    boat["state"] = "moving"
                    boat["until"] = t + data["reaches"][element[1]]["length"] * boat["pace"]
                elif element[0] == "lock":
                    boat["state"] = "queue"
                    boat["joined"] = t
                    boat["until"] = None
                    data["locks"][element[1]]["queue"].append(boat["name"])
                    log.append(format_time(t) + " " + boat["name"] + " reaches " + element[1])
        # Then the locks
        for lock in data["locks"].values():
            if lock["until"] > t or len(lock["queue"]) == 0 or lock["name"] in get_closed(data, t):
                if len(lock["queue"]) > lock["longest"]:
                    lock["longest"] = len(lock["queue"])
                continue
            # Sort the queue
            queue = sorted(lock["queue"], key=lambda n: (-data["boats"][n]["rank"], data["boats"][n]["joined"], data["boats"][n]["at"], n))
            # Check the reservations
            blocked = False
            for reservation in data["reservations"]:
                if reservation["lock"] == lock["name"]:
                    if reservation["from"] <= t and t < reservation["until"]:
                        if reservation["boat"] not in lock["taken"]:
                            if reservation["boat"] in queue:
                                queue.remove(reservation["boat"])
                                queue.insert(0, reservation["boat"])
                            else:
                                blocked = True
            if blocked:
                if len(lock["queue"]) > lock["longest"]:
                    lock["longest"] = len(lock["queue"])
                continue
            first = data["boats"][queue[0]]
            direction = first["path"][first["pos"]][2]
            if direction == "up":
                if lock["level"] != "low":
                    # The chamber has to be turned
                    lock["level"] = "low"
                    lock["dry"] = False
                    if lock["turn"] > 0:
                        lock["turns"] += 1
                        lock["busy"] += lock["turn"]
                        lock["until"] = t + lock["turn"]
                        log.append(format_time(t) + " " + lock["name"] + " turns to low")
                        if len(lock["queue"]) > lock["longest"]:
                            lock["longest"] = len(lock["queue"])
                        continue
                if lock["water"] > 0:
                    reservoir = data["reservoirs"][lock["reservoir"]]
                    if reservoir["level"] < lock["water"]:
                        if not lock["dry"]:
                            lock["dry"] = True
                            log.append(format_time(t) + " " + lock["name"] + " waits for water")
                        if len(lock["queue"]) > lock["longest"]:
                            lock["longest"] = len(lock["queue"])
                        continue
                    reservoir["level"] -= lock["water"]
                    reservoir["used"] += lock["water"]
                    lock["used"] += lock["water"]
                lock["dry"] = False
                # Collect the boats
                group = [first["name"]]
                if lock["room"] is not None:
                    room = lock["room"] - first["size"]
                    for name in queue[1:]:
                        other = data["boats"][name]
                        if other["path"][other["pos"]][2] == "up" and other["size"] <= room:
                            group.append(name)
                            room = room - other["size"]
                lock["level"] = "high"
                lock["passages"] += 1
                for name in group:
                    boat = data["boats"][name]
                    lock["queue"].remove(name)
                    lock["lifted"] += 1
                    boat["waited"] += t - boat["joined"]
                    boat["joined"] = None
                    boat["state"] = "lock"
                    boat["until"] = t + lock["up"]
                    lock["taken"].append(name)
                lock["busy"] += lock["up"]
                lock["until"] = t + lock["up"]
                log.append(format_time(t) + " " + lock["name"] + " lifts " + ", ".join(group))
            elif direction == "down":
                if lock["level"] != "high":
                    # The chamber has to be turned
                    if lock["water"] > 0:
                        reservoir = data["reservoirs"][lock["reservoir"]]
                        if reservoir["level"] < lock["water"]:
                            if not lock["dry"]:
                                lock["dry"] = True
                                log.append(format_time(t) + " " + lock["name"] + " waits for water")
                            if len(lock["queue"]) > lock["longest"]:
                                lock["longest"] = len(lock["queue"])
                            continue
                        reservoir["level"] -= lock["water"]
                        reservoir["used"] += lock["water"]
                        lock["used"] += lock["water"]
                    lock["level"] = "high"
                    lock["dry"] = False
                    if lock["turn"] > 0:
                        lock["turns"] += 1
                        lock["busy"] += lock["turn"]
                        lock["until"] = t + lock["turn"]
                        log.append(format_time(t) + " " + lock["name"] + " turns to high")
                        if len(lock["queue"]) > lock["longest"]:
                            lock["longest"] = len(lock["queue"])
                        continue
                lock["dry"] = False
                # Collect the boats
                group = [first["name"]]
                if lock["room"] is not None:
                    room = lock["room"] - first["size"]
                    for name in queue[1:]:
                        other = data["boats"][name]
                        if other["path"][other["pos"]][2] == "down" and other["size"] <= room:
                            group.append(name)
                            room = room - other["size"]
                lock["level"] = "low"
                lock["passages"] += 1
                for name in group:
                    boat = data["boats"][name]
                    lock["queue"].remove(name)
                    lock["lowered"] += 1
                    boat["waited"] += t - boat["joined"]
                    boat["joined"] = None
                    boat["state"] = "lock"
                    boat["until"] = t + lock["down"]
                    lock["taken"].append(name)
                lock["busy"] += lock["down"]
                lock["until"] = t + lock["down"]
                log.append(format_time(t) + " " + lock["name"] + " lowers " + ", ".join(group))
            if len(lock["queue"]) > lock["longest"]:
                lock["longest"] = len(lock["queue"])
        # Remember the levels at the last line of the log
        if len(log) > log_size:
            log_size = len(log)
            for reservoir in data["reservoirs"].values():
                reservoir["end_level"] = reservoir["level"]
        # Find the next time
        next_t = None
        for name in active:
            boat = data["boats"][name]
            if boat["until"] is not None and boat["until"] > t:
                if next_t is None or boat["until"] < next_t:
                    next_t = boat["until"]
        for lock in data["locks"].values():
            if lock["until"] > t:
                if next_t is None or lock["until"] < next_t:
                    next_t = lock["until"]
            # A lock that waits for water tries every hour
            if lock["dry"] and len(lock["queue"]) > 0:
                hour = (t // 60 + 1) * 60
                if next_t is None or hour < next_t:
                    next_t = hour
        for reservation in data["reservations"]:
            if reservation["from"] > t:
                if next_t is None or reservation["from"] < next_t:
                    next_t = reservation["from"]
            if reservation["until"] > t:
                if next_t is None or reservation["until"] < next_t:
                    next_t = reservation["until"]
        for closure in data["closures"]:
            if closure["until"] > t:
                if next_t is None or closure["until"] < next_t:
                    next_t = closure["until"]
        if next_t is None:
            break
        t = next_t
    if until is not None:
        # Refill the reservoirs up to the end
        if until // 60 > last_hour:
            for reservoir in data["reservoirs"].values():
                reservoir["level"] += reservoir["refill"] * (until // 60 - last_hour)
                if reservoir["level"] > reservoir["capacity"]:
                    reservoir["level"] = reservoir["capacity"]
        for reservoir in data["reservoirs"].values():
            reservoir["end_level"] = reservoir["level"]
        data["now"] = until
    return log


def apply_edits(data, path):
    """Apply the edits of the file to the data."""
    try:
        with open(path, "r", encoding="utf-8") as f:
            text = f.read()
    except Exception:
        raise CanalException("cannot read " + path)
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        # Remove the comment
        line = line.split("#")[0].strip()
        if line == "":
            continue
        words = line.split()
        if words[0] not in ["boat", "closure", "reserve", "open", "cancel", "rank", "refill"]:
            raise CanalException("line " + str(line_no) + ": unknown word '" + words[0] + "'")
        if len(words) < 2:
            raise CanalException("line " + str(line_no) + ": missing name")
        name = words[1]
        if re.match(NAME_RE, name) is None:
            raise CanalException("line " + str(line_no) + ": bad name '" + name + "'")
        if words[0] == "boat":
            # Parse the options of the boat
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["from", "to", "at", "pace", "size", "rank"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "from":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "to":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "at":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "pace":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "size":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
                if key == "rank":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 9:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["from", "to", "at", "pace"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            data["names"][name] = line_no
            # Check the stops
            if opts["from"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["from"] + "'")
            if opts["to"] not in data["stops"]:
                raise CanalException("line " + str(line_no) + ": no stop '" + opts["to"] + "'")
            if opts["from"] == opts["to"]:
                raise CanalException("line " + str(line_no) + ": boat " + name + " goes nowhere")
            if "size" not in opts:
                opts["size"] = 10
            if "rank" not in opts:
                opts["rank"] = 0
            data["boats"][name] = {
                "name": name, "from": opts["from"], "to": opts["to"], "at": opts["at"],
                "pace": opts["pace"], "size": opts["size"], "rank": opts["rank"], "line": line_no,
                "state": "waiting", "until": opts["at"], "path": None, "pos": 0, "departed": None,
                "arrived": None, "joined": None, "waited": 0, "where": opts["from"], "held_since": None, "held": 0,
            }
            if opts["at"] <= data["now"]:
                raise CanalException("line " + str(line_no) + ": boat " + name + " departs too early")
            if find_path(data, data["boats"][name], opts["from"], []) is None:
                raise CanalException("line " + str(line_no) + ": boat " + name + " cannot get from " + opts["from"] + " to " + opts["to"])
        elif words[0] == "reserve":
            # Parse the options of the reservation
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["boat", "from", "until"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "boat":
                    if re.match(NAME_RE, value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = value
                if key == "from":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "until":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
            # Check that all required options are there
            for key in ["boat", "from", "until"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["locks"]:
                raise CanalException("line " + str(line_no) + ": no lock '" + name + "'")
            if opts["boat"] not in data["boats"]:
                raise CanalException("line " + str(line_no) + ": no boat '" + opts["boat"] + "'")
            if opts["until"] <= opts["from"]:
                raise CanalException("line " + str(line_no) + ": until is not after from")
            for other in data["reservations"]:
                if other["lock"] == name:
                    if opts["from"] < other["until"] and other["from"] < opts["until"]:
                        raise CanalException("line " + str(line_no) + ": lock " + name + " is already reserved then")
            data["reservations"].append({"lock": name, "boat": opts["boat"], "from": opts["from"], "until": opts["until"]})
        elif words[0] == "closure":
            # Parse the options of the closure
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["from", "until"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "from":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
                if key == "until":
                    parsed_time = parse_time(value)
                    if parsed_time is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    else:
                        opts[key] = parsed_time
            # Check that all required options are there
            for key in ["from", "until"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["reaches"] and name not in data["locks"]:
                raise CanalException("line " + str(line_no) + ": no reach or lock '" + name + "'")
            if opts["until"] <= opts["from"]:
                raise CanalException("line " + str(line_no) + ": until is not after from")
            data["closures"].append({"section": name, "from": opts["from"], "until": opts["until"]})
        elif words[0] == "open":
            if len(words) > 2:
                raise CanalException("line " + str(line_no) + ": bad option '" + words[2] + "'")
            if name not in data["reaches"] and name not in data["locks"]:
                raise CanalException("line " + str(line_no) + ": no reach or lock '" + name + "'")
            new_closures = []
            for closure in data["closures"]:
                if closure["section"] != name:
                    new_closures.append(closure)
            data["closures"] = new_closures
        elif words[0] == "cancel":
            if len(words) > 2:
                raise CanalException("line " + str(line_no) + ": bad option '" + words[2] + "'")
            if name not in data["boats"]:
                raise CanalException("line " + str(line_no) + ": no boat '" + name + "'")
            if data["boats"][name]["departed"] is not None:
                raise CanalException("line " + str(line_no) + ": boat " + name + " has departed")
            del data["boats"][name]
            new_reservations = []
            for reservation in data["reservations"]:
                if reservation["boat"] != name:
                    new_reservations.append(reservation)
            data["reservations"] = new_reservations
        elif words[0] == "rank":
            # Parse the options of the rank
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["value"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "value":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 0 or int(value) > 9:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["value"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["boats"]:
                raise CanalException("line " + str(line_no) + ": no boat '" + name + "'")
            data["boats"][name]["rank"] = opts["value"]
        elif words[0] == "refill":
            # Parse the options of the refill
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["value"]:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                if key in opts:
                    raise CanalException("line " + str(line_no) + ": " + key + " given twice")
                if key == "value":
                    if re.match(r"^[0-9]{1,6}\Z", value) is None:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    if int(value) < 1 or int(value) > 999999:
                        raise CanalException("line " + str(line_no) + ": bad value '" + value + "' for " + key)
                    opts[key] = int(value)
            # Check that all required options are there
            for key in ["value"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            if name not in data["reservoirs"]:
                raise CanalException("line " + str(line_no) + ": no reservoir '" + name + "'")
            data["reservoirs"][name]["refill"] = opts["value"]
    # Wake up the boats that are held
    for boat in data["boats"].values():
        if boat["state"] == "held":
            boat["until"] = data["now"] + 1


def load_state(path):
    """Load the state from the file."""
    try:
        with open(path, "r", encoding="utf-8") as f:
            text = f.read()
    except Exception:
        raise CanalException("cannot read " + path)
    try:
        data = json.loads(text)
        if data["type"] != "canal-state":
            raise CanalException("bad state")
        return data
    except Exception:
        raise CanalException(path + " is not a saved state")


def save_state(path, data):
    """Save the state to the file."""
    data["type"] = "canal-state"
    try:
        with open(path, "w", encoding="utf-8") as f:
            json.dump(data, f)
    except Exception:
        raise CanalException("cannot write " + path)


def main_inner():
    """Run the command."""
    if len(sys.argv) < 2:
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    command = sys.argv[1]
    args = sys.argv[2:]
    if command not in ["log", "summary", "routes", "resume", "status", "what-if"]:
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    until = None
    save = None
    files = []
    i = 0
    while i < len(args):
        if args[i] == "--until" and i + 1 < len(args) and command in ["log", "resume", "what-if"]:
            until = args[i + 1]
            i += 2
        elif args[i] == "--save" and i + 1 < len(args) and command in ["log", "resume"]:
            save = args[i + 1]
            i += 2
        elif args[i].startswith("--"):
            print("usage: canal.py COMMAND FILE", file=sys.stderr)
            sys.exit(2)
        else:
            files.append(args[i])
            i += 1
    if save is not None and until is None:
        print("usage: --save needs --until", file=sys.stderr)
        sys.exit(2)
    n = 1
    if command == "what-if":
        n = 2
    if len(files) != n:
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    if until is not None:
        if parse_time(until) is None:
            raise CanalException("bad time '" + until + "'")
        until = parse_time(until)
    if command == "log":
        data = parse_scenario(files[0])
        log = run_simulation(data, until)
        if save is not None:
            save_state(save, data)
        for line in log:
            print(line)
    elif command == "resume":
        data = load_state(files[0])
        if until is not None and until <= data["now"]:
            raise CanalException("state is already at " + format_time(data["now"]))
        log = run_simulation(data, until)
        if save is not None:
            save_state(save, data)
        for line in log:
            print(line)
    elif command == "status":
        data = load_state(files[0])
        for name in sorted(data["boats"].keys()):
            boat = data["boats"][name]
            if boat["departed"] is None:
                print("boat " + name + ": not departed")
                continue
            waited = boat["waited"]
            if boat["state"] == "queue":
                waited += data["now"] - boat["joined"]
            held = boat["held"]
            if boat["held_since"] is not None:
                held += data["now"] - boat["held_since"]
            if boat["arrived"] is None:
                line = "boat " + name + ": departed " + format_time(boat["departed"]) + ", under way"
                line += ", waited " + str(waited)
                if held > 0:
                    line += ", held " + str(held)
                print(line)
                continue
            line = "boat " + name + ": departed " + format_time(boat["departed"])
            line += ", arrived " + format_time(boat["arrived"])
            line += ", travel " + str(boat["arrived"] - boat["departed"])
            line += ", waited " + str(boat["waited"])
            if boat["held"] > 0:
                line += ", held " + str(boat["held"])
            print(line)
        for name, lock in data["locks"].items():
            busy = lock["busy"]
            if lock["until"] > data["now"]:
                busy -= lock["until"] - data["now"]
            line = "lock " + name + ": lifted " + str(lock["lifted"])
            line += ", lowered " + str(lock["lowered"])
            line += ", busy " + str(busy)
            line += ", longest queue " + str(lock["longest"])
            if lock["room"] is not None:
                line += ", passages " + str(lock["passages"])
            if lock["turn"] > 0:
                line += ", turns " + str(lock["turns"])
            if lock["water"] > 0:
                line += ", water " + str(lock["used"])
            print(line)
        for name, reservoir in data["reservoirs"].items():
            level = reservoir["level"]
            if "end_level" in reservoir:
                level = reservoir["end_level"]
            print("reservoir " + name + ": level " + str(level) + ", used " + str(reservoir["used"]))
    elif command == "what-if":
        data1 = load_state(files[0])
        data2 = load_state(files[0])
        if until is not None and until <= data1["now"]:
            raise CanalException("state is already at " + format_time(data1["now"]))
        apply_edits(data2, files[1])
        log1 = run_simulation(data1, until)
        log2 = run_simulation(data2, until)
        # Compare the logs
        set1 = set(log1)
        set2 = set(log2)
        result = []
        for line in log1:
            if line not in set2:
                result.append((parse_big_time(line.split(" ")[0]), 0, "- " + line))
        for line in log2:
            if line not in set1:
                result.append((parse_big_time(line.split(" ")[0]), 1, "+ " + line))
        result.sort(key=lambda x: (x[0], x[1]))
        if len(result) == 0:
            print("no difference")
        else:
            for item in result:
                print(item[2])
    elif command == "routes":
        data = parse_scenario(files[0])
        for name in sorted(data["boats"].keys()):
            boat = data["boats"][name]
            path = find_path(data, boat, boat["from"], [])
            minutes = 0
            names = []
            for element in path:
                if element[0] == "reach":
                    minutes += data["reaches"][element[1]]["length"] * boat["pace"]
                    names.append(element[1])
                elif element[0] == "lock":
                    minutes += data["locks"][element[1]][element[2]]
                    names.append(element[1])
            print("boat " + name + ": " + str(minutes) + " minutes by " + ", ".join(names))
    elif command == "summary":
        data = parse_scenario(files[0])
        log = run_simulation(data)
        for name in sorted(data["boats"].keys()):
            boat = data["boats"][name]
            line = "boat " + name + ": departed " + format_time(boat["departed"])
            line += ", arrived " + format_time(boat["arrived"])
            line += ", travel " + str(boat["arrived"] - boat["departed"])
            line += ", waited " + str(boat["waited"])
            if boat["held"] > 0:
                line += ", held " + str(boat["held"])
            print(line)
        for name, lock in data["locks"].items():
            line = "lock " + name + ": lifted " + str(lock["lifted"])
            line += ", lowered " + str(lock["lowered"])
            line += ", busy " + str(lock["busy"])
            line += ", longest queue " + str(lock["longest"])
            if lock["room"] is not None:
                line += ", passages " + str(lock["passages"])
            if lock["turn"] > 0:
                line += ", turns " + str(lock["turns"])
            if lock["water"] > 0:
                line += ", water " + str(lock["used"])
            print(line)
        for name, reservoir in data["reservoirs"].items():
            level = reservoir["level"]
            if "end_level" in reservoir:
                level = reservoir["end_level"]
            print("reservoir " + name + ": level " + str(level) + ", used " + str(reservoir["used"]))


def main():
    """Main entry point."""
    try:
        main_inner()
    except CanalException as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
