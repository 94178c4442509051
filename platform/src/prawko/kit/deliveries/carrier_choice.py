"""Chooses the carrier that sends a message: the first of the settings that does not rest.

A message that a carrier was given stays with it, whatever the result, unless the carrier said that
it did not take it: two carriers know nothing of each other, and would send it twice.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, and_, false, or_

from prawko.kit.outbox.models import Delivery


def find_carrier(
    held_by: str | None, attempts: int, names: Sequence[str], resting: Collection[str]
) -> str | None:
    """Return the carrier of `names`, the preferred first, that sends a message now; None: it waits.

    The rule by which tests judge `is_sent_by`, which is the same in SQL; senders ask only that.
    `held_by` is the carrier that got the message at the last of its `attempts`, or is to get it. A
    carrier that the settings no longer name is replaced by the first.
    """
    if attempts == 0:
        return _first_ready(names, resting)
    holder = held_by if held_by in names else names[0]
    return None if holder in resting else holder


def find_next_carrier(refused_by: str, names: Sequence[str], resting: Collection[str] = ()) -> str:
    """Return the carrier that tries a refused message next: the same one if there is no other."""
    position = names.index(refused_by)
    others = (*names[position + 1 :], *names[:position])
    return _first_ready(others, resting) or refused_by


def is_sent_by(name: str, names: Sequence[str], resting: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that `find_carrier` names a carrier for a message."""
    is_held = Delivery.carrier == name
    if name == names[0]:
        is_held = or_(is_held, Delivery.carrier.is_(None), Delivery.carrier.not_in(names))
    was_tried = and_(Delivery.attempts > 0, is_held)
    if name in resting:
        return false()
    if name != _first_ready(names, resting):
        return was_tried
    return or_(was_tried, Delivery.attempts == 0)


def _first_ready(names: Sequence[str], resting: Collection[str]) -> str | None:
    return next((name for name in names if name not in resting), None)
