"""Request and response models of drivers and of their verifications."""

from datetime import date, datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from prawko.base.schemas import RequestModel, ResponseModel
from prawko.drivers import validation
from prawko.drivers.models import UNKNOWN, Outcome
from prawko_tenants.ids import DriverId, VerificationId

# Documented for clients but not enforced by the decoder, which has no message for each field:
# `validation.parse_details` checks them.
NameText = Annotated[
    str,
    Meta(extra_json_schema={"extra": {"min_length": 1, "max_length": validation.MAX_NAME_LENGTH}}),
]
LicenceNumberText = Annotated[
    str,
    Meta(
        extra_json_schema={
            "extra": {
                "pattern": validation.LICENCE_NUMBER_PATTERN,
                "max_length": validation.LICENCE_NUMBER_LENGTH,
            }
        }
    ),
]

_OUTCOMES = [outcome.value for outcome in Outcome]
OutcomeText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": _OUTCOMES}})]
StatusText = Annotated[str, Meta(extra_json_schema={"extra": {"enum": [UNKNOWN, *_OUTCOMES]}})]


class DriverIn(RequestModel):
    """A new driver; a missing field is rejected like an empty one."""

    first_name: NameText = ""
    last_name: NameText = ""
    license_number: LicenceNumberText = ""


class DriverPatch(RequestModel):
    """The fields to update; absent ones keep their value."""

    first_name: NameText | UnsetType = UNSET
    last_name: NameText | UnsetType = UNSET
    license_number: LicenceNumberText | UnsetType = UNSET

    def provided_fields(self) -> dict[str, str]:
        """The fields present in the request."""
        fields = msgspec.structs.asdict(self).items()
        return {name: value for name, value in fields if value is not UNSET}


class CategoryOut(ResponseModel):
    """A licence category and its last valid day, null if the register names none."""

    kategoria: str
    data_waznosci: date | None


class ReasonOut(ResponseModel):
    """A reason for the document's state, as received from the register."""

    kod: str | None
    wartosc: str


class VerificationSummaryOut(ResponseModel):
    """What a list of drivers shows of a verification.

    `expired`: the document's last day was over at the time of the verification.
    """

    status: OutcomeText
    verified_at: datetime
    document_status: str | None
    issuing_authority: str | None
    expiry_date: date | None
    expired: bool
    categories: list[CategoryOut]


class VerificationOut(VerificationSummaryOut):
    """One verification; `license_number` is the number that was queried."""

    id: VerificationId
    driver_id: DriverId
    document_code: str | None
    reasons: list[ReasonOut]
    notes: str | None
    last_verification_hash: str
    license_number: str


class DriverOut(ResponseModel):
    """A driver with the newest verifications of the current document, newest first.

    `over_limit`: the driver is beyond the subscription's limit and not checked. `stale_since` is
    the time of the shown result if that is stale (docs/rules.md R12b), else null.
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


class DriverSummaryOut(ResponseModel):
    """A driver as a list shows it: `DriverOut` without fields that hardly compress."""

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    status: StatusText
    over_limit: bool
    stale_since: datetime | None
    verifications: list[VerificationSummaryOut]


class RemovedDriver(ResponseModel):
    """The removed driver."""

    id: DriverId
