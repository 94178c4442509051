"""The statements of an export: one for each table, with the API's names as columns.

The session is bound to the company, and row-level security limits every company's table to it;
tables that no company owns are joined through the company's memberships. No secret, hash, or id
of a person or of another company is selected. `:requester_id` is null for an operator: of other
members, phone numbers and IP addresses are left out.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import RowMapping, TextClause, text

from prawko.base import logs
from prawko.base.crypto import DecryptionError, KeyRing
from prawko.billing.pricing.price import DRIVERS_PER_BLOCK, FIRST_BLOCK_NET, FURTHER_BLOCK_NET

log = logs.get_logger(__name__)

ExportRow = dict[str, Any]
DECRYPTED_COLUMN = "verificationResponse"


class ExportTable(msgspec.Struct, frozen=True):
    """A table of an export; `encrypted` ones hold the register's answers in `raw`."""

    name: str
    sql: TextClause
    encrypted: bool = False

    def columns(self, selected: Iterable[str]) -> list[str]:
        """Return the exported columns, given the selected ones."""
        if not self.encrypted:
            return list(selected)
        return [*(name for name in selected if name not in {"key_id", "raw"}), DECRYPTED_COLUMN]

    def decrypt_row(self, key_ring: KeyRing, row: RowMapping) -> ExportRow:
        """Return the exported row; an answer whose key is lost is None."""
        exported = {str(name): row[name] for name in row if name not in {"key_id", "raw"}}
        if not self.encrypted:
            return exported
        try:
            answer = key_ring.answer_cipher.decrypt(
                row["key_id"], row["raw"], associated_data=row["id"].bytes
            )
        except DecryptionError:
            log.warning("answer_decryption_failed", key_id=row["key_id"])
            return {**exported, DECRYPTED_COLUMN: None}
        return {**exported, DECRYPTED_COLUMN: msgspec.json.decode(answer)}


_COMPANY = text("""
    SELECT company_name AS "companyName", tax_id AS "taxId", street, postal_code AS "postalCode",
           city, trial_started_at AS "trialStartDate", trial_ended AS "trialEnded",
           created_at AS "createdAt", updated_at AS "updatedAt"
      FROM tenant WHERE id = :tenant_id
""")
_MEMBERS = text("""
    SELECT u.email, m.role, u.language, u.email_verified AS "emailVerified",
           CASE WHEN u.id = coalesce(:requester_id, u.id) THEN u.phone_number END AS "phoneNumber",
           u.phone_verified AS "phoneVerified",
           u.email_notifications_enabled AS "emailNotificationsEnabled",
           u.sms_notifications_enabled AS "smsNotificationsEnabled", u.email_state AS "emailState",
           u.terms_version AS "termsVersion", u.terms_accepted_at AS "termsAcceptedAt",
           m.created_at AS "memberSince", u.created_at AS "createdAt"
      FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.tenant_id = :tenant_id ORDER BY m.created_at, u.id
""")
_DRIVERS = """
    SELECT d.id, d.first_name AS "firstName", d.last_name AS "lastName",
           d.license_number AS "licenseNumber", d.status, d.verified_at AS "verifiedAt",
           d.created_at AS "createdAt", u.email AS "createdBy"
      FROM driver d LEFT JOIN user_account u ON u.id = d.created_by
     WHERE d.tenant_id = :tenant_id {driver_filter} ORDER BY d.id
"""
_VERIFICATIONS = """
    SELECT v.id, v.driver_id AS "driverId", v.verified_at AS "verifiedAt", v.outcome AS status,
           a.first_name AS "firstName", a.last_name AS "lastName",
           a.license_number AS "licenseNumber", a.document_status AS "documentStatus",
           a.document_code AS "documentCode", a.issuing_authority AS "issuingAuthority",
           a.expiry_date AS "expiryDate", a.categories, a.reasons, a.notes, a.id AS "answerId"
      FROM verification v
      LEFT JOIN register_answer a ON a.tenant_id = v.tenant_id AND a.driver_id = v.driver_id
       AND a.id = v.answer_id
     WHERE v.tenant_id = :tenant_id {driver_filter} ORDER BY v.driver_id, v.verified_at
"""
_ANSWERS = """
    SELECT a.id, a.driver_id AS "driverId", a.first_seen_at AS "firstSeenAt",
           a.first_name AS "firstName", a.last_name AS "lastName",
           a.license_number AS "licenseNumber", a.document_status AS "documentStatus",
           a.document_code AS "documentCode", a.issuing_authority AS "issuingAuthority",
           a.expiry_date AS "expiryDate", a.categories, a.reasons, a.notes, a.key_id, a.raw
      FROM register_answer a
     WHERE a.tenant_id = :tenant_id {driver_filter} ORDER BY a.driver_id, a.id
"""
_NOTICES = """
    SELECT n.id, n.kind, n.driver_id AS "driverId", n.params AS facts,
           n.created_at AS "createdAt"
      FROM notice n WHERE n.tenant_id = :tenant_id {driver_filter} ORDER BY n.id
"""
_NOTIFICATIONS = text("""
    SELECT n.id, u.email AS "recipient", n.notice_id AS "noticeId", n.type, n.title, n.content,
           n.read, n.created_at AS "createdAt"
      FROM notification n JOIN user_account u ON u.id = n.user_id
     WHERE n.tenant_id = :tenant_id ORDER BY n.id
""")
_SUBSCRIPTIONS = text("""
    SELECT id, status, driver_limit AS "driverLimit",
           (CASE WHEN is_trial THEN 0 ELSE :first_block_net + :further_block_net
                 * ((greatest(driver_limit, :block_size) - 1) / :block_size) END / 100.0
           )::numeric(10, 2) AS "priceNet",
           is_trial AS "isTrial", start_date AS "startDate", end_date AS "endDate",
           monitored_until AS "checkedUntil", cancelled_at AS "cancelledAt",
           scheduled_limit AS "nextLimit", scheduled_limit_at AS "nextLimitAt",
           mandate_id AS "mandateId", company_name AS "companyName", tax_id AS "taxId",
           street, postal_code AS "postalCode", city, created_at AS "createdAt"
      FROM subscription WHERE tenant_id = :tenant_id ORDER BY id
""").bindparams(
    first_block_net=FIRST_BLOCK_NET,
    further_block_net=FURTHER_BLOCK_NET,
    block_size=DRIVERS_PER_BLOCK,
)
_SUBSCRIPTION_HISTORY = text("""
    SELECT id, subscription_id AS "subscriptionId", changed_at AS "changedAt",
           old_status AS "oldStatus", new_status AS "newStatus", old_end_date AS "oldEndDate",
           new_end_date AS "newEndDate", note
      FROM subscription_history WHERE tenant_id = :tenant_id ORDER BY id
""")
_ORDERS = text("""
    SELECT o.id, o.kind, o.state, o.driver_limit AS "driverLimit", o.lines, o.net, o.vat,
           o.method, o.company_name AS "companyName", o.tax_id AS "taxId", o.street,
           o.postal_code AS "postalCode", o.city, u.email AS "createdBy",
           o.created_at AS "createdAt", o.paid_at AS "paidAt"
      FROM subscription_order o LEFT JOIN user_account u ON u.id = o.created_by
     WHERE o.tenant_id = :tenant_id ORDER BY o.id
""")
_RENEWALS = text("""
    SELECT r.subscription_id AS "subscriptionId", r.end_date AS "periodEnd", r.step,
           r.taken_at AS "takenAt", r.order_id AS "orderId"
      FROM renewal_step r WHERE r.tenant_id = :tenant_id ORDER BY r.id
""")
_INVOICES = text("""
    SELECT id, order_id AS "orderId", number, issued_at AS "issuedAt", issued_on AS "issuedOn",
           sold_on AS "soldOn", method, seller_name AS "sellerName", seller_tax_id AS "sellerTaxId",
           seller_street AS "sellerStreet", seller_postal_code AS "sellerPostalCode",
           seller_city AS "sellerCity", buyer_name AS "companyName", buyer_tax_id AS "taxId",
           buyer_street AS "street", buyer_postal_code AS "postalCode", buyer_city AS "city",
           net, vat, gross, currency, CASE WHEN issuer IS NOT NULL THEN state END AS "ksefState",
           ksef_number AS "ksefNumber"
      FROM invoice WHERE tenant_id = :tenant_id ORDER BY id
""")
_INVOICE_LINES = text("""
    SELECT l.invoice_id AS "invoiceId", l.position, l.name, l.net, l.vat,
           l.vat_percent AS "vatPercent"
      FROM invoice_line l WHERE l.tenant_id = :tenant_id ORDER BY l.invoice_id, l.position
""")
_PAYMENTS = text("""
    SELECT id, order_id AS "orderId", provider, method, grosze, currency, state,
           created_at AS "createdAt", finished_at AS "settledAt"
      FROM payment WHERE tenant_id = :tenant_id ORDER BY id
""")
_MANDATES = text("""
    SELECT id, provider, method, label, created_at AS "createdAt", ended_at AS "endedAt"
      FROM payment_mandate WHERE tenant_id = :tenant_id ORDER BY id
""")
_TICKETS = text("""
    SELECT s.id, u.email, s.subject, s.message, s.claimed_email AS "saidEmail",
           s.claimed_company AS "saidCompany", s.created_at AS "createdAt"
      FROM support_ticket s LEFT JOIN user_account u ON u.id = s.user_id
     WHERE s.tenant_id = :tenant_id ORDER BY s.id
""")
_MESSAGES = text("""
    SELECT d.kind, d.channel_medium AS medium, u.email AS "recipient",
           d.notice_id AS "noticeId", d.state, d.created_at AS "createdAt", d.sent_at AS "sentAt"
      FROM delivery d LEFT JOIN user_account u ON u.id = d.user_id
     WHERE d.tenant_id = :tenant_id ORDER BY d.id
""")
# Of events by an impersonating operator, IP address and user agent are the operator's.
_ACTIVITY = text("""
    SELECT u.email, a.activity_type AS "activityType", a.details - 'impersonator' AS details,
           CASE WHEN own.origin THEN a.ip END AS "ipAddress",
           CASE WHEN own.origin THEN a.agent END AS "userAgent",
           a.created_at AS "createdAt"
      FROM user_activity a JOIN user_account u ON u.id = a.user_id
      JOIN membership m ON m.tenant_id = :tenant_id AND m.user_id = a.user_id
     CROSS JOIN LATERAL (SELECT u.id = coalesce(:requester_id, u.id)
                            AND a.details->>'impersonator' IS NULL AS origin) AS own
     WHERE a.tenant_id = :tenant_id ORDER BY a.created_at, a.id
""")


def _for_company(sql: str) -> TextClause:
    return text(sql.format(driver_filter=""))


def _for_driver(sql: str, column: str) -> TextClause:
    return text(sql.format(driver_filter=f"AND {column} = :driver_id"))


COMPANY_TABLES = (
    ExportTable("company", _COMPANY),
    ExportTable("members", _MEMBERS),
    ExportTable("drivers", _for_company(_DRIVERS)),
    ExportTable("verifications", _for_company(_VERIFICATIONS)),
    ExportTable("register_answers", _for_company(_ANSWERS), encrypted=True),
    ExportTable("notices", _for_company(_NOTICES)),
    ExportTable("notifications", _NOTIFICATIONS),
    ExportTable("messages", _MESSAGES),
    ExportTable("subscriptions", _SUBSCRIPTIONS),
    ExportTable("subscription_history", _SUBSCRIPTION_HISTORY),
    ExportTable("orders", _ORDERS),
    ExportTable("renewals", _RENEWALS),
    ExportTable("invoices", _INVOICES),
    ExportTable("invoice_lines", _INVOICE_LINES),
    ExportTable("payments", _PAYMENTS),
    ExportTable("mandates", _MANDATES),
    ExportTable("tickets", _TICKETS),
    ExportTable("activity", _ACTIVITY),
)
DRIVER_TABLES = (
    ExportTable("driver", _for_driver(_DRIVERS, "d.id")),
    ExportTable("verifications", _for_driver(_VERIFICATIONS, "v.driver_id")),
    ExportTable("register_answers", _for_driver(_ANSWERS, "a.driver_id"), encrypted=True),
    ExportTable("notices", _for_driver(_NOTICES, "n.driver_id")),
)
SELECT_DRIVER_EXISTS = text(
    "SELECT EXISTS (SELECT FROM driver WHERE tenant_id = :tenant_id AND id = :id)"
)
# The files of a company's invoices, in the order of issue.
SELECT_INVOICE_FILES = text("""
    SELECT i.number, f.kind, f.content
      FROM invoice_file f JOIN invoice i ON i.tenant_id = f.tenant_id AND i.id = f.invoice_id
     WHERE f.tenant_id = :tenant_id ORDER BY i.id, f.kind
""")
