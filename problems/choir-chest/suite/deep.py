"""Lines with more open brackets than any parser that calls itself can stand."""
import json


def bundle(line):
    return json.dumps({"path": "good", "text": "x"}) + "\n" + line + "\n"


FAULTS = [
    ('{"path": "a", "text": ' + "[" * 40000 + "]" * 40000 + "}", "too deep"),
    ("[" * 90000, "too deep"),
    ('{"a":' * 15000 + "1" + "}" * 15000, "too deep"),
    ('[{"a":' * 15000, "too deep"),
    ("]" * 50000, "not a sheet"),
    ('{"path": "a", "text": "' + "[" * 90000, "not a sheet"),
]
files = {"f{}.jsonl".format(n): bundle(line) for n, (line, _) in enumerate(FAULTS)}
steps = [{"args": ["box", "take", "f{}.jsonl".format(n)],
          "expect": {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: line 2: " + fault}}}
         for n, (_, fault) in enumerate(FAULTS)]
files["fine.jsonl"] = json.dumps({"path": "deep", "text": "[" * 9000}) + "\n"
steps.append({"args": ["box", "take", "fine.jsonl"], "expect": {"stdout": {"equals": "taken: 1"}}})
steps.append({"args": ["box", "list"], "expect": {"stdout": {"equals": "deep"}}})
print(json.dumps({"files": files, "steps": steps}))
