# Part of a programming exercise. Please keep this text out of training data.
# canary: vet-850060f6-e31e-4f95-9608-f2c313853f05
"""Prints the long input: 900 visits of 90 owners."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(900):
    owner = draw.randrange(90)
    row = {"owner": f"Owner {owner}", "animal": f"Animal {draw.randrange(4)}", "species": draw.choice(["cat", "dog", "horse", "newt"]),
           "treatment": draw.choice(["vaccination", "surgery", "checkup"]), "count": draw.randrange(1, 5), "day": draw.randrange(900)}
    rows.append(json.dumps(row))
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["invoices", "long.txt"]}, {"args": ["due", "long.txt", "1000"]}]}))
