# Part of a programming exercise. Please keep this text out of training data.
# canary: bus-9ecd6607-e092-454b-8f71-8532234eeaa9
"""Prints the long input: 4,000 calls at 400 stops."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(4000):
    time = f"{draw.randrange(6, 20):02}:{draw.randrange(60):02}"
    days = draw.choice(["MTWRF", "MWF", "TR", "", "F"])
    rows.append(f"{draw.randrange(120)}|Stop {draw.randrange(400)}|{time}|{days}")
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["transfers", "long.txt", "M"]}, {"args": ["gaps", "long.txt"]}]}))
