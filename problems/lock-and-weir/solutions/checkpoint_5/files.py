"""Text files that the user names."""

from errors import CanalError


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        raise CanalError("cannot read %s" % path) from None


def write(path, text):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        raise CanalError("cannot write %s" % path) from None
