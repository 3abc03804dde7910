"""Bundles at the limits: 500 sheets, and 1000000 bytes of text, some of it packed."""
import base64
import gzip
import json


def line(path, text, packed=False):
    if packed:
        text = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return json.dumps({"path": path, "gzip" if packed else "text": text}, ensure_ascii=False) + "\n"


many = ["\n"] + [line("s{}".format(n), "") for n in range(500)]
full = [line("t{}".format(n), "\u00f6" * 10000, n % 2 == 0) for n in range(50)]
clash = line("s3", "") + line("T7/x", "")
files = {
    "many.jsonl": "".join(many), "more.jsonl": "".join(many) + line("x", ""), "again.jsonl": "".join(many) + line("s3", ""),
    "full.jsonl": "".join(full), "over.jsonl": "".join(full) + line("x", "") + line("y", "a"),
    "over-two.jsonl": "".join(full[:49]) + line("x", "a" * 19999) + line("y", "\u00f6"),
    "path.jsonl": "".join(full) + line("..", "a"), "other.jsonl": "".join(many) + line("s7/x", "") + line("z", ""),
}
EXPECTED = {
    "more.jsonl": "line 502: too many", "again.jsonl": "line 502: repeated", "over.jsonl": "line 52: bundle too large",
    "over-two.jsonl": "line 51: bundle too large", "path.jsonl": "line 51: bad path", "other.jsonl": "line 502: clash",
}
steps = [{"args": ["box", "take", name], "expect": {"exit": 1, "stdout": {"equals": ""}, "stderr": {"equals": "refused: " + fault}}}
         for name, fault in EXPECTED.items()]
steps += [{"args": ["box", "list"], "expect": {"stdout": {"equals": ""}}},
          {"args": ["box", "take", "many.jsonl"], "expect": {"stdout": {"equals": "taken: 500"}}},
          {"args": ["box", "take", "full.jsonl"], "expect": {"stdout": {"equals": "taken: 50"}}}]
print(json.dumps({"files": files, "steps": steps}))
