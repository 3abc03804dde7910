"""Walks with one cloth in two folders and one cache: prints files and steps for a seed.

The cache is modelled here by itself, as a list of texts with the time of their last use.
"""
import json
import random
import sys

CARD = "let n none\ncloth %s\n  do title {n}\n"
NAMES = {"w1": "x", "w2": "far/y"}


class Model:
    def __init__(self):
        self.clock = 0
        self.entries = {}                    # text: [last use, path it was woven for]
        self.there = {}                      # folder: text that is there

    def build(self, folder, text, room):
        """The line that is printed, and what it counts as."""
        self.clock += 1
        if self.there.get(folder) == text:
            return "kept"
        self.there[folder] = text
        if text in self.entries:
            self.entries[text][0] = self.clock
            return "fetched"
        if len(text) + 1 <= room:
            self.entries[text] = [self.clock, NAMES[folder]]
            while sum(len(each) + 1 for each in self.entries) > room:
                del self.entries[min(self.entries, key=lambda each: self.entries[each][0])]
        return "woven"

    def listing(self):
        order = sorted(self.entries, key=lambda each: self.entries[each][0])
        lines = ["%d %s" % (len(each) + 1, self.entries[each][1]) for each in order]
        total = sum(len(each) + 1 for each in order)
        return "\n".join(lines + ["%d entries, %d bytes" % (len(order), total)]) + "\n"


def summed(word):
    counts = {"woven": 0, "kept": 0, "fetched": 0, word: 1}
    return "%(woven)d woven, %(kept)d kept" % counts + (", 1 fetched" if word == "fetched" else "")


def main(seed):
    draw = random.Random("caches %d" % seed)
    model, steps = Model(), []
    texts = [letter * draw.randint(1, 9) for letter in "abcdefg"]
    for _ in range(14):
        folder, text, room = draw.choice("w1 w2".split()), draw.choice(texts), draw.choice([8, 16, 24, 24])
        word = model.build(folder, text, room)
        args = ["build", "--room", str(room), "--in", folder, "--cache", "store", "--set", "n=" + text]
        lines = "%s %s\n%s\n" % (word, NAMES[folder], summed(word))
        steps.append({"args": args, "expect": {"stdout": {"equals": lines}}})
    steps.append({"args": ["cache", "store"], "expect": {"stdout": {"equals": model.listing()}}})
    files = {folder + "/main.card": CARD % name for folder, name in NAMES.items()}
    print(json.dumps({"files": files, "steps": steps}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
