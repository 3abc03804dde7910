"""Right seals in lines that are too long, and last lines that are too deep."""
import hashlib
import hmac
import json

KEY = "union"
SHEET = json.dumps({"path": "a", "text": "x"}) + "\n"
SEAL = '{"seal": "' + hmac.new(KEY.encode(), SHEET.encode(), hashlib.sha256).hexdigest() + '"'
LINES = [
    (SEAL + " " * (99999 - len(SEAL)) + "}", True),
    (SEAL + " " * (100000 - len(SEAL)) + "}", False),
    ("[" * 50000, False),
    ('{"seal": ' + "[" * 30000 + "]" * 30000 + "}", False),
]
files = {"b{}.jsonl".format(n): SHEET + line for n, (line, _) in enumerate(LINES)}
steps = []
for n, (_, is_right) in enumerate(LINES):
    expect = {"stdout": {"equals": "taken: 1"}}
    if not is_right:
        expect = {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: no seal"}}
    steps.append({"args": ["box", "take", "b{}.jsonl".format(n)], "env": {"CHEST_KEY": KEY}, "expect": expect})
print(json.dumps({"files": files, "steps": steps}))
