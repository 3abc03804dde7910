"""Writes an answer to the step that the workspace is before: the reference solution, or a spoiled one."""

import pathlib
import shutil
import sys

kind, here = sys.argv[1], pathlib.Path(".")
CODE = {".py": "#", ".ts": "//"}


def tree(folder):
    files = (path for path in folder.rglob("*") if path.suffix in CODE and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def step():
    """The solutions before and after the step."""
    found = tree(here)
    for problem in sorted(pathlib.Path("/answers").glob("*/*")):
        checkpoints = sorted(problem.glob("checkpoint_*"), key=lambda path: int(path.name.split("_")[1]))
        for before, after in zip(checkpoints, checkpoints[1:]):
            if tree(before) == found:
                return before, after
    sys.exit("no solution is like the workspace")


def mutate(before, after):
    """Reverses a comparison of the new code, or changes one of its numbers."""
    old = set("\n".join(tree(before).values()).splitlines())
    places = []
    for name, text in sorted(tree(after).items()):
        for number, line in enumerate(text.splitlines()):
            for this, other in ((" == ", " != "), (" === ", " !== "), (" < ", " > "), (" + 1", " + 2"), ("True", "False")):
                if line not in old and this in line and not line.lstrip().startswith(("#", "//", "*")):
                    places.append((name, number, line.replace(this, other, 1)))
    if places:
        name, number, line = places[len(places) // 2]
        lines = (here / name).read_text(encoding="utf-8").splitlines()
        lines[number] = line
        (here / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


before, after = step()
if kind != "omission":
    shutil.copytree(after, here, dirs_exist_ok=True)
first = min(path for path in here.iterdir() if path.suffix in CODE)
sign = CODE[first.suffix]
if kind == "omission":
    unused = "\n\ndef unused():\n    return 1\n" if sign == "#" else "\nfunction unused() {\n  return 1;\n}\n"
    first.write_text(first.read_text(encoding="utf-8") + unused, encoding="utf-8")
elif kind == "mutant":
    mutate(before, after)
elif kind == "foreign":
    first.write_text(f"{sign} {sys.argv[2]}\n" + first.read_text(encoding="utf-8"), encoding="utf-8")
elif kind == "broken":
    first.write_text(first.read_text(encoding="utf-8") + f"\nx = ( {sys.argv[2]}\n", encoding="utf-8")
