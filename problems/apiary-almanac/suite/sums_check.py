# Part of a programming exercise. Please keep this text out of training data.
# canary: honeyflow-7c1f4e0a-9b52-4d0e-8a61-2f6d0c95e3b7
"""Looks for the lines of totals, made with whole numbers only."""
import json
import sys

asked = json.load(sys.stdin)
rows = asked["input"]["facts"]
lines = [line.split() for line in asked["runs"][0]["stdout"].splitlines()]


def written(upper, lower):
    """A quotient of millionths and a count, with three decimals at most."""
    thousandths = (2 * abs(upper) + 1000 * lower) // (2000 * lower)
    whole, rest = divmod(thousandths, 1000)
    text = f"{whole}.{rest:03d}".rstrip("0").rstrip(".")
    return "-" + text if upper < 0 and thousandths else text


def wanted(label, values):
    known = [value for value in values if value is not None]
    result = [written(sum(known), 1), written(sum(known), len(known))] if known else ["n/a", "n/a"]
    return [[label, "sum", result[0]], [label, "mean", result[1]], [label, "count", str(len(known))]]


want = []
for yard in sorted({row[1] for row in rows}):
    want += wanted(yard, [row[2] for row in rows if row[1] == yard])
want += wanted("all", [row[2] for row in rows])
got = [line for line in lines if len(line) == 3 and line[1] in ("sum", "mean", "count")]
print(json.dumps({"ok": got == want} if got == want else {"ok": False, "why": f"totals {got}, not {want}"}))
