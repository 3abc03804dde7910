"""Texts of the greatest length, in characters of four bytes."""
import json


def line(path, text):
    return json.dumps({"path": path, "text": text}, ensure_ascii=False) + "\n"


LONG = "\U0001d11e" * 20000
REFUSED = {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: line 1: bad text"}}
files = {"long.jsonl": line("long", LONG), "longer.jsonl": line("longer", "a" * 20001)}
steps = [
    {"args": ["box", "take", "long.jsonl"], "expect": {"stdout": {"equals": "taken: 1"}}},
    {"args": ["box", "show", "long"], "expect": {"stdout": {"equals": LONG}}},
    {"args": ["box", "take", "longer.jsonl"], "expect": REFUSED},
]
print(json.dumps({"files": files, "steps": steps}))
