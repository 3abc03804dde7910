"""Locks of sheets: only a salted, slow hash of the word is kept."""
import hashlib
import hmac
import os

from refusal import Refusal

ROUNDS = 20000


def lock_of(word):
    salt = os.urandom(16)
    return {"salt": salt.hex(), "hash": _hash(word, salt)}


def opens(word, lock):
    return hmac.compare_digest(_hash(word, bytes.fromhex(lock["salt"])), lock["hash"])


def is_open(sheet):
    """Whether a sheet has no lock, or the word of this command opens it."""
    return "lock" not in sheet or opens(os.environ.get("CHEST_WORD", ""), sheet["lock"])


def check_open(sheet):
    if not is_open(sheet):
        raise Refusal("locked")


def _hash(word, salt):
    return hashlib.pbkdf2_hmac("sha256", word.encode("utf-8", "surrogateescape"), salt, ROUNDS).hex()
