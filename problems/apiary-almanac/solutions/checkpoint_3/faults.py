"""What the program refuses."""


class Refused(Exception):
    """An input that is refused; its text is the message."""


class Usage(Exception):
    """A command line that cannot be understood."""
