class CanalError(Exception):
    """Something the user has to put right; its text is the message."""
