"""Random cards that change from build to build: prints files and steps for a seed.

What is printed is worked out by a model of its own: it holds no digests, but for each cloth all that
went into it when it was last woven, and the cache is a list of the same.
"""
import json
import random
import sys

FILES = ["s%d" % n for n in range(3)]
ALWAYS = 6


class Model:
    """The folder: files, the card as {path: (threads, actions)}, and what is remembered."""

    def __init__(self):
        self.files, self.card, self.woven, self.cache = {}, {}, {}, []

    def build(self, targets):
        self.seen, self.lines = {}, []
        for path in targets or self.card:
            self.text(path)
        if not targets:
            for path in sorted(set(self.woven) - set(self.card)):
                as_woven = self.files[path] == self.woven.pop(path)[4]
                self.lines.append(("removed " if as_woven else "left ") + path)
                if as_woven:
                    del self.files[path]
        counts = [(w, sum(line.startswith(w + " ") for line in self.lines))
                  for w in ("woven", "kept", "fetched", "removed")]
        return self.lines + [", ".join("%d %s" % (n, w) for w, n in counts if n or w in ("woven", "kept"))]

    def text(self, path):
        if path not in self.card:
            return self.files[path]
        if path not in self.seen:
            threads, actions = self.card[path]
            parts = [self.text(thread) for thread in threads]
            word = self.renew(path, threads, actions, parts)
            self.lines.append(word + " " + path)
            self.seen[path] = self.files[path]
        return self.files[path]

    def renew(self, path, threads, actions, parts):
        old = self.woven.get(path)
        if old and old[:3] == (threads, actions, parts) and self.still(old[3]) and self.files[path] == old[4]:
            return "kept"
        for entry in list(self.cache):
            if entry[:2] == (actions, parts) and self.still(entry[2]):
                self.remember(path, (threads, actions, parts) + entry[2:])
                return "fetched"
        found, text = [], "".join(parts)
        for action in actions:
            text = self.done(action, text, found)
        self.remember(path, (threads, actions, parts, found, text))
        self.cache.append((actions, parts, found, text))
        return "woven"

    def still(self, found):
        return all((path in self.card or path in self.files) and self.text(path) == text for path, text in found)

    def remember(self, path, record):
        self.woven[path] = record
        self.files[path] = record[4]

    def done(self, action, text, found):
        if action == "upper":
            return text.upper()
        lines = text.split("\n")[:-1]
        if action == "first 2":
            return "".join(line + "\n" for line in lines[:2])
        out = ""
        for line in lines:
            if line.startswith("@"):
                found.append((line[1:], self.text(line[1:])))
                out += found[-1][1]
            else:
                out += line + "\n"
        return out


def some_page(draw, number):
    """Lines for a cloth of this number, which may find files, and cloths before it."""
    near = FILES + ["c%d" % n for n in range(min(number, ALWAYS))]
    lines = [draw.choice(["one", "two", "@" + draw.choice(near), "@" + near[-1]]) for _ in range(draw.randint(1, 3))]
    return "".join(line + "\n" for line in lines)


def some_card(draw):
    """Cloths c0 to c7, the last two not always; each needs only files, its page, and cloths before it."""
    numbers = [n for n in range(8) if n < ALWAYS or draw.random() < 0.5]
    return {"c%d" % n: some_cloth(draw, n) for n in draw.sample(numbers, len(numbers))}


def some_cloth(draw, number):
    near = FILES + ["c%d" % n for n in range(min(number, ALWAYS))] + ["p%d" % number] * 3
    threads = draw.sample(near, draw.randint(1, 2))
    if any(thread[0] == "p" for thread in threads):
        return threads, ["unfold"] + draw.sample(["first 2", "upper"], draw.randint(0, 1))
    return threads, draw.sample(["first 2", "upper"], draw.randint(1, 2))


def written(card):
    return "".join("cloth %s\n from %s\n%s" % (path, " ".join(threads), "".join(" do %s\n" % a for a in actions))
                   for path, (threads, actions) in card.items())


def change(draw, model):
    """Changes one file, or the card; returns what is to be written."""
    kind = draw.choice(["source", "source", "page", "card", "hand"])
    if kind == "card":
        model.card = some_card(draw)
        return {"main.card": written(model.card)}
    made = sorted(set(model.woven) & set(model.card))
    if kind == "hand" and made:
        path, text = draw.choice(made), "by hand\n"
    elif kind == "page":
        number = draw.randrange(8)
        path, text = "p%d" % number, some_page(draw, number)
    else:
        path, text = draw.choice(FILES), draw.choice(["one\n", "two\n", "one\ntwo\nthree\n"])
    model.files[path] = text
    return {path: text}


def main(seed):
    draw = random.Random("walks %d" % seed)
    model = Model()
    model.files = {path: "text of %s\n" % path for path in FILES}
    model.card = some_card(draw)
    model.files.update({"p%d" % n: some_page(draw, n) for n in range(8)})
    files, steps, written_now = {**model.files, "main.card": written(model.card)}, [], {}
    for n in range(9):
        targets = draw.sample(sorted(model.card), 2) if draw.random() < 0.4 else []
        lines = "\n".join(model.build(targets)) + "\n"
        expect = {"stdout": {"equals": lines}}
        if not targets:
            expect["files"] = {path: {"text": {"equals": model.files[path]}} for path in model.card}
        if n % 3 == 2:
            steps.append({**written_now, "args": ["build", "--dry", "--cache", ".store"] + targets,
                          "expect": {"stdout": {"equals": lines}}})
            written_now = {}
        steps.append({**written_now, "args": ["build", "--cache", ".store"] + targets, "expect": expect})
        written_now = {"write": change(draw, model)}
    print(json.dumps({"files": files, "steps": steps}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
