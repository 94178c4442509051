"""Opens the simulator's two ports and sends every request to the side it is meant for."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from prawko_demo.register import control, public, soap
from prawko_demo.register.certificates import SERVER_NAME, write_files, write_private
from prawko_demo.register.documents import Shelf
from prawko_demo.register.encryption import Encrypted
from prawko_demo.register.faults import Faults, Kind, spoilt
from prawko_demo.register.wire import Answering, Line, Reply, Request, reset

_HOST = "127.0.0.1"
_BACKLOG = 1024
_PATIENCE_SECONDS = 0.1
_FOLLOWED = "/followed"


class Address(msgspec.Struct, frozen=True, rename="camel"):
    """Where the simulator can be found, as written to `register.json`."""

    soap_port: int
    json_port: int
    soap_url: str
    json_url: str
    control_url: str
    server_name: str
    ca: str
    p12: str
    p12_password: str


class RunningRegister:
    """A simulator in this process; `shelf`, `faults` and `control` may be used directly."""

    def __init__(self, address: Address, shelf: Shelf, faults: Faults) -> None:
        self.address = address
        self.shelf = shelf
        self.faults = faults
        self.control = control.Control(shelf, faults)
        self.followed = 0  # how often somebody went where a redirect or an entity pointed
        self._soap = soap.SoapSide(shelf)
        self._public = public.PublicSide(shelf)

    def answer_soap(self, request: Request) -> Reply:
        """Answer on the TLS port."""
        if request.target == _FOLLOWED:
            return self._follow(request)
        return self._answer(request, self._soap.answer, self._special)

    def answer_json(self, request: Request) -> Reply:
        """Answer on the plain port: the public service, or a door of the control API."""
        if request.target.startswith(control.PREFIX):
            return self.control.answer(request)
        if request.target.startswith(_FOLLOWED):
            return self._follow(request)
        return self._answer(request, self._public.answer, self._public_special)

    def _answer(
        self,
        request: Request,
        side: Callable[[Request], Reply],
        special: Callable[[Kind], bytes],
    ) -> Reply:
        good = side(request)
        order = self.faults.due()
        return good if order is None else spoilt(order, good, special)

    def _follow(self, _: Request) -> Reply:
        self.followed += 1
        return Reply(200, "text/plain", b"you should not be here")

    def _special(self, kind: Kind) -> bytes:
        return soap.special(kind, f"http://{_HOST}:{self.address.json_port}{_FOLLOWED}")

    def _public_special(self, kind: Kind) -> bytes:
        return public.WRONG_TYPES if kind is Kind.WRONG_TYPES else self._special(kind)

    def refuses(self) -> bool:
        """Whether the next connection to the TLS port is to be refused."""
        return self.faults.order.kind is Kind.REFUSED and self.faults.due() is not None


@asynccontextmanager
async def running_register(
    folder: Path, *, soap_port: int = 0, json_port: int = 0, delay: float = 0.0
) -> AsyncGenerator[RunningRegister]:
    """Serve on two loopback ports until the block ends; 0 lets the system choose a port.

    Writes the authority, the client's certificate and `register.json` into `folder`.
    `delay` is the seconds that every answer takes.
    """
    files = write_files(folder)
    with _listening(soap_port) as soap_socket, _listening(json_port) as json_socket:
        soap_at, json_at = soap_socket.getsockname()[1], json_socket.getsockname()[1]
        address = Address(
            soap_port=soap_at,
            json_port=json_at,
            soap_url=f"https://{_HOST}:{soap_at}{soap.PATH}",
            json_url=f"http://{_HOST}:{json_at}",
            control_url=f"http://{_HOST}:{json_at}{control.PREFIX.rstrip('/')}",
            server_name=SERVER_NAME,
            ca=str(files.ca),
            p12=str(files.p12),
            p12_password=files.p12_password,
        )
        register = RunningRegister(address, Shelf(), Faults())
        register.control.delay = delay
        lines: set[Line] = set()

        def delay_now() -> float:
            return register.control.delay

        def soap_connection() -> Encrypted:
            return Encrypted(Answering(register.answer_soap, delay_now, lines), files.tls)

        def json_connection() -> Answering:
            return Answering(register.answer_json, delay_now, lines)

        doors = [
            asyncio.create_task(_accept(soap_socket, soap_connection, refuses=register.refuses)),
            asyncio.create_task(_accept(json_socket, json_connection)),
        ]
        write_private(folder / "register.json", msgspec.json.encode(address))
        try:
            yield register
        finally:
            for door in doors:
                door.cancel()
            await asyncio.gather(*doors, return_exceptions=True)
            for line in tuple(lines):
                line.abort()
            await asyncio.sleep(0)  # lets the aborted connections close their sockets


def _listening(port: int) -> socket.socket:
    listener = socket.create_server((_HOST, port), backlog=_BACKLOG)
    listener.setblocking(False)  # noqa: FBT003  # the standard library's own signature
    return listener


async def _accept(
    listener: socket.socket,
    connection: Callable[[], asyncio.Protocol],
    *,
    refuses: Callable[[], bool] = lambda: False,
) -> None:
    """Take connections by hand, so that one can be refused before a word is exchanged."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            peer, _ = await loop.sock_accept(listener)
        except OSError:  # out of file descriptors: somebody will close one
            await asyncio.sleep(_PATIENCE_SECONDS)
            continue
        if refuses():
            reset(peer)
            peer.close()
        else:
            await loop.connect_accepted_socket(connection, peer)
