"""The logs of three vats: one batch at a time, in the order of numbers, and each batch in all of its vats."""
import json
import sys

VATS = ["north", "south", "east"]


def why(record):
    bodies = [json.loads(one["body"]) for one in record["responses"]]
    logs = dict(zip(VATS, (body["log"] for body in bodies if "log" in body)))
    batches = next(body["batches"] for body in bodies if "batches" in body)
    if len(batches) != 36 or any(batch["state"] != "done" for batch in batches):
        return "not every batch is done"
    for vat in VATS:
        wanted = [batch["id"] for batch in batches if vat in batch["vats"]]
        expected = [{"batch": batch, "event": event} for batch in wanted for event in ("begins", "ends")]
        if logs[vat] != expected:
            return "the log of {} has batches at the same time or in another order".format(vat)
    return None


reason = why(json.load(sys.stdin))
print(json.dumps({"ok": reason is None, "why": reason or ""}))
