"""The list dialect of ra-data-simple-rest: what it accepts, and what it refuses."""

import json
from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prawko.console.list_query import (
    FilterIds,
    InvalidListQueryError,
    ListDialect,
    ListParameters,
    SearchText,
    SortOrder,
)
from prawko.console.resource import parse_record_id
from prawko.kit.errors import NotFoundError

DIALECT = ListDialect(
    sortable=frozenset({"email", "createdAt"}),
    filters={
        "id": FilterIds,
        "q": SearchText,
        "isAdmin": bool,
        "driverLimit_gte": int,
        "day_lte": date,
    },
    default_sort=SortOrder("createdAt", is_descending=True),
)
ONE = UUID("019389a0-0000-7000-8000-000000000001")
IDS = [str(UUID(int=n)) for n in range(100)]


def ids_filter(ids) -> str:
    return json.dumps({"id": ids}, separators=(",", ":"))


ACCEPTED = [
    ({}, ("createdAt", True, 0, 9, {})),
    ({"sort": '["email","ASC"]'}, ("email", False, 0, 9, {})),
    ({"sort": ' ["email" , "DESC"] '}, ("email", True, 0, 9, {})),
    ({"range": "[0,0]"}, ("createdAt", True, 0, 0, {})),
    ({"range": "[20,44]"}, ("createdAt", True, 20, 44, {})),
    ({"range": "[50,149]"}, ("createdAt", True, 50, 149, {})),
    ({"filter": "{}"}, ("createdAt", True, 0, 9, {})),
    ({"filter": '{"q":"Anna"}'}, ("createdAt", True, 0, 9, {"q": "Anna"})),
    ({"filter": '{"q":""}'}, ("createdAt", True, 0, 9, {})),
    ({"filter": '{"q":null}'}, ("createdAt", True, 0, 9, {})),
    ({"filter": '{"isAdmin":false}'}, ("createdAt", True, 0, 9, {"isAdmin": False})),
    ({"filter": '{"driverLimit_gte":0}'}, ("createdAt", True, 0, 9, {"driverLimit_gte": 0})),
    (
        {"filter": '{"day_lte":"2026-11-22"}'},
        ("createdAt", True, 0, 9, {"day_lte": date(2026, 11, 22)}),
    ),
    ({"filter": ids_filter([str(ONE)])}, ("createdAt", True, 0, 9, {"id": [ONE]})),
    ({"filter": ids_filter([])}, ("createdAt", True, 0, 9, {"id": []})),
    ({"filter": ids_filter(IDS)}, ("createdAt", True, 0, 99, {"id": [UUID(one) for one in IDS]})),
]
REFUSED = [
    {"sort": ""},
    {"sort": "email"},
    {"sort": "[]"},
    {"sort": '["email"]'},
    {"sort": '["email","up"]'},
    {"sort": '["email","asc"]'},
    {"sort": '["email","ASC","x"]'},
    {"sort": '["passwordHash","ASC"]'},
    {"sort": '["email; DROP TABLE user_account","ASC"]'},
    {"sort": '[["email"],"ASC"]'},
    {"sort": '{"email":"ASC"}'},
    {"sort": "null"},
    {"range": ""},
    {"range": "0-9"},
    {"range": "[0]"},
    {"range": "[9,0]"},
    {"range": "[-1,9]"},
    {"range": "[0,100]"},
    {"range": "[0,9,10]"},
    {"range": "[0.0,9.5]"},
    {"range": '["0","9"]'},
    {"range": "[true,9]"},
    {"range": "[10000001,10000002]"},
    {"range": "[0,1e3]"},
    {"range": "[0,99999999999999999999999]"},
    {"filter": ""},
    {"filter": "[]"},
    {"filter": "null"},
    {"filter": '"q"'},
    {"filter": '{"q":1}'},
    {"filter": '{"q":["a"]}'},
    {"filter": '{"q":{"a":1}}'},
    {"filter": '{"q":"' + "x" * 201 + '"}'},
    {"filter": '{"email":"a"}'},
    {"filter": '{"isAdmin":1}'},
    {"filter": '{"isAdmin":"true"}'},
    {"filter": '{"driverLimit_gte":1.5}'},
    {"filter": '{"driverLimit":5}'},
    {"filter": '{"day_lte":"22.11.2026"}'},
    {"filter": '{"id":"' + IDS[0] + '"}'},
    {"filter": '{"id":["x"]}'},
    {"filter": '{"id":[1]}'},
    {"filter": ids_filter([*IDS, str(ONE)])},
    {"filter": '{"q":"a"} {"q":"b"}'},
    {"filter": "[" * 2000},
    {"filter": '{"q":' + "[" * 1990},
    {"filter": " " * 5001},
    {"sort": '["email","ASC"' + " " * 2000 + "]"},
    {"filter": '{"q":"\ud800"}'},
]


@pytest.mark.parametrize(("parameters", "expected"), ACCEPTED)
def test_a_query_of_the_dialect_is_parsed(parameters, expected) -> None:
    query = DIALECT.parse(ListParameters(**parameters))

    assert (
        query.sort.field, query.sort.is_descending, query.first, query.last, query.filters,
    ) == expected  # fmt: skip
    assert query.limit == query.last - query.first + 1


@pytest.mark.parametrize("parameters", REFUSED, ids=str)
def test_any_other_query_is_refused(parameters) -> None:
    with pytest.raises(InvalidListQueryError):
        DIALECT.parse(ListParameters(**parameters))


@given(
    st.sampled_from(["sort", "range", "filter"]), st.text() | st.from_regex(r"[\[\]{}\",:0-9 ]+")
)
def test_no_text_leads_to_anything_but_a_query_or_a_refusal(name, value) -> None:
    try:
        query = DIALECT.parse(ListParameters(**{name: value}))
    except InvalidListQueryError:
        return
    assert 0 < query.limit <= 100
    assert query.sort.field in DIALECT.sortable
    assert query.filters.keys() <= DIALECT.filters.keys()


@pytest.mark.parametrize(
    ("range_json", "returned", "total", "expected"),
    [
        ("[0,9]", 10, 25, "users 0-9/25"),
        ("[20,29]", 5, 25, "users 20-24/25"),
        ("[30,39]", 0, 25, "users */25"),
        ("[0,9]", 0, 0, "users */0"),
    ],
)
def test_the_content_range_names_the_rows_that_were_returned(
    range_json, returned, total, expected
) -> None:
    query = DIALECT.parse(ListParameters(range=range_json))

    assert query.content_range("users", returned, total) == expected


def test_a_malformed_id_belongs_to_nothing() -> None:
    assert parse_record_id(str(ONE)) == ONE
    for text in ("", "1", "no-id-at-all", str(ONE) + "0"):
        with pytest.raises(NotFoundError):
            parse_record_id(text)
