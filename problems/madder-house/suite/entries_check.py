"""The entries explain the grams of all dyes, and each answer shows its own entry."""
import json
import sys

START = {"a": 60, "b": 50, "c": 0}


def why(record):
    *answers, entries, dyes = [(one["status"], json.loads(one["body"])) for one in record["responses"]][3:]
    entries, dyes = entries[1]["entries"], dyes[1]["dyes"]
    grams = dict(START)
    for number, entry in enumerate(entries, 1):
        if entry["entry"] != number:
            return "entry {} has number {}".format(number, entry["entry"])
        for dye, change in entry["changes"].items():
            grams[dye] += change
            if grams[dye] < 0:
                return "entry {} takes more of {} than there is".format(number, dye)
        if entry["left"] != {dye: grams[dye] for dye in entry["changes"]}:
            return "entry {} does not follow from those before".format(number)
    if {dye["id"]: dye["grams"] for dye in dyes} != grams:
        return "the dyes differ from their entries"
    done = sorted((body for status, body in answers if status == 200), key=lambda body: body["entry"])
    if done != entries:
        return "the answers differ from the entries"
    refused = [body for status, body in answers if status != 200]
    if any(body.get("fault") != "short" for body in refused):
        return "a request was refused for another reason than short"
    return None


reason = why(json.load(sys.stdin))
print(json.dumps({"ok": reason is None, "why": reason or ""}))
