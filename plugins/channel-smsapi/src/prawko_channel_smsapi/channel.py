"""The channel: one call for one SMS, which SMSAPI recognises when it comes again."""

from urllib.parse import urlencode

from prawko.hooks.callbacks import Callback
from prawko.hooks.carrier_connection import CarrierConnection
from prawko.hooks.channels import DeliveryError, Medium, Notice, Recipient, Report
from prawko_channel_smsapi import reports
from prawko_channel_smsapi.answer import read_answer
from prawko_channel_smsapi.index import index_of
from prawko_channel_smsapi.settings import Settings
from prawko_channel_smsapi.words import one_part


class SmsApiChannel:
    """Hands one line to SMSAPI, under an index by which it refuses to send it twice."""

    name = "smsapi"
    medium = Medium.SMS

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._send = settings.address / "sms.do"
        self._connection = CarrierConnection(
            deadline=settings.deadline, headers={"Authorization": f"Bearer {settings.token}"}
        )

    def reaches(self, recipient: Recipient) -> bool:
        return recipient.phone is not None

    async def deliver(self, notice: Notice, recipient: Recipient, *, key: str) -> str | None:
        if recipient.phone is None:
            raise DeliveryError("there is no number", permanent=True)
        form = self._form(one_part(notice.line), recipient.phone, key)
        reply = await self._connection.post(
            self._send, urlencode(form).encode(), media_type="application/x-www-form-urlencoded"
        )
        return read_answer(reply)

    async def close(self) -> None:
        await self._connection.close()

    def _form(self, words: str, phone: str, key: str) -> dict[str, str]:
        settings = self._settings
        form = {
            "to": phone.removeprefix("+"),
            "message": words,
            "idx": index_of(key),
            "check_idx": "1",
            "encoding": "utf-8",
            "max_parts": "1",
            "format": "json",
            "from": settings.sender,
            "notify_url": settings.reports,
            "test": "1" if settings.test else "",
        }
        return {name: value for name, value in form.items() if value}


class ReportingSmsApiChannel(SmsApiChannel):
    """The channel that knows by which key SMSAPI calls us."""

    def __init__(self, settings: Settings, key: str) -> None:
        super().__init__(settings)
        self._key = key

    def read_reports(self, callback: Callback) -> tuple[Report, ...]:
        return reports.read_reports(callback, self._key)
