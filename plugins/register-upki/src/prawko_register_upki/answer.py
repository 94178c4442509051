"""Reads the answer: `DaneDokumentuResponse`, or a fault that carries a `cepikException`.

Names are matched without their namespaces, which differ between the register's services;
the structure is not negotiable. Entities, DTDs and the network are out of reach.
"""

from typing import Any, NoReturn

from lxml import etree

from prawko.hooks.licence_document import read_document
from prawko.hooks.licence_register import LicenceAnswer, RegisterError, RegisterTrouble

_PARSER = etree.XMLParser(
    resolve_entities=False,
    load_dtd=False,
    no_network=True,
    huge_tree=False,
    remove_comments=True,
    remove_pis=True,
)
_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
_REPEATED = frozenset({"komunikaty", "powodZmianyStanu", "daneUprawnieniaKategorii"})
_OPTIONAL = frozenset({"typDokumentu", "organWydajacyDokument"})  # empty means absent

_NO_DATA = "UPKI-1030"
_MALFORMED_QUESTION = "UPKI-1010"


def read_answer(body: bytes, *, asked: str) -> LicenceAnswer | None:
    """Read an envelope; None when the register says it has no such document.

    Raises RegisterError: garbage for what is no such envelope, else as the fault says.
    """
    message = _message(body)
    name = _name(message)
    if name == "Fault":
        _refuse_fault(message)  # comes back for "no such document" only
        return None
    if name != "DaneDokumentuResponse":
        _garbage(f"the message is a {name[:40]}")
    return read_document(_plain(message), asked=asked)


def _garbage(reason: str) -> NoReturn:
    raise RegisterError(RegisterTrouble.GARBAGE, reason) from None


def _name(element: Any) -> str:
    """The local name."""
    return str(element.tag).rpartition("}")[2]


def _message(body: bytes) -> Any:
    """The one element inside the envelope's body."""
    if b"<!DOCTYPE" in body:
        _garbage("the answer has a DOCTYPE")
    try:
        envelope = etree.fromstring(body, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        _garbage("the answer is no XML")
    if envelope.getroottree().docinfo.internalDTD is not None:  # written in another encoding
        _garbage("the answer has a DOCTYPE")
    if _name(envelope) != "Envelope":
        _garbage("the answer is no envelope")
    bodies = [part for part in envelope if _name(part) == "Body"]
    if len(bodies) != 1 or len(bodies[0]) != 1:
        _garbage("the envelope does not hold one message")
    return bodies[0][0]


def _plain(element: Any) -> dict[str, Any] | str | None:
    """Turn elements into what the JSON service would have sent."""
    if element.get(_NIL) in {"true", "1"}:
        return None
    if len(element) == 0:
        text: str = element.text or ""
        return text
    if (element.text or "").strip():
        _garbage("text stands between elements")
    plain: dict[str, Any] = {}
    for child in element:
        if child.tail is not None and child.tail.strip():
            _garbage("text stands between elements")
        name = _name(child)
        value = _plain(child)
        if name in _REPEATED:
            plain.setdefault(name, []).append(value)
        elif name in plain:
            _garbage(f"{name[:40]} stands there twice")
        else:
            plain[name] = None if name in _OPTIONAL and value == "" else value
    return plain


def _refuse_fault(fault: Any) -> None:
    """Return for "no such document"; raise for everything else.

    Only messages of type ERROR decide; a WARN beside them is a remark. Several errors at
    once count as the one that says least about the document.
    """
    details = [part for part in fault if _name(part) == "detail"]
    exceptions = [part for detail in details for part in detail if _name(part) == "cepikException"]
    if len(exceptions) != 1:
        raise RegisterError(RegisterTrouble.UNAVAILABLE, "a fault without an explanation")
    codes = {_error_code(part) for part in exceptions[0] if _name(part) == "komunikaty"} - {None}
    if codes == {_NO_DATA}:
        return
    if codes and codes <= {_NO_DATA, _MALFORMED_QUESTION}:
        raise RegisterError(RegisterTrouble.REFUSED, "the register found the question malformed")
    said = ", ".join(sorted(str(code)[:20] for code in codes)) or "warnings only"
    raise RegisterError(RegisterTrouble.UNAVAILABLE, f"the register's fault: {said}")


def _error_code(message: Any) -> str | None:
    """The code of a blocking message, None for a warning."""
    plain = _plain(message)
    if not isinstance(plain, dict):
        _garbage("the fault's message is empty")
    kind, code = plain.get("typ"), plain.get("kod")
    if not isinstance(kind, str) or not isinstance(code, str) or not code.strip():
        _garbage("the fault's message has no type or code")
    if kind.strip() == "WARN":
        return None
    if kind.strip() != "ERROR":
        _garbage("the fault's message is of an unknown type")
    return code.strip()
