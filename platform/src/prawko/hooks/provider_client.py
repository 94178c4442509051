"""HTTP calls to carriers and payment providers: errors and statuses as those of the hooks."""

from collections.abc import Collection, Mapping

from yarl import URL

from prawko.hooks.channels import DeliveryError
from prawko.hooks.errors import ProviderAccountError, ProviderError
from prawko.hooks.http_client import (
    HttpClient,
    HttpError,
    HttpResponse,
    error_for_status,
    retry_after,
)
from prawko.hooks.payments import PaymentError

_TOO_MANY_REQUESTS = 429


class _ProviderConnection:
    """The connections to one provider; nothing is repeated, no redirect followed."""

    error: type[ProviderError]

    def __init__(self, client: HttpClient) -> None:
        self._client = client

    async def call(
        self,
        method: str,
        url: URL,
        body: bytes | None = None,
        *,
        accepted_statuses: Collection[int] = (200,),
        headers: Mapping[str, str] | None = None,
        media_type: str = "application/json",
    ) -> HttpResponse:
        """Call once and return the response if its status is one of `accepted_statuses`.

        Raises ProviderAccountError for a refused account, else a temporary error of the class.
        """
        try:
            response = await self._client.request(
                method, url, body, media_type=media_type if body else "", headers=headers
            )
        except HttpError as error:
            raise self.error(str(error), retry_after=error.retry_after) from None
        if response.status in accepted_statuses:
            return response
        refusal = error_for_status(response)
        if isinstance(refusal, ProviderAccountError):
            raise refusal
        raise self._error_for(response)

    def _error_for(self, response: HttpResponse) -> ProviderError:
        return self.error(response.summary, retry_after=retry_after(response))

    async def close(self) -> None:
        """Close the connections, if there are any."""
        await self._client.close()


class PaymentConnection(_ProviderConnection):
    """Calls to a payment provider: a call without a usable response is a PaymentError.

    It is never permanent, because the provider may have done what it was asked for.
    """

    error = PaymentError


class ChannelConnection(_ProviderConnection):
    """Calls to a carrier: a call without a usable response is a temporary DeliveryError.

    A status that says that the address is wrong has to be among `accepted_statuses`. After 429 the
    carrier has not taken the message, and another one may send it.
    """

    error = DeliveryError

    def _error_for(self, response: HttpResponse) -> DeliveryError:
        return DeliveryError(
            response.summary,
            retry_after=retry_after(response),
            not_taken=response.status == _TOO_MANY_REQUESTS,
        )
