"""The printer: a program of the house, started without a shell."""
import os
import subprocess
import unicodedata

from refusal import Refusal

MOST_CHARACTERS = 100


def run_printer(title, text):
    """The output of the printer, as bytes."""
    if len(title) > MOST_CHARACTERS or any(unicodedata.category(character) == "Cc" for character in title):
        raise Refusal("bad title")
    command = os.environ.get("CHEST_PRINTER")
    if not command:
        raise Refusal("no printer")
    try:
        ended = subprocess.run(
            [*command.split(" "), "--title=" + title], input=text.encode(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={"PATH": os.environ.get("PATH", os.defpath)}, check=False)
    except (OSError, ValueError):
        raise Refusal("printer failed") from None
    if ended.returncode != 0:
        raise Refusal("printer failed")
    return ended.stdout
