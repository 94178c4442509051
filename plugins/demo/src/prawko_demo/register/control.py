"""The simulator's control API, for the developer tools and the tests."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from prawko_demo.register.document_store import DocumentStore, UnknownSerialMode
from prawko_demo.register.documents import RegisterDocument, Serial
from prawko_demo.register.faults import FaultInjector, FaultPlan
from prawko_demo.register.http_wire import SimulatorReply, SimulatorRequest

CONTROL_PREFIX = "/control/"


class _Mode(msgspec.Struct, forbid_unknown_fields=True):
    mode: UnknownSerialMode


class _Delay(msgspec.Struct, forbid_unknown_fields=True):
    """Seconds before each reply is sent."""

    seconds: Annotated[float, msgspec.Meta(ge=0)]


class ControlApi:
    """Changes the simulator's documents, faults and delay."""

    def __init__(self, store: DocumentStore, faults: FaultInjector) -> None:
        self._store = store
        self._faults = faults
        self.delay = 0.0
        self.on_change: Callable[[], None] = lambda: None  # of the documents or the mode

    def handle(self, request: SimulatorRequest) -> SimulatorReply:
        """Answer a request in JSON."""
        method = request.method.decode("latin-1")
        name, _, rest = request.target.removeprefix(CONTROL_PREFIX).partition("/")
        routes: dict[tuple[str, str], Callable[[bytes, str], Any]] = {
            ("GET", "documents"): self._get_document,
            ("PUT", "documents"): self._put_document,
            ("DELETE", "documents"): self._delete_document,
            ("PUT", "unknown"): self._set_unknown_mode,
            ("PUT", "faults"): self._set_fault,
            ("PUT", "delay"): self._set_delay,
            ("GET", "calls"): self._get_calls,
            ("DELETE", "calls"): self._reset_calls,
        }
        route = routes.get((method, name))
        if route is None:
            return _json_reply(404, {"error": "not_found", "message": "No such route"})
        try:
            return _json_reply(200, route(request.body, rest))
        except msgspec.DecodeError as error:
            return _json_reply(422, {"error": "invalid", "message": str(error)})
        except LookupError:
            return _json_reply(404, {"error": "not_found", "message": "No such document"})

    def _get_document(self, _: bytes, serial: str) -> Any:
        document = self._store.get(serial)
        if document is None:
            raise LookupError(serial)
        return document

    def _put_document(self, body: bytes, serial: str) -> Any:
        document = msgspec.json.decode(body, type=RegisterDocument)
        self._store.put(msgspec.convert(serial, Serial), document)
        self.on_change()
        return document

    def _delete_document(self, _: bytes, serial: str) -> Any:
        was_deleted = self._store.delete(serial)
        self.on_change()
        return {"forgotten": was_deleted}

    def _set_unknown_mode(self, body: bytes, _: str) -> Any:
        mode = msgspec.json.decode(body, type=_Mode)
        self._store.unknown_mode = mode.mode
        self.on_change()
        return mode

    def _set_fault(self, body: bytes, _: str) -> Any:
        self._faults.plan = msgspec.json.decode(body, type=FaultPlan)
        return self._faults.plan

    def _set_delay(self, body: bytes, _: str) -> Any:
        delay = msgspec.json.decode(body, type=_Delay)
        self.delay = delay.seconds
        return delay

    def _get_calls(self, _: bytes, __: str) -> Any:
        return {"count": self._store.call_count, "bySerial": self._store.calls}

    def _reset_calls(self, _: bytes, __: str) -> Any:
        self._store.reset_calls()
        return {"count": 0, "bySerial": {}}


def _json_reply(status: int, content: Any) -> SimulatorReply:
    return SimulatorReply(status, "application/json", msgspec.json.encode(content))
