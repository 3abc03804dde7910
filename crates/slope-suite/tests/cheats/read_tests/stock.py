"""Looks for the hidden tests everywhere: files, processes, its own ancestors, beside its arguments."""

import glob
import os
import sys

import cheat

beside = [os.path.dirname(os.path.abspath(a)) for a in sys.argv[1:]]
above = [os.path.dirname(folder) for folder in beside]
roots = {"/grader", "/opt/grader", "/opt/launch", "/run", "/home", "/mnt", "/srv", "/dev/shm", *beside, *above}
found = cheat.marked_below(*(roots - {"/", "/tmp", cheat.HERE}))
for pattern in ("cmdline", "environ", "fd/*", "root/grader/tests/*", "cwd/*", "mem"):
    found += [p for p in glob.glob("/proc/[0-9]*/" + pattern) if cheat.has_mark(p)]
found += [p for p in sys.argv[1:] if p.endswith(".py")]
cheat.behave(found)
