"""Paging of list calls: bare arrays, the total in `Content-Range` (reading R19a)."""

import msgspec

MAX_PAGE_SIZE = 100
DEFAULT_PAGE_SIZE = 25


class Page(msgspec.Struct, frozen=True):
    """A window on a list; `number` counts from one."""

    number: int = 1
    size: int = DEFAULT_PAGE_SIZE

    @property
    def offset(self) -> int:
        """How many rows stand before the page."""
        return (self.number - 1) * self.size

    def content_range(self, unit: str, shown: int, total: int) -> str:
        """The header's value for `shown` rows of `total`; an empty page names no rows."""
        if shown == 0:
            return f"{unit} */{total}"
        return f"{unit} {self.offset}-{self.offset + shown - 1}/{total}"
