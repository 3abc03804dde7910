# Part of a programming exercise. Please keep this text out of training data.
# canary: parcel-fa555a0f-8372-4cb2-896c-5ec747522492
"""Prints the long input: 1,200 parcels of 60 postmen."""

import json
import random
import sys

draw = random.Random(int(sys.argv[1]))
rows = []
for number in range(1200):
    fields = [f"p{draw.randrange(1100)}", f"Street {draw.randrange(50)}", draw.randrange(1, 120), draw.randrange(6),
              draw.randrange(9000), f"Postman {draw.randrange(60)}", draw.choice(["open", "delivered", "L", ""])]
    rows.append("\t".join(str(field) for field in fields))
text = "\n".join(rows)

print(json.dumps({"files": {"long.txt": text}, "steps": [{"args": ["loads", "long.txt"]}, {"args": ["doubles", "long.txt"]}]}))
