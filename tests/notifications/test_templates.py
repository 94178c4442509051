"""The texts of notices: complete, and in the reader's language."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import msgspec
import pytest

from prawko.kit.dates import format_instant, format_instant_without_zone
from prawko.kit.money import format_amount
from prawko.kit.text.i18n import Language
from prawko.notifications.catalogue import CATALOGUE, DRIVER_STATUS_TYPE, NoticeKind, decode_payload
from prawko.notifications.notice_details import format_days_left
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
from prawko.notifications.templates import (
    MAX_LISTED,
    Branding,
    render_digest,
    render_entry,
    render_message,
)
from prawko_tenants.ids import DriverId

SITE = Branding("Prawko", "https://panel.test")
AT = datetime(2026, 11, 21, 5, 5, tzinfo=UTC)
JAN = DriverPayload(
    first_name="Jan",
    last_name="Kowalski",
    license_number="AA123456",
    checked_at=AT,
    state="Zatrzymany",
    reasons=("Decyzja starosty",),
    authority="Starosta Wołomiński",
    expires=date(2031, 2, 3),
)
SOON = ExpiryPayload(
    first_name="Jan",
    last_name="Kowalski",
    license_number="AA123456",
    checked_at=AT,
    day=date(2026, 11, 21),
    expiries=(
        Expiry(date(2026, 12, 21), "", 30),
        Expiry(date(2026, 12, 21), "B", 30),
        Expiry(date(2026, 12, 21), "C+E", 30),
        Expiry(date(2027, 1, 20), "D", 60),
    ),
)
OVER = msgspec.structs.replace(
    SOON, expiries=(Expiry(date(2026, 10, 31), "C", -1), Expiry(date(2026, 10, 31), "C+E", -1))
)
LACKING = CategoryPayload(
    first_name="Jan",
    last_name="Kowalski",
    license_number="AA123456",
    checked_at=AT,
    day=date(2026, 11, 21),
    expiries=(Expiry(date(2026, 11, 12), "C", -1),),
    missing=("C+E", "D"),
)
STALE = CompanyPayload(drivers=3, since=AT)
ENDING = SubscriptionPayload(ends_at=AT, driver_limit=20, days=2, company="Acme")
REFUSED = PaymentPayload(
    gross=18327,
    tried_at=AT - timedelta(days=1),
    ends_at=AT,
    next_try_at=AT + timedelta(hours=6),
    company="Acme",
)
ASKED = msgspec.structs.replace(REFUSED, next_try_at=None, url="https://pay.test/consent?a=1")
LATE = msgspec.structs.replace(REFUSED, ends_at=AT, tried_at=AT, next_try_at=None)
GRACE = msgspec.structs.replace(ENDING, monitored_until=AT + timedelta(days=3))
NIGHT_SHIFT = RecipientPayload(name="Nocna zmiana", email="nocna@acme.test", at=AT)
OCTOBER = MonthPayload(
    month=date(2026, 10, 1), checks=8880, alarms=4, acts=3, median_minutes=125, may_not_drive=2
)
OF_PAYLOAD: dict[type[NoticePayload], NoticePayload] = {
    type(sample): sample
    for sample in (JAN, SOON, LACKING, STALE, ENDING, REFUSED, NIGHT_SHIFT, OCTOBER)
}
OF_KIND = {kind: OF_PAYLOAD[spec.payload] for kind, spec in CATALOGUE.items()} | {
    NoticeKind.EXPIRED: OVER,
    NoticeKind.PAYMENT_CONSENT: ASKED,
    NoticeKind.GRACE_STARTED: GRACE,
}
# Every kind that is sent by mail or SMS, and a second wording where there is one.
CASES = [
    *((kind, OF_KIND[kind]) for kind in NoticeKind if CATALOGUE[kind].media),
    (NoticeKind.ATTENTION, msgspec.structs.replace(JAN, expired=True)),
    (NoticeKind.PAYMENT_FAILED, msgspec.structs.replace(REFUSED, next_try_at=None)),
    (NoticeKind.PAYMENT_FAILED, LATE),
]
LONG = "Aleksandra Maksymiliana".ljust(80, "x"), "Brzęczyszczykiewicz-" * 4


def facts_for(kind: NoticeKind) -> NoticePayload:
    return OF_KIND[kind]


def with_names(payload: NoticePayload, first: str, last: str) -> NoticePayload:
    if isinstance(payload, DriverPayload | ExpiryPayload | CategoryPayload):
        return msgspec.structs.replace(payload, first_name=first, last_name=last)
    return payload


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_has_texts_for_the_panel(kind, language) -> None:
    entry = render_entry(kind, facts_for(kind), language)

    assert entry.title
    assert entry.content
    assert not set(entry.title + entry.content) & set("{}!\n")
    if CATALOGUE[kind].type == DRIVER_STATUS_TYPE:
        assert "Jan Kowalski" in entry.title
        assert "AA123456" in entry.content


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("kind", "payload"), CASES)
def test_a_mail_has_the_facts_and_what_to_do(kind, payload, language) -> None:
    notice = render_message(kind, payload, language, SITE)

    polish = language is Language.PL
    required = ["21.11.2026", "06:05", "Co zrobić" if polish else "What to do"]
    if isinstance(payload, MonthPayload):
        required = ["2026", "PDF"]
    if isinstance(payload, DriverPayload):
        required += ["Zatrzymany", "Decyzja starosty"]
    if isinstance(payload, DriverPayload | ExpiryPayload | CategoryPayload):
        required += [
            "Jan Kowalski",
            "AA123456",
            "starosta",
            "https://panel.test/auth/login?next=/panel/drivers",
        ]
        required += ["Jeśli" if polish else "If"]
    if isinstance(payload, SubscriptionPayload | PaymentPayload):
        required += ["Acme"]
        required += (
            [] if payload == ASKED else ["https://panel.test/auth/login?next=/panel/subscription"]
        )
    for text in required:
        assert text in notice.text
        assert text in notice.html
    assert not set(notice.text) & set("{}!*")
    assert "**" not in notice.html
    assert notice.link in notice.text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("kind", "payload"), CASES)
def test_an_sms_is_one_segment_of_gsm_characters(kind, payload, language) -> None:
    sms_text = render_message(kind, payload, language, SITE).sms_text

    assert sms_text.startswith("Prawko: ")
    assert sms_text.endswith(".")
    assert sms_text.isascii()
    assert len(sms_text) <= 160
    if isinstance(payload, DriverPayload):
        for text in ("Jan Kowalski", "AA123456", "06:05"):
            assert text in sms_text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("kind", "payload"), CASES)
def test_only_long_names_are_shortened_in_an_sms(kind, payload, language) -> None:
    usual_text = render_message(kind, payload, language, SITE).sms_text
    sms_text = render_message(kind, with_names(payload, *LONG), language, SITE).sms_text

    assert len(sms_text) <= 160
    assert sms_text[-25:] == usual_text[-25:]
    if isinstance(payload, DriverPayload | ExpiryPayload):
        assert "A. Maks" in sms_text or "A. x" in sms_text
        assert "AA123456" in sms_text


LINK = "https://panel.prawko.pl/ack#" + "x" * 55
FAR_LINK = "https://" + "dluga-nazwa." * 5 + "pl/ack#" + "x" * 55
WITHOUT_D = msgspec.structs.replace(LACKING, expiries=(), missing=("D",))


@pytest.mark.parametrize(
    ("kind", "payload", "language", "what"),
    [
        (NoticeKind.WITHHELD, JAN, Language.PL, "Zatrzymane uprawnienia."),
        (NoticeKind.WITHHELD, JAN, Language.EN, "Entitlement withheld."),
        (NoticeKind.CATEGORY_INVALID, WITHOUT_D, Language.PL, "Brak kategorii D."),
        (NoticeKind.CATEGORY_INVALID, WITHOUT_D, Language.EN, "Category D is missing."),
    ],
)
def test_an_alert_leads_to_its_acknowledgement_in_one_sms(kind, payload, language, what) -> None:
    message = render_message(
        kind, payload, language, SITE, driver_id=DriverId(UUID(int=1)), acknowledgement_link=LINK
    )

    assert message.link == LINK
    assert message.sms_text.endswith(f" Kowalski, AA123456. {what} {LINK}")
    assert len(message.sms_text) <= 160
    panel = "/auth/login?next=/panel/drivers/"
    for body in (message.text, message.html):
        assert body.index(LINK) < body.index(panel) < body.index("AA123456")


@pytest.mark.parametrize(("answer", "is_first"), [("no", True), ("check", True), ("yes", False)])
def test_the_link_is_before_the_facts_unless_the_driver_may_drive(answer, is_first) -> None:
    payload = msgspec.structs.replace(JAN, may_drive=answer)
    message = render_message(NoticeKind.ATTENTION, payload, Language.PL, SITE)
    for body in (message.text, message.html):
        assert (body.index("/auth/login?next=") < body.index("AA123456")) is is_first


@pytest.mark.parametrize(
    ("kind", "payload", "link"),
    [
        (NoticeKind.WITHHELD, JAN, FAR_LINK),
        (NoticeKind.WITHHELD, with_names(JAN, "Maksymilian", "Dolega-Brzozowski-Nowak"), LINK),
        (NoticeKind.ATTENTION, msgspec.structs.replace(JAN, may_drive="no"), LINK),
        (NoticeKind.CATEGORY_INVALID, LACKING, LINK),
        (NoticeKind.RESTORED, JAN, LINK),
        (NoticeKind.TEST_ALERT, JAN, LINK),
        (NoticeKind.EXPIRED, OVER, LINK),
    ],
)
def test_an_sms_without_room_or_words_for_its_link_is_as_without_one(kind, payload, link) -> None:
    for language in Language:
        message = render_message(kind, payload, language, SITE, acknowledgement_link=link)
        assert message.sms_text == render_message(kind, payload, language, SITE).sms_text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("kind", "payload"), CASES)
def test_a_mail_loads_no_resources_and_has_a_dark_mode(kind, payload, language) -> None:
    html = render_message(kind, payload, language, SITE).html

    for loader in ("src=", "url(", "@import", "<img", "<script", "<link"):
        assert loader not in html
    assert "prefers-color-scheme:dark" in html
    assert f'<html lang="{language.value}">' in html


def test_a_mail_about_one_driver_opens_that_driver() -> None:
    driver = DriverId(UUID("0198c0de-0000-7000-8000-000000000001"))
    notice = render_message(NoticeKind.WITHHELD, CASES[0][1], Language.PL, SITE, driver_id=driver)

    assert notice.link == (
        "https://panel.test/auth/login?next=/panel/drivers/0198c0de-0000-7000-8000-000000000001"
    )


def test_a_notice_of_stopped_checks_links_to_the_subscription() -> None:
    notice = render_message(NoticeKind.CHECKING_STOPPED, STALE, Language.PL, SITE)

    assert notice.link == "https://panel.test/auth/login?next=/panel/subscription"


def test_an_expired_document_is_said_to_be_expired() -> None:
    expired = msgspec.structs.replace(JAN, state="Wydany", expires=date(2026, 11, 20), expired=True)

    assert "minął 20.11.2026" in render_entry(NoticeKind.ATTENTION, expired, Language.PL).content
    assert (
        "minął 20.11.2026" in render_message(NoticeKind.ATTENTION, expired, Language.PL, SITE).text
    )


def test_unknown_facts_have_no_row() -> None:
    unknown = DriverPayload(
        first_name="Jan", last_name="Kowalski", license_number="AA123456", checked_at=AT
    )

    notice = render_message(NoticeKind.NOT_FOUND, unknown, Language.PL, SITE)

    for text in ("Stan dokumentu", "Powód", "Termin", "Organ wydający:", "brak danych", "None"):
        assert text not in notice.text


@pytest.mark.parametrize("kind", NoticeKind)
def test_a_payload_survives_encoding_and_decoding(kind) -> None:
    payload = facts_for(kind)

    assert decode_payload(kind, msgspec.json.decode(msgspec.json.encode(payload))) == payload


@pytest.mark.parametrize(
    ("drivers", "phrase"),
    [
        (1, "1 kierowca ma wynik starszy"),
        (2, "2 kierowcy mają wyniki starsze"),
        (5, "5 kierowców ma wyniki starsze"),
        (12, "12 kierowców ma wyniki starsze"),
        (4, "4 kierowcy mają wyniki starsze"),
        (22, "22 kierowców ma wyniki starsze"),
        (23, "23 kierowców ma wyniki starsze"),
        (104, "104 kierowców ma wyniki starsze"),
        (112, "112 kierowców ma wyniki starsze"),
    ],
)
def test_polish_plural_forms_of_drivers_are_right(drivers, phrase) -> None:
    stale = CompanyPayload(drivers=drivers, since=AT)

    assert phrase in render_entry(NoticeKind.RESULTS_STALE, stale, Language.PL).content
    assert phrase in render_message(NoticeKind.RESULTS_STALE, stale, Language.PL, SITE).text


@pytest.mark.parametrize(
    ("days", "polish", "english"),
    [
        (0, "dziś", "today"),
        (1, "jutro", "tomorrow"),
        (2, "za 2 dni", "in 2 days"),
        (5, "za 5 dni", "in 5 days"),
        (22, "za 22 dni", "in 22 days"),
        (90, "za 90 dni", "in 90 days"),
    ],
)
def test_plural_forms_of_days_are_right_in_both_languages(days, polish, english) -> None:
    ending = msgspec.structs.replace(ENDING, days=days)

    assert (format_days_left(days, Language.PL), format_days_left(days, Language.EN)) == (
        polish,
        english,
    )
    assert render_entry(NoticeKind.TRIAL_ENDING, ending, Language.PL).title.endswith(
        f"się {polish}"
    )
    assert render_entry(NoticeKind.TRIAL_ENDING, ending, Language.EN).title.endswith(
        f"ends {english}"
    )


@pytest.mark.parametrize(("answer", "words"), [("no", "Nie może jechać"), ("yes", "")])
def test_a_category_that_is_over_is_never_called_fit_to_drive(answer, words) -> None:
    over = msgspec.structs.replace(OVER, may_drive=answer)
    for several in ((), (over,)):
        mail = render_message(NoticeKind.EXPIRED, over, Language.PL, SITE, bundled=several)
        assert "Może jechać" not in mail.text
        assert words in mail.text
    content = render_entry(NoticeKind.EXPIRED, over, Language.PL).content
    assert content.startswith(f"{words}. Termin" if words else "Termin")


def test_items_that_expire_on_one_day_share_a_row() -> None:
    polish = render_entry(NoticeKind.EXPIRING, SOON, Language.PL)
    english = render_message(NoticeKind.EXPIRING, SOON, Language.EN, SITE)

    assert polish.title == "Zbliża się koniec ważności prawa jazdy: Jan Kowalski"
    assert (
        "dokument i kategorie B, C+E: 21.12.2026 (za 30 dni); kategoria D: 20.01.2027 (za 60 dni)"
    ) in polish.content
    assert "Document and categories B, C+E: 21.12.2026 (in 30 days)" in english.text
    assert "Category D: 20.01.2027 (in 60 days)" in english.text


def test_what_has_expired_is_named_with_its_last_day() -> None:
    polish = render_entry(NoticeKind.EXPIRED, OVER, Language.PL)
    english = render_message(NoticeKind.EXPIRED, OVER, Language.EN, SITE)

    assert polish.title == "Wygasły uprawnienia: Jan Kowalski"
    assert "minął: kategorie C, C+E: 31.10.2026. Prawo jazdy AA123456" in polish.content
    assert english.subject == "Licence entitlement expired: Jan Kowalski"
    assert "Categories C, C+E: 31.10.2026\n" in english.text


def test_one_mail_lists_the_drivers_whose_categories_have_expired() -> None:
    others = [msgspec.structs.replace(OVER, last_name=f"Nr {n}") for n in range(4)]

    polish = render_message(NoticeKind.EXPIRED, OVER, Language.PL, SITE, bundled=others)
    english = render_message(NoticeKind.EXPIRED, OVER, Language.EN, SITE, bundled=others)

    assert polish.subject == "Wygasły uprawnienia: 5 kierowców"
    assert english.subject == "Licence entitlements expired: 5 drivers"
    assert "Jan Nr 3, AA123456: Kategorie C, C+E: 31.10.2026" in polish.text


@pytest.mark.parametrize(
    ("count", "polish", "english"),
    [
        (2, "praw jazdy: 2 kierowcy", "Licences expire soon: 2 drivers"),
        (5, "praw jazdy: 5 kierowców", "Licences expire soon: 5 drivers"),
        (22, "praw jazdy: 22 kierowców", "Licences expire soon: 22 drivers"),
    ],
)
def test_one_mail_lists_the_drivers_whose_licences_expire(count, polish, english) -> None:
    drivers = [msgspec.structs.replace(SOON, last_name=f"Nr {n:02d}") for n in range(count)]

    polish_mail = render_message(
        NoticeKind.EXPIRING, drivers[0], Language.PL, SITE, bundled=drivers[1:]
    )
    english_mail = render_message(
        NoticeKind.EXPIRING, drivers[0], Language.EN, SITE, bundled=drivers[1:]
    )

    assert polish_mail.subject.endswith(polish)
    assert english_mail.subject == english
    for driver in drivers:
        assert f"{driver.name}, AA123456: Dokument i kategorie B, C+E" in polish_mail.text
        assert driver.name in polish_mail.html
    assert len(polish_mail.sms_text) <= 160


def test_the_soonest_driver_is_first_and_a_long_list_says_how_many_more_there_are() -> None:
    later = [Expiry(date(2027, 2, 1), "", 90)]
    drivers = [
        msgspec.structs.replace(SOON, last_name=f"Nr {n:02d}", expiries=tuple(later))
        for n in range(MAX_LISTED + 1)
    ]

    polish_mail = render_message(
        NoticeKind.EXPIRING, drivers[0], Language.PL, SITE, bundled=[*drivers[1:], SOON]
    )

    assert polish_mail.text.index("Kowalski") < polish_mail.text.index("Nr 00")
    assert f"Nr {MAX_LISTED - 2:02d}" in polish_mail.text
    assert f"Nr {MAX_LISTED - 1:02d}" not in polish_mail.text
    assert "jeszcze 2 kierowcy." in polish_mail.text


def test_the_last_refused_charge_says_that_there_is_no_further_try() -> None:
    last = msgspec.structs.replace(REFUSED, next_try_at=None)

    repeated, final = (
        render_message(NoticeKind.PAYMENT_FAILED, payload, Language.PL, SITE)
        for payload in (REFUSED, last)
    )

    assert "Następna próba: 21.11.2026, 12:05" in repeated.text
    assert "Następna próba" not in final.text
    assert "nie będziemy już próbować" in final.text
    assert "183,27 zł" in final.text


def test_a_refused_charge_in_the_grace_period_says_that_the_panel_is_closed() -> None:
    late_notice = render_message(NoticeKind.PAYMENT_FAILED, LATE, Language.PL, SITE)

    assert "zamknięty od 21.11.2026, 06:05" in late_notice.text
    assert "jest otwarty do" not in late_notice.text


def test_a_charge_that_needs_consent_links_to_the_providers_page() -> None:
    consent_mail = render_message(NoticeKind.PAYMENT_CONSENT, ASKED, Language.PL, SITE)

    assert consent_mail.link == "https://pay.test/consent?a=1"
    assert "Potwierdź płatność:\nhttps://pay.test/consent?a=1" in consent_mail.text
    assert 'href="https://pay.test/consent?a=1"' in consent_mail.html


def test_the_start_of_the_grace_period_says_until_when_licences_are_checked() -> None:
    grace = render_message(NoticeKind.GRACE_STARTED, GRACE, Language.PL, SITE)

    assert "Sprawdzanie do: 24.11.2026, 06:05" in grace.text
    assert "panel jest zamknięty" in grace.subject


@pytest.mark.parametrize(
    ("grosze", "text"), [(18327, "183,27 zł"), (5, "0,05 zł"), (123456789, "1\xa0234\xa0567,89 zł")]
)
def test_amounts_are_in_polish_format(grosze, text) -> None:
    assert format_amount(grosze) == text


def test_a_name_cannot_become_a_heading() -> None:
    injected = msgspec.structs.replace(JAN, first_name="**Jan**", last_name="<b>Kowalski</b>")

    notice = render_message(NoticeKind.WITHHELD, injected, Language.PL, SITE)

    assert "**Jan** <b>Kowalski</b>" in notice.text
    assert "**Jan** &lt;b&gt;Kowalski&lt;/b&gt;" in notice.html


def test_a_line_break_in_a_name_adds_no_header_and_no_line() -> None:
    injected = msgspec.structs.replace(JAN, last_name="Kowalski\r\nBcc: all@rival.test")

    notice = render_message(NoticeKind.WITHHELD, injected, Language.PL, SITE)

    assert notice.subject == "Zatrzymane uprawnienia: Jan Kowalski Bcc: all@rival.test"
    assert "\nBcc" not in notice.text
    assert "\n" not in render_entry(NoticeKind.WITHHELD, injected, Language.PL).title


@pytest.mark.parametrize(
    ("instant", "polish", "english"),
    [
        (AT, "21.11.2026, 06:05 (czas polski)", "21.11.2026, 06:05 (Polish time)"),
        (
            datetime(2026, 7, 1, 22, 30, tzinfo=UTC),
            "02.07.2026, 00:30 (czas polski)",
            "02.07.2026, 00:30 (Polish time)",
        ),
    ],
)
def test_times_are_in_warsaw_time(instant, polish, english) -> None:
    assert format_instant(instant, Language.PL) == polish
    assert format_instant(instant, Language.EN) == english
    assert format_instant_without_zone(instant) == polish.removesuffix(" (czas polski)")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (Language.PL, "Brak kategorii C+E, D; kategoria C wygasła 12.11.2026"),
        (Language.EN, "Categories C+E, D are missing; category C expired on 12.11.2026"),
    ],
)
def test_a_needed_category_is_named_with_its_problem(language, words) -> None:
    entry = render_entry(NoticeKind.CATEGORY_INVALID, LACKING, language)
    message = render_message(NoticeKind.CATEGORY_INVALID, LACKING, language, SITE)

    assert words.lower() in entry.content.lower()
    for part in words.split("; "):
        assert part.lower() in message.text.lower()
    assert words.split("; ")[0].lower() in message.sms_text.lower()


@pytest.mark.parametrize(
    ("answer", "language", "title"),
    [
        ("no", Language.PL, "Nie może jechać. Zatrzymane uprawnienia: Jan Kowalski"),
        ("no", Language.EN, "May not drive. Licence withheld: Jan Kowalski"),
        ("check", Language.PL, "Sprawdź przed jazdą. Zatrzymane uprawnienia: Jan Kowalski"),
        ("yes", Language.PL, "Zatrzymane uprawnienia: Jan Kowalski"),
        ("", Language.PL, "Zatrzymane uprawnienia: Jan Kowalski"),
    ],
)
def test_the_subject_of_an_alert_and_of_its_push_message_has_the_answer(
    answer, language, title
) -> None:
    message = render_message(
        NoticeKind.WITHHELD, msgspec.structs.replace(JAN, may_drive=answer), language, SITE
    )

    assert (message.subject, message.push.title) == (title, title)


@pytest.mark.parametrize("language", Language)
def test_who_may_not_drive_is_not_to_be_checked_before_driving(language) -> None:
    payload = msgspec.structs.replace(JAN, state="Unieważniony", may_drive="no")
    entry = render_entry(NoticeKind.ATTENTION, payload, language)
    message = render_message(NoticeKind.ATTENTION, payload, language, SITE)

    texts = f"{entry.title} {entry.content} {message.text} {message.sms_text}".casefold()
    assert not any(word in texts for word in ("zanim", "sprawdź przed", "sprawdz przed", "before"))
    assert "Unieważniony" in entry.content


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("kind", "payload"), CASES)
def test_a_mail_names_the_settings_and_the_address_for_questions(kind, payload, language) -> None:
    site = msgspec.structs.replace(SITE, contact="pomoc@prawko.test")
    for message in (
        render_message(kind, payload, language, site),
        render_digest([(NoticeKind.WITHHELD, JAN), (NoticeKind.NOT_FOUND, JAN)], language, site),
    ):
        for text in (message.text, message.html):
            assert "https://panel.test/auth/login?next=/panel/notifications" in text
            assert "pomoc@prawko.test" in text
        assert "&#10003;</span>Prawko" in message.html


@pytest.mark.parametrize(
    ("payload", "label"),
    [
        (LACKING, "Brak potrzebnej kategorii"),
        (msgspec.structs.replace(LACKING, missing=()), "Potrzebna kategoria po terminie"),
    ],
)
def test_a_first_check_says_what_has_expired(payload, label) -> None:
    notices = [(NoticeKind.CATEGORY_INVALID, payload), (NoticeKind.NOT_FOUND, JAN)]
    message = render_digest(notices, Language.PL, SITE)
    assert label in message.text
    assert "/auth/login?next=/panel%3FfirstCheck" in message.text
    assert message.push
    assert message.push.path == "/panel"


@pytest.mark.parametrize(
    ("changes", "reaction"),
    [
        ({}, "2 h 5 min (3 z 4)"),
        ({"median_minutes": 59}, "59 min (3 z 4)"),
        ({"acts": 0, "median_minutes": None}, None),
    ],
)
def test_a_months_mail_has_its_figures_and_leaves_an_unknown_one_out(changes, reaction) -> None:
    october = msgspec.structs.replace(OCTOBER, **changes)
    mail = render_message(NoticeKind.MONTH_SUMMARY, october, Language.PL, SITE)

    assert mail.subject == "Podsumowanie miesiąca: październik 2026"
    for shown in ("8 880", "Alarmy (nie może jechać)", "Nie mogą teraz jechać"):
        assert shown in mail.text, shown
        assert shown in (mail.html or "").replace("\u00a0", " "), shown
    assert ("Od alarmu do odsunięcia" in mail.text) == (reaction is not None)
    assert reaction is None or reaction in mail.text
    assert f"{SITE.base_url}/auth/login?next=/panel/drivers" in mail.text
    english = render_message(NoticeKind.MONTH_SUMMARY, october, Language.EN, SITE)
    assert english.subject == "Summary of the month: October 2026"
    assert "8,880" in english.text
