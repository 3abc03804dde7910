import json
import sys

LINES = []
PRICES = {}
TEXT = ""
BAD = 0


def load(path):
    global LINES, BAD
    f = open(path, encoding="utf-8")
    for l in f.readlines():
        l = l.strip()
        if l == "":
            continue
        LINES.append(l)
    f.close()


def get(line, key):
    try:
        d = json.loads(line)
    except Exception:
        return None
    if d is None:
        return None
    if not isinstance(d, dict):
        return None
    if key not in d:
        return None
    if d[key] == "":
        return None
    return d[key]


def invoices():
    global TEXT, BAD
    owners = []
    for l in LINES:
        o = get(l, "owner")
        if o is None:
            if get(l, "price") is None and get(l, "treatment") is None:
                BAD = BAD + 1
                continue
            o = "unknown"
        if o not in owners:
            owners.append(o)
    owners.sort()
    grand = 0
    for o in owners:
        total = 0
        animals = []
        lines = []
        for l in LINES:
            w = get(l, "owner")
            if w is None:
                if get(l, "price") is None and get(l, "treatment") is None:
                    continue
                w = "unknown"
            if w == o:
                a = get(l, "animal")
                if a is None:
                    a = "-"
                if a not in animals:
                    animals.append(a)
                t = get(l, "treatment")
                s = get(l, "species")
                p = get(l, "price")
                n = get(l, "count")
                if n is None:
                    n = 1
                elif type(n) != int:
                    n = 1
                elif n < 0:
                    n = 0
                if s == "cat":
                    if p is None or type(p) != int:
                        p = 3000
                    if t == "vaccination":
                        p = p - p // 10
                    if t == "surgery":
                        p = p + 1500
                    if t == "checkup" and n > 2:
                        p = p - p // 5
                    amount = p * n
                elif s == "dog":
                    if p is None or type(p) != int:
                        p = 3500
                    if t == "vaccination":
                        p = p - p // 10
                    if t == "surgery":
                        p = p + 2500
                    if t == "checkup" and n > 2:
                        p = p - p // 5
                    amount = p * n
                elif s == "horse":
                    if p is None or type(p) != int:
                        p = 9000
                    if t == "vaccination":
                        p = p - p // 20
                    if t == "surgery":
                        p = p + 20000
                    amount = p * n
                else:
                    if p is None or type(p) != int:
                        p = 2000
                    if t == "surgery":
                        p = p + 1000
                    amount = p * n
                if t is None:
                    t = "treatment"
                total = total + amount
                c = str(amount % 100)
                if len(c) == 1:
                    c = "0" + c
                lines.append("  " + str(a) + ": " + str(n) + " x " + str(t) + " " + str(amount // 100) + "." + c)
        animals.sort()
        if len(animals) > 2:
            total = total - total // 20
        c = str(total % 100)
        if len(c) == 1:
            c = "0" + c
        TEXT = TEXT + str(o) + " (" + ", ".join(animals) + "): " + str(total // 100) + "." + c + "\n"
        for x in lines:
            TEXT = TEXT + x + "\n"
        grand = grand + total
    c = str(grand % 100)
    if len(c) == 1:
        c = "0" + c
    TEXT = TEXT + "all: " + str(grand // 100) + "." + c + "\n"
    if BAD > 0:
        TEXT = TEXT + "unusable: " + str(BAD) + "\n"


def due(day):
    global TEXT
    try:
        day = int(day)
    except ValueError:
        sys.stderr.write("not a day: " + day + "\n")
        sys.exit(2)
    found = []
    for i in range(0, len(LINES)):
        l = LINES[i]
        if get(l, "treatment") == "vaccination":
            a = get(l, "animal")
            d = get(l, "day")
            if a is not None:
                if d is None or type(d) != int:
                    d = 0
                # is there a later one for the same animal?
                later = False
                for j in range(0, len(LINES)):
                    if i != j:
                        m = LINES[j]
                        if get(m, "treatment") == "vaccination":
                            if get(m, "animal") == a and get(m, "owner") == get(l, "owner"):
                                e = get(m, "day")
                                if e is None or type(e) != int:
                                    e = 0
                                if e > d:
                                    later = True
                                if e == d and j > i:
                                    later = True
                if later == False:
                    s = get(l, "species")
                    if s == "cat":
                        n = 365
                    elif s == "dog":
                        n = 365
                    elif s == "horse":
                        n = 180
                    else:
                        n = 730
                    if d + n < day:
                        o = get(l, "owner")
                        if o is None:
                            o = "unknown"
                        found.append((d + n, str(a), str(o)))
    for i in range(0, len(found)):
        for j in range(0, len(found) - 1):
            if found[j][0] > found[j + 1][0]:
                x = found[j]
                found[j] = found[j + 1]
                found[j + 1] = x
            elif found[j][0] == found[j + 1][0] and found[j][1] > found[j + 1][1]:
                x = found[j]
                found[j] = found[j + 1]
                found[j + 1] = x
    for f in found:
        TEXT = TEXT + f[1] + " of " + f[2] + ": due since day " + str(f[0]) + "\n"
    if len(found) == 0:
        TEXT = TEXT + "nothing is due\n"


def history(animal):
    global TEXT
    n = 0
    for l in LINES:
        if get(l, "animal") == animal:
            d = get(l, "day")
            if d is None:
                d = "?"
            t = get(l, "treatment")
            if t is None:
                t = "treatment"
            note = get(l, "note")
            if note is None:
                note = ""
            else:
                note = " (" + str(note) + ")"
            TEXT = TEXT + "day " + str(d) + " " + str(t) + note + "\n"
            n = n + 1
    if n == 0:
        sys.stderr.write("no animal " + animal + "\n")
        sys.exit(1)


def species():
    global TEXT
    cat = 0
    dog = 0
    horse = 0
    other = 0
    seen = []
    for l in LINES:
        a = get(l, "animal")
        o = get(l, "owner")
        if a is None:
            continue
        if [a, o] in seen:
            continue
        seen.append([a, o])
        s = get(l, "species")
        if s == "cat":
            cat = cat + 1
        elif s == "dog":
            dog = dog + 1
        elif s == "horse":
            horse = horse + 1
        else:
            other = other + 1
    if cat > 0:
        if cat == 1:
            TEXT = TEXT + "1 cat\n"
        else:
            TEXT = TEXT + str(cat) + " cats\n"
    if dog > 0:
        if dog == 1:
            TEXT = TEXT + "1 dog\n"
        else:
            TEXT = TEXT + str(dog) + " dogs\n"
    if horse > 0:
        if horse == 1:
            TEXT = TEXT + "1 horse\n"
        else:
            TEXT = TEXT + str(horse) + " horses\n"
    if other > 0:
        if other == 1:
            TEXT = TEXT + "1 other\n"
        else:
            TEXT = TEXT + str(other) + " others\n"
    if cat + dog + horse + other == 0:
        TEXT = TEXT + "no animals\n"


def main():
    args = sys.argv[1:]
    if len(args) < 2:
        sys.stderr.write("usage: invoices FILE, due FILE DAY, history FILE ANIMAL, species FILE\n")
        sys.exit(2)
    try:
        load(args[1])
    except OSError:
        sys.stderr.write("cannot open " + args[1] + "\n")
        sys.exit(1)
    if args[0] == "invoices":
        invoices()
    elif args[0] == "due":
        if len(args) < 3:
            sys.stderr.write("usage: invoices FILE, due FILE DAY, history FILE ANIMAL, species FILE\n")
            sys.exit(2)
        due(args[2])
    elif args[0] == "history":
        if len(args) < 3:
            sys.stderr.write("usage: invoices FILE, due FILE DAY, history FILE ANIMAL, species FILE\n")
            sys.exit(2)
        history(args[2])
    elif args[0] == "species":
        species()
    else:
        sys.stderr.write("usage: invoices FILE, due FILE DAY, history FILE ANIMAL, species FILE\n")
        sys.exit(2)
    sys.stdout.write(TEXT)


main()
