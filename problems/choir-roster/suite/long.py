# Part of a programming exercise. Please keep this text out of training data.
# canary: choir-e8e17b24-37a5-4677-8b4a-814dd2100948
"""Prints the long input: 90 singers and 78 rehearsals."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
names = [f"Singer {number}" for number in range(90)]
singers = [{"name": name, "part": draw.choice("SATBX"), "since": f"2026-{draw.randrange(1, 6):02}-01"} for name in names]
rehearsals = []
for number in range(78):
    present = draw.sample(names, draw.randrange(20, 60))
    rehearsals.append({"date": f"2026-{number // 7 + 1:02}-{number % 7 + 10}", "present": present, "late": present[:3]})
text = json.dumps({"singers": singers, "rehearsals": rehearsals})

print(json.dumps({"files": {"long.json": text}, "steps": [{"args": ["parts", "long.json"]}]}))
