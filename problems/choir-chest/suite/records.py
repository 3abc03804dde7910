"""Records that are too deep or too long, and some that are just right."""
import json

RECORDS = [
    ('{"v": ' + "[" * 20000 + "]" * 20000 + "}", None),
    ("[" * 60000, None),
    ('{"v": "' + "a" * 99992 + '"}', None),
    ('{"v": "' + "a" * 99991 + '"}', "[" + "a" * 99991 + "]"),
    (json.dumps({"v": "[" * 500}), "[" + "[" * 500 + "]"),
]
files = {"r{}.json".format(n): text for n, (text, _) in enumerate(RECORDS)}
files["one.jsonl"] = json.dumps({"path": "one", "text": "[{{v}}]"})
steps = [{"args": ["box", "take", "one.jsonl"], "expect": {"stdout": {"equals": "taken: 1"}}}]
for n, (_, filled) in enumerate(RECORDS):
    expect = {"stdout": {"equals": filled}}
    if filled is None:
        expect = {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: not a record"}}
    steps.append({"args": ["box", "fill", "one", "r{}.json".format(n), "plain"], "expect": expect})
print(json.dumps({"files": files, "steps": steps}))
