# Part of a programming exercise. Please keep this text out of training data.
# canary: honeyflow-7c1f4e0a-9b52-4d0e-8a61-2f6d0c95e3b7
"""Records with many decimals, some missing, in a few groups."""
import json
import random
import sys

seed = int(sys.argv[1])
chance = random.Random(seed)
yards = ["Heath", "Brook", "Copse"][: 1 + seed % 3]
rows = []
for number in range(chance.randint(3, 30)):
    decimals = chance.randint(0, 6)
    millionths = chance.randint(-10 ** 8, 10 ** 9) // 10 ** (6 - decimals) * 10 ** (6 - decimals)
    if chance.random() < 0.2:
        millionths = None
    rows.append([f"N{number}", chance.choice(yards), millionths])


def written(millionths):
    if millionths is None:
        return ""
    whole, rest = divmod(abs(millionths), 10 ** 6)
    sign = "-" if millionths < 0 else ""
    return f"{sign}{whole}" + (f".{rest:06d}" if rest else "")


lines = ["kind,hive,yard,kilos"] + [f"crop,{h},{y},{written(m)}" for h, y, m in rows]
definition = "from crop\ncolumn hive\ncolumn kilos\ngroup yard\ntotal kilos sum\ntotal kilos mean\ntotal kilos count\n"
print(json.dumps({
    "files": {"d": definition, "r.csv": "\n".join(lines) + "\n"},
    "steps": [{"args": ["print", "d", "r.csv"]}],
    "facts": rows,
}))
