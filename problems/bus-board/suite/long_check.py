# Part of a programming exercise. Please keep this text out of training data.
# canary: bus-9ecd6607-e092-454b-8f71-8532234eeaa9
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["5732e0cbeef7dcbd", "885da9f3ed9592b8"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
