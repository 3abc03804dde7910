#!/usr/bin/env python3
"""Canal simulator - simulates boats and locks on a canal."""

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


def parse_scenario(path):
    """Parse the scenario file."""
    try:
        with open(path, "r", encoding="utf-8") as f:
            text = f.read()
    except Exception:
        raise CanalException("cannot read " + path)
    data = {"elements": [], "stops": [], "reaches": {}, "locks": {}, "boats": {}, "names": {}}
    line_no = 0
    for line in text.split("\n"):
        line_no += 1
        # Remove the comment
        line = line.split("#")[0].strip()
        if line == "":
            continue
        words = line.split()
        if words[0] not in ["stop", "reach", "lock", "boat"]:
            raise CanalException("line " + str(line_no) + ": unknown word '" + words[0] + "'")
        if len(words) < 2:
            raise CanalException("line " + str(line_no) + ": missing name")
        name = words[1]
        if re.match(NAME_RE, name) is None:
            raise CanalException("line " + str(line_no) + ": bad name '" + name + "'")
        if words[0] == "stop":
            if len(words) > 2:
                raise CanalException("line " + str(line_no) + ": bad option '" + words[2] + "'")
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if len(data["elements"]) > 0 and data["elements"][-1][0] == "stop":
                raise CanalException("line " + str(line_no) + ": two stops in a row")
            data["names"][name] = line_no
            data["stops"].append(name)
            data["elements"].append(["stop", name])
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
            if len(data["elements"]) == 0:
                raise CanalException("line " + str(line_no) + ": canal must begin with a stop")
            data["names"][name] = line_no
            data["reaches"][name] = {"name": name, "length": opts["length"]}
            data["elements"].append(["reach", name])
        elif words[0] == "lock":
            # Parse the options of the lock
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["up", "down", "room", "turn", "start"]:
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
            # Check that all required options are there
            for key in ["up", "down"]:
                if key not in opts:
                    raise CanalException("line " + str(line_no) + ": missing " + key)
            # Check if the name is taken
            if name in data["names"]:
                raise CanalException("line " + str(line_no) + ": name '" + name + "' is taken")
            if len(data["elements"]) == 0:
                raise CanalException("line " + str(line_no) + ": canal must begin with a stop")
            # Create the lock
            data["names"][name] = line_no
            data["locks"][name] = {
                "name": name, "up": opts["up"], "down": opts["down"], "queue": [], "until": 0,
                "lifted": 0, "lowered": 0, "busy": 0, "longest": 0,
                "room": opts.get("room"), "turn": opts.get("turn", 0), "level": opts.get("start", "low"),
                "passages": 0, "turns": 0,
            }
            data["elements"].append(["lock", name])
        elif words[0] == "boat":
            # Parse the options of the boat
            opts = {}
            for word in words[2:]:
                # Check if the option has an equals sign
                if "=" not in word:
                    raise CanalException("line " + str(line_no) + ": bad option '" + word + "'")
                key, value = word.split("=", 1)
                if key not in ["from", "to", "at", "pace", "size"]:
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
            data["boats"][name] = {
                "name": name, "from": opts["from"], "to": opts["to"], "at": opts["at"],
                "pace": opts["pace"], "size": opts["size"], "line": line_no,
                "state": "waiting", "until": opts["at"], "path": [], "pos": 0, "departed": None,
                "arrived": None, "joined": None, "waited": 0,
            }
    # Check the canal
    if len(data["elements"]) == 0:
        raise CanalException("no canal")
    if data["elements"][-1][0] != "stop":
        raise CanalException("canal must end with a stop")
    # Find the path of every boat
    for boat in data["boats"].values():
        start = data["elements"].index(["stop", boat["from"]])
        end = data["elements"].index(["stop", boat["to"]])
        if start < end:
            for i in range(start + 1, end + 1):
                boat["path"].append([data["elements"][i][0], data["elements"][i][1], "up"])
        else:
            for i in range(start - 1, end - 1, -1):
                boat["path"].append([data["elements"][i][0], data["elements"][i][1], "down"])
        # Check if the boat fits
        for element in boat["path"]:
            if element[0] == "lock":
                lock = data["locks"][element[1]]
                if lock["room"] is not None and lock["room"] < boat["size"]:
                    raise CanalException("line " + str(boat["line"]) + ": boat " + boat["name"] + " cannot get from " + boat["from"] + " to " + boat["to"])
    return data


def run_simulation(data):
    """Run the simulation and return the log."""
    log = []
    t = 0
    while True:
        # First the boats, in the order of their names
        for name in sorted(data["boats"].keys()):
            boat = data["boats"][name]
            if boat["until"] is None or boat["until"] != t:
                continue
            if boat["state"] == "waiting":
                # The boat departs
                boat["departed"] = t
                log.append(format_time(t) + " " + boat["name"] + " departs " + boat["from"])
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
                # Check if the boat is at a stop
                if boat["path"][boat["pos"]][0] == "stop":
                    stop = boat["path"][boat["pos"]][1]
                    if stop == boat["to"]:
                        boat["state"] = "arrived"
                        boat["arrived"] = t
                        boat["until"] = None
                        log.append(format_time(t) + " " + boat["name"] + " arrives at " + stop)
                        continue
                    else:
                        log.append(format_time(t) + " " + boat["name"] + " passes " + stop)
                        boat["pos"] += 1
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
                # Check if the boat is at a stop
                if boat["path"][boat["pos"]][0] == "stop":
                    stop = boat["path"][boat["pos"]][1]
                    if stop == boat["to"]:
                        boat["state"] = "arrived"
                        boat["arrived"] = t
                        boat["until"] = None
                        log.append(format_time(t) + " " + boat["name"] + " arrives at " + stop)
                        continue
                    else:
                        log.append(format_time(t) + " " + boat["name"] + " passes " + stop)
                        boat["pos"] += 1
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
            if lock["until"] > t or len(lock["queue"]) == 0:
                if len(lock["queue"]) > lock["longest"]:
                    lock["longest"] = len(lock["queue"])
                continue
            # Sort the queue
            queue = sorted(lock["queue"], key=lambda n: (data["boats"][n]["joined"], data["boats"][n]["at"], n))
            first = data["boats"][queue[0]]
            direction = first["path"][first["pos"]][2]
            if direction == "up":
                if lock["level"] != "low":
                    # The chamber has to be turned
                    lock["level"] = "low"
                    if lock["turn"] > 0:
                        lock["turns"] += 1
                        lock["busy"] += lock["turn"]
                        lock["until"] = t + lock["turn"]
                        log.append(format_time(t) + " " + lock["name"] + " turns to low")
                        if len(lock["queue"]) > lock["longest"]:
                            lock["longest"] = len(lock["queue"])
                        continue
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
                lock["busy"] += lock["up"]
                lock["until"] = t + lock["up"]
                log.append(format_time(t) + " " + lock["name"] + " lifts " + ", ".join(group))
            elif direction == "down":
                if lock["level"] != "high":
                    # The chamber has to be turned
                    lock["level"] = "high"
                    if lock["turn"] > 0:
                        lock["turns"] += 1
                        lock["busy"] += lock["turn"]
                        lock["until"] = t + lock["turn"]
                        log.append(format_time(t) + " " + lock["name"] + " turns to high")
                        if len(lock["queue"]) > lock["longest"]:
                            lock["longest"] = len(lock["queue"])
                        continue
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
                lock["busy"] += lock["down"]
                lock["until"] = t + lock["down"]
                log.append(format_time(t) + " " + lock["name"] + " lowers " + ", ".join(group))
            if len(lock["queue"]) > lock["longest"]:
                lock["longest"] = len(lock["queue"])
        # Find the next time
        next_t = None
        for boat in data["boats"].values():
            if boat["until"] is not None and boat["until"] > t:
                if next_t is None or boat["until"] < next_t:
                    next_t = boat["until"]
        for lock in data["locks"].values():
            if lock["until"] > t:
                if next_t is None or lock["until"] < next_t:
                    next_t = lock["until"]
        if next_t is None:
            break
        t = next_t
    return log


def main_inner():
    """Run the command."""
    if len(sys.argv) < 2:
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    command = sys.argv[1]
    args = sys.argv[2:]
    if command not in ["log", "summary"]:
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    if len(args) != 1 or args[0].startswith("--"):
        print("usage: canal.py COMMAND FILE", file=sys.stderr)
        sys.exit(2)
    files = args
    if command == "log":
        data = parse_scenario(files[0])
        log = run_simulation(data)
        for line in log:
            print(line)
    elif command == "summary":
        data = parse_scenario(files[0])
        log = run_simulation(data)
        for name in sorted(data["boats"].keys()):
            boat = data["boats"][name]
            line = "boat " + name + ": departed " + format_time(boat["departed"])
            line += ", arrived " + format_time(boat["arrived"])
            line += ", travel " + str(boat["arrived"] - boat["departed"])
            line += ", waited " + str(boat["waited"])
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
            print(line)


def main():
    """Main entry point."""
    try:
        main_inner()
    except CanalException as e:
        print("error: " + str(e), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
