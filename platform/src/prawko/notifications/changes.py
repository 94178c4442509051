"""Which change of a driver's outcome is worth a notice, and which one (reading R12)."""

from prawko.notifications.kinds import NoticeKind

# From → to. A licence found valid at the first look, and no change at all, are no news.
_NOTICES: dict[str | None, dict[str, NoticeKind | None]] = {
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


def notice_for(previous: str | None, current: str) -> NoticeKind | None:
    """The notice that a change from one outcome to another calls for; None for no news.

    `previous` is None, or the driver's status `unknown`, before the first outcome of the
    present document. Raises KeyError for a word that is no outcome.
    """
    return _NOTICES[None if previous == "unknown" else previous][current]
