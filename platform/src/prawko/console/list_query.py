"""The list dialect of react-admin's `ra-data-simple-rest`, parsed with a white list.

`sort=["field","ASC"]`, `range=[0,9]` (inclusive), `filter={"field":value}`; the answer has the
total in `Content-Range`.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar.params import QueryParameter
from msgspec import Meta

from prawko.kit.errors import AppError
from prawko.kit.http.schemas import STORABLE

MAX_PARAMETER_LENGTH = 2000
MAX_FILTER_LENGTH = 5000  # a hundred ids
MAX_ROWS = 100
DEFAULT_ROWS = 10
MAX_FIRST_ROW = 10_000_000

# The types of filters. A resource declares one for each filter that it offers.
SearchText = Annotated[str, Meta(max_length=200, pattern=STORABLE)]
FilterWord = Annotated[str, Meta(max_length=50, pattern=STORABLE)]
FilterIds = Annotated[list[UUID], Meta(max_length=MAX_ROWS)]
FilterDays = Annotated[list[date], Meta(max_length=MAX_ROWS)]

_SortJson = tuple[FilterWord, Literal["ASC", "DESC"]]
_RowNumber = Annotated[int, Meta(ge=0, le=MAX_FIRST_ROW)]
_RangeJson = tuple[_RowNumber, _RowNumber]

SortParameter = Annotated[str | None, QueryParameter(name="sort")]
RangeParameter = Annotated[str | None, QueryParameter(name="range")]
FilterParameter = Annotated[str | None, QueryParameter(name="filter")]


class InvalidListQueryError(AppError):
    """The sort, range or filter of a list is malformed or not offered."""

    status = 400
    key = "invalid_list_query"


class ListParameters(msgspec.Struct, frozen=True):
    """The parameters of a list as they were sent: JSON, not yet parsed."""

    sort: str | None = None
    range: str | None = None
    filter: str | None = None


class SortOrder(msgspec.Struct, frozen=True):
    """The field to sort by, with its direction."""

    field: str
    is_descending: bool = False


class ListQuery(msgspec.Struct, frozen=True):
    """A valid query: rows `first` to `last`, inclusive and counted from zero."""

    sort: SortOrder
    first: int
    last: int
    filters: Mapping[str, Any]

    @property
    def limit(self) -> int:
        """The most rows that the page may have."""
        return self.last - self.first + 1

    def content_range(self, resource: str, returned: int, total: int) -> str:
        """Return the `Content-Range` of a page with `returned` of `total` rows."""
        if returned == 0:
            return f"{resource} */{total}"
        return f"{resource} {self.first}-{self.first + returned - 1}/{total}"


class ListDialect(msgspec.Struct, frozen=True):
    """The offer of a resource: fields to sort by, filters with their types, the usual order."""

    sortable: frozenset[str]
    filters: Mapping[str, Any]
    default_sort: SortOrder

    def parse(self, parameters: ListParameters) -> ListQuery:
        """Parse the parameters of a request. Raises InvalidListQueryError.

        Without a range, the ids of a filter are all returned; else the first ten rows are.
        """
        filters = self._parse_filters(parameters.filter)
        first, last = 0, max(DEFAULT_ROWS, len(filters.get("id", ()))) - 1
        if parameters.range is not None:
            first, last = _parse_json(parameters.range, _RangeJson)
        if not first <= last < first + MAX_ROWS:
            raise InvalidListQueryError
        return ListQuery(
            sort=self._parse_sort(parameters.sort), first=first, last=last, filters=filters
        )

    def _parse_sort(self, parameter: str | None) -> SortOrder:
        if parameter is None:
            return self.default_sort
        field, direction = _parse_json(parameter, _SortJson)
        if field not in self.sortable:
            raise InvalidListQueryError
        return SortOrder(field, is_descending=direction == "DESC")

    def _parse_filters(self, parameter: str | None) -> dict[str, Any]:
        if parameter is None:
            return {}
        values = _parse_json(parameter, dict[str, msgspec.Raw], MAX_FILTER_LENGTH)
        if not values.keys() <= self.filters.keys():
            raise InvalidListQueryError
        return {
            name: parsed
            for name, value in values.items()
            if (parsed := _parse_json(value, self.filters[name] | None, MAX_FILTER_LENGTH))
            not in (None, "")
        }


def provide_list_parameters(
    sort_json: SortParameter = None,
    range_json: RangeParameter = None,
    filter_json: FilterParameter = None,
) -> ListParameters:
    """Return the list parameters of the request."""
    return ListParameters(sort_json, range_json, filter_json)


def _parse_json(text: str | msgspec.Raw, kind: Any, max_length: int = MAX_PARAMETER_LENGTH) -> Any:
    """Decode JSON of a declared type, which bounds its depth."""
    if len(text) > max_length:
        raise InvalidListQueryError
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise InvalidListQueryError from None
