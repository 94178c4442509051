"""The lists of drivers as the panel shows them: PostgreSQL builds the JSON of `DriverOut`.

The newest verification lies ready in the driver's row, so the panel's own question (one each)
reads no other table; more of them are joined. The number of statements does not depend on the
number of drivers.
"""

from datetime import datetime, timedelta

from prawko.base.pages import Page
from prawko_tenants.ids import DriverId
from prawko_tenants.reader import Reader
from prawko_tenants.sessions import TenantSession

STALE_AFTER = timedelta(hours=48)
MOST_VERIFICATIONS = 30
DEFAULT_VERIFICATIONS = 10

_NONE = "'[]'::json"
_LATEST = "CASE WHEN d.latest IS NULL THEN '[]'::json ELSE json_build_array(d.latest) END"
_NEWEST = "coalesce(v.newest, '[]'::json)"


def _instant(column: str) -> str:
    """The column as JSON carries instants: ISO 8601 in UTC, whatever zone the server is in."""
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""


# $6 is how many. What the present document was answered is newer than all before it; so the
# newest rows are taken first, which touches the newest partitions only, and then sifted. A
# driver with few rows stops where the first answer for the document was seen, and looks into no
# month before. The one that made the driver's state leads, even where a clock was set back.
_JOIN_NEWEST = f"""
    LEFT JOIN LATERAL (
        SELECT min(f.first_seen_at) AS since
          FROM register_answer f
         WHERE f.tenant_id = bound.tenant_id AND f.driver_id = d.id
           AND f.document_no = d.document_no
    ) AS asked ON true
    LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object(
                   'id', n.id, 'driverId', d.id, 'status', n.outcome,
                   'verifiedAt', {_instant("n.verified_at")},
                   'documentStatus', a.document_status, 'documentCode', a.document_code,
                   'issuingAuthority', a.issuing_authority, 'expiryDate', a.expiry_date,
                   'expired', a.expiry_date IS NOT NULL AND a.expiry_date
                       < (n.verified_at AT TIME ZONE 'Europe/Warsaw')::date,
                   'categories', a.categories, 'reasons', a.reasons, 'notes', a.notes,
                   'lastVerificationHash', encode(a.hash, 'hex'),
                   'licenseNumber', a.license_number
               ) ORDER BY n.leads DESC, n.verified_at DESC) AS newest
          FROM (SELECT u.*, u.verified_at IS NOT DISTINCT FROM d.verified_at AS leads
                  FROM ((SELECT v.id, v.outcome, v.verified_at, v.answer_id
                           FROM verification v
                          WHERE v.tenant_id = bound.tenant_id AND v.driver_id = d.id
                            AND v.verified_at >= asked.since
                          ORDER BY v.verified_at DESC
                          LIMIT $6)
                        UNION
                        SELECT v.id, v.outcome, v.verified_at, v.answer_id
                          FROM verification v
                         WHERE v.tenant_id = bound.tenant_id AND v.driver_id = d.id
                           AND v.verified_at = d.verified_at) AS u
                 ORDER BY leads DESC, u.verified_at DESC
                 LIMIT $6) AS n
          JOIN register_answer a
            ON a.tenant_id = bound.tenant_id AND a.driver_id = d.id AND a.id = n.answer_id
         WHERE a.document_no = d.document_no
    ) AS v ON true"""  # noqa: S608  # made of constants

# $2 is now, $3 the instant before which a result is stale, $4 and $5 the page (NULL and 0: all).
# The subscription is the one written last; in the grace its drivers are checked, too. The oldest
# drivers have the lowest ids; `first_id` is the first of those that the limit leaves out. Both
# are asked once, not for every driver: hence MATERIALIZED.
_DRIVERS = f"""
    WITH subscribed AS MATERIALIZED (
        SELECT s.driver_limit,
               s.status IN ('active', 'expired') AND s.checked_until > $2 AS checked
          FROM subscription s
         WHERE s.tenant_id = bound.tenant_id
         ORDER BY s.id DESC
         LIMIT 1
    ), beyond AS MATERIALIZED (
        SELECT e.id AS first_id
          FROM driver e
         WHERE e.tenant_id = bound.tenant_id
         ORDER BY e.id
        OFFSET (SELECT driver_limit FROM subscribed)
         LIMIT 1
    )
    SELECT coalesce(json_agg(row_to_json(shown)), '[]')
      FROM (SELECT d.id,
                   d.first_name AS "firstName",
                   d.last_name AS "lastName",
                   d.license_number AS "licenseNumber",
                   d.status,
                   {_instant("d.created_at")} AS "createdAt",
                   coalesce(d.id >= (SELECT first_id FROM beyond), false) AS "overLimit",
                   CASE WHEN (SELECT checked FROM subscribed) AND d.verified_at >= $3 THEN NULL
                        ELSE {_instant("d.verified_at")} END AS "staleSince",
                   %s AS verifications
              FROM (SELECT *
                      FROM driver
                     WHERE tenant_id = bound.tenant_id %s
                     ORDER BY sort_key, id
                     LIMIT $4 OFFSET $5) AS d %s
             ORDER BY d.sort_key, d.id) AS shown"""  # noqa: S608  # made of constants
_COUNT = "SELECT to_json(count(*)) FROM driver d WHERE d.tenant_id = bound.tenant_id"

_WITHOUT = _DRIVERS % (_NONE, "", "")
_WITH_LATEST = _DRIVERS % (_LATEST, "", "")
_WITH_NEWEST = _DRIVERS % (_NEWEST, "", _JOIN_NEWEST)
_ONE_WITH_NEWEST = (
    "SELECT x.body::text FROM (SELECT $1::uuid) AS bound (tenant_id) CROSS JOIN LATERAL ("
    + _DRIVERS % (_NEWEST, "AND id = $7", _JOIN_NEWEST)
    + ") AS x (body)"
)


async def list_drivers(
    reader: Reader, now: datetime, verifications: int, page: Page | None = None
) -> bytes:
    """The company's drivers as a JSON array, each with its newest verifications."""
    window = (page.size, page.offset) if page else (None, 0)
    args = (now, now - STALE_AFTER, *window)
    if verifications == 0:
        return await reader.json(_WITHOUT, *args)
    if verifications == 1:
        return await reader.json(_WITH_LATEST, *args)
    return await reader.json(_WITH_NEWEST, *args, verifications)


async def count_drivers(reader: Reader) -> int:
    """How many drivers the company has."""
    return int(await reader.json(_COUNT))


async def show_driver(session: TenantSession, driver_id: DriverId, now: datetime) -> bytes:
    """One driver as the list shows it, in the transaction that wrote it."""
    connection = await session.connection()
    args = (session.tenant_id, now, now - STALE_AFTER, 1, 0, DEFAULT_VERIFICATIONS, driver_id)
    body: str = (await connection.exec_driver_sql(_ONE_WITH_NEWEST, args)).scalar_one()
    return body.encode().removeprefix(b"[").removesuffix(b"]")
