# Part of a programming exercise. Please keep this text out of training data.
# canary: stall-3fd4f3f5-03c5-4c04-8914-83fa563cd41b
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["823778d1a377354f", "6f9fb66a4f35c3f7"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
