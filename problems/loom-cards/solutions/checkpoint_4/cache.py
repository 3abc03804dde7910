"""What was woven anywhere, kept for all folders that name the same cache."""

import json

from tree import digest

INDEX = "index.json"
ROOM = 4000


class NoCache:
    def fetch(self, _recipe, _holds):
        return None

    def put(self, _path, _recipe, _found, _output):
        pass


class Cache:
    """Entries are ordered by use; the first is the next to go."""

    def __init__(self, tree, room=ROOM):
        self.tree = tree
        self.room = room
        self.entries = json.loads(tree.read(INDEX) or b"[]")

    def fetch(self, recipe, holds):
        """What was found for a recipe, and its output; `holds` says whether a path has a content."""
        wanted = without_paths(recipe)
        for entry in [entry for entry in self.entries if entry["recipe"] == wanted]:
            if all(holds(path, old) for path, old in entry["found"]) and entry in self.entries:
                self.use(entry)
                return entry["found"], self.tree.read(place(entry["output"]))
        return None

    def use(self, entry):
        self.entries.remove(entry)
        self.entries.append(entry)
        self.save()

    def put(self, path, recipe, found, output):
        if len(output) > self.room:
            return
        entry = {"path": path, "recipe": without_paths(recipe), "found": found,
                 "size": len(output), "output": digest(output)}
        self.tree.write(place(entry["output"]), output)
        self.entries.append(entry)
        while self.size() > self.room:
            self.drop(self.entries.pop(0))
        self.save()

    def drop(self, entry):
        if entry["output"] not in [other["output"] for other in self.entries]:
            self.tree.remove(place(entry["output"]))

    def size(self):
        return sum(entry["size"] for entry in self.entries)

    def save(self):
        self.tree.write(INDEX, json.dumps(self.entries, sort_keys=True).encode())


def without_paths(recipe):
    return {"threads": [content for _, content in recipe["threads"]], "actions": recipe["actions"]}


def place(output):
    return "texts/" + output
