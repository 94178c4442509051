"""The public service's side: JSON by the hash of a name and a serial."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from prawko_demo.register.documents import Coded, Known, Shelf
from prawko_demo.register.wire import Reply, Request

VERSION = "2.0.10"
PATH = f"/nforms/api/UprawnieniaKierowcow/{VERSION}/data/driver-permissions"
_MEDIA_TYPE = "application/json"


class PublicSide:
    """Answers the public service's questions."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def answer(self, request: Request) -> Reply:
        """Answer one request as the service would on a good day."""
        target = urlsplit(request.target)
        if target.path != PATH:
            return Reply(404, "text/plain", b"no such service")
        if request.method != b"GET":
            return Reply(405, "text/plain", b"GET only", "Allow: GET\r\n")
        key = parse_qs(target.query).get("hashDanychWyszukiwania", [""])[0]
        known = self._shelf.ask_hash(key)
        if known is None:
            return no_data()
        return Reply(200, _MEDIA_TYPE, write_answer(known))


def no_data() -> Reply:
    """Say that there is no such document."""
    error = {"code": "DICT501_UKG_1", "message": "Brak danych"}
    return Reply(400, _MEDIA_TYPE, msgspec.json.encode({"errors": [error]}))


def write_answer(known: Known) -> bytes:
    """Write the document, under the names that the official service uses too."""
    answer: dict[str, Any] = {
        "dokumentPotwierdzajacyUprawnienia": {
            "typDokumentu": {"kod": "DICT155_PJ", "wartosc": "Prawo jazdy"},
            "seriaNumerBlankietuDruku": known.serial,
            "organWydajacyDokument": known.authority,
            "dataWaznosci": known.expires,
            "stanDokumentu": {
                "stanDokumentu": known.state,
                "powodZmianyStanu": [_reason(reason) for reason in known.reasons],
            },
            "daneUprawnieniaKategorii": known.categories,
        },
        "komunikaty": known.notes,
    }
    return msgspec.json.encode(answer)


def _reason(reason: Coded) -> Coded | str:
    """A reason without a code is a bare string here."""
    return reason if reason.kod else reason.wartosc


WRONG_TYPES = msgspec.json.encode(
    {
        "dokumentPotwierdzajacyUprawnienia": {
            "stanDokumentu": {"stanDokumentu": {"kod": 1, "wartosc": ["Wydany"]}},
            "dataWaznosci": 20390101,
            "daneUprawnieniaKategorii": {"kategoria": "B"},
        }
    }
)
