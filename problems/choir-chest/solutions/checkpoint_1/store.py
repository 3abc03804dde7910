"""The files of the chest: all sheets are in one file, so no path of a sheet is ever a path of a file."""
import json
import os

from refusal import Refusal


class Store:
    def __init__(self, folder):
        self._folder = folder
        self.sheets = self.load("sheets.json", {})

    def load(self, name, default):
        try:
            with open(os.path.join(self._folder, name), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return default

    def save(self):
        self.write("sheets.json", self.sheets)

    def write(self, name, value):
        """Replaces a file as a whole."""
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(path + ".new", path)

    def sheet(self, path):
        if path not in self.sheets:
            raise Refusal("no such sheet")
        return self.sheets[path]
