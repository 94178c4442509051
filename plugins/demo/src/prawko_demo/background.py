"""Threads that leave every signal to the main one, where the supervisor waits for them."""

import signal
import threading


def start(thread: threading.Thread) -> None:
    """Start a thread that no signal will interrupt."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        thread.start()  # it inherits the mask
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
