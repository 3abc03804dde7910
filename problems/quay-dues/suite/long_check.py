# Part of a programming exercise. Please keep this text out of training data.
# canary: quay-d3679981-69cb-4aaf-9920-b94156f0b088
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["e1ef5745fd61b88e", "3461b5ee931a5db7"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
