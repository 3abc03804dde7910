"""The store as one JSON file that is written anew at each change."""
import json
import os

from records import SortedKeys

FILE = "records.json"


class PlainStore:
    def __init__(self, folder):
        self._folder = folder
        self._path = os.path.join(folder, FILE)
        self._values = self._load()
        self._keys = SortedKeys(self._values)

    def get(self, key):
        return self._values.get(key)

    def put(self, key, value):
        if key not in self._values:
            self._keys.add(key)
        self._values[key] = value
        self._save()

    def delete(self, key):
        del self._values[key]
        self._keys.remove(key)
        self._save()

    def select(self, selection):
        return [(key, self._values[key]) for key in self._keys.select(selection)]

    def remove(self):
        if os.path.exists(self._path):
            os.remove(self._path)

    def _load(self):
        try:
            with open(self._path, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def _save(self):
        os.makedirs(self._folder, exist_ok=True)
        fresh = self._path + ".new"
        with open(fresh, "w", encoding="utf-8") as file:
            json.dump(self._values, file)
        os.replace(fresh, self._path)
