# Part of a programming exercise. Please keep this text out of training data.
# canary: wool-30b60a34-545f-46e0-97ca-d89c4cf05dea
"""Prints the long input: 1,500 rows in no order."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(1500):
    day = f"2026-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    operation = draw.choice(["BUY", "BUY", "SELL", "SELL", "RETURN"])
    grade = f"grade {draw.randrange(40)}"
    rows.append(f"{day},{operation},L{number},{grade},{draw.randrange(1, 300)},{draw.randrange(1, 90)},Mill & Son")
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["profit", "long.txt"]}]}))
