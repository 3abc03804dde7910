# Part of a programming exercise. Please keep this text out of training data.
# canary: wool-30b60a34-545f-46e0-97ca-d89c4cf05dea
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["b7761f603b01c358"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
