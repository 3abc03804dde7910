"""Weaves the cloths that are not as they would be woven now."""

import actions
from tree import digest


class Builder:
    def __init__(self, tree, memory, say):
        self.tree = tree
        self.memory = memory
        self.say = say
        self.counts = {"woven": 0, "kept": 0}

    def build(self, cloths):
        for cloth in cloths:
            self.bring_up(cloth)
        self.say(", ".join("%d %s" % (n, word) for word, n in self.counts.items()))

    def bring_up(self, cloth):
        texts = [self.tree.read(thread) for thread in cloth.threads]
        recipe = {"threads": [[thread, digest(text)] for thread, text in zip(cloth.threads, texts)],
                  "actions": cloth.actions}
        if self.is_current(cloth.path, recipe):
            self.note("kept", cloth.path)
        else:
            self.weave(cloth, b"".join(texts), recipe)

    def is_current(self, path, recipe):
        record = self.memory.get(path)
        if record is None or record["recipe"] != recipe:
            return False
        output = self.tree.read(path)
        return output is not None and digest(output) == record["output"]

    def weave(self, cloth, text, recipe):
        output = actions.run(cloth.actions, text)
        self.tree.write(cloth.path, output)
        self.memory.put(cloth.path, {"recipe": recipe, "output": digest(output)})
        self.note("woven", cloth.path)

    def note(self, word, path):
        self.counts[word] += 1
        self.say("%s %s" % (word, path))
