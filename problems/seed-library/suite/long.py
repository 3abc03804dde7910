# Part of a programming exercise. Please keep this text out of training data.
# canary: seed-0379d8c3-3f9a-405d-a9c9-7b96238f64a6
"""Prints the long input: 2,500 events of 400 members."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(2500):
    operation = draw.choice(["lend", "lend", "return", "gift", "lost"])
    seed = f"; seed=Seed {draw.randrange(90)}" if draw.random() < 0.9 else ""
    member = f"; member=Member {draw.randrange(400)}"
    rows.append(f"op={operation}{member}{seed}; packets={draw.randrange(1, 9)}; day={draw.randrange(300)}")
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["members", "long.txt"]}, {"args": ["overdue", "long.txt", "250"]}]}))
