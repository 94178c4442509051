"""Request and response models of drivers and their verifications."""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from prawko.drivers import validation
from prawko.drivers.models import UNKNOWN, MayDrive, Outcome
from prawko.drivers.needed_categories import LICENCE_CATEGORIES
from prawko.drivers.validation import DriverFields
from prawko.hooks.channels import Medium
from prawko.kit.http.schemas import RequestModel, ResponseModel, openapi_constraints
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import NoticeKind
from prawko.notifications.schemas import RecipientLinkIn
from prawko_tenants.ids import AcknowledgementId, DriverId, NoticeId, VerificationId

# The decoder has no message for each field: `validation.parse_details` checks these.
NameText = Annotated[str, openapi_constraints(min_length=1, max_length=validation.MAX_NAME_LENGTH)]
LicenceNumberText = Annotated[
    str,
    openapi_constraints(
        pattern=validation.LICENCE_NUMBER_PATTERN, max_length=validation.LICENCE_NUMBER_LENGTH
    ),
]
NoteText = Annotated[str, openapi_constraints(max_length=validation.MAX_NOTE_LENGTH)]
CategoryCode = Annotated[str, openapi_constraints(enum=[*LICENCE_CATEGORIES])]
MAX_CHOSEN = 500  # at a time
_OUTCOMES = [outcome.value for outcome in Outcome]
OutcomeText = Annotated[str, openapi_constraints(enum=_OUTCOMES)]
MayDriveText = Annotated[str, openapi_constraints(enum=[one.value for one in MayDrive])]
StatusText = Annotated[str, openapi_constraints(enum=[UNKNOWN, *_OUTCOMES])]


ChosenIds = Annotated[list[DriverId], Meta(min_length=1, max_length=MAX_CHOSEN)]


class ChosenDriversIn(RequestModel):
    """Chosen drivers; those that another member has removed meanwhile are skipped."""

    driver_ids: ChosenIds


class DriverIn(RequestModel):
    """A new driver; a missing field is rejected like an empty one."""

    first_name: NameText = ""
    last_name: NameText = ""
    license_number: LicenceNumberText = ""
    needed_categories: list[CategoryCode] = msgspec.field(default_factory=list)


class DriverPatch(RequestModel):
    """The fields to update; absent ones keep their value."""

    first_name: NameText | UnsetType = UNSET
    last_name: NameText | UnsetType = UNSET
    license_number: LicenceNumberText | UnsetType = UNSET
    needed_categories: list[CategoryCode] | UnsetType = UNSET

    def provided_fields(self) -> DriverFields:
        """The fields present in the request."""
        fields = msgspec.structs.asdict(self).items()
        return {name: value for name, value in fields if value is not UNSET}


class TableFormat(StrEnum):
    """The format of an exported table."""

    CSV = "csv"
    XLSX = "xlsx"


class DriverExportIn(ChosenDriversIn, kw_only=True):
    """The chosen drivers whose rows are downloaded."""

    format: TableFormat = TableFormat.XLSX


class NeededCategoriesIn(ChosenDriversIn, kw_only=True):
    """The needed categories that chosen drivers get instead of their own."""

    needed_categories: list[CategoryCode]


class NeededCategoriesOut(ResponseModel):
    """How many drivers had other needed categories."""

    changed: int


class CategoryOut(ResponseModel):
    """A licence category and its last valid day, null if the register names none."""

    kategoria: str
    data_waznosci: date | None


class ReasonOut(ResponseModel):
    """A reason for the document's state, as received from the register."""

    kod: str | None
    wartosc: str


class VerificationSummaryOut(ResponseModel):
    """A verification in a list of drivers.

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


class AcknowledgementOut(ResponseModel):
    """The entry that a driver was taken off the road; `created_by` is null for who has left."""

    id: AcknowledgementId
    note: str
    created_at: datetime
    created_by: str | None


class EpisodeOut(ResponseModel):
    """The time since which a driver is withheld, needs attention or is not found.

    `since` is the time of the check that brought it, or the midnight at which a date was over.
    `reasons` are the register's, of the latest verification.
    """

    since: datetime
    reasons: list[ReasonOut]
    acknowledgement: AcknowledgementOut | None


class DriverOut(ResponseModel):
    """A driver with the newest verifications of the current document, newest first.

    `over_limit`: the driver is beyond the subscription's limit and not checked. `stale_since` is
    the time of the shown result if that is stale (docs/rules.md R12b), else null. `status` is the
    latest outcome; `may_drive` also depends on the day, the needed categories and the age of the
    result (R9c). `episode` is null while the licence entitles, and before the first outcome.
    """

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    status: StatusText
    may_drive: MayDriveText
    needed_categories: list[CategoryCode]
    created_at: datetime
    over_limit: bool
    stale_since: datetime | None
    episode: EpisodeOut | None
    verifications: list[VerificationOut]


class DriverSummaryOut(ResponseModel):
    """A driver as a list shows it: `DriverOut` without fields that hardly compress."""

    id: DriverId
    first_name: str
    last_name: str
    license_number: str
    status: StatusText
    may_drive: MayDriveText
    needed_categories: list[CategoryCode]
    over_limit: bool
    stale_since: datetime | None
    episode: EpisodeOut | None
    verifications: list[VerificationSummaryOut]


class DriverCountsOut(ResponseModel):
    """Numbers of drivers: `no`, `check` and `yes` are the answers who may drive, and add up to all.

    `unhandled`: those of `no` whose episode has no acknowledgement. `expiring`: valid licences that
    end, as a whole or with a category, within 90 days.
    """

    no: int
    check: int
    yes: int
    unhandled: int
    expiring: int


class AcknowledgementIn(RequestModel):
    """Says that a driver was taken off the road, in the episode that began at `since`."""

    since: datetime
    note: NoteText = ""


class EpisodeIn(RequestModel):
    """The episode of a driver that a person sees."""

    driver_id: DriverId
    since: datetime


class AcknowledgementsIn(RequestModel):
    """Says that several drivers were taken off the road, with one note."""

    episodes: Annotated[list[EpisodeIn], Meta(min_length=1, max_length=MAX_CHOSEN)]
    note: NoteText = ""


class LinkAcknowledgementIn(RecipientLinkIn):
    """Says by the link of an alert that the driver was taken off the road."""

    note: NoteText = ""


class AlertState(StrEnum):
    """The state of an alert to which a link leads."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    ENDED = "ended"  # with the episode
    EXPIRED = "expired"


class AcknowledgementLinkOut(ResponseModel):
    """An alert in its reader's language; of an expired link nothing but the state is returned.

    Name, number and `alert` are the notice's, `since` the begin of the episode while it lasts.
    """

    state: AlertState
    language: Language
    may_drive: MayDrive | None = None  # now
    driver_id: DriverId | None = None
    name: str = ""
    license_number: str = ""
    alert: str = ""
    since: datetime | None = None
    acknowledgement: AcknowledgementOut | None = None


class AcknowledgementResult(StrEnum):
    """What became of the acknowledgement of one episode."""

    ACKNOWLEDGED = "acknowledged"
    ALREADY_ACKNOWLEDGED = "already_acknowledged"
    ENDED = "ended"
    NOT_FOUND = "not_found"


class AcknowledgementResultOut(ResponseModel):
    """What became of one episode, as a sentence, too, and the acknowledgement it has, or null."""

    driver_id: DriverId
    result: AcknowledgementResult
    message: str
    acknowledgement_id: AcknowledgementId | None


class NoticeDeliveryState(StrEnum):
    """The state of a mail or SMS. `sent`: accepted by the carrier, which reported nothing yet."""

    WAITING = "waiting"
    SENT = "sent"
    DELIVERED = "delivered"
    REFUSED = "refused"
    NOT_SENT = "not_sent"


class NoticeDeliveryOut(ResponseModel):
    """The number of messages of one medium in one state."""

    medium: Annotated[str, openapi_constraints(enum=list(Medium))]
    state: NoticeDeliveryState
    count: int


class DriverNoticeOut(ResponseModel):
    """A notice about a driver. Messages are kept for 30 days: older notices have none."""

    id: NoticeId
    kind: NoticeKind
    title: str
    content: str
    created_at: datetime
    deliveries: list[NoticeDeliveryOut]


class RemovedDriver(ResponseModel):
    """The removed driver."""

    id: DriverId


class DriverRemovalIn(RequestModel):
    """The drivers to remove, all or none."""

    ids: ChosenIds


class DriverRemovalOut(ResponseModel):
    """How many drivers were removed."""

    removed: int
