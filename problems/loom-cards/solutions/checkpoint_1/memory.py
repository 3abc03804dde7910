"""What is remembered of the cloths that were woven."""

import json

PLACE = ".loom/memory.json"


class Memory:
    def __init__(self, tree):
        self.tree = tree
        self.woven = json.loads(tree.read(PLACE) or b"{}")

    def get(self, path):
        return self.woven.get(path)

    def put(self, path, record):
        self.woven[path] = record
        self.tree.write(PLACE, json.dumps(self.woven, sort_keys=True).encode())
