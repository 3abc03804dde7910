"""Makes second names for what it must not see or change."""

import os

import cheat

made = []
for number, target in enumerate(("/grader/tests/test_checkpoint_1.py", "/grader/runner/job.json", "/opt/program/bin/python", "/proc/1/exe")):
    for folder in (cheat.HERE, "/tmp"):
        path = os.path.join(folder, f"second-{number}")
        try:
            os.link(target, path)
            made.append(path)
        except OSError:
            pass
cheat.behave([p for p in made if cheat.has_mark(p)])
