"""The statements of an export: one for each table, with the API's names as columns.

The session is bound to the company, and row-level security limits every company's table to it;
tables that no company owns are joined through the company's memberships. No secret, hash, or id
of a person or of another company is selected. Of members other than the one with `requester_id`,
phone numbers and IP addresses are left out. If it is null, they are included.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Label,
    Numeric,
    RowMapping,
    Select,
    Uuid,
    and_,
    bindparam,
    case,
    cast,
    column,
    func,
    null,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import InstrumentedAttribute, aliased

from prawko.accounts.models import LegalAcceptance, Membership, UserAccount, UserActivity
from prawko.billing.models import RenewalStep, Subscription, SubscriptionHistory
from prawko.billing.models import SubscriptionOrder as Order
from prawko.billing.period_net import PERIOD_NET
from prawko.drivers.models import Acknowledgement, Driver
from prawko.invoices.models import Invoice, InvoiceFile, InvoiceLine
from prawko.kit.crypto import KeyRing
from prawko.kit.outbox.models import Delivery
from prawko.notifications.models import AlertRecipient, Notice, Notification, PushBrowser
from prawko.payments.models import Payment, PaymentMandate
from prawko.support.models import SupportTicket
from prawko.verifications.answers import decrypt_answer
from prawko.verifications.models import RegisterAnswer, Verification
from prawko_tenants.ids import AnswerId
from prawko_tenants.models import Tenant

ExportRow = dict[str, Any]
DECRYPTED_COLUMN = "verificationResponse"


class ExportTable(msgspec.Struct, frozen=True):
    """A table of an export; `encrypted` ones hold the register's answers in `raw`."""

    name: str
    statement: Select[Any]
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
        answer = decrypt_answer(key_ring, AnswerId(row["id"]), row["key_id"], row["raw"])
        return {**exported, DECRYPTED_COLUMN: answer}


_TENANT_ID = bindparam("tenant_id", type_=Uuid())
_DRIVER_ID = bindparam("driver_id", type_=Uuid())
_REQUESTER_ID = bindparam("requester_id", type_=Uuid())
_IS_REQUESTER = UserAccount.id == func.coalesce(_REQUESTER_ID, UserAccount.id)

Column = InstrumentedAttribute[Any]


def _select(
    model: Any, *columns: Column | Label[Any], owner: Column | None = None,
    person: Column | None = None, order_by: Sequence[Column] = (),
) -> Select[Any]:  # fmt: skip
    """Select the company's rows of a table; `person` references the account to join.

    Columns have the API's names: camel case, unless labelled otherwise.
    """
    named = (c if isinstance(c, Label) else c.label(_to_camel(c.key)) for c in columns)
    rows = (
        select(*named)
        .select_from(model)
        .where((model.tenant_id if owner is None else owner) == _TENANT_ID)
    )
    if person is not None:
        rows = rows.outerjoin(UserAccount, UserAccount.id == person)
    return rows.order_by(*order_by or (model.id,))


def _to_camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _select_members(phone_number: ColumnElement[Any]) -> Select[Any]:
    return _select(
        Membership, UserAccount.email, Membership.role, UserAccount.language,
        UserAccount.email_verified, phone_number.label("phoneNumber"),
        UserAccount.phone_verified, UserAccount.email_notifications_enabled,
        UserAccount.sms_notifications_enabled, UserAccount.email_state,
        Membership.alert_groups, Membership.sms_from_hour, Membership.sms_until_hour,
        Membership.monthly_summary,
        Membership.created_at.label("memberSince"),
        UserAccount.created_at,
        person=Membership.user_id, order_by=(Membership.created_at, UserAccount.id),
    )  # fmt: skip


def _select_drivers(driver: type[Driver]) -> Select[Any]:
    return _select(
        driver, driver.id, driver.first_name, driver.last_name, driver.license_number,
        driver.status, driver.needed_categories, driver.verified_at, driver.created_at,
        UserAccount.email.label("createdBy"),
        person=driver.created_by,
    )  # fmt: skip


_DRIVERS = _select_drivers(Driver)
_ANSWER_COLUMNS = (
    RegisterAnswer.first_name, RegisterAnswer.last_name, RegisterAnswer.license_number,
    RegisterAnswer.document_status, RegisterAnswer.document_code, RegisterAnswer.issuing_authority,
    RegisterAnswer.expiry_date, RegisterAnswer.categories, RegisterAnswer.reasons,
    RegisterAnswer.notes,
)  # fmt: skip
_VERIFICATIONS = _select(
    Verification, Verification.id, Verification.driver_id, Verification.verified_at,
    Verification.outcome.label("status"), *_ANSWER_COLUMNS, RegisterAnswer.id.label("answerId"),
    order_by=(Verification.driver_id, Verification.verified_at),
).outerjoin(
    RegisterAnswer,
    and_(
        RegisterAnswer.tenant_id == Verification.tenant_id,
        RegisterAnswer.driver_id == Verification.driver_id,
        RegisterAnswer.id == Verification.answer_id,
    ),
)  # fmt: skip
_ANSWERS = _select(
    RegisterAnswer, RegisterAnswer.id, RegisterAnswer.driver_id, RegisterAnswer.first_seen_at,
    *_ANSWER_COLUMNS, RegisterAnswer.key_id.label("key_id"), RegisterAnswer.raw,
    order_by=(RegisterAnswer.driver_id, RegisterAnswer.id),
)  # fmt: skip
_NOTICES = _select(
    Notice, Notice.id, Notice.kind, Notice.driver_id, Notice.params.label("facts"),
    Notice.created_at,
)  # fmt: skip
_ACKNOWLEDGEMENTS = _select(
    Acknowledgement, Acknowledgement.id, Acknowledgement.driver_id, Acknowledgement.status,
    Acknowledgement.since, Acknowledgement.entry, Acknowledgement.kind, Acknowledgement.note,
    Acknowledgement.created_at, UserAccount.email.label("createdBy"),
    person=Acknowledgement.created_by,
)  # fmt: skip
# Of events by an impersonating operator, IP address and user agent are the operator's.
_HAS_OWN_ORIGIN = and_(_IS_REQUESTER, UserActivity.details["impersonator"].as_string().is_(None))

COMPANY_TABLES = (
    ExportTable("company", _select(
        Tenant, Tenant.company_name, Tenant.tax_id, Tenant.street, Tenant.postal_code, Tenant.city,
        Tenant.trial_started_at.label("trialStartDate"), Tenant.trial_ended, Tenant.created_at,
        Tenant.updated_at,
        owner=Tenant.id,
    )),
    ExportTable("members", _select_members(case((_IS_REQUESTER, UserAccount.phone_number)))),
    ExportTable("legal_acceptances", _select(
        LegalAcceptance, UserAccount.email, LegalAcceptance.document, LegalAcceptance.version,
        LegalAcceptance.accepted_at, case((_IS_REQUESTER, LegalAcceptance.ip)).label("ipAddress"),
        person=LegalAcceptance.user_id, order_by=(LegalAcceptance.accepted_at, LegalAcceptance.id),
    )),
    ExportTable("drivers", _DRIVERS),
    ExportTable("verifications", _VERIFICATIONS),
    ExportTable("register_answers", _ANSWERS, encrypted=True),
    ExportTable("acknowledgements", _ACKNOWLEDGEMENTS),
    ExportTable("notices", _NOTICES),
    ExportTable("notifications", _select(
        Notification, Notification.id, UserAccount.email.label("recipient"),
        Notification.notice_id, Notification.type, Notification.title, Notification.content,
        Notification.read, Notification.created_at,
        person=Notification.user_id,
    )),
    ExportTable("push_browsers", _select(
        PushBrowser, UserAccount.email, PushBrowser.agent.label("browser"),
        PushBrowser.created_at.label("switchedOnAt"),
        person=PushBrowser.user_id,
    )),
    ExportTable("alert_recipients", _select(
        AlertRecipient, AlertRecipient.id, AlertRecipient.name,
        AlertRecipient.email, AlertRecipient.language,
        AlertRecipient.email_enabled, AlertRecipient.alert_groups, AlertRecipient.email_state,
        AlertRecipient.invited_at, AlertRecipient.confirmed_at, AlertRecipient.stopped_at,
        AlertRecipient.created_at, UserAccount.email.label("createdBy"),
        person=AlertRecipient.created_by,
    )),
    ExportTable("messages", _select(
        Delivery, Delivery.kind, Delivery.channel_medium.label("medium"),
        func.coalesce(UserAccount.email, AlertRecipient.email).label("recipient"),
        Delivery.notice_id, Delivery.state, Delivery.created_at, Delivery.sent_at,
        person=Delivery.user_id,
    ).outerjoin(
        AlertRecipient,
        and_(
            AlertRecipient.tenant_id == Delivery.tenant_id,
            AlertRecipient.id == Delivery.subject_id,
        ),
    )),
    ExportTable("subscriptions", _select(
        Subscription, Subscription.id, Subscription.status, Subscription.driver_limit,
        cast(PERIOD_NET / 100, Numeric(10, 2)).label("priceNet"), Subscription.is_trial,
        Subscription.start_date, Subscription.end_date,
        Subscription.monitored_until.label("checkedUntil"), Subscription.cancelled_at,
        Subscription.scheduled_limit.label("nextLimit"),
        Subscription.scheduled_limit_at.label("nextLimitAt"), Subscription.mandate_id,
        Subscription.company_name, Subscription.tax_id, Subscription.street,
        Subscription.postal_code, Subscription.city, Subscription.created_at,
    )),
    ExportTable("subscription_history", _select(
        SubscriptionHistory, SubscriptionHistory.id, SubscriptionHistory.subscription_id,
        SubscriptionHistory.changed_at, SubscriptionHistory.old_status,
        SubscriptionHistory.new_status, SubscriptionHistory.old_end_date,
        SubscriptionHistory.new_end_date, SubscriptionHistory.note,
    )),
    ExportTable("orders", _select(
        Order, Order.id, Order.kind, Order.state, Order.driver_limit, Order.lines, Order.net,
        Order.vat, Order.method, Order.company_name, Order.tax_id, Order.street, Order.postal_code,
        Order.city, UserAccount.email.label("createdBy"), Order.created_at, Order.paid_at,
        person=Order.created_by,
    )),
    ExportTable("renewals", _select(
        RenewalStep, RenewalStep.subscription_id, RenewalStep.end_date.label("periodEnd"),
        RenewalStep.step, RenewalStep.taken_at, RenewalStep.order_id,
    )),
    ExportTable("invoices", _select(
        Invoice, Invoice.id, Invoice.order_id, Invoice.number, Invoice.issued_at,
        Invoice.issued_on, Invoice.sold_on, Invoice.method, Invoice.seller_name,
        Invoice.seller_tax_id, Invoice.seller_street, Invoice.seller_postal_code,
        Invoice.seller_city, Invoice.buyer_name.label("companyName"),
        Invoice.buyer_tax_id.label("taxId"), Invoice.buyer_street.label("street"),
        Invoice.buyer_postal_code.label("postalCode"), Invoice.buyer_city.label("city"),
        Invoice.net, Invoice.vat, Invoice.gross, Invoice.currency,
        case((Invoice.issuer.is_not(None), Invoice.state)).label("ksefState"),
        Invoice.ksef_number,
    )),
    ExportTable("invoice_lines", _select(
        InvoiceLine, InvoiceLine.invoice_id, InvoiceLine.position, InvoiceLine.name,
        InvoiceLine.net, InvoiceLine.vat, InvoiceLine.vat_percent,
        order_by=(InvoiceLine.invoice_id, InvoiceLine.position),
    )),
    ExportTable("payments", _select(
        Payment, Payment.id, Payment.order_id, Payment.provider, Payment.method, Payment.grosze,
        Payment.currency, Payment.state, Payment.created_at,
        Payment.finished_at.label("settledAt"),
    )),
    ExportTable("mandates", _select(
        PaymentMandate, PaymentMandate.id, PaymentMandate.provider, PaymentMandate.method,
        PaymentMandate.label, PaymentMandate.created_at, PaymentMandate.ended_at,
    )),
    ExportTable("tickets", _select(
        SupportTicket, SupportTicket.id, UserAccount.email, SupportTicket.subject,
        SupportTicket.message, SupportTicket.claimed_email.label("saidEmail"),
        SupportTicket.claimed_company.label("saidCompany"), SupportTicket.created_at,
        person=SupportTicket.user_id,
    )),
    ExportTable("activity", _select(
        UserActivity, UserAccount.email, UserActivity.activity_type,
        UserActivity.details.op("-", return_type=JSONB())("impersonator").label("details"),
        case((_HAS_OWN_ORIGIN, UserActivity.ip)).label("ipAddress"),
        case((_HAS_OWN_ORIGIN, UserActivity.agent)).label("userAgent"), UserActivity.created_at,
        person=UserActivity.user_id, order_by=(UserActivity.created_at, UserActivity.id),
    ).join(
        Membership,
        and_(Membership.tenant_id == _TENANT_ID, Membership.user_id == UserActivity.user_id),
    )),
)  # fmt: skip
# The console's login reads no phone number, and names of drivers through this function alone, which
# shows those of the company that is bound.
_COMPANY_DRIVERS = func.company_drivers().table_valued(
    *(
        column(name, Driver.__table__.c[name].type)
        for name in (
            "tenant_id", "id", "first_name", "last_name", "license_number", "status",
            "needed_categories", "verified_at", "created_at", "created_by",
        )
    )
)  # fmt: skip
_CONSOLE_STATEMENTS = {
    "members": _select_members(null()),
    "drivers": _select_drivers(aliased(Driver, _COMPANY_DRIVERS, adapt_on_names=True)),
}
CONSOLE_TABLES = tuple(
    ExportTable(one.name, _CONSOLE_STATEMENTS.get(one.name, one.statement), one.encrypted)
    for one in COMPANY_TABLES
)
DRIVER_TABLES = (
    ExportTable("driver", _DRIVERS.where(Driver.id == _DRIVER_ID)),
    ExportTable("verifications", _VERIFICATIONS.where(Verification.driver_id == _DRIVER_ID)),
    ExportTable(
        "register_answers", _ANSWERS.where(RegisterAnswer.driver_id == _DRIVER_ID), encrypted=True
    ),
    ExportTable(
        "acknowledgements", _ACKNOWLEDGEMENTS.where(Acknowledgement.driver_id == _DRIVER_ID)
    ),
    ExportTable("notices", _NOTICES.where(Notice.driver_id == _DRIVER_ID)),
)
# The files of a company's invoices, in the order of issue.
SELECT_INVOICE_FILES = (
    _select(InvoiceFile, Invoice.number, InvoiceFile.kind, InvoiceFile.content,
            order_by=(Invoice.id, InvoiceFile.kind))
    .join(
        Invoice,
        and_(Invoice.tenant_id == InvoiceFile.tenant_id, Invoice.id == InvoiceFile.invoice_id),
    )
)  # fmt: skip
