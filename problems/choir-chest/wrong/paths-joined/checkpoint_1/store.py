"""Wrong: the path of a sheet is the path of its file, and only a part `..` counts as bad."""
import os

from refusal import Refusal


class Store:
    def __init__(self, folder):
        self._folder = folder

    def put(self, path, text):
        name = os.path.join(self._folder, path)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def remove(self, path):
        os.remove(os.path.join(self._folder, path))

    def sheets(self):
        found = {}
        for folder, _, names in os.walk(self._folder):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self._folder)] = self.sheet(os.path.relpath(path, self._folder))
        return found

    def sheet(self, path):
        try:
            with open(os.path.join(self._folder, path), encoding="utf-8", newline="") as file:
                return file.read()
        except OSError:
            raise Refusal("no such sheet") from None
