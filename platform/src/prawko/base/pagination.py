"""Pagination of lists: bare arrays, the total in `Content-Range` (docs/rules.md R19a)."""

import msgspec

MAX_PAGE_SIZE = 100
DEFAULT_PAGE_SIZE = 25


class Pagination(msgspec.Struct, frozen=True):
    """A page of a list; `number` counts from one."""

    number: int = 1
    size: int = DEFAULT_PAGE_SIZE

    @property
    def offset(self) -> int:
        """Number of rows before the page."""
        return (self.number - 1) * self.size

    def content_range(self, unit: str, returned: int, total: int) -> str:
        """Return the `Content-Range` of a page with `returned` of `total` rows."""
        if returned == 0:
            return f"{unit} */{total}"
        return f"{unit} {self.offset}-{self.offset + returned - 1}/{total}"
