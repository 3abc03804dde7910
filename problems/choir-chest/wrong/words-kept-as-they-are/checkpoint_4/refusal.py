"""A reason for which a command is refused."""


class Refusal(Exception):
    pass
