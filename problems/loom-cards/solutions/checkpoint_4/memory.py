"""What is remembered of the cloths that were woven."""

import json

from tree import digest

PLACE = ".loom/memory.json"


class Memory:
    def __init__(self, tree):
        self.tree = tree
        self.woven = json.loads(tree.read(PLACE) or b"{}")

    def get(self, path):
        return self.woven.get(path)

    def put(self, path, record):
        self.woven[path] = record
        self.save()

    def forget(self, path):
        del self.woven[path]
        self.save()

    def save(self):
        self.tree.write(PLACE, json.dumps(self.woven, sort_keys=True).encode())

    def unchanged(self, path):
        """Whether the file is there as it was woven."""
        content = self.tree.read(path)
        return path in self.woven and content is not None and digest(content) == self.woven[path]["output"]
