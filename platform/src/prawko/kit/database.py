"""Repositories, statements, pages of rows, and the search and order of names in SQL."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import msgspec
from advanced_alchemy.base import ModelProtocol
from advanced_alchemy.filters import LimitOffset
from advanced_alchemy.repository import SQLAlchemyAsyncRepository
from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Table,
    UpdateBase,
    bindparam,
    column,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypeVar

from prawko.kit.text.letters import TABLE, WEIGHTS, fold_letters, fold_words
from prawko_tenants.base import Base

MAX_PAGE_SIZE = 100  # lists are bare arrays, the total is in `Content-Range` (docs/rules.md R19a)
DEFAULT_PAGE_SIZE = 25
ModelT = TypeVar("ModelT", bound=ModelProtocol)

# The letters of `kit.text.letters` for PostgreSQL, whose `lower` depends on the locale.
_BASIC = "".join(map(chr, range(0x20, 0x2213)))  # with all marks, dashes and quotation marks
_MARKS, _SIGNS = (
    "".join(re.findall(f"[{characters}]", _BASIC)) for characters in (TABLE.marks, TABLE.signs)
)
_DROPPED = f"[{TABLE.marks}{TABLE.apostrophes}']*"
_BASES = {form: base for one, base in TABLE.base_letters.items() for form in (one, one.upper())}
_ASCII = {c: c.lower() for c in map(chr, range(128)) if c.isalnum()}
_SINGLE = _ASCII | {form: base for form, base in _BASES.items() if len(form) == len(base) == 1}
# Polish letters are decomposed into base letters and marks unless they stand as private signs.
_POLISH = {
    letter: chr(0xE000 + rank) for rank, letter in enumerate(TABLE.alphabet) if not letter.isascii()
}
_POLISH_FORMS = {form: sign for one, sign in _POLISH.items() for form in (one, one.upper())}
_ORDER = {form: WEIGHTS[base] for form, base in _SINGLE.items() if base in WEIGHTS} | {
    sign: WEIGHTS[letter] for letter, sign in _POLISH.items()
}


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


class Repository(SQLAlchemyAsyncRepository[ModelT]):
    """Reads and writes one table in the caller's transaction; it never commits.

    A tenant table shows the rows of the session's company alone: the policies see to it, not
    this class. Errors of the database are SQLAlchemy's own: callers tell an outage from a conflict.
    Nothing is read back after a write: a login may lack the right.
    """

    def __init__(self, session: AsyncSession) -> None:
        super().__init__(session=session, auto_refresh=False, wrap_exceptions=False)


def limit_offset(pagination: Pagination) -> LimitOffset:
    """Return the page as a filter of advanced-alchemy."""
    return LimitOffset(limit=pagination.size, offset=pagination.offset)


def insert_rows(model: type[Base], *names: str) -> Insert:
    """Return the insert of any number of rows with these columns: an array for each column.

    `to_arrays` makes its parameters of rows, which are inserted in their order. No default of the
    model is filled in. A statement of the table, made once, takes a fifth of the time of one of the
    model that is made for each call.
    """
    table = cast(Table, model.__table__)
    columns = [table.c[name] for name in names]
    arrays = [bindparam(f"new_{one.name}", type_=ARRAY(one.type)) for one in columns]
    values = func.unnest(*arrays).table_valued(*(column(one.name, one.type) for one in columns))
    values = values.render_derived(name="new_row")
    return insert(table).from_select(names, select(values), include_defaults=False)


def to_arrays(rows: Sequence[Mapping[str, object]]) -> dict[str, list[object]]:
    """Return the parameters of `insert_rows`."""
    return {f"new_{name}": [row[name] for row in rows] for name in rows[0]}


async def count_changes(
    session: AsyncSession, statement: UpdateBase, params: Mapping[str, object] | None = None
) -> int:
    """Execute an insert, update or delete; returns how many rows it changed."""
    result = await session.execute(
        statement, params, execution_options={"synchronize_session": False}
    )
    return cast("CursorResult[Any]", result).rowcount


def contains_folded(name: Any, text: str) -> ColumnElement[bool]:
    """Return the condition that a column contains a text, compared as `fold_words` does.

    A pattern of all spellings of the text: PostgreSQL matches it in a fiftieth of the time in which
    it folds the column, and no table needs a folded copy of its names.
    """
    match: ColumnElement[bool] = name.regexp_match(_spell(fold_words(text)))
    return match


def _spell(folded: str) -> str:
    """Return the regular expression of the texts that contain this one when they are folded."""
    spellings = _spellings()
    pairs = {key: letters for key, letters in spellings.items() if len(key) > 1}

    def choose(index: int) -> str:
        letter = folded[index]
        if letter == " ":
            return f"[{TABLE.word_breaks}{re.escape(spellings['-'])}]+"
        letters = spellings.get(letter, letter + letter.upper())
        if index == 0:  # or the second half of a letter such as æ
            letters += "".join(both for pair, both in pairs.items() if pair.endswith(letter))
        if index == len(folded) - 1:
            letters += "".join(both for pair, both in pairs.items() if pair.startswith(letter))
        return f"[{re.escape(letters)}]"

    pieces = []
    for part in re.finditer("|".join([*pairs, "."]), folded, re.DOTALL):
        piece = choose(part.start())
        if part[0] in pairs:
            piece = f"({piece}{_DROPPED}{choose(part.start() + 1)}|[{pairs[part[0]]}])"
        pieces.append(piece)
    return _DROPPED.join(pieces)


@cache
def _spellings() -> Mapping[str, str]:
    """The characters of names that are folded to each text: one letter, or two as æ."""
    spellings = dict[str, str]()
    for character in _BASIC:
        folded = fold_letters(character)
        spellings[folded] = spellings.get(folded, "") + character
    return spellings


def order_by_letters(name: Any) -> ColumnElement[str]:
    """Return the weights of a column's letters, as `order_letters` does."""
    decomposed = _decompose(_translate(func.lower(name), _POLISH_FORMS))
    return _translate(decomposed, _ORDER, _MARKS + " " + _SIGNS).collate("C")


def _decompose(name: Any) -> ColumnElement[str]:
    """Return the name in NFD, with letters such as æ spelled out."""
    for form, base in _BASES.items():
        if len(form) < len(base):
            name = func.replace(name, form, base)
    return func.normalize(name, literal_column("NFD"))


def _translate(name: Any, letters: Mapping[str, str], dropped: str = "") -> ColumnElement[str]:
    return func.translate(name, "".join(letters) + dropped, "".join(letters.values()))
