"""Providers' words, as they may be kept, logged and mailed."""

from prawko.deliveries.reports import without_persons


def kept_words(said: str) -> str:
    """What a provider said, short, on one line, without addresses and numbers of people."""
    return without_persons("".join(c if c.isprintable() else " " for c in said))
