"""The notice that a change of a driver's outcome calls for (docs/rules.md R12)."""

from prawko.notifications.kinds import NoticeKind

# From → to. A licence that is valid at the first check, or unchanged, causes no notice.
_KIND_BY_CHANGE: dict[str | None, dict[str, NoticeKind | None]] = {
    None: {
        "valid": None,
        "invalid": NoticeKind.WITHHELD,
        "attention": NoticeKind.ATTENTION,
        "not_found": NoticeKind.NOT_FOUND,
    },
    "valid": {
        "valid": None,
        "invalid": NoticeKind.WITHHELD,
        "attention": NoticeKind.ATTENTION,
        "not_found": NoticeKind.NOT_FOUND,
    },
    "invalid": {
        "valid": NoticeKind.RESTORED,
        "invalid": None,
        "attention": NoticeKind.ATTENTION,
        "not_found": NoticeKind.NOT_FOUND,
    },
    "attention": {
        "valid": NoticeKind.CONFIRMED,
        "invalid": NoticeKind.WITHHELD,
        "attention": None,
        "not_found": NoticeKind.NOT_FOUND,
    },
    "not_found": {
        "valid": NoticeKind.CONFIRMED,
        "invalid": NoticeKind.WITHHELD,
        "attention": NoticeKind.ATTENTION,
        "not_found": None,
    },
}


def notice_kind_for(previous: str | None, current: str) -> NoticeKind | None:
    """Return the kind of notice for a change from one outcome to another; None for no notice.

    `previous` is None, or the driver's status `unknown`, before the first outcome of the
    current document. Raises KeyError for an unknown outcome.
    """
    return _KIND_BY_CHANGE[None if previous == "unknown" else previous][current]
