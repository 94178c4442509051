"""Fits texts into one SMS segment: the GSM 7-bit alphabet, at most 160 characters."""

from collections.abc import Callable, Mapping

from prawko.hooks.gsm7 import MAX_SEGMENT_LENGTH, to_gsm7

__all__ = ["ELLIPSIS", "MAX_SEGMENT_LENGTH", "fit_one_segment", "to_gsm7"]

MIN_WORD_LENGTH = 8
ELLIPSIS = "..."


def fit_one_segment(
    render: Callable[[Mapping[str, str]], str], shortenable: Mapping[str, str]
) -> str:
    """Return the rendered text within one segment, shortening the longest values first.

    `render` makes the text of the values in `shortenable`. Of a value called `name`, the first
    name becomes an initial before the last name is cut. A text that is still too long is cut at
    its end.
    """
    values = {name: to_gsm7(value) for name, value in shortenable.items()}
    while (excess := len(to_gsm7(render(values))) - MAX_SEGMENT_LENGTH) > 0:
        longest = max(values, key=lambda name: len(values[name]), default=None)
        if longest is None or len(values[longest]) <= MIN_WORD_LENGTH:
            break
        values[longest] = _shorten(longest, values[longest], excess)
    text = to_gsm7(render(values))
    if len(text) <= MAX_SEGMENT_LENGTH:
        return text
    return text[: MAX_SEGMENT_LENGTH - len(ELLIPSIS)].rstrip() + ELLIPSIS


def _shorten(name: str, value: str, excess: int) -> str:
    first, _, rest = value.partition(" ")
    if name == "name" and rest and len(first) > len("J."):
        return f"{first[0]}. {rest}"
    end = max(MIN_WORD_LENGTH, len(value) - excess) - len(ELLIPSIS)
    return value[:end].rstrip(" .-") + ELLIPSIS
