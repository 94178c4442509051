"""One notice of each kind, with made-up people: what the preview shows."""

from datetime import datetime, timedelta

import msgspec

from prawko.base.clock import warsaw_day
from prawko.notifications.kinds import (
    CompanyFacts,
    DriverFacts,
    Expiry,
    ExpiryFacts,
    Facts,
    NoticeKind,
    PaymentFacts,
    SubscriptionFacts,
)


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to look at. `beside` are others that the same message tells of."""

    name: str
    about: str
    kind: NoticeKind
    facts: Facts
    beside: tuple[Facts, ...] = ()


def samples(now: datetime) -> dict[str, Sample]:
    """The samples by their names, as they would be told at `now`."""
    found = [*_of_drivers(now), *_of_dates(now), *_of_companies(now)]
    return {sample.name: sample for sample in found}


def _of_drivers(now: datetime) -> list[Sample]:
    document = DriverFacts(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123450",
        checked_at=now,
        state="Wydany",
        authority="Starosta Wołomiński",
        expires=warsaw_day(now) + timedelta(days=1800),
    )
    withheld = msgspec.structs.replace(
        document, state="Zatrzymany", reasons=("Przekroczenie 24 punktów karnych",)
    )
    long = msgspec.structs.replace(
        withheld,
        first_name="Aleksandra Maksymiliana Konstancja",
        last_name="Brzęczyszczykiewicz-Wolfeschlegelsteinhausenbergerdorff",
        authority="Prezydent m.st. Warszawy, Biuro Administracji i Spraw Obywatelskich",
    )
    expired = msgspec.structs.replace(
        document, expires=warsaw_day(now) - timedelta(days=1), expired=True
    )
    unknown = DriverFacts(
        first_name="Zofia", last_name="Wiśniewska", license_number="AB123458", checked_at=now
    )
    lost = msgspec.structs.replace(document, state="Unieważniony")
    kinds = NoticeKind
    return [
        _one("withheld", "Licence withheld", kinds.WITHHELD, withheld),
        _one("withheld-long", "Licence withheld, long names", kinds.WITHHELD, long),
        _one("attention", "Needs attention", kinds.ATTENTION, lost),
        _one("attention-expired", "Needs attention: expired", kinds.ATTENTION, expired),
        _one("not-found", "Not found", kinds.NOT_FOUND, unknown),
        _one("restored", "Restored", kinds.RESTORED, document),
        _one("confirmed", "Confirmed", kinds.CONFIRMED, document),
    ]


def _of_dates(now: datetime) -> list[Sample]:
    day = warsaw_day(now)
    soon, later = day + timedelta(days=30), day + timedelta(days=60)
    zofia = ExpiryFacts(
        first_name="Zofia",
        last_name="Wiśniewska",
        license_number="AB123450",
        checked_at=now,
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
    return [
        _one("expiring", "Expires soon", NoticeKind.EXPIRING, zofia),
        Sample(
            name="expiring-many",
            about="Expires soon, several drivers",
            kind=NoticeKind.EXPIRING,
            facts=zofia,
            beside=others,
        ),
    ]


def _of_companies(now: datetime) -> list[Sample]:
    kinds = NoticeKind
    ending = SubscriptionFacts(
        ends_at=now + timedelta(days=2), driver_limit=20, days=2, company="Transport Wiśniewska"
    )
    tomorrow = msgspec.structs.replace(ending, ends_at=now + timedelta(days=1), days=1)
    ended = msgspec.structs.replace(ending, ends_at=now, days=0)
    refused = PaymentFacts(
        gross=18_327,
        tried_at=now,
        next_try_at=now + timedelta(hours=6),
        ends_at=now + timedelta(days=1),
        company="Transport Wiśniewska",
    )
    last = msgspec.structs.replace(refused, next_try_at=None)
    late = msgspec.structs.replace(last, ends_at=now - timedelta(hours=1))
    asked = msgspec.structs.replace(last, url="https://pay.invalid/consent")
    grace = msgspec.structs.replace(ended, checked_until=now + timedelta(days=3))
    stale = CompanyFacts(drivers=12, since=now - timedelta(hours=50))
    stopped = CompanyFacts(drivers=12, since=now)
    return [
        _one("results-stale", "Results stale", kinds.RESULTS_STALE, stale),
        _one("checking-stopped", "Checking stopped", kinds.CHECKING_STOPPED, stopped),
        _one("trial-ending", "Trial ends", kinds.TRIAL_ENDING, tomorrow),
        _one("trial-ended", "Trial ended", kinds.TRIAL_ENDED, ended),
        _one("subscription-ending", "Subscription ends", kinds.SUBSCRIPTION_ENDING, ending),
        _one("subscription-ended", "Subscription ended", kinds.SUBSCRIPTION_ENDED, ended),
        _one("payment-failed", "Payment failed, tried again", kinds.PAYMENT_FAILED, refused),
        _one("payment-failed-last", "Payment failed for good", kinds.PAYMENT_FAILED, last),
        _one("payment-failed-late", "Payment failed in the grace", kinds.PAYMENT_FAILED, late),
        _one("payment-consent", "Payment waits for consent", kinds.PAYMENT_CONSENT, asked),
        _one("grace-started", "Panel closed, checks go on", kinds.GRACE_STARTED, grace),
        _one("email-refused", "E-mail refused", kinds.EMAIL_REFUSED, CompanyFacts()),
        _one("email-lost", "E-mail lost", kinds.EMAIL_LOST, CompanyFacts()),
        _one("phone-refused", "Phone refused", kinds.PHONE_REFUSED, CompanyFacts()),
    ]


def _one(name: str, about: str, kind: NoticeKind, facts: Facts) -> Sample:
    return Sample(name=name, about=about, kind=kind, facts=facts)
