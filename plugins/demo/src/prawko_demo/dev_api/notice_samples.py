"""Sample notices of each kind for the preview, with invented people."""

from datetime import datetime, timedelta

import msgspec

from prawko.drivers.models import MayDrive
from prawko.kit.clock import warsaw_date
from prawko.notifications.catalogue import CATALOGUE, NoticeKind
from prawko.notifications.expiry import EXPIRED
from prawko.notifications.payloads import (
    CategoryPayload,
    CompanyPayload,
    DriverPayload,
    Expiry,
    ExpiryPayload,
    MonthPayload,
    NoticePayload,
    PaymentPayload,
    RecipientPayload,
    SubscriptionPayload,
)


class NoticeSample(msgspec.Struct, frozen=True, kw_only=True):
    """A sample notice. `bundled` are the payloads of others in the same message."""

    name: str
    title: str
    kind: NoticeKind
    payload: NoticePayload
    bundled: tuple[NoticePayload, ...] = ()


def build_samples(now: datetime) -> dict[str, NoticeSample]:
    """Return the samples by their names, with dates relative to `now`.

    A kind that is not named below has the first sample of its payload's type.
    """
    samples = [*_driver_samples(now), *_expiry_samples(now), *_company_samples(now)]
    by_payload = {type(sample.payload): sample.payload for sample in reversed(samples)}
    for kind in sorted(CATALOGUE.keys() - {sample.kind for sample in samples}):
        name = kind.value.replace("_", "-")
        title = name.replace("-", " ").capitalize()
        samples.append(_sample(name, title, kind, by_payload[CATALOGUE[kind].payload]))
    return {sample.name: sample for sample in samples}


def _driver_samples(now: datetime) -> list[NoticeSample]:
    document = DriverPayload(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123450",
        checked_at=now,
        may_drive=MayDrive.YES,
        state="Wydany",
        authority="Starosta Wołomiński",
        expires=warsaw_date(now) + timedelta(days=1800),
    )
    withheld = msgspec.structs.replace(
        document,
        may_drive=MayDrive.NO,
        state="Zatrzymany",
        reasons=("Przekroczenie 24 punktów karnych",),
    )
    long = msgspec.structs.replace(
        withheld,
        first_name="Aleksandra Maksymiliana Konstancja",
        last_name="Brzęczyszczykiewicz-Wolfeschlegelsteinhausenbergerdorff",
        authority="Prezydent m.st. Warszawy, Biuro Administracji i Spraw Obywatelskich",
    )
    expired = msgspec.structs.replace(
        document, may_drive=MayDrive.NO, expires=warsaw_date(now) - timedelta(days=1), expired=True
    )
    unknown = DriverPayload(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123458",
        checked_at=now,
        may_drive=MayDrive.CHECK,
    )
    lost = msgspec.structs.replace(document, may_drive=MayDrive.CHECK, state="Unieważniony")
    sample = msgspec.structs.replace(withheld, may_drive="")
    kinds = NoticeKind
    return [
        _sample("withheld", "Licence withheld", kinds.WITHHELD, withheld),
        _sample("withheld-long", "Licence withheld, long names", kinds.WITHHELD, long),
        _sample("attention", "Needs attention", kinds.ATTENTION, lost),
        _sample("attention-expired", "Needs attention: expired", kinds.ATTENTION, expired),
        _sample("not-found", "Not found", kinds.NOT_FOUND, unknown),
        _sample("restored", "Restored", kinds.RESTORED, document),
        _sample("confirmed", "Confirmed", kinds.CONFIRMED, document),
        _sample("test-alert", "Test alert", kinds.TEST_ALERT, sample),
    ]


def _expiry_samples(now: datetime) -> list[NoticeSample]:
    day = warsaw_date(now)
    soon, later = day + timedelta(days=30), day + timedelta(days=60)
    zofia = ExpiryPayload(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123450",
        checked_at=now,
        may_drive=MayDrive.YES,
        day=day,
        expiries=(Expiry(soon, "", 30), Expiry(soon, "B", 30), Expiry(later, "C+E", 60)),
    )
    names = ("Adam Nowak", "Oleksandr Shevchenko", "Łucja Brzęczyszczykiewicz-Ćwiąkalska")
    others = tuple(
        msgspec.structs.replace(
            zofia,
            first_name=name.partition(" ")[0],
            last_name=name.partition(" ")[2],
            license_number=f"AB12345{place}",
            expiries=(Expiry(later, "C", 60),),
        )
        for place, name in enumerate(names, start=1)
    )
    ended = day - timedelta(days=1)
    over = (Expiry(ended, "C", EXPIRED), Expiry(ended, "C+E", EXPIRED))
    zofia_expired = msgspec.structs.replace(zofia, expiries=over)
    lacking = CategoryPayload(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123450",
        checked_at=now,
        may_drive=MayDrive.NO,
        day=day,
        expiries=(Expiry(ended, "C", EXPIRED),),
        missing=("C+E", "D"),
    )
    return [
        _sample("expiring", "Expires soon", NoticeKind.EXPIRING, zofia),
        NoticeSample(
            name="expiring-many",
            title="Expires soon, several drivers",
            kind=NoticeKind.EXPIRING,
            payload=zofia,
            bundled=others,
        ),
        _sample("expired", "Expired", NoticeKind.EXPIRED, zofia_expired),
        _sample("category-invalid", "Needed category", NoticeKind.CATEGORY_INVALID, lacking),
        NoticeSample(
            name="expired-many",
            title="Expired, several drivers",
            kind=NoticeKind.EXPIRED,
            payload=zofia_expired,
            bundled=tuple(msgspec.structs.replace(one, expiries=over) for one in others),
        ),
    ]


def _company_samples(now: datetime) -> list[NoticeSample]:
    kinds = NoticeKind
    ending = SubscriptionPayload(
        ends_at=now + timedelta(days=2), driver_limit=20, days=2, company="Transport Wiśniewska"
    )
    tomorrow = msgspec.structs.replace(ending, ends_at=now + timedelta(days=1), days=1)
    ended = msgspec.structs.replace(ending, ends_at=now, days=0)
    refused = PaymentPayload(
        gross=18_327,
        tried_at=now,
        next_try_at=now + timedelta(hours=6),
        ends_at=now + timedelta(days=1),
        company="Transport Wiśniewska",
    )
    last = msgspec.structs.replace(refused, next_try_at=None)
    late = msgspec.structs.replace(last, ends_at=now - timedelta(hours=1))
    awaiting_consent = msgspec.structs.replace(last, url="https://pay.invalid/consent")
    grace = msgspec.structs.replace(ended, monitored_until=now + timedelta(days=3))
    stale = CompanyPayload(drivers=12, since=now - timedelta(hours=50))
    stopped = CompanyPayload(drivers=12, since=now)
    recipient = RecipientPayload(name="Nocna zmiana", email="nocna@wisniewska.test", at=now)
    month = MonthPayload(
        month=(warsaw_date(now).replace(day=1) - timedelta(days=1)).replace(day=1),
        checks=8880, alarms=4, acts=3, median_minutes=35, may_not_drive=2,
    )  # fmt: skip
    return [
        _sample("results-stale", "Results stale", kinds.RESULTS_STALE, stale),
        _sample("checking-stopped", "Checking stopped", kinds.CHECKING_STOPPED, stopped),
        _sample("trial-ending", "Trial ends", kinds.TRIAL_ENDING, tomorrow),
        _sample("trial-ended", "Trial ended", kinds.TRIAL_ENDED, ended),
        _sample("subscription-ending", "Subscription ends", kinds.SUBSCRIPTION_ENDING, ending),
        _sample("subscription-ended", "Subscription ended", kinds.SUBSCRIPTION_ENDED, ended),
        _sample("payment-failed", "Payment failed, tried again", kinds.PAYMENT_FAILED, refused),
        _sample("payment-failed-last", "Payment failed for good", kinds.PAYMENT_FAILED, last),
        _sample("payment-failed-late", "Payment failed in the grace", kinds.PAYMENT_FAILED, late),
        _sample(
            "payment-consent", "Payment waits for consent", kinds.PAYMENT_CONSENT, awaiting_consent
        ),
        _sample("grace-started", "Panel closed, checks go on", kinds.GRACE_STARTED, grace),
        _sample("month-summary", "Summary of the month", kinds.MONTH_SUMMARY, month),
        _sample("email-refused", "E-mail refused", kinds.EMAIL_REFUSED, CompanyPayload()),
        _sample("email-lost", "E-mail lost", kinds.EMAIL_LOST, CompanyPayload()),
        _sample("phone-refused", "Phone refused", kinds.PHONE_REFUSED, CompanyPayload()),
        _sample("recipient-stopped", "Recipient stopped", kinds.RECIPIENT_STOPPED, recipient),
        _sample("recipient-missed", "Recipient missed", kinds.RECIPIENT_MISSED, recipient),
    ]


def _sample(name: str, title: str, kind: NoticeKind, payload: NoticePayload) -> NoticeSample:
    return NoticeSample(name=name, title=title, kind=kind, payload=payload)
