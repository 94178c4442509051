"""Starts threads that get no signals: the supervisor waits for them in the main thread."""

import signal
import threading


def start_thread(thread: threading.Thread) -> None:
    """Start a thread in which every signal is blocked."""
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        thread.start()  # it inherits the mask
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
