"""The files of the folder in which cloths are woven."""

import hashlib
import os


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Tree:
    def __init__(self, root):
        self.root = root

    def place(self, path):
        return os.path.join(self.root, path)

    def is_file(self, path):
        return os.path.isfile(self.place(path))

    def read(self, path):
        """The content of a file; None if there is none."""
        try:
            with open(self.place(path), "rb") as file:
                return file.read()
        except OSError:
            return None

    def write(self, path, data):
        place = self.place(path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place + "~", "wb") as file:
            file.write(data)
        os.replace(place + "~", place)
