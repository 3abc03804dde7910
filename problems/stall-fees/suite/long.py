# Part of a programming exercise. Please keep this text out of training data.
# canary: stall-3fd4f3f5-03c5-4c04-8914-83fa563cd41b
"""Prints the long input: 1,500 rows of 250 traders."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(1500):
    row = {"trader": f"Trader {draw.randrange(250)}", "kind": draw.choice(["food", "craft", "plants", "charity", "books"]),
           "metres": draw.randrange(1, 9), "power": draw.random() < 0.5, "day": draw.choice(["mon", "sat", "sun"]),
           "date": f"2026-07-{draw.randrange(1, 31):02}", "place": draw.randrange(1, 90), "goods": [f"good {draw.randrange(30)}"]}
    rows.append(json.dumps(row))
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["fees", "long.txt"]}, {"args": ["clashes", "long.txt"]}]}))
