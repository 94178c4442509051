"""Passwords so common that they are guessed first (reading R15).

A list of 3,000 strings would hold few that our own rules let through: people who must use a
capital and a digit write a word they know, a capital in front and digits behind. So the list
holds the words, some 2,000 of them, and a password is common when nothing but digits and signs
stands around one of them, however it is capitalised (a letter at the end changes nothing), or
when it walks along the keyboard.
That covers the commonest passwords many times over; a test counts them.
"""

import re
from functools import cache
from importlib.resources import files
from unicodedata import combining, normalize

_PLAIN_L = str.maketrans("łŁ", "ll")
_LEET = str.maketrans("0134578@$!", "oieastbasi")
_AROUND = re.compile(r"^[^a-z]*(.*?)[^a-z]*$", re.DOTALL)
_MOST_AROUND = 8  # digits and signs around a word; more of them are a secret of their own

# Neighbours on a keyboard: along its rows, and up and down its columns.
_ROWS = (
    "1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./", "qwertzuiop", "azertyuiop",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
    "a1b2c3d4e5f6g7h8i9j0", "1a2b3c4d5e6f7g8h9i0j", "abcdefghijklmnopqrstuvwxyz", "01234567890",
    "qazwsxedcrfvtgbyhnujm", "zaq1xsw2cde3vfr4bgt5nhy6mju7", "q2w3e4r5t6y7u8i9o0",
    "1qazxsw23edcvfr4", "zaq12wsxcde34rfv", "1qaz@wsx#edc$rfv", "147258369", "159357",
    "!qaz@wsx#edc", "!@#$%^&*()", "a1s2d3f4g5h6j7k8l9", "z1x2c3v4b5n6m7",
)  # fmt: skip
_SHORTEST_WALK = 3
_LONGEST_PATH = max(map(len, _ROWS))
_LONGEST = 64


def is_common(password: str) -> bool:
    """Whether somebody who guesses would try this password among the first.

    One of more than 64 characters is never common, and costs nothing to judge.
    """
    if len(password) > _LONGEST:
        return False
    plain = _plain(password)
    return (
        _is_word(plain)
        or _is_word(plain[:-1])
        or _is_walk(plain)
        or _is_walk(plain[1:])
        or _repeats(plain)
    )


def _plain(password: str) -> str:
    """Small letters without accents, and no blanks."""
    letters = normalize("NFKD", password.translate(_PLAIN_L).casefold())
    return "".join(c for c in letters if not combining(c) and not c.isspace())


def _is_word(plain: str) -> bool:
    word = _AROUND.sub(r"\1", plain)
    if len(plain) - len(word) > _MOST_AROUND:
        return False
    read = {word, plain.translate(_LEET), word.translate(_LEET)}
    read |= {spelling[: len(spelling) // 2] for spelling in read if _repeats_once(spelling)}
    return not read.isdisjoint(_words())


def _is_walk(plain: str) -> bool:
    """Made of at most three walks along the keyboard or the alphabet, forwards or backwards."""
    rest, walks = plain, 0
    while rest and walks < 3:
        step = _longest_walk(rest)
        if step < _SHORTEST_WALK:
            break
        rest, walks = rest[step:], walks + 1
    return walks > 0 and len(rest) <= 1


def _longest_walk(text: str) -> int:
    same = len(text) - len(text.lstrip(text[0]))
    for length in range(min(len(text), _LONGEST_PATH), max(same, _SHORTEST_WALK - 1), -1):
        if any(text[:length] in path for path in _paths()):
            return length
    return same if same >= _SHORTEST_WALK else 0


def _repeats(plain: str) -> bool:
    """One short piece again and again: abc1abc1, 12ab12ab."""
    return any(
        len(plain) % size == 0 and plain == plain[:size] * (len(plain) // size)
        for size in range(1, min(4, len(plain) // 2) + 1)
    )


def _repeats_once(text: str) -> bool:
    half = len(text) // 2
    return len(text) % 2 == 0 and text[:half] == text[half:]


@cache
def _paths() -> tuple[str, ...]:
    return (*_ROWS, *(row[::-1] for row in _ROWS))


@cache
def _words() -> frozenset[str]:
    listed = files("prawko.accounts").joinpath("common_words.txt").read_text(encoding="ascii")
    return frozenset(
        word for line in listed.splitlines() if not line.startswith("#") for word in line.split()
    )


__all__ = ["is_common"]
