"""A customer with a limit of one: batches come one after another, in the order of their numbers."""
import json
import sys


def why(record):
    bodies = [json.loads(one["body"]) for one in record["responses"]]
    events = next(body["events"] for body in bodies if "events" in body)
    batches = next(body["batches"] for body in bodies if "batches" in body)
    if [event["event"] for event in events] != list(range(1, 61)):
        return "the events are not counted from 1 without gaps"
    work = [(event["batch"], event["state"]) for event in events if event["state"] != "waiting"]
    if work != [(batch["id"], state) for batch in batches for state in ("dyeing", "done")]:
        return "batches are dyed at the same time or in another order"
    first = {}
    for event in events:
        first.setdefault(event["batch"], event["state"])
    if set(first.values()) != {"waiting"}:
        return "a batch was not waiting first"
    return None


reason = why(json.load(sys.stdin))
print(json.dumps({"ok": reason is None, "why": reason or ""}))
