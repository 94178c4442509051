"""The notice that a change of a driver's outcome calls for (docs/rules.md R12)."""

from prawko.notifications.catalogue import NoticeKind

_PROBLEM_KINDS = {
    "invalid": NoticeKind.WITHHELD,
    "attention": NoticeKind.ATTENTION,
    "not_found": NoticeKind.NOT_FOUND,
}
# Of a licence that is valid now, by the outcome before.
_RECOVERY_KINDS = {
    None: None,
    "unknown": None,
    "valid": None,
    "invalid": NoticeKind.RESTORED,
    "attention": NoticeKind.CONFIRMED,
    "not_found": NoticeKind.CONFIRMED,
}


def notice_kind_for(previous: str | None, current: str) -> NoticeKind | None:
    """Return the kind of notice for a change from one outcome to another; None for no notice.

    `previous` is None, or the driver's status `unknown`, before the first outcome of the
    current document. Raises KeyError for an unknown outcome.
    """
    recovery = _RECOVERY_KINDS[previous]
    if current == "valid":
        return recovery
    problem = _PROBLEM_KINDS[current]
    return None if current == previous else problem
