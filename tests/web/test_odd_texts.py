"""What people type is stored as typed, after one normalisation, or refused in a sentence."""

from datetime import timedelta

import pytest

from support.database import fetch_rows, insert_subscription, insert_verification

pytestmark = pytest.mark.anyio

TYPED = r'"\u202eKos \ud83d\ude9a <b>&amp;</b>\u200f\u0000 bez\u0007\u200b auta\u001b "'
STORED = "Kos 🚚 <b>&amp;</b> bez auta"
REFUSED = [
    r'"Kos \ud800 bez auta"', '"Kos \udcff bez auta"', f'"{"ż" * 10_000}"', '"Kos bez auta","a":1',
    "7", "true", "1e999", '["a"]', '{"a":1}', "'Kos'", "[" * 5000,
]  # fmt: skip
CONTACT = (
    '{"name":"Ewa","email":"e@nowak.test","company":"Nowak","driversCount":1,"message":"Oferta"}'
)
FORMS = {
    "support_ticket.subject": ("/api/help/ticket", '{"message":"Proszę o ofertę.","subject":TEXT}'),
    "support_ticket.message": ("/api/help/ticket", '{"subject":"Faktura","message":TEXT}'),
    "contact_message.name": ("/api/contact", CONTACT.replace('"Ewa"', "TEXT")),
    "contact_message.company": ("/api/contact", CONTACT.replace('"Nowak"', "TEXT")),
    "contact_message.message": ("/api/contact", CONTACT.replace('"Oferta"', "TEXT")),
    "acknowledgement.note": (
        "/api/drivers/DRIVER/acknowledgements",
        '{"since":"SINCE","note":TEXT}',
    ),
    "admin_action.reason": ("/api/admin/companies/COMPANY/suspend", '{"reason":TEXT}'),
}


@pytest.mark.parametrize("column", FORMS)
async def test_an_odd_text_is_stored_as_typed_or_refused(
    anna, olga, worker, context, clock, logins, column
) -> None:
    await insert_subscription(anna, worker)
    driver, since = await anna.add_driver("AA123456"), clock.now() - timedelta(days=1)
    await insert_verification(anna, context, driver, outcome="invalid", verified_at=since)
    table, name = column.split(".")
    path, body = FORMS[column]
    company = str(await anna.tenant_id(worker))
    path = path.replace("DRIVER", driver).replace("COMPANY", company)
    person = olga if "admin" in path else anna

    async def send(text: str):
        content = body.replace("SINCE", since.isoformat()).replace("TEXT", text)
        return await person.browser.post(
            path, content=content.encode(errors="surrogateescape"),
            headers={"content-type": "application/json"},
        )  # fmt: skip

    async def stored() -> list[str]:
        return [row[name] for row in await fetch_rows(logins, f"SELECT {name} FROM {table}")]

    for text in REFUSED:
        answer = await send(text)
        assert answer.status_code in {400, 422}, answer.text
        assert answer.json()["message"]
    assert await stored() == []
    assert (await send(TYPED)).is_success
    assert await stored() == [STORED]
