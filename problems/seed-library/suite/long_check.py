# Part of a programming exercise. Please keep this text out of training data.
# canary: seed-0379d8c3-3f9a-405d-a9c9-7b96238f64a6
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["f9728dc4b3ad01f7", "c34153cf4bf26c40"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
