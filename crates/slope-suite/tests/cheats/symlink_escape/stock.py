"""Follows links out of the workspace, old ones and ones made on the spot."""

import os
import sys

import cheat

for target in ("/grader/tests", "/grader/tests/test_checkpoint_1.py", "/proc/1/root/grader/tests", "../grader/tests"):
    for folder in (cheat.HERE, "/tmp", *(os.path.dirname(os.path.abspath(a)) for a in sys.argv[1:])):
        try:
            os.symlink(target, os.path.join(folder, "way" + str(abs(hash(target)))))
        except OSError:
            pass
links = [os.path.join(p, n) for p, _, names in os.walk("/tmp") for n in names]
found = cheat.marked_below(cheat.HERE, os.path.join(cheat.HERE, "out")) + [p for p in links if os.path.islink(p) and cheat.has_mark(p)]
cheat.behave(found)
