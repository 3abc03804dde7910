"""After closing: no batch works, the one answer counts all of them, and the grams follow from those done."""
import json
import sys


def why(record):
    answers = [(one["status"], json.loads(one["body"])) for one in record["responses"]]
    bodies = [body for _, body in answers]
    batches = next(body["batches"] for body in bodies if isinstance(body.get("batches"), list))
    counts = next(body["batches"] for body in bodies if isinstance(body.get("batches"), dict))
    left = next(body["grams"] for body in reversed(bodies) if body.get("id") == "weld")
    states = [batch["state"] for batch in batches]
    if counts != {state: states.count(state) for state in ("done", "failed", "cancelled", "expired")}:
        return "the answer to closing does not count the batches"
    if len(states) != sum(counts.values()) or len(states) != [status for status, _ in answers].count(202):
        return "a batch was ordered that is not settled, or was lost"
    if left != 200 - 2 * counts["done"]:
        return "the grams do not follow from the batches that are done"
    return None


reason = why(json.load(sys.stdin))
print(json.dumps({"ok": reason is None, "why": reason or ""}))
