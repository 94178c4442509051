"""The public service: JSON, searched by a hash of the names and the serial."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from prawko_demo.register.document_store import DocumentStore
from prawko_demo.register.documents import CompleteDocument, DictionaryEntry
from prawko_demo.register.http_wire import SimulatorReply, SimulatorRequest

VERSION = "2.0.10"
PATH = f"/nforms/api/UprawnieniaKierowcow/{VERSION}/data/driver-permissions"
_MEDIA_TYPE = "application/json"


class PublicService:
    """Answers the requests of the public service."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store

    def handle(self, request: SimulatorRequest) -> SimulatorReply:
        """Answer a request without faults."""
        target = urlsplit(request.target)
        if target.path != PATH:
            return SimulatorReply(404, "text/plain", b"no such service")
        if request.method != b"GET":
            return SimulatorReply(405, "text/plain", b"GET only", "Allow: GET\r\n")
        key = parse_qs(target.query).get("hashDanychWyszukiwania", [""])[0]
        document = self._store.look_up_hash(key)
        if document is None:
            return no_data_reply()
        return SimulatorReply(200, _MEDIA_TYPE, encode_json(document))


def no_data_reply() -> SimulatorReply:
    """Return the reply for a document that does not exist."""
    error = {"code": "DICT501_UKG_1", "message": "Brak danych"}
    return SimulatorReply(400, _MEDIA_TYPE, msgspec.json.encode({"errors": [error]}))


def encode_json(document: CompleteDocument) -> bytes:
    """Encode a document under the official service's field names."""
    content: dict[str, Any] = {
        "dokumentPotwierdzajacyUprawnienia": {
            "typDokumentu": {"kod": "DICT155_PJ", "wartosc": "Prawo jazdy"},
            "seriaNumerBlankietuDruku": document.serial,
            "organWydajacyDokument": document.authority,
            "dataWaznosci": document.expires,
            "stanDokumentu": {
                "stanDokumentu": document.state,
                "powodZmianyStanu": [_encode_reason(reason) for reason in document.reasons],
            },
            "daneUprawnieniaKategorii": document.categories,
        },
        "komunikaty": document.notes,
    }
    return msgspec.json.encode(content)


def _encode_reason(reason: DictionaryEntry) -> DictionaryEntry | str:
    """Return a reason without a code as a bare string, as the service does."""
    return reason if reason.kod else reason.wartosc


WRONG_TYPES_BODY = msgspec.json.encode(
    {
        "dokumentPotwierdzajacyUprawnienia": {
            "stanDokumentu": {"stanDokumentu": {"kod": 1, "wartosc": ["Wydany"]}},
            "dataWaznosci": 20390101,
            "daneUprawnieniaKategorii": {"kategoria": "B"},
        }
    }
)
