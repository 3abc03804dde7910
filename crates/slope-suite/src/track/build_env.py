"""Builds one virtual environment inside a sandbox, from wheels only.

Called as: python -I -c THIS TARGET SCRATCH INSTALLER
INSTALLER is the folder that holds the package pip, or empty if there is nothing to install: pip is
never installed in the environment, because that takes longer than installing the rest. SCRATCH/wheels holds wheels, SCRATCH/requirements.txt and SCRATCH/constraints.txt
say what to install. Prints one JSON object as the last line of its output.
"""

import json
import os
import subprocess
import sys

target, scratch, installer = sys.argv[1:4]
python = os.path.join(target, "bin", "python")


def step(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write((done.stdout + done.stderr)[-4000:])
        sys.exit(3)
    return done.stdout


RUN_PIP = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
LIST = """
import importlib.metadata, json
found = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
print(json.dumps(sorted(found.items())))
"""

step(sys.executable, "-I", "-m", "venv", "--without-pip", target)
packages = []
if installer:
    step(
        python, "-I", "-c", RUN_PIP, installer, "--no-input", "--disable-pip-version-check",
        "--no-cache-dir", "install", "--quiet", "--no-index", "--no-compile", "--only-binary", ":all:",
        "--find-links", os.path.join(scratch, "wheels"),
        "--constraint", os.path.join(scratch, "constraints.txt"),
        "--requirement", os.path.join(scratch, "requirements.txt"),
    )
    packages = [f"{name}=={version}" for name, version in json.loads(step(python, "-I", "-c", LIST))]
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
