"""The control API: what the demo's doors and our tests ask of the simulator."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from prawko_demo.register.documents import Document, Serial, Shelf, Unknown
from prawko_demo.register.faults import Faults, Order
from prawko_demo.register.wire import Reply, Request

PREFIX = "/control/"


class _Mode(msgspec.Struct, forbid_unknown_fields=True):
    mode: Unknown


class _Delay(msgspec.Struct, forbid_unknown_fields=True):
    """Seconds that every answer takes."""

    seconds: Annotated[float, msgspec.Meta(ge=0)]


class Control:
    """Changes what the simulator knows and how it behaves."""

    def __init__(self, shelf: Shelf, faults: Faults) -> None:
        self._shelf = shelf
        self._faults = faults
        self.delay = 0.0
        self.on_change: Callable[[], None] = lambda: None  # of what the register knows

    def answer(self, request: Request) -> Reply:
        """Answer one request, in JSON."""
        method = request.method.decode("latin-1")
        name, _, rest = request.target.removeprefix(PREFIX).partition("/")
        routes: dict[tuple[str, str], Callable[[bytes, str], Any]] = {
            ("GET", "documents"): self._document,
            ("PUT", "documents"): self._put_document,
            ("DELETE", "documents"): self._forget_document,
            ("PUT", "unknown"): self._put_unknown,
            ("PUT", "faults"): self._put_faults,
            ("PUT", "delay"): self._put_delay,
            ("GET", "calls"): self._calls,
            ("DELETE", "calls"): self._forget_calls,
        }
        route = routes.get((method, name))
        if route is None:
            return _json(404, {"error": "not_found", "message": "No such door"})
        try:
            return _json(200, route(request.body, rest))
        except msgspec.DecodeError as error:
            return _json(422, {"error": "invalid", "message": str(error)})
        except LookupError:
            return _json(404, {"error": "not_found", "message": "No such document"})

    def _document(self, _: bytes, serial: str) -> Any:
        document = self._shelf.get(serial)
        if document is None:
            raise LookupError(serial)
        return document

    def _put_document(self, body: bytes, serial: str) -> Any:
        document = msgspec.json.decode(body, type=Document)
        self._shelf.put(msgspec.convert(serial, Serial), document)
        self.on_change()
        return document

    def _forget_document(self, _: bytes, serial: str) -> Any:
        forgotten = self._shelf.forget(serial)
        self.on_change()
        return {"forgotten": forgotten}

    def _put_unknown(self, body: bytes, _: str) -> Any:
        mode = msgspec.json.decode(body, type=_Mode)
        self._shelf.unknown = mode.mode
        self.on_change()
        return mode

    def _put_faults(self, body: bytes, _: str) -> Any:
        self._faults.order = msgspec.json.decode(body, type=Order)
        return self._faults.order

    def _put_delay(self, body: bytes, _: str) -> Any:
        delay = msgspec.json.decode(body, type=_Delay)
        self.delay = delay.seconds
        return delay

    def _calls(self, _: bytes, __: str) -> Any:
        return {"count": self._shelf.count, "bySerial": self._shelf.calls}

    def _forget_calls(self, _: bytes, __: str) -> Any:
        self._shelf.forget_calls()
        return {"count": 0, "bySerial": {}}


def _json(status: int, content: Any) -> Reply:
    return Reply(status, "application/json", msgspec.json.encode(content))
