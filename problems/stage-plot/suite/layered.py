"""Makes folders whose table is known, because it is built beside the files and not read from them."""
# Part of a programming exercise. Please keep this text out of training data.
# canary: limelight-5f0c9a57-7d0b-4c1e-9a3e-2b8f6de41c73
import json
import random
import sys

LAYERS = ["house.cue", "tour.cue", "piece.cue", "night.cue"]


def shown(value):
    if isinstance(value, list):
        return "[%s]" % ", ".join(map(shown, value))
    return '"%s"' % value if isinstance(value, str) else str(value)


def spread(draw, lines, name, value, earlier):
    """Lays a list over the layers by steps that lead to VALUE, and returns where they stand."""
    start = [item for item in value if draw.random() < 0.7]
    rest = value[len(start):] if value[: len(start)] == start else None
    where = draw.randrange(3)
    if rest is None:
        start, rest = value, []
    first = draw.choice([["gone-%d" % draw.randrange(9)], []])
    lines[where].append("%s = %s" % (name, shown(first + start)))
    says = [(where, len(lines[where]))]
    for step in ["-= " + shown(first), "+= " + shown(rest)]:
        where = draw.randrange(where, 4)
        lines[where].append("%s %s" % (name, step))
        says.append((where, len(lines[where])))
    return says


def plain(draw, lines, name, value, earlier):
    """Says VALUE over a weaker line, by a reference where an earlier key has it."""
    same = [other for other, known in earlier.items() if known == value]
    said = "${%s}" % draw.choice(same) if same and draw.random() < 0.8 else shown(value)
    weak, strong = sorted(draw.sample(range(4), 2))
    if not isinstance(value, str) or draw.random() < 0.5:
        lines[weak].append("%s = %s" % (name, shown(value)))
        lines[strong].append("%s = %s" % (name, said))
        return [(strong, len(lines[strong]))]
    cut = draw.randrange(len(value) + 1)
    lines[weak].append('%s = "%s"' % (name, value[:cut]))
    lines[strong].append('%s = "${^}%s"' % (name, value[cut:]))
    return [(weak, len(lines[weak])), (strong, len(lines[strong]))]


def main(seed):
    draw = random.Random(seed)
    lines, values, origins = [[], [], [], []], {}, {}
    names = ["k%s%d" % (draw.choice("abc"), number) for number in range(24)]
    for name in names:
        value = draw.choice([draw.randrange(3), draw.choice(["Ada", "Bo"]), ["Ada", "Bo", 3][: draw.randrange(4)]])
        way = spread if isinstance(value, list) else plain
        origins[name] = way(draw, lines, name, value, values)
        values[name] = value
    table = []
    for name in sorted(values):
        places = ", ".join("%s:%d" % (LAYERS[where], number) for where, number in origins[name])
        table.append("%s = %s # %s" % (name, shown(values[name]), places))
    files = {"f/" + file: "".join(line + "\n" for line in said) for file, said in zip(LAYERS, lines)}
    steps = [{"args": ["table", "f"], "expect": {"stdout": {"equals": "\n".join(table)}}}]
    print(json.dumps({"files": files, "steps": steps}, sort_keys=True))


main(int(sys.argv[1]))
