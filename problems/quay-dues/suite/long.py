# Part of a programming exercise. Please keep this text out of training data.
# canary: quay-d3679981-69cb-4aaf-9920-b94156f0b088
"""Prints the long input: 1,500 visits of 500 ships."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
kinds = ["F", "C", "T", "Y", "x", ""]
rows = []
for number in range(1500):
    start = draw.randrange(5000)
    fields = [f"v{number}", f"Ship {draw.randrange(500)}", draw.choice(kinds), draw.randrange(9, 200),
              draw.randrange(1, 400), start, start + draw.randrange(1, 40), draw.randrange(300)]
    rows.append(";".join(str(field) for field in fields))
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["summary", "long.txt"]}, {"args": ["clashes", "long.txt"]}]}))
