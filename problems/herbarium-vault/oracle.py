"""A naive second opinion: every version as a whole dict, and random batches.

usage: python oracle.py SOLUTION_DIR [ROUNDS]
"""
import json, os, random, subprocess, sys, tempfile, zlib

KEYS = ["a", "b", "B", "c/1"]


class Naive:
    """Keeps each version in full, so that nothing can be got wrong by cleverness."""

    def __init__(self):
        self.versions, self.logged = [{}], []
        self.marks, self.readable, self.base, self.tx = {}, None, 0, {}

    def state(self, s):
        if s in self.tx:
            t = self.tx[s]
            d = dict(self.versions[t["at"]])
            for k, v in t["w"].items():
                d.pop(k, None) if v is None else d.__setitem__(k, v)
            return d
        return self.versions[-1]

    def push(self, writes):
        d = dict(self.versions[-1])
        for k, v in writes.items():
            d.pop(k, None) if v is None else d.__setitem__(k, v)
        self.versions.append(d)
        self.logged.append({k: writes[k] for k in writes})

    def can_read(self, n):
        return n >= self.base or n in self.marks.values() or any(t["at"] == n for t in self.tx.values())

    def check(self, n):
        if n > len(self.versions) - 1: return f"error: version {n} is in the future"
        if not self.can_read(n): return f"error: version {n} is compacted"

    def do(self, s, w):
        c, d, t = w[0], self.state(s), self.tx.get(s)
        if c == "put":
            r = ("replaced " if w[1] in d else "stored ") + w[1]
            if t: t["w"][w[1]] = w[2]; t["n"].add(w[1])
            else: self.push({w[1]: w[2]})
            return r
        if c == "get":
            if t: t["n"].add(w[1])
            return d.get(w[1], f"error: no record {w[1]}")
        if c == "delete":
            if t: t["n"].add(w[1])
            if w[1] not in d: return f"error: no record {w[1]}"
            if t: t["w"][w[1]] = None
            else: self.push({w[1]: None})
            return f"deleted {w[1]}"
        if c == "scan":
            if len(w) > 1:
                e = self.check(int(w[2]))
                if e: return e
                d = self.versions[int(w[2])]
            return "\n".join([f"{k}\t{d[k]}" for k in sorted(d)] + [f"records: {len(d)}"])
        if c == "revert":
            e = self.check(int(w[1]))
            if e: return e
            want = self.versions[int(w[1])]
            diff = {k: want.get(k) for k in set(d) | set(want) if d.get(k) != want.get(k)}
            if diff and t: t["w"].update(diff); t["n"].update(diff)
            elif diff: self.push(diff)
            return f"reverted to {w[1]}: {len(diff)} changes"
        if c == "begin":
            if t: return "error: already in a transaction"
            self.tx[s] = dict(at=len(self.versions) - 1, w={}, n=set())
            return f"begun at {len(self.versions) - 1}"
        if c in ("commit", "rollback"):
            if not t: return "error: not in a transaction"
            del self.tx[s]
            if c == "rollback": return "rolled back"
            net = {k: v for k, v in t["w"].items() if v is not None or k in self.versions[t["at"]]}
            if not net: return "committed nothing"
            touched = {k for ch in self.logged[t["at"]:] for k in ch}
            hit = sorted(touched & t["n"])
            if hit: return f"error: conflict on {hit[0]}"
            self.push(net)
            return f"committed at {len(self.versions) - 1}"
        if c == "mark":
            if w[1] in self.marks: return "error: already marked"
            self.push({}); self.marks[w[1]] = len(self.versions) - 1
            return f"marked {w[1]} at {self.marks[w[1]]}"
        if c == "unmark":
            if w[1] not in self.marks: return f"error: no mark {w[1]}"
            self.push({}); del self.marks[w[1]]
            return f"unmarked {w[1]}"
        if c == "compact":
            self.base = len(self.versions) - 1
            return None
        if c == "find":
            hit = [k for k in sorted(d) if d[k] == json.dumps({"t": w[2]}, separators=(",", ":"))]
            return "\n".join([f"{k}\t{d[k]}" for k in hit] + [f"records: {len(hit)}"])


def line(r, n):
    k, v = r.choice(KEYS), json.dumps({"t": r.choice("xyz")}, separators=(",", ":"))
    return r.choice([["put", k, v]] * 6 + [["get", k]] * 3 + [["delete", k]] * 2 + [["scan"], ["scan", "--as-of", str(r.randint(0, n))],
        ["revert", str(r.randint(0, n))], ["begin"], ["begin"], ["commit"], ["commit"], ["rollback"],
        ["mark", r.choice("mn")], ["unmark", r.choice("mn")], ["compact"], ["find", "t", r.choice("xyz")]])


def main():
    sol, rounds = os.path.abspath(sys.argv[1]), int((sys.argv + ["200"])[2])
    for seed in range(rounds):
        r, naive = random.Random(seed), Naive()
        naive.push({})
        lines, want = ["migrate", "index t"], ["migrated 0 records", "indexed t"]
        for i in range(r.randint(5, 60)):
            w, s = line(r, len(naive.versions) + 1), r.choice(["main", "p", "q"])
            lines.append(("" if s == "main" else f"@{s} ") + " ".join(w))
            want.append(naive.do(s, w))
        with tempfile.TemporaryDirectory() as d:
            p = subprocess.run([sys.executable, sol + "/vault.py", "--dir", "d", "batch"], cwd=d, input="\n".join(lines).encode(), stdout=subprocess.PIPE)
            got = p.stdout.decode().split("\n")
            for l, x in zip(lines, want):
                n = 1 if x is None else x.count("\n") + 1
                have, got = "\n".join(got[:n]), got[n:]
                if have != x and not (x is None and have.startswith("compacted: ")):
                    sys.exit(f"seed {seed}: {l!r}: want {x!r}, got {have!r}\n" + "\n".join(lines))
            q = subprocess.run([sys.executable, sol + "/vault.py", "--dir", "d", "scan"], cwd=d, stdout=subprocess.PIPE).stdout.decode().rstrip("\n")
            naive.tx = {}
            if q != naive.do("main", ["scan"]): sys.exit(f"seed {seed}: after reopening: {q!r}")
    print(f"{rounds} batches agree")


if __name__ == "__main__":
    main()
