"""State on disk: the requests that changed something, one a line, to be done again at the start."""
import json
import os


class Journal:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self._path = os.path.join(folder, "journal.jsonl")
        self._file = open(self._path, "a+b")

    def append(self, entry):
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()

    def entries(self):
        """All whole entries; what a kill cut off at the end is removed."""
        self._file.seek(0)
        entries = []
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            entries.append(json.loads(line))
            whole += len(line)
        self._file.truncate(whole)
        return entries
