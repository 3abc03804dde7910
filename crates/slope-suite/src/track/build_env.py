"""Builds one virtual environment inside a sandbox, from wheels only.

Called as: python -I -c THIS TARGET SCRATCH HAS_PACKAGES
SCRATCH/wheels holds wheels, SCRATCH/requirements.txt and SCRATCH/constraints.txt
say what to install. Prints one JSON object as the last line of its output.
"""

import json
import os
import subprocess
import sys

target, scratch, has_packages = sys.argv[1], sys.argv[2], sys.argv[3] == "yes"
python = os.path.join(target, "bin", "python")


def step(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write((done.stdout + done.stderr)[-4000:])
        sys.exit(3)
    return done.stdout


make = [sys.executable, "-I", "-m", "venv"]
step(*make, *([] if has_packages else ["--without-pip"]), target)
packages = []
if has_packages:
    pip = [python, "-I", "-m", "pip", "--no-input", "--disable-pip-version-check", "--no-cache-dir"]
    step(
        *pip, "install", "--quiet", "--no-index", "--no-compile", "--only-binary", ":all:",
        "--find-links", os.path.join(scratch, "wheels"),
        "--constraint", os.path.join(scratch, "constraints.txt"),
        "--requirement", os.path.join(scratch, "requirements.txt"),
    )
    listing = json.loads(step(*pip, "list", "--format", "json"))
    # The installer itself is no part of the environment, unless it was asked for.
    wanted = {line.strip().lower() for line in open(os.path.join(scratch, "requirements.txt"))}
    tools = [name for name in ("pip", "setuptools", "wheel") if name not in wanted]
    packages = sorted(f"{p['name']}=={p['version']}" for p in listing if p["name"] not in tools)
    step(*pip, "uninstall", "--quiet", "--yes", "pip")
    # Compiled by hash and unchecked: the environment is read-only later, and times do not travel.
    # Some packages ship templates that do not compile, so the exit code says nothing.
    subprocess.run(
        [
            sys.executable, "-I", "-m", "compileall", "-q", "-j", "1",
            "--invalidation-mode", "unchecked-hash", os.path.join(target, "lib"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
print(json.dumps({"packages": packages}))
