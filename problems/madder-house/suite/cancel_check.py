"""Each batch was dyed or cancelled, never both, and the logs and the grams show the same."""
import json
import sys

START = 1000
GRAMS = 7


def why(record):
    bodies = [json.loads(one["body"]) for one in record["responses"]]
    batches = next(body["batches"] for body in bodies if "batches" in body)
    logs = dict(zip(["north", "south"], (body["log"] for body in bodies if "log" in body)))
    left = next(body["grams"] for body in reversed(bodies) if body.get("id") == "weld")
    entries = next(body["entries"] for body in bodies if "entries" in body)
    states = {batch["id"]: batch["state"] for batch in batches}
    if len(states) != 30 or not set(states.values()) <= {"done", "cancelled"}:
        return "a batch is neither done nor cancelled"
    cancelled = [body["id"] for body in bodies if body.get("state") == "cancelled" and "vats" in body]
    if not {batch for batch, state in states.items() if state == "cancelled"} <= set(cancelled):
        return "a batch is cancelled, but no answer said so"
    if any(states[batch] != "cancelled" for batch in cancelled):
        return "an answer said that a batch was cancelled, but it is not"
    if left != START - GRAMS * list(states.values()).count("done"):
        return "the grams do not follow from the batches that are done"
    if entries[-1]["left"]["weld"] != left:
        return "the entries differ from the grams"
    for vat, log in logs.items():
        if fault := log_fault(log, vat, batches):
            return fault
    return None


def log_fault(log, vat, batches):
    states = {batch["id"]: batch["state"] for batch in batches if vat in batch["vats"]}
    pairs = list(zip(log[::2], log[1::2]))
    if len(log) % 2:
        return "a batch has begun in {} and does not end".format(vat)
    for begin, end in pairs:
        wanted = {"done": "ends", "cancelled": "stops"}[states[begin["batch"]]]
        if begin["event"] != "begins" or end != {"batch": begin["batch"], "event": wanted}:
            return "{} has two batches at the same time, or a wrong event".format(vat)
    numbers = [int(begin["batch"][1:]) for begin, _ in pairs]
    if numbers != sorted(set(numbers)):
        return "batches began in {} in another order than theirs".format(vat)
    missing = {batch for batch, state in states.items() if state == "done"} - {begin["batch"] for begin, _ in pairs}
    return "a batch is done that never began" if missing else None


reason = why(json.load(sys.stdin))
print(json.dumps({"ok": reason is None, "why": reason or ""}))
