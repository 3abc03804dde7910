import os
import sys

rows = []
answer = []


def read(path):
    global rows
    if path is None or not os.path.exists(path):
        print("missing file: " + str(path), file=sys.stderr)
        sys.exit(1)
    f = open(path, encoding="utf-8")
    t = f.read()
    f.close()
    for line in t.split("\n"):
        if line.strip() == "":
            continue
        if line.strip()[0] == "#":
            continue
        rows.append(line)


# columns: parcel, street, number, floor, grams, postman, state
def col(i, n):
    c = rows[i].split("\t")
    if n >= len(c):
        return None
    v = c[n].strip()
    if v == "" or v == "none":
        return None
    return v


def loads():
    names = []
    for i in range(len(rows)):
        if col(i, 0) is None:
            continue
        p = col(i, 5)
        if p is None:
            p = "nobody"
        if p not in names:
            names.append(p)
    names = sorted(names)
    for name in names:
        n = 0
        g = 0
        heavy = 0
        stairs = 0
        streets = []
        for i in range(len(rows)):
            if col(i, 0) is None:
                continue
            p = col(i, 5)
            if p is None:
                p = "nobody"
            if p != name:
                continue
            s = col(i, 6)
            if s is not None and (s == "delivered" or s == "D"):
                continue
            if s is not None and (s == "returned" or s == "R"):
                continue
            n = n + 1
            w = 0
            if col(i, 4) is not None:
                try:
                    w = int(col(i, 4))
                except ValueError:
                    w = 0
            if w < 0:
                w = 0
            g = g + w
            if w > 5000:
                heavy = heavy + 1
            fl = 0
            if col(i, 3) is not None:
                try:
                    fl = int(col(i, 3))
                except ValueError:
                    fl = 0
            if fl > 0:
                stairs = stairs + fl
            st = col(i, 1)
            if st is None:
                st = "?"
            if st not in streets:
                streets.append(st)
        text = name + ": "
        if n == 1:
            text = text + "1 parcel, "
        else:
            text = text + str(n) + " parcels, "
        text = text + str(g) + " g"
        if heavy > 0:
            text = text + ", " + str(heavy) + " heavy"
        if stairs > 0:
            text = text + ", " + str(stairs) + " floors"
        if len(streets) > 0:
            text = text + ", " + str(len(streets)) + (" street" if len(streets) == 1 else " streets")
        if g > 20000 or n > 40:
            text = text + " OVERLOADED"
        answer.append(text)
    if len(names) == 0:
        answer.append("no parcels")


def walk(name):
    mine = []
    for i in range(len(rows)):
        if col(i, 0) is None:
            continue
        p = col(i, 5)
        if p is None:
            p = "nobody"
        if p == name:
            s = col(i, 6)
            if s is not None and (s == "delivered" or s == "D"):
                continue
            if s is not None and (s == "returned" or s == "R"):
                continue
            mine.append(i)
    # by street, then odd numbers upwards, then even numbers downwards
    for a in range(len(mine)):
        for b in range(len(mine) - 1):
            x = mine[b]
            y = mine[b + 1]
            sx = col(x, 1)
            if sx is None:
                sx = "?"
            sy = col(y, 1)
            if sy is None:
                sy = "?"
            nx = 0
            if col(x, 2) is not None:
                try:
                    nx = int(col(x, 2))
                except ValueError:
                    nx = 0
            ny = 0
            if col(y, 2) is not None:
                try:
                    ny = int(col(y, 2))
                except ValueError:
                    ny = 0
            swap = False
            if sx > sy:
                swap = True
            elif sx == sy:
                if nx % 2 == 0 and ny % 2 == 1:
                    swap = True
                elif nx % 2 == 1 and ny % 2 == 1 and nx > ny:
                    swap = True
                elif nx % 2 == 0 and ny % 2 == 0 and nx < ny:
                    swap = True
            if swap:
                mine[b] = y
                mine[b + 1] = x
    last = None
    for i in mine:
        st = col(i, 1)
        if st is None:
            st = "?"
        if last is None or last != st:
            answer.append(st + ":")
            last = st
        nr = 0
        if col(i, 2) is not None:
            try:
                nr = int(col(i, 2))
            except ValueError:
                nr = 0
        fl = 0
        if col(i, 3) is not None:
            try:
                fl = int(col(i, 3))
            except ValueError:
                fl = 0
        text = "  "
        if nr == 0:
            text = text + "no number"
        else:
            text = text + str(nr)
        if fl > 0:
            text = text + " floor " + str(fl)
        text = text + " " + col(i, 0)
        answer.append(text)
    if len(mine) == 0:
        answer.append("nothing for " + name)


def doubles():
    n = 0
    for i in range(len(rows)):
        if col(i, 0) is None:
            continue
        for j in range(i + 1, len(rows)):
            if col(j, 0) is None:
                continue
            if col(i, 0) == col(j, 0):
                a = col(i, 5)
                if a is None:
                    a = "nobody"
                b = col(j, 5)
                if b is None:
                    b = "nobody"
                if a == b:
                    answer.append(col(i, 0) + " twice with " + a)
                else:
                    answer.append(col(i, 0) + " with " + a + " and " + b)
                n = n + 1
    if n == 0:
        answer.append("no doubles")


def states():
    open_ = 0
    delivered = 0
    returned = 0
    lost = 0
    odd = 0
    for i in range(len(rows)):
        if col(i, 0) is None:
            odd = odd + 1
            continue
        s = col(i, 6)
        if s is None:
            open_ = open_ + 1
        elif s == "open" or s == "O":
            open_ = open_ + 1
        elif s == "delivered" or s == "D":
            delivered = delivered + 1
        elif s == "returned" or s == "R":
            returned = returned + 1
        elif s == "lost" or s == "L":
            lost = lost + 1
        else:
            odd = odd + 1
    if open_ > 0:
        answer.append("open " + str(open_))
    if delivered > 0:
        answer.append("delivered " + str(delivered))
    if returned > 0:
        answer.append("returned " + str(returned))
    if lost > 0:
        answer.append("lost " + str(lost))
    if odd > 0:
        answer.append("odd " + str(odd))
    if open_ + delivered + returned + lost + odd == 0:
        answer.append("empty")


def main(argv):
    if len(argv) < 2:
        print("need a command and a file", file=sys.stderr)
        sys.exit(2)
    if argv[0] == "loads":
        read(argv[1])
        loads()
    elif argv[0] == "walk":
        if len(argv) < 3:
            print("need a name", file=sys.stderr)
            sys.exit(2)
        read(argv[1])
        walk(argv[2])
    elif argv[0] == "doubles":
        read(argv[1])
        doubles()
    elif argv[0] == "states":
        read(argv[1])
        states()
    else:
        print("unknown command " + argv[0], file=sys.stderr)
        sys.exit(2)
    for a in answer:
        print(a)


main(sys.argv[1:])
