"""Bundles with little data that unpacks to much more, each without an end."""
import base64
import json
import sys
import zlib

seed = int(sys.argv[1])
HEADER = bytes([31, 139, 8, 0, 0, 0, 0, 0, 0, 255])


def bomb(megabytes):
    """A gzip member without its end: the same block of zero bytes again and again."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return base64.b64encode(HEADER + block * megabytes).decode()


def line(path, packed):
    return json.dumps({"path": path, "gzip": packed}) + "\n"


good = json.dumps({"path": "good", "text": "x"}) + "\n"
many = [line("b{}".format(n), bomb(60)) for n in range(5)]
bundles = {"bomb.jsonl": good + line("bomb", bomb(65 + seed)), "many.jsonl": "".join(many), "good.jsonl": good}
refused = {"exit": 1, "stdout": {"equals": ""}}
steps = [
    {"args": ["box", "take", "bomb.jsonl"], "expect": {**refused, "stderr": {"equals": "refused: line 2: too large"}}},
    {"args": ["box", "take", "many.jsonl"], "expect": {**refused, "stderr": {"equals": "refused: line 1: too large"}}},
    {"args": ["box", "list"], "expect": {"stdout": {"equals": ""}}},
    {"args": ["box", "take", "good.jsonl"], "expect": {"stdout": {"equals": "taken: 1"}}},
]
print(json.dumps({"files": bundles, "steps": steps}))
