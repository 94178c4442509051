"""Opens the simulator's two ports and routes requests to their services."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from prawko_demo.register import control, public, soap
from prawko_demo.register.certificates import SERVER_NAME, write_certificates
from prawko_demo.register.document_store import DocumentStore
from prawko_demo.register.faults import FaultInjector, FaultKind, apply_fault
from prawko_demo.register.http_wire import (
    HttpProtocol,
    ReplyStream,
    SimulatorReply,
    SimulatorRequest,
    reset_connection,
)
from prawko_demo.register.tls import TlsProtocol
from prawko_embedded.secret_file import write_secret_file

_HOST = "127.0.0.1"
_BACKLOG = 1024
_ACCEPT_RETRY_SECONDS = 0.1
_FOLLOWED_PATH = "/followed"


class SimulatorAddress(msgspec.Struct, frozen=True, rename="camel"):
    """The simulator's ports, URLs and client files, as written to `register.json`."""

    soap_port: int
    json_port: int
    soap_url: str
    json_url: str
    control_url: str
    server_name: str
    ca: str
    p12: str
    p12_password: str


class RegisterSimulator:
    """A simulator in this process; its attributes may be used directly."""

    def __init__(
        self, address: SimulatorAddress, document_store: DocumentStore, faults: FaultInjector
    ) -> None:
        self.address = address
        self.document_store = document_store
        self.faults = faults
        self.control = control.ControlApi(document_store, faults)
        self.followed_count = 0  # requests to the target of a redirect or an external entity
        self.soap = soap.SoapService(document_store)
        self._public = public.PublicService(document_store)

    def handle_soap(self, request: SimulatorRequest) -> SimulatorReply:
        """Answer a request on the TLS port."""
        if request.target == _FOLLOWED_PATH:
            return self._count_followed(request)
        return self._handle(request, self.soap.handle, self._fault_body)

    def handle_json(self, request: SimulatorRequest) -> SimulatorReply:
        """Answer a request on the plain port: the public service or the control API."""
        if request.target.startswith(control.CONTROL_PREFIX):
            return self.control.handle(request)
        if request.target.startswith(_FOLLOWED_PATH):
            return self._count_followed(request)
        return self._handle(request, self._public.handle, self._public_fault_body)

    def _handle(
        self,
        request: SimulatorRequest,
        service: Callable[[SimulatorRequest], SimulatorReply],
        protocol_body: Callable[[FaultKind], bytes],
    ) -> SimulatorReply:
        reply = service(request)
        plan = self.faults.take_next()
        return reply if plan is None else apply_fault(plan, reply, protocol_body)

    def _count_followed(self, _: SimulatorRequest) -> SimulatorReply:
        self.followed_count += 1
        return SimulatorReply(200, "text/plain", b"you should not be here")

    def _fault_body(self, kind: FaultKind) -> bytes:
        return soap.fault_body(kind, f"http://{_HOST}:{self.address.json_port}{_FOLLOWED_PATH}")

    def _public_fault_body(self, kind: FaultKind) -> bytes:
        return public.WRONG_TYPES_BODY if kind is FaultKind.WRONG_TYPES else self._fault_body(kind)

    def should_refuse(self) -> bool:
        """Whether to refuse the next connection to the TLS port; counts the fault down."""
        return self.faults.plan.kind is FaultKind.REFUSED and self.faults.take_next() is not None


@asynccontextmanager
async def run_register_simulator(
    folder: Path, *, soap_port: int = 0, json_port: int = 0, delay: float = 0.0
) -> AsyncGenerator[RegisterSimulator]:
    """Serve on two loopback ports until the block ends; 0 lets the system choose a port.

    Writes the authority's and the client's certificate and `register.json` into `folder`. `delay`
    is the seconds before each reply.
    """
    files = write_certificates(folder)
    with _create_listener(soap_port) as soap_socket, _create_listener(json_port) as json_socket:
        soap_port, json_port = soap_socket.getsockname()[1], json_socket.getsockname()[1]
        address = SimulatorAddress(
            soap_port=soap_port,
            json_port=json_port,
            soap_url=f"https://{_HOST}:{soap_port}{soap.PATH}",
            json_url=f"http://{_HOST}:{json_port}",
            control_url=f"http://{_HOST}:{json_port}{control.CONTROL_PREFIX.rstrip('/')}",
            server_name=SERVER_NAME,
            ca=str(files.ca),
            p12=str(files.p12),
            p12_password=files.p12_password,
        )
        register = RegisterSimulator(address, DocumentStore(), FaultInjector())
        register.control.delay = delay
        streams: set[ReplyStream] = set()

        def current_delay() -> float:
            return register.control.delay

        def soap_connection() -> TlsProtocol:
            return TlsProtocol(
                HttpProtocol(register.handle_soap, current_delay, streams), files.server_context
            )

        def json_connection() -> HttpProtocol:
            return HttpProtocol(register.handle_json, current_delay, streams)

        listeners = [
            asyncio.create_task(
                _accept_connections(
                    soap_socket, soap_connection, should_refuse=register.should_refuse
                )
            ),
            asyncio.create_task(_accept_connections(json_socket, json_connection)),
        ]
        write_secret_file(folder / "register.json", msgspec.json.encode(address))
        try:
            yield register
        finally:
            for listener in listeners:
                listener.cancel()
            await asyncio.gather(*listeners, return_exceptions=True)
            for stream in tuple(streams):
                stream.abort()
            await asyncio.sleep(0)  # lets the aborted connections close their sockets


def _create_listener(port: int) -> socket.socket:
    listener = socket.create_server((_HOST, port), backlog=_BACKLOG)
    listener.setblocking(False)  # noqa: FBT003  # the standard library's own signature
    return listener


async def _accept_connections(
    listener: socket.socket,
    connection: Callable[[], asyncio.Protocol],
    *,
    should_refuse: Callable[[], bool] = lambda: False,
) -> None:
    """Accept connections by hand, so that one can be refused before any byte is exchanged."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            peer, _ = await loop.sock_accept(listener)
        except OSError:  # out of file descriptors, until a connection is closed
            await asyncio.sleep(_ACCEPT_RETRY_SECONDS)
            continue
        if should_refuse():
            reset_connection(peer)
            peer.close()
        else:
            await loop.connect_accepted_socket(connection, peer)
