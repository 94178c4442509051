"""Hot reads of drivers, as SQL text: PostgreSQL builds the JSON of `DriverOut`.

The newest verification is stored in the driver's row, so a list with one verification each
reads no verification table; more of them are joined. The number of statements does not depend
on the number of drivers.
"""

from collections.abc import Collection
from datetime import date, datetime, timedelta

import msgspec
from msgspec import UNSET, Raw, structs

from prawko.drivers.models import MayDrive
from prawko.drivers.schemas import DriverSummaryOut, VerificationSummaryOut
from prawko.kit.clock import warsaw_date
from prawko.kit.database import Pagination
from prawko_tenants.ids import DriverId
from prawko_tenants.reader import Reader, SessionReader
from prawko_tenants.sessions import TenantSession

STALE_AFTER = timedelta(hours=48)
MAX_VERIFICATIONS = 30
DEFAULT_VERIFICATIONS = 10
EXPIRING_DAYS = 90

_NO_VERIFICATIONS = "'[]'::json"
_LATEST_VERIFICATION = (
    "CASE WHEN d.latest IS NULL THEN '[]'::json ELSE json_build_array(d.latest) END"
)
_NEWEST_VERIFICATIONS = "coalesce(v.newest, '[]'::json)"


def _utc_timestamp(column: str) -> str:
    """Return SQL for the column as ISO 8601 in UTC, for any time zone of the session."""
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


# $7 is the number of verifications. Verifications of the current document are newer than those of
# earlier ones, so the newest rows are read first, which touches the newest partitions only, and
# filtered afterwards. `since`, the time of the document's first answer, limits the partitions read
# for a driver with few rows. The verification behind the driver's status comes first even if the
# product clock was set back.
_JOIN_NEWEST = f"""
    LEFT JOIN LATERAL (
        SELECT min(f.first_seen_at) AS since
          FROM register_answer f
         WHERE f.tenant_id = bound.tenant_id AND f.driver_id = d.id
           AND f.document_version = d.document_version
    ) AS first_answer ON true
    LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object(
                   'id', n.id, 'driverId', d.id, 'status', n.outcome,
                   'verifiedAt', {_utc_timestamp("n.verified_at")},
                   'documentStatus', a.document_status, 'documentCode', a.document_code,
                   'issuingAuthority', a.issuing_authority, 'expiryDate', a.expiry_date,
                   'expired', a.expiry_date IS NOT NULL AND a.expiry_date
                       < (n.verified_at AT TIME ZONE 'Europe/Warsaw')::date,
                   'categories', a.categories, 'reasons', a.reasons, 'notes', a.notes,
                   'lastVerificationHash', encode(a.hash, 'hex'),
                   'licenseNumber', a.license_number
               ) ORDER BY n.is_current DESC, n.verified_at DESC) AS newest
          FROM (SELECT u.*, u.verified_at IS NOT DISTINCT FROM d.verified_at AS is_current
                  FROM ((SELECT v.id, v.outcome, v.verified_at, v.answer_id
                           FROM verification v
                          WHERE v.tenant_id = bound.tenant_id AND v.driver_id = d.id
                            AND v.verified_at >= first_answer.since
                          ORDER BY v.verified_at DESC
                          LIMIT $7)
                        UNION
                        SELECT v.id, v.outcome, v.verified_at, v.answer_id
                          FROM verification v
                         WHERE v.tenant_id = bound.tenant_id AND v.driver_id = d.id
                           AND v.verified_at = d.verified_at) AS u
                 ORDER BY is_current DESC, u.verified_at DESC
                 LIMIT $7) AS n
          JOIN register_answer a
            ON a.tenant_id = bound.tenant_id AND a.driver_id = d.id AND a.id = n.answer_id
         WHERE a.document_version = d.document_version
    ) AS v ON true"""  # noqa: S608  # made of constants

# A valid document entitles through `valid_until`, then no longer, without an answer.
_IS_OVER = "(status = 'valid' AND valid_until < $4)"
# When that status began: at a check, or at the midnight after the last valid day.
_STATUS_SINCE = f"""coalesce(
    CASE WHEN {_IS_OVER}
         THEN greatest(status_since, (valid_until + 1)::timestamp AT TIME ZONE 'Europe/Warsaw')
         ELSE status_since END, verified_at, created_at)"""
_IS_STALE = "((SELECT is_monitored FROM subscribed) AND d.verified_at >= $3) IS NOT TRUE"
# By stored days and times, because the answer changes without a write: at midnight, when a result
# becomes stale, and with the subscription. A document that the register does not know has no days.
_MAY_DRIVE = f"""CASE
    WHEN d.status = 'invalid' OR (d.status <> 'not_found' AND d.valid_until < $4) THEN 'no'
    WHEN d.status <> 'valid' OR {_IS_STALE} THEN 'check'
    ELSE 'yes' END"""
# A subquery for drivers that are withheld or need attention only: those are few.
_EPISODE = f"""CASE WHEN d.current_status IN ('invalid', 'attention', 'not_found')
    THEN json_build_object(
        'since', {_utc_timestamp("d.since")},
        'reasons', coalesce(d.latest -> 'reasons', '[]'),
        'acknowledgement', (
            SELECT json_build_object('id', last.id, 'note', last.note,
                       'createdAt', {_utc_timestamp("last.created_at")}, 'createdBy', u.email)
              FROM (SELECT k.*
                      FROM acknowledgement k
                     WHERE k.tenant_id = bound.tenant_id AND k.driver_id = d.id
                       AND k.since = d.since
                     ORDER BY k.entry DESC
                     LIMIT 1) AS last
              LEFT JOIN user_account u ON u.id = last.created_by
             WHERE last.kind = 'acknowledged')) END"""  # noqa: S608  # made of constants


# $2 is now, $3 the time before which a result is stale, $4 today in Warsaw, $5 and $6 limit and
# offset (NULL and 0: all rows).
# `first_id` is the oldest driver beyond the limit: the first whose `rank` in the view
# `ranked_driver` exceeds it, which takes twice as long to number 300 drivers.
# MATERIALIZED: both are computed once, not for every driver.
def _select_drivers(body: str, verifications: str, where: str = "", join: str = "") -> str:
    """Return the statement of `body`, an aggregate over the company's drivers as `listed`."""
    return f"""
    WITH subscribed AS MATERIALIZED (
        SELECT m.driver_limit, m.monitored_until > $2 AS is_monitored
          FROM monitored_company m
         WHERE m.tenant_id = bound.tenant_id
    ), beyond AS MATERIALIZED (
        SELECT e.id AS first_id
          FROM driver e
         WHERE e.tenant_id = bound.tenant_id
         ORDER BY e.id
        OFFSET (SELECT driver_limit FROM subscribed)
         LIMIT 1
    )
    SELECT {body}
      FROM (SELECT d.id,
                   d.first_name AS "firstName",
                   d.last_name AS "lastName",
                   d.license_number AS "licenseNumber",
                   d.status,
                   {_MAY_DRIVE} AS "mayDrive",
                   d.needed_categories AS "neededCategories",
                   {_utc_timestamp("d.created_at")} AS "createdAt",
                   coalesce(d.id >= (SELECT first_id FROM beyond), false) AS "overLimit",
                   CASE WHEN {_IS_STALE} THEN {_utc_timestamp("d.verified_at")} END
                       AS "staleSince",
                   {_EPISODE} AS episode,
                   {verifications} AS verifications
              FROM (SELECT *, CASE WHEN {_IS_OVER} THEN 'attention' ELSE status END
                                  AS current_status,
                           {_STATUS_SINCE} AS since
                      FROM driver d
                     WHERE tenant_id = bound.tenant_id {where}
                     ORDER BY sort_key, id
                     LIMIT $5 OFFSET $6) AS d {join}
             ORDER BY d.sort_key, d.id) AS listed"""  # noqa: S608  # made of constants


# Polled by every visible panel: the state of the list, the newest entry about an episode and the
# newest notice, as a digest. The sum of the times differs as well when an earlier answer is written
# after a later one.
_VERSION = """
    SELECT json_build_object('version', md5(concat_ws(' ',
               count(*), sum(d.document_version), sum(extract(epoch FROM d.verified_at)),
               sum(hashtextextended(CAST(d.needed_categories AS text), 0)),
               (SELECT k.id
                  FROM acknowledgement k
                 WHERE k.tenant_id = bound.tenant_id
                 ORDER BY k.id DESC
                 LIMIT 1),
               (SELECT n.id
                  FROM notice n
                 WHERE n.tenant_id = bound.tenant_id
                 ORDER BY n.id DESC
                 LIMIT 1))))
      FROM driver d
     WHERE d.tenant_id = bound.tenant_id"""

_AS_LIST = "coalesce(json_agg(row_to_json(listed)), '[]')"
# A licence is expiring that is valid and has a last day within the longest period of the list's
# groups of expiry (`list_export.groups_of`).
_AS_SUMMARY = f"""json_build_object(
    'no', count(*) FILTER (WHERE "mayDrive" = 'no'),
    'check', count(*) FILTER (WHERE "mayDrive" = 'check'),
    'yes', count(*) FILTER (WHERE "mayDrive" = 'yes'),
    'unhandled', count(*) FILTER (
        WHERE "mayDrive" = 'no' AND episode -> 'acknowledgement' ->> 'id' IS NULL),
    'expiring', count(*) FILTER (
        WHERE status = 'valid' AND (verifications ->> 'expired')::boolean IS NOT TRUE
          AND ((verifications ->> 'expiryDate')::date < $4) IS NOT TRUE
          AND (SELECT min(last_day::date)
                 FROM (SELECT verifications ->> 'expiryDate'
                        UNION ALL
                       SELECT one ->> 'dataWaznosci'
                         FROM json_array_elements(verifications -> 'categories') AS one
                      ) AS days (last_day)
                WHERE last_day::date >= $4) <= $4 + {EXPIRING_DAYS}))"""  # noqa: S608  # made of constants


def _filter(may_drive: MayDrive | None) -> str:
    return "" if may_drive is None else f"AND {_MAY_DRIVE} = '{may_drive}'"


_LISTS = {
    (count, answer): _select_drivers(_AS_LIST, column, _filter(answer), join)
    for answer in (None, *MayDrive)
    for count, column, join in (
        (0, _NO_VERIFICATIONS, ""),
        (1, _LATEST_VERIFICATION, ""),
        (None, _NEWEST_VERIFICATIONS, _JOIN_NEWEST),
    )
}
_COUNT = "SELECT to_json(count(*)) FROM driver d WHERE d.tenant_id = bound.tenant_id"
_COUNTS = {one: _select_drivers("to_json(count(*))", "NULL", _filter(one)) for one in MayDrive}
_SUMMARY = _select_drivers(_AS_SUMMARY, "d.latest")
_DRIVER_WITH_LATEST = _select_drivers(_AS_LIST, _LATEST_VERIFICATION, "AND id = $7")
_DRIVER_WITH_NEWEST = _select_drivers(_AS_LIST, _NEWEST_VERIFICATIONS, "AND id = $8", _JOIN_NEWEST)
_DRIVERS_OF_IDS = _select_drivers(_AS_LIST, _NO_VERIFICATIONS, "AND id = ANY($7)")

# The fields of a summary, each copied as it is; what an older release did not store stays absent.
_VERIFICATION_FIELDS = msgspec.defstruct(
    "VerificationFields",
    [(field.name, Raw, UNSET) for field in structs.fields(VerificationSummaryOut)],
    rename="camel",
)
_DRIVER_FIELDS = msgspec.defstruct(
    "DriverFields",
    [
        (field.name, list[_VERIFICATION_FIELDS] if field.name == "verifications" else Raw)  # type: ignore[valid-type]
        for field in structs.fields(DriverSummaryOut)
    ],
    rename="camel",
)
_SUMMARY_DECODER = msgspec.json.Decoder(list[_DRIVER_FIELDS])  # type: ignore[valid-type]


class DriverQueries:
    """Reads one company's drivers as of now, outside the request's transaction."""

    def __init__(self, reader: Reader, now: datetime) -> None:
        self._reader = reader
        self._now = now

    async def list_drivers(
        self,
        verifications: int,
        pagination: Pagination | None = None,
        may_drive: MayDrive | None = None,
    ) -> bytes:
        """JSON array of the drivers with this answer, each with its newest verifications.

        None means the drivers of every answer.
        """
        limit, offset = (pagination.size, pagination.offset) if pagination else (None, 0)
        args = (*_time_args(self._now), limit, offset)
        if verifications <= 1:
            return await self._reader.fetch_json(_LISTS[verifications, may_drive], *args)
        return await self._reader.fetch_json(_LISTS[None, may_drive], *args, verifications)

    async def find_driver(self, driver_id: DriverId) -> bytes | None:
        """JSON object of one driver with the newest verification; None if there is none such."""
        args = (*_time_args(self._now), 1, 0, driver_id)
        body = await self._reader.fetch_json(_DRIVER_WITH_LATEST, *args)
        return _only_element(body) or None

    async def fetch_version(self) -> bytes:
        """JSON object whose version changes with the drivers, their results and the notices."""
        return await self._reader.fetch_json(_VERSION)

    async def count_drivers(self, may_drive: MayDrive | None = None) -> int:
        """Number of the company's drivers with this answer; None means every answer."""
        if may_drive is None:
            return int(await self._reader.fetch_json(_COUNT))
        args = (*_time_args(self._now), None, 0)
        return int(await self._reader.fetch_json(_COUNTS[may_drive], *args))

    async def count_answers(self) -> bytes:
        """JSON object of `DriverCountsOut`."""
        return await self._reader.fetch_json(_SUMMARY, *_time_args(self._now), None, 0)


def _time_args(now: datetime) -> tuple[datetime, datetime, date]:
    """Arguments $2 to $4 of a list."""
    return now, now - STALE_AFTER, warsaw_date(now)


def to_summaries(drivers: bytes) -> bytes:
    """JSON array of `DriverSummaryOut`, made of one of `DriverOut`."""
    return msgspec.json.encode(_SUMMARY_DECODER.decode(drivers))


async def get_driver_json(session: TenantSession, driver_id: DriverId, now: datetime) -> bytes:
    """JSON object of one driver, read in the caller's transaction."""
    args = (*_time_args(now), 1, 0, DEFAULT_VERIFICATIONS, driver_id)
    return _only_element(await SessionReader(session).fetch_json(_DRIVER_WITH_NEWEST, *args))


async def list_drivers_json(session: TenantSession, now: datetime) -> bytes:
    """JSON array of the drivers with the latest verification, read in the caller's transaction."""
    args = (*_time_args(now), None, 0)
    return await SessionReader(session).fetch_json(_LISTS[1, None], *args)


async def get_drivers_json(
    session: TenantSession, driver_ids: Collection[DriverId], now: datetime
) -> bytes:
    """JSON array of drivers without verifications, read in the caller's transaction."""
    args = (*_time_args(now), None, 0, [*driver_ids])
    return await SessionReader(session).fetch_json(_DRIVERS_OF_IDS, *args)


def _only_element(array: bytes) -> bytes:
    return array.removeprefix(b"[").removesuffix(b"]")
