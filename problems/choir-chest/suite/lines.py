"""Lines at the limits of length and depth."""
import json

SHEET = '{"path": "a", "text": "x"'
NESTED = "[{" * 30
BUNDLES = [
    (SHEET + " " * (99999 - len(SHEET)) + "}", None),
    (SHEET + " " * (100000 - len(SHEET)) + "}\n", "line 1: too long"),
    ("\n" + "\u00f6" * 50001, "line 2: too long"),
    ("\u00f6" * 50000, "line 1: not a sheet"),
    ('{"path": "a", "text": ' + "[" * 20 + "]" * 20 + "}", "line 1: too deep"),
    ('{"path": "a", "text": ' + "[" * 19 + "]" * 19 + "}", "line 1: not a sheet"),
    (json.dumps({"path": "g", "text": NESTED + '"' + NESTED + "\\"}), None),
    ("[" + "[]," * 30 + "{}]", "line 1: not a sheet"),
    ('x"\\"' + "[" * 30 + '"' + "{" * 21, "line 1: too deep"),
    ('x"\\"' + "[" * 30 + '"' + "{" * 20, "line 1: not a sheet"),
]
files = {"b{}.jsonl".format(n): text for n, (text, _) in enumerate(BUNDLES)}
steps = []
for n, (_, fault) in enumerate(BUNDLES):
    expect = {"stdout": {"equals": "taken: 1"}}
    if fault:
        expect = {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: " + fault}}
    steps.append({"args": ["box", "take", "b{}.jsonl".format(n)], "expect": expect})
steps.append({"args": ["box", "list"], "expect": {"stdout": {"equals": "a\ng"}}})
print(json.dumps({"files": files, "steps": steps}))
