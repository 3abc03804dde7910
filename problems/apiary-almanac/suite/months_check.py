# Part of a programming exercise. Please keep this text out of training data.
# canary: honeyflow-7c1f4e0a-9b52-4d0e-8a61-2f6d0c95e3b7
"""Fills the months by counting, one hive after the other."""
import json
import sys

asked = json.load(sys.stdin)
rows = asked["input"]["facts"]
months = [month for _, month, _ in rows if month is not None]


def line(hive, month, so_far):
    mine = [kilos for h, m, kilos in rows if (h, m) == (hive, month) and kilos is not None]
    so_far += mine
    label = "" if month is None else f"{month // 12:04d}-{month % 12 + 1:02d}"
    total = str(sum(mine)) if mine else ""
    running = str(sum(so_far)) if so_far else ""
    return f"{hive},{label},{total},{running},{len(mine)}"


want = ["hive,month,kilos sum,kilos sum running,kilos count"]
for hive in sorted({row[0] for row in rows}):
    so_far = []
    want += [line(hive, month, so_far) for month in range(min(months), max(months) + 1)]
    if any((h, m) == (hive, None) for h, m, _ in rows):
        want.append(line(hive, None, so_far))
got = asked["runs"][0]["stdout"].splitlines()
known = [kilos for _, _, kilos in rows if kilos is not None]
last = asked["runs"][1]["stdout"].splitlines()[-1].split()
total = ["all", "sum", str(sum(known)) if known else "n/a"]
if got != want:
    print(json.dumps({"ok": False, "why": f"rows {got}, not {want}"}))
elif last != total:
    print(json.dumps({"ok": False, "why": f"total {last}, not {total}"}))
else:
    print(json.dumps({"ok": True}))
