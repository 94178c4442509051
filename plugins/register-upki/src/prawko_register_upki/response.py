"""Parses responses: `DaneDokumentuResponse`, or a fault with a `cepikException`.

Elements are matched without their namespaces, which differ between the register's services; the
structure must match exactly. Entities, DTDs and network access are disabled.
"""

from typing import Any, NoReturn

from lxml import etree

from prawko.hooks.licence_document import parse_document
from prawko.hooks.licence_register import LicenceAnswer, RegisterError, RegisterErrorKind

_PARSER = etree.XMLParser(
    resolve_entities=False,
    load_dtd=False,
    no_network=True,
    huge_tree=False,
    remove_comments=True,
    remove_pis=True,
)
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_LIST_ELEMENTS = frozenset({"komunikaty", "powodZmianyStanu", "daneUprawnieniaKategorii"})
_OPTIONAL_ELEMENTS = frozenset({"typDokumentu", "organWydajacyDokument"})  # empty means absent

_NO_DATA = "UPKI-1030"
_MALFORMED_QUERY = "UPKI-1010"


def parse_response(body: bytes, *, expected_number: str) -> LicenceAnswer | None:
    """Parse an envelope; None if the register says that it has no such document.

    Raises RegisterError: INVALID_RESPONSE for any other content, else as the fault says.
    """
    message = _parse_message(body)
    name = _local_name(message)
    if name == "Fault":
        _raise_unless_no_data(message)
        return None
    if name != "DaneDokumentuResponse":
        _raise_invalid(f"the message is a {name[:40]}")
    return parse_document(_to_plain_data(message), expected_number=expected_number)


def _raise_invalid(reason: str) -> NoReturn:
    raise RegisterError(RegisterErrorKind.INVALID_RESPONSE, reason) from None


def _local_name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _parse_message(body: bytes) -> Any:
    """Return the single element in the envelope's body."""
    if b"<!DOCTYPE" in body:
        _raise_invalid("the response has a DOCTYPE")
    try:
        envelope = etree.fromstring(body, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        _raise_invalid("the response is not XML")
    if envelope.getroottree().docinfo.internalDTD is not None:  # found only after decoding
        _raise_invalid("the response has a DOCTYPE")
    if _local_name(envelope) != "Envelope":
        _raise_invalid("the response is no envelope")
    bodies = [part for part in envelope if _local_name(part) == "Body"]
    if len(bodies) != 1 or len(bodies[0]) != 1:
        _raise_invalid("the envelope does not contain one message")
    return bodies[0][0]


def _to_plain_data(element: Any) -> dict[str, Any] | str | None:
    """Convert an element to the data that the JSON service would send."""
    if element.get(_NIL) in {"true", "1"}:
        return None
    if len(element) == 0:
        text: str = element.text or ""
        return text
    if (element.text or "").strip():
        _raise_invalid("there is text between elements")
    plain: dict[str, Any] = {}
    for child in element:
        if child.tail is not None and child.tail.strip():
            _raise_invalid("there is text between elements")
        name = _local_name(child)
        value = _to_plain_data(child)
        if name in _LIST_ELEMENTS:
            plain.setdefault(name, []).append(value)
        elif name in plain:
            _raise_invalid(f"{name[:40]} is repeated")
        else:
            plain[name] = None if name in _OPTIONAL_ELEMENTS and value == "" else value
    return plain


def _raise_unless_no_data(fault: Any) -> None:
    """Return for the fault "no such document"; raise RegisterError for every other.

    Only messages of type ERROR decide; WARN messages are ignored. Of several errors the one
    that says least about the document decides.
    """
    details = [part for part in fault if _local_name(part) == "detail"]
    exceptions = [
        part for detail in details for part in detail if _local_name(part) == "cepikException"
    ]
    if len(exceptions) != 1:
        raise RegisterError(RegisterErrorKind.UNAVAILABLE, "a fault without an explanation")
    codes = {_error_code(part) for part in exceptions[0] if _local_name(part) == "komunikaty"} - {
        None
    }
    if codes == {_NO_DATA}:
        return
    if codes and codes <= {_NO_DATA, _MALFORMED_QUERY}:
        raise RegisterError(
            RegisterErrorKind.INVALID_QUERY, "the register found the query malformed"
        )
    named = ", ".join(sorted(str(code)[:20] for code in codes)) or "warnings only"
    raise RegisterError(RegisterErrorKind.UNAVAILABLE, f"the register's fault: {named}")


def _error_code(message: Any) -> str | None:
    """Return the code of an ERROR message, None for a warning."""
    plain = _to_plain_data(message)
    if not isinstance(plain, dict):
        _raise_invalid("the fault's message is empty")
    kind, code = plain.get("typ"), plain.get("kod")
    if not isinstance(kind, str) or not isinstance(code, str) or not code.strip():
        _raise_invalid("the fault's message has no type or code")
    if kind.strip() == "WARN":
        return None
    if kind.strip() != "ERROR":
        _raise_invalid("the fault's message is of an unknown type")
    return code.strip()
