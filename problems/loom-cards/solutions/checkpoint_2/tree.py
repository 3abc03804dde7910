"""The files of the folder in which cloths are woven."""

import hashlib
import os

import paths


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Tree:
    def __init__(self, root):
        self.root = root

    def place(self, path):
        return os.path.join(self.root, path)

    def is_file(self, path):
        return os.path.isfile(self.place(path))

    def files(self):
        """The paths of all files that can be threads."""
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.root)
                if paths.is_path(path):
                    yield path

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

    def remove(self, path):
        """Removes a file, and the folders that are empty without it."""
        os.remove(self.place(path))
        folder = os.path.dirname(path)
        while folder and not os.listdir(self.place(folder)):
            os.rmdir(self.place(folder))
            folder = os.path.dirname(folder)
