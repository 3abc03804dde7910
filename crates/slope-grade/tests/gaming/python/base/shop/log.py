"""The logger that all modules share."""

import logging

logger = logging.getLogger("shop")
