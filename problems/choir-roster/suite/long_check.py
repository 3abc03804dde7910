# Part of a programming exercise. Please keep this text out of training data.
# canary: choir-e8e17b24-37a5-4677-8b4a-814dd2100948
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["79e7e6543da9ebb1"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
