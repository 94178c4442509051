"""What the register knows and how it fails: handed on to the simulator's control API."""

from typing import Any

import aiohttp
from litestar import Controller, Request, Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko_demo.doors.errors import NotUnderstoodError, SimulatorGoneError

AnyRequest = Request[Any, Any, Any]
_SECONDS = aiohttp.ClientTimeout(total=5)


class Simulator:
    """The control API of the register simulator."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def ask(self, method: str, path: str, body: bytes | None = None) -> Response[bytes]:
        """Hand a call on and bring back its answer. Raises NotUnderstoodError."""
        try:
            async with (
                aiohttp.ClientSession(timeout=_SECONDS) as session,
                session.request(method, f"{self._url}/{path}", data=body) as answer,
            ):
                said = await answer.read()
                if answer.status != 200:
                    raise NotUnderstoodError((await answer.json())["message"])
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise SimulatorGoneError("The register simulator does not answer.") from error
        return Response(said, media_type="application/json")


class RegisterDoor(Controller):
    """The simulator's memory and moods."""

    path = "/register"

    @put("/documents/{serial:str}")
    async def put_document(
        self,
        serial: FromPath[str],
        request: AnyRequest,
        simulator: NamedDependency[Simulator],
    ) -> Response[bytes]:
        """Have the register know a document; only the names are needed."""
        return await simulator.ask("PUT", f"documents/{serial}", await request.body())

    @delete("/documents/{serial:str}", status_code=200)
    async def forget_document(
        self, serial: FromPath[str], simulator: NamedDependency[Simulator]
    ) -> Response[bytes]:
        return await simulator.ask("DELETE", f"documents/{serial}")

    @put("/unknown")
    async def answer_unknown(
        self, request: AnyRequest, simulator: NamedDependency[Simulator]
    ) -> Response[bytes]:
        """Choose what is said of a serial that nobody put there."""
        return await simulator.ask("PUT", "unknown", await request.body())

    @put("/faults")
    async def fail(
        self, request: AnyRequest, simulator: NamedDependency[Simulator]
    ) -> Response[bytes]:
        """Have the register fail in one of its ways."""
        return await simulator.ask("PUT", "faults", await request.body())

    @get("/calls")
    async def count_calls(self, simulator: NamedDependency[Simulator]) -> Response[bytes]:
        return await simulator.ask("GET", "calls")

    @delete("/calls", status_code=200)
    async def forget_calls(self, simulator: NamedDependency[Simulator]) -> Response[bytes]:
        return await simulator.ask("DELETE", "calls")
