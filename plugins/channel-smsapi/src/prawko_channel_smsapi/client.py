"""Calls SMSAPI's own client, which is synchronous, in worker threads.

The client would follow redirects, with our token, and read responses of any length; a response
hook of `requests` prevents both. A call that outlives its deadline continues in its thread;
`check_idx` makes the next attempt of that message a duplicate.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import requests
from smsapi.account.models import AccountBalanceResult
from smsapi.auth import BearerAuth
from smsapi.client import Client
from smsapi.exception import EndpointException
from smsapi.models import ResultCollection

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError

MAX_CALLS = 32
MAX_RESPONSE_BYTES = 64 * 1024
CHUNK_BYTES = 8 * 1024


class SmsApiClient:
    """At most `MAX_CALLS` calls at once; `deadline` is in seconds for a whole call."""

    def __init__(self, base_url: str, token: str, *, deadline: float) -> None:
        self._client = Client(f"{base_url.rstrip('/')}/", access_token=token)
        self._client.auth = _GuardedAuth(token, deadline)
        self._deadline = deadline
        self._executor = ThreadPoolExecutor(MAX_CALLS, thread_name_prefix="smsapi")

    async def send(self, parameters: Mapping[str, str]) -> ResultCollection:
        """Send one SMS and return the client's result.

        Raises EndpointException for an error that SMSAPI returned, DeliveryError without a
        usable response, ProviderAccountError if the server's certificate cannot be trusted.
        """
        return await self._call(partial(self._client.sms.send, **parameters))

    async def fetch_balance(self) -> AccountBalanceResult:
        """Return the account's balance; raises as `send`."""
        return await self._call(self._client.account.balance)

    async def _call(self, method: Callable[..., Any]) -> Any:
        call = partial(method, timeout=self._deadline)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._deadline):
                return await loop.run_in_executor(self._executor, call)
        except (TimeoutError, requests.Timeout):
            raise DeliveryError(f"no response within {self._deadline:g} s") from None
        except (requests.RequestException, OSError) as error:
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise ProviderAccountError("the server's certificate cannot be trusted") from None
            raise DeliveryError(f"the connection failed ({type(error).__name__})") from None
        except (EndpointException, DeliveryError):
            raise
        except (TypeError, ValueError, AttributeError, KeyError):
            # The client's models fail on JSON of another structure.
            raise DeliveryError("the response cannot be parsed") from None

    def close(self) -> None:
        """Start no more calls; those in progress end by their deadline."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class _GuardedAuth(BearerAuth):  # type: ignore[misc]  # the package has no types
    """Adds the token to a call, and limits to its response."""

    def __init__(self, token: str, deadline: float) -> None:
        super().__init__(token)
        self._deadline = deadline

    def __call__(self, request: requests.PreparedRequest) -> Any:
        read_response = partial(_read_bounded, until=time.monotonic() + self._deadline)
        request.register_hook("response", read_response)
        return super().__call__(request)


def _read_bounded(response: requests.Response, *, until: float, **_: object) -> requests.Response:
    """Read the body within limits of time and size; refuse a redirect."""
    if 300 <= response.status_code < 400:
        response.close()
        raise DeliveryError(f"the server answered {response.status_code}")
    body = bytearray()
    while chunk := response.raw.read1(CHUNK_BYTES, decode_content=True):
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            response.close()
            raise DeliveryError(f"the response with {response.status_code} is too long")
        if time.monotonic() > until:
            response.close()
            raise requests.Timeout
    response._content = bytes(body)  # noqa: SLF001 (requests has no public way)
    return response
