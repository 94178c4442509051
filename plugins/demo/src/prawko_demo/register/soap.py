"""The official service's side: SOAP 1.1, one operation."""

from xml.sax.saxutils import escape

from lxml import etree

from prawko_demo.register.documents import Coded, Known, Shelf
from prawko_demo.register.faults import Kind
from prawko_demo.register.wire import Reply, Request

PATH = "/cepik/api/ul/UprawnieniaKierowcowPrzewoznicyService"

_SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
_CARRIERS = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
_EXCEPTIONS = "http://exceptions.api.cepik.coi.gov.pl"
_MEDIA_TYPE = "text/xml;charset=UTF-8"
_FIELDS = ("imiePierwsze", "nazwisko", "seriaNumerBlankietuDruku")

_PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)

_OPEN = f'<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="{_SOAP}"><soap:Body>'
_CLOSE = "</soap:Body></soap:Envelope>"


class QuestionError(Exception):
    """The question is not what the contract says."""


class SoapSide:
    """Answers the official service's questions."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def answer(self, request: Request) -> Reply:
        """Answer one request as the service would on a good day."""
        if request.target != PATH:
            return Reply(404, "text/plain", b"no such service")
        if request.method != b"POST":
            return Reply(405, "text/plain", b"POST only", "Allow: POST\r\n")
        if not (request.header("Content-Type") or "").startswith("text/xml"):
            return Reply(415, "text/plain", b"SOAP 1.1 is text/xml")
        try:
            first_name, last_name, serial = _read_question(request)
        except QuestionError as error:
            return _fault("UPKI-1010", "Błąd walidacji.", str(error))
        known = self._shelf.ask(first_name, last_name, serial)
        if known is None:
            return no_data()
        return Reply(200, _MEDIA_TYPE, write_answer(known).encode())


def _read_question(request: Request) -> tuple[str, str, str]:
    if request.header("SOAPAction") != '""':
        raise QuestionError("SOAPAction")
    try:
        root = etree.fromstring(request.body, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        raise QuestionError("XML") from None
    message = root.find(f"{{{_SOAP}}}Body/{{{_CARRIERS}}}DaneDokumentuRequest")
    if root.tag != f"{{{_SOAP}}}Envelope" or message is None:
        raise QuestionError("DaneDokumentuRequest")
    if tuple(child.tag for child in message) != _FIELDS:  # in this order, without a namespace
        raise QuestionError("kolejność pól")
    first_name, last_name, serial = ((child.text or "").strip() for child in message)
    if not (first_name and last_name and serial):
        raise QuestionError("puste pole")
    return first_name, last_name, serial


def write_answer(known: Known) -> str:
    """Write `DaneDokumentuResponse`."""
    categories = "".join(
        f"<daneUprawnieniaKategorii><kategoria>{escape(entry.kategoria)}</kategoria>"
        f"{_leaf('dataWaznosci', entry.data_waznosci)}</daneUprawnieniaKategorii>"
        for entry in known.categories
    )
    reasons = "".join(_coded("powodZmianyStanu", reason) for reason in known.reasons)
    notes = "".join(
        f"<komunikaty>{_leaf('kod', note.kod)}{_leaf('opis', note.opis)}</komunikaty>"
        for note in known.notes
    )
    return (
        f'{_OPEN}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS}">'
        "<dokumentPotwierdzajacyUprawnienia>"
        "<typDokumentu><kod>DICT155_PJ</kod><wartosc>Prawo jazdy</wartosc></typDokumentu>"
        f"<seriaNumerBlankietuDruku>{escape(known.serial)}</seriaNumerBlankietuDruku>"
        f"{'' if known.authority is None else _coded('organWydajacyDokument', known.authority)}"
        f"{_leaf('dataWaznosci', known.expires)}"
        f"<stanDokumentu>{_coded('stanDokumentu', known.state)}{reasons}</stanDokumentu>"
        f"{categories}</dokumentPotwierdzajacyUprawnienia>{notes}"
        f"</ns2:DaneDokumentuResponse>{_CLOSE}"
    )


def _leaf(name: str, value: str | None) -> str:
    return "" if value is None else f"<{name}>{escape(value)}</{name}>"


def _coded(name: str, entry: Coded) -> str:
    return f"<{name}>{_leaf('kod', entry.kod)}{_leaf('wartosc', entry.wartosc)}</{name}>"


def no_data() -> Reply:
    """Say that there is no such document."""
    return _fault("UPKI-1030", "Brak danych.", "Nie znaleziono dokumentu.")


def _fault(code: str, message: str, details: str) -> Reply:
    ident = "20261101:060000_UPK_00000000-0000-4000-8000-000000000000"
    body = (
        f"{_OPEN}<soap:Fault><faultcode>soap:Server</faultcode>"
        f"<faultstring>FaultId: {ident}, Kody: {code}, Komunikaty: {message}</faultstring>"
        f'<detail><ns3:cepikException xmlns:ns3="{_EXCEPTIONS}"><komunikaty>'
        f"<typ>ERROR</typ><kod>{code}</kod><komunikat>{message}</komunikat>"
        f"<szczegoly>{escape(details)}</szczegoly>"
        f"<identyfikatorBledu>{ident}</identyfikatorBledu>"
        f"</komunikaty></ns3:cepikException></detail></soap:Fault>{_CLOSE}"
    )
    return Reply(500, _MEDIA_TYPE, body.encode())


def special(kind: Kind, elsewhere: str) -> bytes:
    """Write the bodies of the failures that only XML knows; `elsewhere` is an address to fetch."""
    if kind is Kind.XML_BOMB:
        lines = ['<!ENTITY a0 "Wydany">']
        lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
        return _with_entity("".join(lines), "&a9;")
    if kind is Kind.EXTERNAL_ENTITY:
        return _with_entity(f'<!ENTITY away SYSTEM "{elsewhere}">', "&away;")
    return (
        f'{_OPEN}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS}">'
        "<dokumentPotwierdzajacyUprawnienia><stanDokumentu>Wydany</stanDokumentu>"
        "<dataWaznosci><rok>2039</rok></dataWaznosci>"
        "<daneUprawnieniaKategorii>B</daneUprawnieniaKategorii>"
        f"</dokumentPotwierdzajacyUprawnienia></ns2:DaneDokumentuResponse>{_CLOSE}"
    ).encode()


def _with_entity(declaration: str, use: str) -> bytes:
    body = (
        f'{_OPEN}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS}">'
        "<dokumentPotwierdzajacyUprawnienia><stanDokumentu><stanDokumentu>"
        f"<kod>DICT003_WYD</kod><wartosc>Wydany{use}</wartosc>"
        "</stanDokumentu></stanDokumentu></dokumentPotwierdzajacyUprawnienia>"
        f"</ns2:DaneDokumentuResponse>{_CLOSE}"
    )
    prolog, rest = body.split("?>", 1)
    return f"{prolog}?><!DOCTYPE soap:Envelope [{declaration}]>{rest}".encode()
