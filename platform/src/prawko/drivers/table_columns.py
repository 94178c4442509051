"""Finds the table of drivers in rows of cells: by the names of columns, else by content. Pure.

The licence number is the named column; of several of the same name, the one that has most numbers.
One that is only called 'Nr' or 'Numer' may have ordinal numbers: another counts if cells of that
have the number's form, and none of it. Without names, the others are first name, last name and
categories, in this order, unless the given names are in the second; columns without a letter, as of
ordinal numbers, are passed over. A column may have both names.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import msgspec

from prawko.drivers.errors import ImportProblem, UnreadableImportError
from prawko.kit.text.letters import fold_letters, is_given_name

FIRST_NAME = "first_name"
LAST_NAME = "last_name"
LICENCE_NUMBER = "license_number"
NEEDED_CATEGORIES = "needed_categories"
FIELDS = (FIRST_NAME, LAST_NAME, LICENCE_NUMBER, NEEDED_CATEGORIES)
# Of a column with both names: the one that comes first.
LAST_NAME_FIRST = "last_name_first"
FIRST_NAME_FIRST = "first_name_first"
BOTH_NAMES = (LAST_NAME_FIRST, FIRST_NAME_FIRST)
FIELDS_OF_NAMES = {FIRST_NAME, LAST_NAME, *BOTH_NAMES}
MAX_COLUMNS = 50
MAX_PREAMBLE_ROWS = 10
MAX_CELL_LENGTH = 200  # of more, the beginning: longer than any valid value

_NAMES = {
    FIRST_NAME: (
        "imie", "imiona", "first name", "firstname", "given name", "forename", "name", "імя", "имя",
        "vorname",
    ),
    LAST_NAME: (
        "nazwisko", "last name", "lastname", "surname", "family name", "прізвище", "фамилия",
        "nachname", "familienname",
    ),
    LICENCE_NUMBER: (
        "numer prawa jazdy", "nr prawa jazdy", "numer blankietu", "nr blankietu", "blankiet",
        "numer pj", "nr pj", "numer dokumentu", "nr dokumentu", "seria i numer", "licence number",
        "license number", "licence no", "license no", "document number", "licencenumber",
        "licensenumber", "numer", "nr", "number", "no", "prawo jazdy", "driving licence",
    ),
    NEEDED_CATEGORIES: (
        "potrzebne kategorie", "wymagane kategorie", "needed categories", "required categories",
        "kategorie", "kategoria", "kat", "category", "categories",
    ),
}  # fmt: skip
# Words that name another column as well, where more follows: 'Kategoria pojazdu', 'Nr telefonu'.
_WHOLE_NAMES = {
    "name", "numer", "nr", "number", "no", "prawo jazdy", "driving licence", "seria i numer",
    "kategorie", "kategoria", "kat", "category", "categories",
}  # fmt: skip
# Of these, such as have ordinal numbers.
_BARE_NAMES = {"numer", "nr", "number", "no"}
# Words of names that are not the driver's: 'Imię ojca', 'Nazwisko rodowe', and of such that are.
_OTHER_PEOPLE = {
    "ojca", "matki", "rodzica", "opiekuna", "rodowe", "panienskie", "drugie", "ii", "iii",
}  # fmt: skip
# Of a second name: 'Imię 2'. A number before the name may be the column's: '2. Imię'.
_FURTHER = re.compile(r"[^\W\d_]\W*(?:[2-9]|[1-9][0-9])\W*$")
_DRIVERS = {"kierowcy", "kierowca", "pierwsze", "driver"}
# Headings of a column with both names that do not say which comes first.
_PEOPLE = {"kierowca", "pracownik", "osoba", "driver", "employee"}
_FULL_NAMES = {"full name", "fullname"}
_FIRST_NAME = re.compile(
    r"\b(imie|imiona|first ?name|given name|forename|vorname|імя|имя|"
    r"(?<!last )(?<!family )(?<!full )name)\b"
)
_LAST_NAME = re.compile(
    r"\b(nazwisko|last ?name|surname|family name|nachname|familienname|прізвище|фамилия)\b"
)
_JOINING = {"i", "and", "und", "та", "и", "oraz"}
# The words of a heading, besides the name's, that leave no doubt that it is the driver's.
_CERTAIN = _PEOPLE | _DRIVERS | _JOINING | {
    "pracownika", "osoby", "drugie", "of", "drivers", "the", "des", "fahrers", "водія", "водителя",
}  # fmt: skip
# The two letters before the six digits, in a column of their own. A bare name may be that of
# another document, unless the number is in the next column.
_SERIES = {"seria prawa jazdy", "seria pj", "seria blankietu"}
_BARE_SERIES = {"seria", "series"}
# Of a licence number, with whatever stands between its signs.
_NUMBER = re.compile(r"\W*(?:[A-Z]\W*){2}(?:[0-9]\W*){6}", re.ASCII | re.IGNORECASE)
_TWO_WORDS = re.compile(r"\S+\s+\S")
_CATEGORIES = re.compile(r"(?:kat\w*\W*)?(?:[A-DT][12M]?(?:\W*E)?(?:\W+|$))+", re.IGNORECASE)
_FIELD_OF_NAME = {name: field for field, names in _NAMES.items() for name in names}
_NUMBERED = dict.fromkeys(_BARE_NAMES, LICENCE_NUMBER)
_SAMPLE_ROWS = 50


class TableRow(msgspec.Struct, frozen=True):
    """The cells of a row that is not empty; `number` is the row's in the sheet, from one."""

    number: int
    cells: list[str]
    is_hidden: bool = False  # by the program that wrote the sheet


class TableColumn(msgspec.Struct, frozen=True):
    """A column of a table: its heading or '', and its first cell that is not empty.

    `field` is one of FIELDS or BOTH_NAMES, or None; `is_guess`: no heading names the field.
    """

    heading: str
    sample: str
    field: str | None
    is_guess: bool


class DriverTable(msgspec.Struct, frozen=True):
    """The rows of drivers and their columns.

    `is_certain`: columns were found by names, or a licence number by its form. `has_given_names`:
    one of the two columns of names has given names, or a heading names them.
    """

    columns: list[TableColumn]
    rows: list[TableRow]
    is_certain: bool
    has_given_names: bool = True


def find_table(rows: Sequence[TableRow]) -> DriverTable:
    """Return the rows below the header or all. Raises UnreadableImportError."""
    if not rows:
        raise UnreadableImportError(ImportProblem.EMPTY)
    for index, row in enumerate(rows[:MAX_PREAMBLE_ROWS]):
        columns = _match_names(row)
        if len(columns) < 2:
            continue
        body = rows[index + 1 :]
        unclear = {
            columns[field]
            for field in (LICENCE_NUMBER, NEEDED_CATEGORIES)
            if _choose_repeated(columns, field, row.cells, body)
        }
        number = columns.get(LICENCE_NUMBER)
        if number is None or normalise_heading(_cell(row, number)) in _BARE_NAMES:
            number = _find_number(body, columns)
        if number is None or not _has_names(columns):
            raise UnreadableImportError(ImportProblem.MISSING_COLUMNS)
        if not body:
            raise UnreadableImportError(ImportProblem.EMPTY)
        series = [
            place
            for place, name in enumerate(map(normalise_heading, row.cells))
            if name in _SERIES or (name in _BARE_SERIES and place == number - 1)
        ]
        if series:
            body = [_with_series(one, series[0], number) for one in body]
        named = {place: field for field, place in columns.items() if field != LICENCE_NUMBER}
        guessed = _guess_names(row, named, body)
        guesses = {number, *guessed} - {columns.get(LICENCE_NUMBER)} | unclear
        fields = {**named, **guessed, number: LICENCE_NUMBER}
        return _create_table(fields, guesses, row.cells, body)
    return _guess_table(rows)


def _choose_repeated(
    columns: dict[str, int], field: str, headings: Sequence[str], rows: Sequence[TableRow]
) -> bool:
    """Choose the field's column of several with such a heading; return whether they differ."""
    places = list_columns(headings, field)
    if field not in columns or not places:
        return False
    form = _NUMBER if field == LICENCE_NUMBER else _CATEGORIES
    columns[field] = max(
        places, key=lambda place: sum(bool(form.fullmatch(_cell(row, place))) for row in rows)
    )
    return any(_cell(row, place) != _cell(row, places[0]) for row in rows for place in places)


def list_columns(headings: Sequence[str], field: str) -> list[int]:
    """Return the columns that are called like the field; those of clear names, if there are any."""
    cells = [*map(normalise_heading, headings)]
    for find in (_field_called, _field_of_driver, _field_within):
        if named := [place for place, cell in enumerate(cells) if find(cell) == field]:
            return [place for place in named if cells[place] not in _WHOLE_NAMES] or named
    return []


def _has_names(columns: Iterable[str]) -> bool:
    return {FIRST_NAME, LAST_NAME} <= {*columns} or not {*BOTH_NAMES}.isdisjoint(columns)


def _with_series(row: TableRow, series: int, number: int) -> TableRow:
    digits = _cell(row, number)
    if len(digits) != 6 or not digits.isdecimal():
        return row
    cells = [*row.cells]
    cells[number] = _cell(row, series) + digits
    return msgspec.structs.replace(row, cells=cells)


def _guess_table(rows: Sequence[TableRow]) -> DriverTable:
    found = _find_number(rows, {})
    number = 2 if found is None else found
    columns = [one for one in _columns(rows) if one == number or _may_be_text(rows, one)]
    while len(columns) > 3 and len(rows) > 1 and not any(_cell(row, columns[0]) for row in rows):
        del columns[0]  # the sheet begins further right
    others = [column for column in columns if column != number]
    has_given_names = True
    # Without the heading, if there is one.
    drivers = [row for row in rows if _NUMBER.fullmatch(_cell(row, number))]
    if found is not None and others and _most(drivers, others[0], _TWO_WORDS.match):
        fields = {others[0]: _guess_order(drivers, others[0])}
        fields |= {
            column: NEEDED_CATEGORIES
            for column in reversed(others[1:])
            if _most(drivers, column, _CATEGORIES.fullmatch)
        }
    elif len(columns) < 3:
        raise UnreadableImportError(ImportProblem.MISSING_COLUMNS)
    else:
        given = [_most(drivers, column, is_given_name) for column in others[:2]]
        has_given_names = given[0] != given[1]
        names = (LAST_NAME, FIRST_NAME) if given == [False, True] else (FIRST_NAME, LAST_NAME)
        fields = dict(zip(others, (*names, NEEDED_CATEGORIES), strict=False))
    fields[number] = LICENCE_NUMBER
    table = _create_table(fields, {*fields}, (), rows, is_certain=found is not None)
    return msgspec.structs.replace(table, has_given_names=has_given_names)


def _guess_names(
    header: TableRow, named: Mapping[int, str], body: Sequence[TableRow]
) -> dict[int, str]:
    """Return the fields of the columns of names whose heading may be another person's."""
    headings = {place: normalise_heading(_cell(header, place)) for place in named}
    return {
        place: _guess_order(body, place) if headings[place] in _PEOPLE else field
        for place, field in named.items()
        if field in FIELDS_OF_NAMES
        and (
            headings[place] in _PEOPLE
            or _is_ambiguous(header, place)
            or not _words_besides_names(headings[place]) <= _CERTAIN
        )
    }


def _is_ambiguous(header: TableRow, column: int) -> bool:
    """Return whether the heading is a second name's, or another column's as well."""
    headings = [(normalise_heading(cell), _is_further(cell)) for cell in header.cells]
    return headings[column][1] or headings.count(headings[column]) > 1


def _is_further(heading: str) -> bool:
    return _FURTHER.search(heading) is not None


def _guess_order(rows: Sequence[TableRow], column: int) -> str:
    """Return the order of both names: the first names of a company are fewer than the last."""
    names = [words for row in rows if len(words := _cell(row, column).split()) > 1]
    first_words, last_words = ({words[place] for words in names} for place in (0, -1))
    return FIRST_NAME_FIRST if len(first_words) < len(last_words) else LAST_NAME_FIRST


def _most(rows: Sequence[TableRow], column: int, is_like: Callable[[str], object]) -> bool:
    """Return whether half of the cells that are not empty, or more, are like it."""
    cells = [cell for row in rows[:_SAMPLE_ROWS] if (cell := _cell(row, column))]
    return bool(cells) and 2 * sum(map(bool, map(is_like, cells))) >= len(cells)


def _create_table(
    fields: dict[int, str], guesses: Collection[int], headings: Sequence[str],
    rows: Sequence[TableRow], *, is_certain: bool = True,
) -> DriverTable:  # fmt: skip
    sample = rows[:_SAMPLE_ROWS]
    columns = [
        TableColumn(
            heading=headings[place] if place < len(headings) else "",
            sample=next(filter(None, (_cell(row, place) for row in sample)), ""),
            field=fields.get(place),
            is_guess=place in guesses,
        )
        for place in range(max(len(headings), len(_columns(rows)), max(fields) + 1))
    ]
    return DriverTable(columns, [*rows], is_certain)


def _match_names(row: TableRow) -> dict[str, int]:
    """Return the columns whose cells are names of fields, or else contain them.

    Of several that contain a name, the only one that is said to be the driver's counts, or none.
    'Imię 2' is passed over for 'Imię'.
    """
    columns: dict[str, int] = {}
    places = sorted(range(len(row.cells)), key=lambda place: _is_further(row.cells[place]))
    cells = [normalise_heading(cell) for cell in row.cells]
    both = {place: order for place, cell in enumerate(cells) if (order := _order_of_names(cell))}
    words = set(" ".join(cells).split())
    if "vorname" in words and not words & {"nachname", "familienname"}:
        cells = ["nachname" if cell == "name" else cell for cell in cells]
    for find in (_field_called, _field_of_driver, _field_within, _NUMBERED.get):
        fields = [None if place in both else find(cell) for place, cell in enumerate(cells)]
        for index in places:
            field = fields[index]
            is_clear = (
                find not in (_field_of_driver, _field_within)
                or field == LICENCE_NUMBER
                or fields.count(field) == 1
            )
            if field and is_clear and field not in columns and index not in columns.values():
                columns[field] = index
    if columns.keys().isdisjoint((FIRST_NAME, LAST_NAME)):
        columns |= _choose_both_names(cells, both)
    return columns


def _order_of_names(heading: str) -> str | None:
    """Return which of BOTH_NAMES the heading names, or None."""
    if heading in _PEOPLE:
        return LAST_NAME_FIRST
    first, last = _FIRST_NAME.search(heading), _LAST_NAME.search(heading)
    if not first or not last or _OTHER_PEOPLE.intersection(heading.split()):
        return FIRST_NAME_FIRST if heading in _FULL_NAMES else None
    return LAST_NAME_FIRST if last.start() < first.start() else FIRST_NAME_FIRST


def _choose_both_names(cells: Sequence[str], both: dict[int, str]) -> dict[str, int]:
    """Return the column with both names: nothing else is said of it, or that it is the driver's.

    Else the only one counts, or none.
    """
    rests = {place: _words_besides_names(cells[place]) for place in both}
    bare = [place for place in both if rests[place] <= _JOINING]
    drivers = [place for place in both if rests[place] <= _CERTAIN]
    for choice in (bare, drivers, [*both]):
        if len(choice) == 1:
            return {both[choice[0]]: choice[0]}
    return {}


def _words_besides_names(heading: str) -> set[str]:
    if heading in _FULL_NAMES:
        return set()
    return {*_LAST_NAME.sub("", _FIRST_NAME.sub("", heading)).split()}


def _field_of_driver(cell: str) -> str | None:
    return _field_within(cell) if _DRIVERS.intersection(cell.split()) else None


def _field_called(cell: str) -> str | None:
    return None if cell in _BARE_NAMES else _FIELD_OF_NAME.get(cell)


def _field_within(cell: str) -> str | None:
    words = set(cell.split())
    for name, field in _FIELD_OF_NAME.items():
        if name not in _WHOLE_NAMES and words.issuperset(name.split()):
            others = _OTHER_PEOPLE - ({"drugie"} if "pierwsze" in words else set())
            return None if words & others else field
    return None


def normalise_heading(name: str) -> str:
    """Return the name in lower case, without accents; other characters become spaces."""
    return " ".join("".join(c if c.isalpha() else " " for c in fold_letters(name)).split())


def _find_number(rows: Sequence[TableRow], named: dict[str, int]) -> int | None:
    """Return the column of the licence number; None if neither name nor content shows one."""
    sample = rows[:_SAMPLE_ROWS]
    others = {column for field, column in named.items() if field != LICENCE_NUMBER}
    counts = {
        column: sum(_NUMBER.fullmatch(_cell(row, column)) is not None for row in sample)
        for column in _columns(rows)
        if column not in others
    }
    by_name = named.get(LICENCE_NUMBER)
    if by_name is not None and (counts.get(by_name) or not any(counts.values())):
        return by_name
    # The first of those in which most cells have the form.
    best = max(counts, key=lambda column: min(counts[column], len(sample) // 2 + 1), default=None)
    return best if best is not None and counts[best] else by_name


def has_number(cells: Iterable[str]) -> bool:
    """Return whether one of the cells has the form of a licence number."""
    return any(map(_NUMBER.fullmatch, cells))


def _may_be_text(rows: Sequence[TableRow], column: int) -> bool:
    cells = [cell for row in rows[:_SAMPLE_ROWS] if (cell := _cell(row, column))]
    return not cells or any(letter.isalpha() for cell in cells for letter in cell)


def _columns(rows: Sequence[TableRow]) -> range:
    return range(max((len(row.cells) for row in rows), default=0))


def _cell(row: TableRow, column: int) -> str:
    return row.cells[column] if column < len(row.cells) else ""
