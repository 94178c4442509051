"""What a company says of a driver: the person and the document the register is asked about."""

from collections.abc import Callable, Mapping

from prawko.drivers.errors import InvalidDriverDataError
from prawko.drivers.faults import UnfitTextError
from prawko.drivers.licence import read_licence_number
from prawko.drivers.names import read_name

# Our name of a field → its name in a request, and how it is read; in the form's order.
_FIELDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "first_name": ("firstName", read_name),
    "last_name": ("lastName", read_name),
    "license_number": ("licenseNumber", read_licence_number),
}


def read_details(given: Mapping[str, str]) -> dict[str, str]:
    """Return the given ones of the three fields, made fit to be stored.

    Raises InvalidDriverDataError with a sentence for each field that is not.
    """
    fit: dict[str, str] = {}
    refused: dict[str, str] = {}
    for name, (told, read) in _FIELDS.items():
        if name not in given:
            continue
        try:
            fit[name] = read(given[name])
        except UnfitTextError as error:
            refused[told] = f"drivers.{name}.{error.fault}"
    if refused:
        raise InvalidDriverDataError(fields=refused)
    return fit
