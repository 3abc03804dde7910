"""The two ways in which a command can fail."""


class Refused(Exception):
    """A command that is understood but cannot be done."""


class NotUnderstood(Exception):
    """Words that are no command at all."""
