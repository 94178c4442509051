"""The official service for carriers as a licence register."""

import ssl
from datetime import datetime
from pathlib import Path

from yarl import URL

from prawko.hooks.environment import SettingsError
from prawko.hooks.http_client import HttpClient
from prawko.hooks.licence_register import (
    LicenceAnswer,
    LicenceQuery,
    RegisterError,
    RegisterErrorKind,
)
from prawko.hooks.register_client import query_register
from prawko_register_upki.credentials import (
    CredentialsError,
    create_tls_context,
    load_client_certificate,
    load_credentials,
)
from prawko_register_upki.request import HEADERS, build_request
from prawko_register_upki.response import parse_response
from prawko_register_upki.settings import PREFIX, UpkiSettings
from prawko_register_upki.signing import EnvelopeSigner, XmlSigner

NAME = "upki"
MAX_RESPONSE_BYTES = 256 * 1024
# Of a SOAP service to a GET: a page about itself, a fault, or that it takes POST only.
ANSWERS_WITHOUT_REQUEST = frozenset({200, 400, 405, 500})


class UpkiRegister:
    """Queries one document by the operation `pytanieOUprawnienia`, with one certificate."""

    def __init__(
        self,
        settings: UpkiSettings,
        *,
        name: str = NAME,
        tls: ssl.SSLContext,
        certificate_expires_at: datetime,
        signer: EnvelopeSigner | None = None,
    ) -> None:
        self.name = name
        self._url = URL(settings.url, encoded=True)
        self._certificate_expires_at = certificate_expires_at
        self._signer = signer
        self._http_client = HttpClient(
            deadline=settings.deadline,
            max_connections=settings.connections,
            max_response_bytes=MAX_RESPONSE_BYTES,
            headers=HEADERS,
            tls=tls,
            server_name=settings.server_name,
        )

    @classmethod
    def from_settings(
        cls, settings: UpkiSettings, *, name: str = NAME, prefix: str = PREFIX
    ) -> "UpkiRegister":
        """Load the files that the settings name. Raises SettingsError naming the variable.

        `prefix` is that of the certificate's variables.
        """
        try:
            tls = create_tls_context(None if settings.ca is None else Path(settings.ca))
        except OSError as error:
            reason = f"is no bundle of certificates ({error.strerror or 'unreadable'})"
            raise SettingsError(f"{PREFIX}_CA", reason) from None
        try:
            credentials = load_credentials(Path(settings.p12), settings.p12_password)
            signer = XmlSigner(credentials) if settings.sign else None
        except CredentialsError as error:
            raise SettingsError(f"{prefix}_P12", str(error)) from None
        load_client_certificate(credentials, tls)
        return cls(
            settings,
            name=name,
            tls=tls,
            certificate_expires_at=credentials.expires_at(),
            signer=signer,
        )

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        request = build_request(query)
        if self._signer is not None:
            request = self._signer.sign(request)
        # SOAP 1.1 sends a fault with 500; this service has been seen to send it with 200 as well.
        response = await query_register(
            self._http_client, "POST", self._url, request, accepted_statuses=(200, 500)
        )
        try:
            answer = parse_response(response.body, expected_number=query.number)
        except RegisterError as error:
            if response.status == 500 and error.kind is RegisterErrorKind.INVALID_RESPONSE:
                raise RegisterError(
                    RegisterErrorKind.UNAVAILABLE, "the register answered 500"
                ) from error
            raise
        if response.status == 500 and answer is not None:
            raise RegisterError(
                RegisterErrorKind.INVALID_RESPONSE, "a document came with status 500"
            )
        return answer

    def certificate_expires_at(self) -> datetime:
        return self._certificate_expires_at

    async def check(self) -> str:
        """Ask whether the service answers to our certificate."""
        await query_register(
            self._http_client, "GET", self._url, accepted_statuses=ANSWERS_WITHOUT_REQUEST
        )
        # The month as a word: a date of digits is redacted as a long number is.
        until = f"{self._certificate_expires_at:%-d %B %Y}"
        return f"answers; the certificate is valid until {until}"

    async def close(self) -> None:
        await self._http_client.close()
