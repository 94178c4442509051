"""The figures of a benchmark, and their table."""

from collections.abc import Sequence

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """A line of the table: a name, a value, and a target where there is one."""

    name: str
    value: str
    target: str = ""
    is_met: bool | None = None


def at_least(name: str, value: float, target: float, form: str = ".2f") -> Figure:
    return Figure(name, format(value, form), f">= {target:g}", value >= target)


def at_most(name: str, value: float, target: float, form: str = ".2f", unit: str = "") -> Figure:
    return Figure(name, f"{value:{form}}{unit}", f"<= {target:g}{unit}", value <= target)


def median(values: Sequence[float]) -> float:
    """Return the median, of an even number the upper one."""
    return sorted(values)[len(values) // 2]


def rate_figure(name: str, values: Sequence[float]) -> Figure:
    """Return the median rate per second and the range."""
    return Figure(name, f"{median(values):.0f}/s ({min(values):.0f} to {max(values):.0f})")


def print_table(title: str, figures: Sequence[Figure]) -> None:
    """Print the figures; missed targets are marked."""
    print(f"\n{title}")
    labels = {True: "met", False: "MISSED", None: ""}
    for figure in figures:
        verdict = labels[figure.is_met]
        print(f"  {figure.name:52} {figure.value:>24}   {figure.target:12} {verdict}".rstrip())
    print(flush=True)
