class CardError(Exception):
    """What is told to the user instead of a traceback."""
