# Part of a programming exercise. Please keep this text out of training data.
# canary: parcel-fa555a0f-8372-4cb2-896c-5ec747522492
"""Compares the output on the long input with that of the old program, by its hash."""

import hashlib
import json
import sys

EXPECTED = ["e8f109c35647353e", "62779e6048cbff6b"]

found = [hashlib.sha256(run["stdout"].encode()).hexdigest()[:16] for run in json.load(sys.stdin)["runs"]]
print(json.dumps({"ok": found == EXPECTED, "why": "the output on the long input differs from that of the old program"}))
