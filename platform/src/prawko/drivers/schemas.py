"""The JSON of drivers, and of the verifications that each of them carries."""

from datetime import date, datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from prawko.base.schemas import Incoming, Outgoing
from prawko.drivers import licence, names
from prawko_tenants.ids import DriverId, VerificationId

# The rules are told to the client but not enforced by the decoder, which could not name the
# sentence of the field: `details` reads them.
NameText = Annotated[
    str, Meta(extra_json_schema={"extra": {"min_length": 1, "max_length": names.MAX_LENGTH}})
]
NumberText = Annotated[
    str,
    Meta(extra_json_schema={"extra": {"pattern": licence.PATTERN, "max_length": licence.LENGTH}}),
]

OUTCOMES = ("valid", "invalid", "attention", "not_found")
OutcomeText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": list(OUTCOMES)}})]
StatusText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": ["unknown", *OUTCOMES]}})]


class DriverIn(Incoming):
    """A driver as the form sends it; what is missing is refused like what is empty."""

    first_name: NameText = ""
    last_name: NameText = ""
    license_number: NumberText = ""


class DriverPatch(Incoming):
    """The fields to change; the others stay as they are."""

    first_name: NameText | UnsetType = UNSET
    last_name: NameText | UnsetType = UNSET
    license_number: NumberText | UnsetType = UNSET

    def given(self) -> dict[str, str]:
        """The fields that the request named."""
        fields = msgspec.structs.asdict(self).items()
        return {name: value for name, value in fields if value is not UNSET}


class CategoryOut(Outgoing):
    """One category of the licence and the last day it holds, where the register names one."""

    kategoria: str
    data_waznosci: date | None


class ReasonOut(Outgoing):
    """A reason for the document's state, in the register's words."""

    kod: str | None
    wartosc: str


class VerificationOut(Outgoing):
    """One check and what the register answered; `license_number` is what was asked.

    `expired` says whether the document's last day had passed when it was checked.
    """

    id: VerificationId
    driver_id: DriverId
    status: OutcomeText
    verified_at: datetime
    document_status: str | None
    document_code: str | None
    issuing_authority: str | None
    expiry_date: date | None
    expired: bool
    categories: list[CategoryOut]
    reasons: list[ReasonOut]
    notes: str | None
    last_verification_hash: str
    license_number: str


class DriverOut(Outgoing):
    """A driver with the newest verifications of the present document, newest first.

    `over_limit`: the subscription carries older drivers only, this one is not checked.
    `stale_since` is when the shown result was fetched, where it must not be taken for
    today's; null where it may (reading R12b).
    """

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    status: StatusText
    created_at: datetime
    over_limit: bool
    stale_since: datetime | None
    verifications: list[VerificationOut]


class RemovedDriver(Outgoing):
    """The driver that is gone, with everything that was known of it."""

    id: DriverId
