"""Limits texts to one SMS segment; each more would be charged as another message."""

from prawko.hooks.gsm7 import MAX_SEGMENT_LENGTH, to_gsm7

ELLIPSIS = "..."


def fit_one_segment(text: str) -> str:
    """Return the text in the GSM 7-bit alphabet, cut at a word if it exceeds one segment."""
    line = to_gsm7(text)
    if len(line) <= MAX_SEGMENT_LENGTH:
        return line
    max_length = MAX_SEGMENT_LENGTH - len(ELLIPSIS)
    whole_words = line[: max_length + 1].rpartition(" ")[0]
    return (whole_words or line[:max_length]) + ELLIPSIS
