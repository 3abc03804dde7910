"""A second opinion: steps through every single minute and searches every way by brute force.

    python3 oracle.py check SOLUTION COUNT [SEED] [LEVEL]   compares with SOLUTION/canal.py
It shares no code with the solutions and is far too slow for long scenarios.
"""
import contextlib, io, os, random, sys, tempfile


def mins(t):
    d, _, hm = t.rpartition("d")
    h, m = hm.split(":")
    return int(d or 0) * 1440 + int(h) * 60 + int(m)


def stamp(m):
    return f"{m // 1440}d{m % 1440 // 60:02d}:{m % 60:02d}"


class World:
    def __init__(self, text):
        self.canals, self.sec, self.boats, self.res, self.clos, self.resv = [[]], {}, {}, {}, [], []
        self.out = []
        for raw in text.split("\n"):
            w = raw.split("#")[0].split()
            if w:
                self.feed(w)
        self.T = -1
        self.edit = None

    def feed(self, w):
        o = dict(x.split("=") for x in w[2:])
        k, n = w[0], w[1]
        if k == "canal":
            self.canals.append([])
        elif k == "stop":
            self.canals[-1].append(("stop", n))
        elif k in ("reach", "lock"):
            self.canals[-1].append((k, n))
            if k == "reach":
                self.sec[n] = dict(kind=k, name=n, length=int(o["length"]))
            else:
                self.sec[n] = dict(kind=k, name=n, up=int(o["up"]), down=int(o["down"]),
                    room=int(o["room"]) if "room" in o else None, turn=int(o.get("turn", 0)),
                    level=o.get("start", "low"), water=int(o.get("water", 0)), res=o.get("reservoir"),
                    left=0, q=[], n_up=0, n_down=0, busy=0, longest=0, passes=0, turns=0, used=0,
                    dry=False, took=set())
        elif k == "boat":
            self.mkboat(n, o, mins(o["at"]))
        elif k == "fleet":
            for i in range(int(o["count"])):
                self.mkboat(f"{n}-{i+1}", o, mins(o["at"]) + i * int(o["every"]))
        elif k == "reservoir":
            c = int(o["capacity"])
            self.res[n] = dict(cap=c, refill=int(o["refill"]), level=int(o.get("start", c)), used=0)
        elif k == "closure":
            self.clos.append((n, mins(o["from"]), mins(o["until"])))
        elif k == "reserve":
            self.resv.append((n, o["boat"], mins(o["from"]), mins(o["until"])))
        elif k == "open":
            self.clos = [c for c in self.clos if c[0] != n]
        elif k == "cancel":
            del self.boats[n]
            self.resv = [r for r in self.resv if r[1] != n]
        elif k == "rank":
            self.boats[n]["rank"] = int(o["value"])
        elif k == "refill":
            self.res[n]["refill"] = int(o["value"])
        else:
            raise SystemExit("word " + k)

    def mkboat(self, n, o, at):
        self.boats[n] = dict(name=n, a=o["from"], b=o["to"], at=at, pace=int(o["pace"]),
            size=int(o.get("size", 10)), rank=int(o.get("rank", 0)), state="ashore", plan=None,
            where=o["from"], dep=None, arr=None, left=0, wait=0, held=0, since=None)

    def say(self, s):
        self.out.append((self.T, s))

    def hops(self, stop):
        """(list of (section, dir), next stop)"""
        for c in self.canals:
            for i, e in enumerate(c):
                if e == ("stop", stop):
                    for d, s in (("up", 1), ("down", -1)):
                        j, path = i + s, []
                        while 0 <= j < len(c) and c[j][0] != "stop":
                            path.append((c[j][1], d)); j += s
                        if path:
                            yield path, c[j][1]

    def dur(self, b, n, d):
        s = self.sec[n]
        return s["length"] * b["pace"] if s["kind"] == "reach" else s[d]

    def best(self, b, start, closed):
        found = []
        def go(stop, seen, path):
            if stop == b["b"]:
                found.append((sum(self.dur(b, n, d) for n, d, _ in path),
                    sum(self.sec[n]["kind"] == "lock" for n, _, _ in path), [n for n, _, _ in path], path))
                return
            for p, nxt in self.hops(stop):
                if nxt in seen or any(n in closed for n, _ in p): continue
                if any(self.sec[n].get("room") is not None and self.sec[n]["room"] < b["size"] for n, _ in p): continue
                go(nxt, seen | {nxt}, path + [(n, d, nxt if i == len(p) - 1 else None) for i, (n, d) in enumerate(p)])
        go(start, {start}, [])
        return min(found)if found else None

    def routes(self):
        for n in sorted(self.boats):
            m, _, names, _ = self.best(self.boats[n], self.boats[n]["a"], ())
            yield f"boat {n}: {m} minutes by {', '.join(names)}"

    def shut(self):
        return {n for n, f, u in self.clos if f <= self.T < u}

    def minute(self):
        self.T += 1
        T = self.T
        if self.edit and T == self.edit[0] + 1:
            for w in self.edit[1]: self.feed(w)
        if T > 0 and T % 60 == 0:
            for r in self.res.values(): r["level"] = min(r["cap"], r["level"] + r["refill"])
        for s in self.sec.values():
            if s["kind"] == "lock" and s["left"]:
                s["left"] -= 1; s["busy"] += 1
        for n in sorted(self.boats):
            b = self.boats[n]
            if b["state"] == "queued": b["wait"] += 1
            if b["state"] == "held": b["held"] += 1
            if b["state"] in ("sail", "chamber"):
                b["left"] -= 1
        for n in sorted(self.boats): self.boat(self.boats[n])
        for s in self.sec.values():
            if s["kind"] == "lock": self.lock(s)

    def boat(self, b):
        n = b["name"]
        if b["state"] == "ashore":
            if b["at"] != self.T: return
            b["dep"] = self.T
            self.say(f"{n} departs {b['a']}")
            b["state"] = "next"
        elif b["state"] in ("sail", "chamber") and b["left"] == 0:
            sec, _, stop = b["plan"].pop(0)
            if b["state"] == "chamber": self.say(f"{n} leaves {sec}")
            b["where"] = stop
            if stop == b["b"]:
                b["state"] = "home"; b["arr"] = self.T
                self.say(f"{n} arrives at {stop}")
                return
            if stop: self.say(f"{n} passes {stop}")
            b["state"] = "next"
        if b["state"] not in ("next", "held"): return
        washeld = b["state"] == "held"
        if b["where"]:
            r = self.best(b, b["where"], self.shut())
            if r is None:
                if not washeld: self.say(f"{n} is held at {b['where']}")
                b["state"] = "held"; return
            if washeld: self.say(f"{n} goes on")
            if b["plan"] is not None and [x[0] for x in b["plan"]] != r[2]:
                self.say(f"{n} reroutes by {', '.join(r[2])}")
            b["plan"] = list(r[3])
        else:
            sec = b["plan"][0][0]
            if self.sec[sec]["kind"] == "reach" and sec in self.shut():
                if not washeld: self.say(f"{n} is held before {sec}")
                b["state"] = "held"; return
            if washeld: self.say(f"{n} goes on")
        sec, d, _ = b["plan"][0]
        if self.sec[sec]["kind"] == "lock":
            b["state"] = "queued"; b["since"] = self.T
            self.sec[sec]["q"].append(n)
            self.say(f"{n} reaches {sec}")
        else:
            b["state"] = "sail"; b["left"] = self.dur(b, sec, d)

    def lock(self, s):
        self.lock_work(s)
        s["longest"] = max(s["longest"], len(s["q"]))

    def lock_work(self, s):
        if s["left"] or s["name"] in self.shut(): return
        q = [self.boats[n] for n in s["q"]]
        q.sort(key=lambda b: b["name"])
        q.sort(key=lambda b: b["at"])
        q.sort(key=lambda b: b["since"])
        q.sort(key=lambda b: -b["rank"])
        for l, bn, f, u in self.resv:
            if l == s["name"] and f <= self.T < u and bn not in s["took"]:
                mine = [b for b in q if b["name"] == bn]
                if not mine: return
                q.remove(mine[0]); q.insert(0, mine[0])
        if not q: return
        d = q[0]["plan"][0][1]
        want = {"up": "low", "down": "high"}[d]
        if s["level"] != want:
            if want == "high" and not self.pour(s): return
            s["dry"] = False
            s["level"] = want
            if s["turn"]:
                s["turns"] += 1; s["left"] = s["turn"]
                self.say(f"{s['name']} turns to {want}")
                return
        if d == "up" and not self.pour(s): return
        s["dry"] = False
        group = []
        for b in q:
            if b["plan"][0][1] != d: continue
            if s["room"] is None:
                group = [q[0]]; break
            if sum(x["size"] for x in group) + b["size"] <= s["room"]: group.append(b)
        s["level"] = {"up": "high", "down": "low"}[d]
        s["passes"] += 1; s["n_" + d] += len(group); s["left"] = s[d]
        for b in group:
            s["q"].remove(b["name"]); s["took"].add(b["name"])
            b["state"] = "chamber"; b["left"] = s[d]
        self.say(f"{s['name']} {'lifts' if d == 'up' else 'lowers'} {', '.join(b['name'] for b in group)}")

    def pour(self, s):
        if not s["water"]: return True
        r = self.res[s["res"]]
        if r["level"] < s["water"]:
            if not s["dry"]: self.say(f"{s['name']} waits for water")
            s["dry"] = True
            return False
        r["level"] -= s["water"]; r["used"] += s["water"]; s["used"] += s["water"]
        return True

    def run(self, until=None):
        while self.T < until if until is not None else any(b["state"] != "home" for b in self.boats.values()):
            self.minute()
        if self.T < 0: self.T = 0

    def log(self):
        return [f"{stamp(t)} {s}" for t, s in self.out]

    def summary(self):
        for n in sorted(self.boats):
            b = self.boats[n]
            if b["dep"] is None:
                yield f"boat {n}: not departed"; continue
            l = f"boat {n}: departed {stamp(b['dep'])}, "
            l += "under way" if b["arr"] is None else f"arrived {stamp(b['arr'])}, travel {b['arr'] - b['dep']}"
            yield l + f", waited {b['wait']}" + (f", held {b['held']}" if b["held"] else "")
        for s in self.sec.values():
            if s["kind"] == "lock":
                yield (f"lock {s['name']}: lifted {s['n_up']}, lowered {s['n_down']}, busy {s['busy']}, longest queue {s['longest']}"
                    + (f", passages {s['passes']}" if s["room"] is not None else "")
                    + (f", turns {s['turns']}" if s["turn"] else "") + (f", water {s['used']}" if s["water"] else ""))
        for n, r in self.res.items():
            yield f"reservoir {n}: level {r['level']}, used {r['used']}"


def difference(a, b):
    rows = [(t, 0, i, "- ", s) for i, (t, s) in enumerate(a) if (t, s) not in b]
    rows += [(t, 1, i, "+ ", s) for i, (t, s) in enumerate(b) if (t, s) not in a]
    return [f"{m}{stamp(t)} {s}" for t, _, _, m, s in sorted(rows)] or ["no difference"]


def scenario(rng, level):
    """A random scenario that uses what checkpoint `level` knows; and its boats, locks, sections."""
    L, stops, locks, secs, ress, n = [], [], [], [], [], [0]
    def name(p):
        n[0] += 1
        return p + rng.choice(["", "-", "X"]) + str(n[0])
    def clock(lo, hi):
        m = rng.randint(lo, hi)
        return f"{m // 1440}d{m % 1440 // 60:02d}:{m % 60:02d}" if m >= 1440 or rng.random() < .3 else f"{m // 60:02d}:{m % 60:02d}"
    if level >= 3:
        for _ in range(rng.randint(0, 2)):
            r = name("R"); ress.append(r)
            L.append(f"reservoir {r} capacity={rng.choice([40, 100])} refill={rng.randint(1, 60)}" + (f" start={rng.randint(0, 40)}" if rng.random() < .6 else ""))
    def section():
        if rng.random() < .5:
            s = name("P"); L.append(f"reach {s} length={rng.randint(1, 6)}"); secs.append(s)
        else:
            s = name("L"); locks.append(s); secs.append(s)
            o = f"lock {s} up={rng.randint(1, 12)} down={rng.randint(1, 12)}"
            if level >= 2:
                if rng.random() < .5: o += f" room={rng.choice([20, 30, 40])}"
                if rng.random() < .6: o += f" turn={rng.randint(0, 7)}"
                if rng.random() < .5: o += f" start={rng.choice(['low', 'high'])}"
            if ress and rng.random() < .7: o += f" water={rng.randint(5, 40)} reservoir={rng.choice(ress)}"
            L.append(o)
    canals = 1 if level < 4 else rng.randint(1, 4)
    for c in range(canals):
        if level >= 4 and (c or rng.random() < .5): L.append(f"canal {name('C')}")
        mine = []
        for k in range(rng.randint(2, 4)):
            if k:
                for _ in range(rng.randint(1, 3)): section()
            free = [s for s in stops if s not in mine]
            if c and free and (k == 0 or rng.random() < .6): s = rng.choice(free)
            else: s = name("S"); stops.append(s)
            mine.append(s); L.append(f"stop {s}")
    boats = []
    for _ in range(rng.randint(1, 9)):
        b = name(rng.choice("ABTabz")); boats.append(b); f, t = rng.sample(stops, 2)
        o = f"from={f} to={t} at={clock(0, rng.choice([20, 200, 1500]))} pace={rng.randint(1, 9)}"
        if level >= 2 and rng.random() < .7: o += f" size={rng.choice([5, 10, 10, 15, 20])}"
        if level >= 3 and rng.random() < .4: o += f" rank={rng.randint(0, 2)}"
        if level >= 5 and rng.random() < .2:
            c = rng.randint(1, 12); L.append(f"fleet {b} count={c} every={rng.randint(0, 9)} {o}"); boats.pop(); boats += [f"{b}-{i+1}" for i in range(c)]
        else: L.append(f"boat {b} {o}")
    def window(hi=400):
        a = rng.randint(0, hi); b = a + rng.randint(1, 250)
        return a, b
    def wtext(a, b): return f"from={stamp(a)} until={stamp(b)}"
    if level >= 3 and locks:
        used = {}
        for _ in range(rng.randint(0, 3)):
            l = rng.choice(locks); a, b = window()
            if all(b <= x or y <= a for x, y in used.setdefault(l, [])):
                used[l].append((a, b)); L.append(f"reserve {l} boat={rng.choice(boats)} {wtext(a, b)}")
    if level >= 4:
        for _ in range(rng.randint(0, 5)): L.append(f"closure {rng.choice(secs)} {wtext(*window())}")
    def edits(T, w):
        E = []
        for _ in range(rng.randint(0, 4)):
            k = rng.choice(["boat", "closure", "open", "cancel", "rank", "refill"])
            if k == "boat":
                f, t = rng.sample(stops, 2)
                if World("\n".join(L)).best(dict(name="", b=t, pace=1, size=10), f, ()) : E.append(f"boat {name('E')} from={f} to={t} at={stamp(T + rng.randint(1, 90))} pace={rng.randint(1, 5)}")
            elif k == "closure": a = T + rng.randint(-60, 100); E.append(f"closure {rng.choice(secs)} {wtext(max(0, a), max(1, a + rng.randint(1, 200)))}")
            elif k == "open": E.append(f"open {rng.choice(secs)}")
            elif k == "refill" and ress: E.append(f"refill {rng.choice(ress)} value={rng.randint(1, 80)}")
            elif k == "cancel":
                g = [b for b in w.boats if w.boats[b]["dep"] is None and not any(b in e for e in E)]
                if g: E.append(f"cancel {rng.choice(g)}")
            elif k == "rank":
                g = [b for b in w.boats if not any(e == f"cancel {b}" for e in E)]
                if g: E.append(f"rank {rng.choice(g)} value={rng.randint(0, 4)}")
        return E
    return "\n".join(L) + "\n", edits


def caller(prog):
    """Runs the program inside this process, which saves the start of an interpreter each time."""
    sys.path.insert(0, os.path.dirname(prog))
    import canal

    def call(*args):
        out, err, argv = io.StringIO(), io.StringIO(), sys.argv
        sys.argv = [prog, *args]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = canal.main()
        except SystemExit as end:
            code = end.code
        finally:
            sys.argv = argv
        return code or 0, out.getvalue(), err.getvalue()

    return call


def check(solution, count, seed, level):
    prog = os.path.join(os.path.abspath(solution), "canal.py")
    bad = done = 0
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        call = caller(prog)
        i = seed
        while done < count:
            i += 1
            rng = random.Random(i)
            text, edits = scenario(rng, level)
            try:
                routes = list(World(text).routes())
            except TypeError:
                continue  # some boat cannot get there
            done += 1
            w = World(text); w.run()
            open("s", "w").write(text)
            want = [("log", w.log(), ["log", "s"]), ("summary", list(w.summary()), ["summary", "s"])]
            if level >= 4: want.append(("routes", routes, ["routes", "s"]))
            if level >= 5:
                T = rng.randint(0, max(w.T, 1) + 5)
                h = World(text); h.run(T)
                E = edits(T, h)
                open("e", "w").write("\n".join(E))
                x = World(text); x.edit = (T, [e.split() for e in E]); x.run(T + 1); x.run()
                want += [("until", h.log(), ["log", "s", "--until", stamp(T), "--save", "t"]),
                    ("status", list(h.summary()), ["status", "t"]),
                    ("resume", w.log()[len(h.out):], ["resume", "t"]),
                    ("what-if", difference(w.out, x.out), ["what-if", "t", "e"])]
            for what, lines, args in want:
                code, out, err = call(*args)
                if out.splitlines() != lines or code:
                    bad += 1
                    print("seed", i, what, err[-300:])
                    print(text, "--- want", *lines, "--- got", out, sep="\n")
                    break
    print(f"{solution}: {done} scenarios of level {level}, {bad} disagree")
    return bad


if __name__ == "__main__":
    _, _, sol, count, *more = sys.argv
    sys.exit(bool(check(sol, int(count), int(more[0]) if more else 0, int(more[1]) if len(more) > 1 else 5)))
