"""Forwards requests to the control API of the register simulator."""

from typing import Any

import aiohttp
from litestar import Controller, Request, Response, delete, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath

from prawko_demo.dev_api.errors import SimulatorUnavailableError, UnprocessableRequestError

AnyRequest = Request[Any, Any, Any]
_TIMEOUT = aiohttp.ClientTimeout(total=5)


class SimulatorClient:
    """The control API of the register simulator."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def forward(self, method: str, path: str, body: bytes | None = None) -> Response[bytes]:
        """Send a request and return its response.

        Raises UnprocessableRequestError with the simulator's message, or SimulatorUnavailableError.
        """
        try:
            async with (
                aiohttp.ClientSession(timeout=_TIMEOUT) as session,
                session.request(method, f"{self._url}/{path}", data=body) as response,
            ):
                content = await response.read()
                if response.status != 200:
                    raise UnprocessableRequestError((await response.json())["message"])
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise SimulatorUnavailableError("The register simulator does not answer.") from error
        return Response(content, media_type="application/json")


class RegisterController(Controller):
    """Documents, faults and call counts of the simulated register."""

    path = "/register"

    @put("/documents/{serial:str}")
    async def put_document(
        self,
        serial: FromPath[str],
        request: AnyRequest,
        simulator: NamedDependency[SimulatorClient],
    ) -> Response[bytes]:
        """Store a document in the register; only the names are required."""
        return await simulator.forward("PUT", f"documents/{serial}", await request.body())

    @delete("/documents/{serial:str}", status_code=200)
    async def delete_document(
        self, serial: FromPath[str], simulator: NamedDependency[SimulatorClient]
    ) -> Response[bytes]:
        """Remove a document from the register."""
        return await simulator.forward("DELETE", f"documents/{serial}")

    @put("/unknown")
    async def set_unknown_mode(
        self, request: AnyRequest, simulator: NamedDependency[SimulatorClient]
    ) -> Response[bytes]:
        """Set the answer for serials without a stored document."""
        return await simulator.forward("PUT", "unknown", await request.body())

    @put("/faults")
    async def set_fault(
        self, request: AnyRequest, simulator: NamedDependency[SimulatorClient]
    ) -> Response[bytes]:
        """Set the fault of the next calls."""
        return await simulator.forward("PUT", "faults", await request.body())

    @get("/calls")
    async def get_calls(self, simulator: NamedDependency[SimulatorClient]) -> Response[bytes]:
        """Return the number of calls, in all and by serial."""
        return await simulator.forward("GET", "calls")

    @delete("/calls", status_code=200)
    async def reset_calls(self, simulator: NamedDependency[SimulatorClient]) -> Response[bytes]:
        """Set the number of calls to 0."""
        return await simulator.forward("DELETE", "calls")
