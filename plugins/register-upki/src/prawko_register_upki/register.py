"""The official service for carriers as a licence register."""

import ssl
from datetime import datetime
from pathlib import Path

from yarl import URL

from prawko.hooks.environment import SettingError
from prawko.hooks.licence_register import LicenceAnswer, LicenceQuery, RegisterError
from prawko.hooks.licence_register import RegisterTrouble as Trouble
from prawko.hooks.register_connection import RegisterConnection
from prawko_register_upki.answer import read_answer
from prawko_register_upki.credentials import CredentialsError, present, read_credentials, trust
from prawko_register_upki.question import HEADERS, write_question
from prawko_register_upki.settings import PREFIX, Settings
from prawko_register_upki.signing import Signer, XmlSigner


class UpkiRegister:
    """One question, one document: `pytanieOUprawnienia`."""

    name = "upki"

    def __init__(
        self,
        settings: Settings,
        *,
        tls: ssl.SSLContext,
        certificate_ends: datetime,
        signer: Signer | None = None,
    ) -> None:
        self._url = URL(settings.url, encoded=True)
        self._certificate_ends = certificate_ends
        self._signer = signer
        self._connection = RegisterConnection(
            deadline=settings.deadline,
            connections=settings.connections,
            largest=settings.largest,
            headers=HEADERS,
            tls=tls,
            server_name=settings.server_name,
        )

    @classmethod
    def configured(cls, settings: Settings) -> "UpkiRegister":
        """Read the files that the settings name. Raises SettingError naming the variable."""
        try:
            tls = trust(None if settings.ca is None else Path(settings.ca))
        except OSError as error:
            reason = f"is no bundle of certificates ({error.strerror or 'unreadable'})"
            raise SettingError(f"{PREFIX}_CA", reason) from None
        try:
            credentials = read_credentials(Path(settings.p12), settings.p12_password)
            signer = XmlSigner(credentials) if settings.sign else None
        except CredentialsError as error:
            raise SettingError(f"{PREFIX}_P12", str(error)) from None
        present(credentials, tls)
        return cls(
            settings,
            tls=tls,
            certificate_ends=credentials.ends(),
            signer=signer,
        )

    async def look_up(self, query: LicenceQuery) -> LicenceAnswer | None:
        """Ask once; see LicenceRegister."""
        question = write_question(query)
        if self._signer is not None:
            question = self._signer.sign(question)
        # A fault comes with 500 as SOAP 1.1 has it; clients have met it with 200 as well.
        reply = await self._connection.ask("POST", self._url, body=question, readable=(200, 500))
        try:
            answer = read_answer(reply.body, asked=query.number)
        except RegisterError as error:
            if reply.status == 500 and error.trouble is Trouble.GARBAGE:
                raise RegisterError(Trouble.UNAVAILABLE, "the register said 500") from error
            raise
        if reply.status == 500 and answer is not None:
            raise RegisterError(Trouble.GARBAGE, "a document came with status 500")
        return answer

    def certificate_ends(self) -> datetime:
        """When our certificate ends; see HasCertificate."""
        return self._certificate_ends

    async def close(self) -> None:
        await self._connection.close()
