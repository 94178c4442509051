"""The figures of a bench, and how they are printed."""

from collections.abc import Sequence

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """One line: what was measured, what it came to, and what was wanted, if anything was."""

    name: str
    value: str
    wanted: str = ""
    met: bool | None = None


def at_least(name: str, value: float, wanted: float, form: str = ".2f") -> Figure:
    return Figure(name, format(value, form), f">= {wanted:g}", value >= wanted)


def at_most(name: str, value: float, wanted: float, form: str = ".2f", unit: str = "") -> Figure:
    return Figure(name, f"{value:{form}}{unit}", f"<= {wanted:g}{unit}", value <= wanted)


def middle(values: Sequence[float]) -> float:
    """The median; of an even number the upper of the two in the middle."""
    return sorted(values)[len(values) // 2]


def rates(name: str, values: Sequence[float]) -> Figure:
    """Per second: the median, and the range of its rounds."""
    return Figure(name, f"{middle(values):.0f}/s ({min(values):.0f} to {max(values):.0f})")


def show(title: str, figures: Sequence[Figure]) -> None:
    """Print them; a missed target is marked."""
    print(f"\n{title}")
    words = {True: "met", False: "MISSED", None: ""}
    for one in figures:
        print(f"  {one.name:52} {one.value:>24}   {one.wanted:12} {words[one.met]}".rstrip())
    print(flush=True)
