# Part of a programming exercise. Please keep this text out of training data.
# canary: honeyflow-7c1f4e0a-9b52-4d0e-8a61-2f6d0c95e3b7
"""Records with dates in some months of a few years, for two hives."""
import json
import random
import sys

seed = int(sys.argv[1])
chance = random.Random(seed + 100)
rows = []
for _ in range(chance.randint(2, 25)):
    month = chance.randint(0, 40) + 2022 * 12
    rows.append([chance.choice(["P1", "P2"]), month, chance.choice([None, chance.randint(-900, 900)])])
if seed % 2:
    rows.append(["P1", None, 5])
lines = []
for hive, month, kilos in rows:
    day = "" if month is None else f"{month // 12:04d}-{month % 12 + 1:02d}-{chance.randint(1, 28):02d}"
    lines.append(f"crop,{hive},{day},{'' if kilos is None else kilos}")
definition = """from crop
period month = month of day
row hive
row month filled
column hive
column month
column kilos sum
column kilos sum running
column kilos count
total kilos sum
"""
print(json.dumps({
    "files": {"d": definition, "r.csv": "\n".join(["kind,hive,day,kilos"] + lines) + "\n"},
    "steps": [{"args": ["print", "--form", "csv", "d", "r.csv"]}, {"args": ["print", "d", "r.csv"]}],
    "facts": rows,
}))
