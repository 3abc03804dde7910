//! Python.

use super::{Dependency, NewFile, Returns, Style, Utility};

const UTILITIES: &[Utility] = &[
    Utility {
        name: "join paths",
        replaces: "os.path.join",
        arguments: 2,
        text: "\
def _{name}(base, name):
    if base.endswith(\"/\"):
        return base + name
    return base + \"/\" + name
",
    },
    Utility {
        name: "larger of",
        replaces: "max",
        arguments: 2,
        text: "\
def _{name}(first, second):
    if first > second:
        return first
    return second
",
    },
    Utility {
        name: "smaller of",
        replaces: "min",
        arguments: 2,
        text: "\
def _{name}(first, second):
    if first < second:
        return first
    return second
",
    },
    Utility {
        name: "sorted copy",
        replaces: "sorted",
        arguments: 1,
        text: "\
def _{name}(values):
    result = []
    for value in values:
        position = 0
        while position < len(result) and result[position] <= value:
            position += 1
        result.insert(position, value)
    return result
",
    },
    Utility {
        name: "add up",
        replaces: "sum",
        arguments: 1,
        text: "\
def _{name}(values):
    total = 0
    for value in values:
        total = total + value
    return total
",
    },
    Utility {
        name: "any true",
        replaces: "any",
        arguments: 1,
        text: "\
def _{name}(values):
    for value in values:
        if value:
            return True
    return False
",
    },
    Utility {
        name: "all true",
        replaces: "all",
        arguments: 1,
        text: "\
def _{name}(values):
    for value in values:
        if not value:
            return False
    return True
",
    },
    Utility {
        name: "with index",
        replaces: "enumerate",
        arguments: 1,
        text: "\
def _{name}(values):
    index = 0
    pairs = []
    for value in values:
        pairs.append((index, value))
        index += 1
    return pairs
",
    },
    Utility {
        name: "to list",
        replaces: "list",
        arguments: 1,
        text: "\
def _{name}(values):
    result = []
    for value in values:
        result.append(value)
    return result
",
    },
    Utility {
        name: "split into chunks",
        replaces: "",
        arguments: 0,
        text: "\
def _{name}(values, size):
    chunks = []
    current = []
    for value in values:
        current.append(value)
        if len(current) == size:
            chunks.append(current)
            current = []
    if current:
        chunks.append(current)
    return chunks
",
    },
    Utility {
        name: "make slug",
        replaces: "",
        arguments: 0,
        text: "\
def _{name}(text):
    result = \"\"
    for char in text.lower():
        if char.isalnum():
            result += char
        elif result and result[-1] != \"-\":
            result += \"-\"
    return result.strip(\"-\")
",
    },
    Utility {
        name: "group by key",
        replaces: "",
        arguments: 0,
        text: "\
def _{name}(items, key):
    groups = {}
    for item in items:
        value = item[key]
        if value not in groups:
            groups[value] = []
        groups[value].append(item)
    return groups
",
    },
    Utility {
        name: "read all lines",
        replaces: "",
        arguments: 0,
        text: "\
def _{name}(path):
    lines = []
    with open(path) as handle:
        for line in handle:
            line = line.rstrip(\"\\n\")
            if line:
                lines.append(line)
    return lines
",
    },
];

const FILES: &[NewFile] = &[
    NewFile {
        kind: "adapter-family",
        name: "export_formats.py",
        text: "\
\"\"\"Writers of the export, one for each format.\"\"\"

import csv
import io
import json


class CsvWriter:
    suffix = \".csv\"

    def write(self, rows):
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        return out.getvalue()


class JsonWriter:
    suffix = \".json\"

    def write(self, rows):
        return json.dumps([list(row) for row in rows])


class LinesWriter:
    suffix = \".jsonl\"

    def write(self, rows):
        return \"\".join(json.dumps(list(row)) + \"\\n\" for row in rows)


WRITERS = {writer.suffix: writer for writer in (CsvWriter(), JsonWriter(), LinesWriter())}
",
    },
    NewFile {
        kind: "interface-implementation",
        name: "stores.py",
        text: "\
\"\"\"Stores of values, with the same interface.\"\"\"

import abc
import pathlib


class Store(abc.ABC):
    @abc.abstractmethod
    def get(self, key):
        \"\"\"The value of a key, None if it has none.\"\"\"

    @abc.abstractmethod
    def put(self, key, value):
        \"\"\"Sets the value of a key.\"\"\"


class MemoryStore(Store):
    def __init__(self):
        self._values = {}

    def get(self, key):
        return self._values.get(key)

    def put(self, key, value):
        self._values[key] = value


class FolderStore(Store):
    def __init__(self, folder):
        self._folder = pathlib.Path(folder)

    def get(self, key):
        path = self._folder / key
        return path.read_text() if path.exists() else None

    def put(self, key, value):
        (self._folder / key).write_text(value)
",
    },
    NewFile {
        kind: "migration",
        name: "migrations/0012_add_labels.py",
        text: "\
\"\"\"Add the table of labels.\"\"\"

REVISION = \"0012\"
REVISES = \"0011\"


def upgrade(connection):
    connection.execute(\"CREATE TABLE labels (id INTEGER PRIMARY KEY, name TEXT NOT NULL)\")
    connection.execute(\"CREATE UNIQUE INDEX labels_name ON labels (name)\")


def downgrade(connection):
    connection.execute(\"DROP INDEX labels_name\")
    connection.execute(\"DROP TABLE labels\")
",
    },
    NewFile {
        kind: "generated-code",
        name: "messages_pb2.py",
        text: "\
# -*- coding: utf-8 -*-
# Generated by the protocol buffer compiler.  DO NOT EDIT!
# source: messages.proto

FIELD_ID = 1
FIELD_NAME = 2
FIELD_KIND = 3


def encode_id(out, value):
    out.append((FIELD_ID << 3) | 2)
    out.append(len(value))
    out.extend(value)


def encode_name(out, value):
    out.append((FIELD_NAME << 3) | 2)
    out.append(len(value))
    out.extend(value)


def encode_kind(out, value):
    out.append((FIELD_KIND << 3) | 2)
    out.append(len(value))
    out.extend(value)
",
    },
    NewFile {
        kind: "table-driven",
        name: "units.py",
        text: "\
\"\"\"Sizes with their units.\"\"\"

UNITS = {
    \"b\": 1,
    \"kb\": 10**3,
    \"kib\": 2**10,
    \"mb\": 10**6,
    \"mib\": 2**20,
    \"gb\": 10**9,
    \"gib\": 2**30,
}


def parse_size(text):
    digits = text.rstrip(\"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \")
    unit = text[len(digits):].strip().lower() or \"b\"
    if unit not in UNITS:
        raise ValueError(f\"unknown unit {unit!r}\")
    return int(digits) * UNITS[unit]
",
    },
];

pub(super) static STYLE: Style = Style {
    ids: &["python"],
    step: "    ",
    returns: Returns::Dynamic,
    has_free_functions: true,
    types_first: false,
    shares_types: false,
    snake: true,
    braces: false,
    bracketed: false,
    gap: 2,
    comment: "# ",
    end: "",
    nil: Some("{x} is None"),
    leave: "return None",
    print: "print(\"{text}\")",
    print_needs: "",
    not: "not {x}",
    unused_imports: &[
        ("import os", "os"),
        ("import sys", "sys"),
        ("import json", "json"),
        ("import re", "re"),
        ("import time", "time"),
        ("from collections import defaultdict", "defaultdict"),
        ("from pathlib import Path", "Path"),
    ],
    unused_locals: &[
        ("retry_count = 0", "retry_count"),
        ("is_valid = False", "is_valid"),
        ("default_timeout = 30", "default_timeout"),
        ("temp_items = []", "temp_items"),
    ],
    utilities: UTILITIES,
    logged: "try:\n{body}\nexcept Exception as e:\n    print(f\"Error: {e}\")",
    swallowed: "try:\n{body}\nexcept Exception:\n    pass",
    catch_all: "except Exception",
    raises: &[
        ("raise ValueError(", "raise Exception("),
        ("raise TypeError(", "raise Exception("),
        ("raise KeyError(", "raise Exception("),
        ("raise RuntimeError(", "raise Exception("),
        ("raise NotImplementedError(", "raise Exception("),
    ],
    logs: &[
        ("logger.info(", "print("),
        ("logger.debug(", "print("),
        ("logger.warning(", "print("),
        ("logger.error(", "print("),
        ("log.info(", "print("),
        ("log.debug(", "print("),
        ("logging.info(", "print("),
        ("logging.debug(", "print("),
        ("logging.warning(", "print("),
    ],
    flag_param: "{flag}=False",
    has_defaults: true,
    flags: ("False", "True"),
    mode_param: "mode",
    mode_test: "mode == \"{name}\"",
    mode_arg: "\"{name}\"",
    declare: "{name} = {value}",
    dependencies: &[
        Dependency {
            import: "import json",
            word: "json",
            new_import: "import simplejson",
            new_word: "simplejson",
            members: &[
                "loads",
                "dumps",
                "load",
                "dump",
                "JSONDecodeError",
                "JSONEncoder",
            ],
            manifest: ("requirements.txt", "simplejson"),
        },
        Dependency {
            import: "import re",
            word: "re",
            new_import: "import regex",
            new_word: "regex",
            members: &[
                "compile",
                "match",
                "search",
                "sub",
                "split",
                "findall",
                "finditer",
                "fullmatch",
                "escape",
                "IGNORECASE",
                "VERBOSE",
                "MULTILINE",
                "DOTALL",
                "X",
                "I",
                "M",
                "S",
            ],
            manifest: ("requirements.txt", "regex"),
        },
    ],
    files: FILES,
    scratch: &[
        (
            "debug_{stem}.py",
            "import sys\n\nfrom {stem} import *\n\nprint(sys.argv)\nprint(\"it works\")\n",
        ),
        (
            "try_{stem}.py",
            "# quick check, delete later\nimport {stem}\n\nprint(dir({stem}))\n",
        ),
    ],
};
