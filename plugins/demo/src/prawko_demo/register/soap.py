"""The official service: SOAP 1.1 with one operation."""

from xml.sax.saxutils import escape

from lxml import etree

from prawko_demo.register.document_store import DocumentStore
from prawko_demo.register.documents import CompleteDocument, DictionaryEntry
from prawko_demo.register.faults import FaultKind
from prawko_demo.register.http_wire import SimulatorReply, SimulatorRequest

PATH = "/cepik/api/ul/UprawnieniaKierowcowPrzewoznicyService"

_SOAP_NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/"
_CARRIERS_NAMESPACE = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
_EXCEPTIONS_NAMESPACE = "http://exceptions.api.cepik.coi.gov.pl"
_MEDIA_TYPE = "text/xml;charset=UTF-8"
_FIELDS = ("imiePierwsze", "nazwisko", "seriaNumerBlankietuDruku")

_PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)

_ENVELOPE_START = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    f'<soap:Envelope xmlns:soap="{_SOAP_NAMESPACE}"><soap:Body>'
)
_ENVELOPE_END = "</soap:Body></soap:Envelope>"


class InvalidQueryError(Exception):
    """The request does not match the service's contract."""


class SoapService:
    """Answers the requests of the official service."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def handle(self, request: SimulatorRequest) -> SimulatorReply:
        """Answer a request without faults."""
        if request.target != PATH:
            return SimulatorReply(404, "text/plain", b"no such service")
        if request.method != b"POST":
            return SimulatorReply(405, "text/plain", b"POST only", "Allow: POST\r\n")
        if not (request.header("Content-Type") or "").startswith("text/xml"):
            return SimulatorReply(415, "text/plain", b"SOAP 1.1 is text/xml")
        try:
            first_name, last_name, serial = _parse_query(request)
        except InvalidQueryError as error:
            return _soap_fault("UPKI-1010", "Błąd walidacji.", str(error))
        document = self._store.look_up(first_name, last_name, serial)
        if document is None:
            return no_data_fault()
        return SimulatorReply(200, _MEDIA_TYPE, encode_soap(document).encode())


def _parse_query(request: SimulatorRequest) -> tuple[str, str, str]:
    if request.header("SOAPAction") != '""':
        raise InvalidQueryError("SOAPAction")
    try:
        root = etree.fromstring(request.body, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        raise InvalidQueryError("XML") from None
    message = root.find(f"{{{_SOAP_NAMESPACE}}}Body/{{{_CARRIERS_NAMESPACE}}}DaneDokumentuRequest")
    if root.tag != f"{{{_SOAP_NAMESPACE}}}Envelope" or message is None:
        raise InvalidQueryError("DaneDokumentuRequest")
    if tuple(child.tag for child in message) != _FIELDS:  # in this order, without a namespace
        raise InvalidQueryError("kolejność pól")
    first_name, last_name, serial = ((child.text or "").strip() for child in message)
    if not (first_name and last_name and serial):
        raise InvalidQueryError("puste pole")
    return first_name, last_name, serial


def encode_soap(document: CompleteDocument) -> str:
    """Encode a document as `DaneDokumentuResponse`."""
    categories = "".join(
        f"<daneUprawnieniaKategorii><kategoria>{escape(entry.kategoria)}</kategoria>"
        f"{_xml_element('dataWaznosci', entry.data_waznosci)}</daneUprawnieniaKategorii>"
        for entry in document.categories
    )
    reasons = "".join(_xml_entry("powodZmianyStanu", reason) for reason in document.reasons)
    authority = (
        _xml_entry("organWydajacyDokument", document.authority)
        if document.authority is not None
        else ""
    )
    notes = "".join(
        f"<komunikaty>{_xml_element('kod', note.kod)}{_xml_element('opis', note.opis)}</komunikaty>"
        for note in document.notes
    )
    return (
        f'{_ENVELOPE_START}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS_NAMESPACE}">'
        "<dokumentPotwierdzajacyUprawnienia>"
        "<typDokumentu><kod>DICT155_PJ</kod><wartosc>Prawo jazdy</wartosc></typDokumentu>"
        f"<seriaNumerBlankietuDruku>{escape(document.serial)}</seriaNumerBlankietuDruku>"
        f"{authority}"
        f"{_xml_element('dataWaznosci', document.expires)}"
        f"<stanDokumentu>{_xml_entry('stanDokumentu', document.state)}{reasons}</stanDokumentu>"
        f"{categories}</dokumentPotwierdzajacyUprawnienia>{notes}"
        f"</ns2:DaneDokumentuResponse>{_ENVELOPE_END}"
    )


def _xml_element(name: str, value: str | None) -> str:
    return "" if value is None else f"<{name}>{escape(value)}</{name}>"


def _xml_entry(name: str, entry: DictionaryEntry) -> str:
    return (
        f"<{name}>{_xml_element('kod', entry.kod)}{_xml_element('wartosc', entry.wartosc)}</{name}>"
    )


def no_data_fault() -> SimulatorReply:
    """Return the fault for a document that does not exist."""
    return _soap_fault("UPKI-1030", "Brak danych.", "Nie znaleziono dokumentu.")


def _soap_fault(code: str, message: str, details: str) -> SimulatorReply:
    ident = "20261101:060000_UPK_00000000-0000-4000-8000-000000000000"
    body = (
        f"{_ENVELOPE_START}<soap:Fault><faultcode>soap:Server</faultcode>"
        f"<faultstring>FaultId: {ident}, Kody: {code}, Komunikaty: {message}</faultstring>"
        f'<detail><ns3:cepikException xmlns:ns3="{_EXCEPTIONS_NAMESPACE}"><komunikaty>'
        f"<typ>ERROR</typ><kod>{code}</kod><komunikat>{message}</komunikat>"
        f"<szczegoly>{escape(details)}</szczegoly>"
        f"<identyfikatorBledu>{ident}</identyfikatorBledu>"
        f"</komunikaty></ns3:cepikException></detail></soap:Fault>{_ENVELOPE_END}"
    )
    return SimulatorReply(500, _MEDIA_TYPE, body.encode())


def fault_body(kind: FaultKind, fetch_url: str) -> bytes:
    """Return the body of a fault that is specific to XML.

    `fetch_url` is where the external entity points.
    """
    if kind is FaultKind.XML_BOMB:
        lines = ['<!ENTITY a0 "Wydany">']
        lines += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
        return _with_doctype("".join(lines), "&a9;")
    if kind is FaultKind.EXTERNAL_ENTITY:
        return _with_doctype(f'<!ENTITY away SYSTEM "{fetch_url}">', "&away;")
    return (
        f'{_ENVELOPE_START}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS_NAMESPACE}">'
        "<dokumentPotwierdzajacyUprawnienia><stanDokumentu>Wydany</stanDokumentu>"
        "<dataWaznosci><rok>2039</rok></dataWaznosci>"
        "<daneUprawnieniaKategorii>B</daneUprawnieniaKategorii>"
        f"</dokumentPotwierdzajacyUprawnienia></ns2:DaneDokumentuResponse>{_ENVELOPE_END}"
    ).encode()


def _with_doctype(declaration: str, use: str) -> bytes:
    body = (
        f'{_ENVELOPE_START}<ns2:DaneDokumentuResponse xmlns:ns2="{_CARRIERS_NAMESPACE}">'
        "<dokumentPotwierdzajacyUprawnienia><stanDokumentu><stanDokumentu>"
        f"<kod>DICT003_WYD</kod><wartosc>Wydany{use}</wartosc>"
        "</stanDokumentu></stanDokumentu></dokumentPotwierdzajacyUprawnienia>"
        f"</ns2:DaneDokumentuResponse>{_ENVELOPE_END}"
    )
    prolog, rest = body.split("?>", 1)
    return f"{prolog}?><!DOCTYPE soap:Envelope [{declaration}]>{rest}".encode()
