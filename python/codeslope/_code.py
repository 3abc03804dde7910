"""Code as functions take it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Union

# A folder or a file, or texts by path.
Code = Union[str, "os.PathLike[str]", Mapping[str, Union[str, bytes]]]


def native(code: Code) -> str | dict[str, bytes]:
    """Code for the native part."""
    if isinstance(code, Mapping):
        return {path: text.encode() if isinstance(text, str) else bytes(text) for path, text in code.items()}
    return os.fspath(code)
