"""HTTP calls to licence registers: the client's errors and statuses as RegisterError."""

from collections.abc import Collection

from yarl import URL

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.http_client import (
    HttpClient,
    HttpError,
    HttpResponse,
    InvalidResponseError,
    UntrustedServerError,
    retry_after,
)
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind


async def query_register(
    client: HttpClient,
    method: str,
    url: URL,
    body: bytes | None = None,
    *,
    accepted_statuses: Collection[int],
) -> HttpResponse:
    """Call a register once and return its response if the plugin can parse its status.

    Raises RegisterError; ProviderAccountError if our certificate or account was refused.
    """
    try:
        response = await client.request(method, url, body, accepted_statuses=accepted_statuses)
    except InvalidResponseError as error:
        raise RegisterError(RegisterErrorKind.INVALID_RESPONSE, str(error)) from None
    except (HttpError, UntrustedServerError) as error:
        raise RegisterError(RegisterErrorKind.UNAVAILABLE, str(error)) from None
    if response.status not in accepted_statuses:
        raise _error_for_status(response)
    return response


def _error_for_status(response: HttpResponse) -> RegisterError | ProviderAccountError:
    status, delay = response.status, retry_after(response)
    if status in {401, 403, 407}:
        return ProviderAccountError(response.summary)
    if status == 429:
        return RegisterError(RegisterErrorKind.RATE_LIMITED, response.summary, retry_after=delay)
    if status == 400:
        return RegisterError(RegisterErrorKind.INVALID_QUERY, response.summary)
    if status > 400:  # including 404: a misrouted service, not an unknown document
        return RegisterError(RegisterErrorKind.UNAVAILABLE, response.summary, retry_after=delay)
    return RegisterError(RegisterErrorKind.INVALID_RESPONSE, response.summary)
