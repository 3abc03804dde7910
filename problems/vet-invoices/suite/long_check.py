# Part of a programming exercise. Please keep this text out of training data.
# canary: vet-850060f6-e31e-4f95-9608-f2c313853f05
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["511a990ce71803fc", "99f801f0a30b8cce"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
