"""Acceptance of the legal documents: at sign-up, and again when a version changes."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from prawko.accounts.legal_documents import VERSIONS, LegalDocument, current_documents
from support.database import execute_as_owner, fetch_rows
from support.people import PASSWORD, Person, make_impersonated

pytestmark = pytest.mark.anyio

PATH = "/api/user/legal-acceptances"
NEW_VERSION = date(2027, 3, 1)
NEW_TERMS = {"document": "terms", "version": "2027-03-01"}
BROWSER_VERSIONS = Path(__file__).parents[2] / "frontend/src/legal-documents/versions.json"
SELECT_ACCEPTANCES = """
    SELECT a.document, a.version, a.accepted_at, a.ip, u.email
      FROM legal_acceptance a JOIN user_account u ON u.id = a.user_id
     ORDER BY a.accepted_at, a.id
"""


@pytest.fixture
def new_terms(monkeypatch) -> None:
    """Publishes a new version of the terms, after the people have signed up."""
    monkeypatch.setitem(
        VERSIONS, LegalDocument.TERMS, (NEW_VERSION, *VERSIONS[LegalDocument.TERMS])
    )


async def list_acceptances(logins) -> list[dict]:
    return await fetch_rows(logins, SELECT_ACCEPTANCES)


async def list_pending(person: Person) -> list[dict]:
    answer = await person.get("/api/user")
    assert answer.status_code == 200, answer.text
    return answer.json()["pendingDocuments"]


def test_the_browser_application_has_the_same_versions() -> None:
    versions = json.loads(BROWSER_VERSIONS.read_text())

    assert versions == {
        document.value: [version.isoformat() for version in listed]
        for document, listed in VERSIONS.items()
    }


def test_the_versions_are_listed_with_the_newest_first() -> None:
    assert set(VERSIONS) == set(LegalDocument)
    for versions in VERSIONS.values():
        assert list(versions) == sorted(set(versions), reverse=True)


async def test_signing_up_accepts_all_documents_with_time_and_ip_address(
    context, browser_for_app, clock, logins
) -> None:
    before = clock.now()
    await Person("anna@acme.test", browser_for_app(context, ip="198.51.100.7")).sign_up()
    first = await list_acceptances(logins)
    clock.forward(hours=1)
    # The address is unverified: the second sign-up accepts the documents again.
    await Person("anna@acme.test", browser_for_app(context, ip="203.0.113.9")).sign_up()
    second = (await list_acceptances(logins))[len(first) :]

    for rows, ip, earliest in (
        (first, "198.51.100.7", before),
        (second, "203.0.113.9", before + timedelta(hours=1)),
    ):
        assert {(row["document"], row["version"]) for row in rows} == {
            (one.document, one.version) for one in current_documents()
        }
        assert {(row["ip"], row["email"]) for row in rows} == {(ip, "anna@acme.test")}
        assert all(earliest <= row["accepted_at"] < earliest + timedelta(minutes=1) for row in rows)


async def test_a_refused_sign_up_accepts_nothing(new_browser, anna, logins) -> None:
    before = await list_acceptances(logins)

    await new_browser().post("/api/register", json={"email": anna.email, "password": PASSWORD})

    assert await list_acceptances(logins) == before


async def test_normally_nothing_is_pending(anna, bartek, celina) -> None:
    for person in (anna, bartek, celina):
        assert await list_pending(person) == []


async def test_a_new_version_is_asked_of_each_person_and_accepted_by_each(
    anna, bartek, celina, new_terms, logins, clock
) -> None:
    for person in (anna, bartek, celina):
        assert await list_pending(person) == [NEW_TERMS]
    before = clock.now()

    answer = await bartek.post(PATH, {"documents": [NEW_TERMS]})

    assert answer.status_code == 200
    assert answer.json() == {"pendingDocuments": []}
    assert await list_pending(bartek) == []
    assert await list_pending(anna) == await list_pending(celina) == [NEW_TERMS]
    newest = (await list_acceptances(logins))[-1]
    assert (newest["document"], newest["version"]) == ("terms", NEW_VERSION)
    assert (newest["email"], newest["ip"]) == (bartek.email, "127.0.0.1")
    assert before <= newest["accepted_at"] < before + timedelta(minutes=1)
    [event] = await fetch_rows(
        logins,
        "SELECT details, u.email FROM user_activity a JOIN user_account u ON u.id = a.user_id"
        " WHERE activity_type = 'documents_accepted'",
    )
    assert (json.loads(event["details"]), event["email"]) == (
        {"terms": "2027-03-01"}, bartek.email,
    )  # fmt: skip


async def test_the_api_goes_on_while_a_document_waits(anna, new_terms) -> None:
    await anna.add_driver("AA123456")

    assert len(await anna.list_drivers()) == 1


async def test_accepting_twice_is_recorded_once(anna, new_terms, logins) -> None:
    await anna.post(PATH, {"documents": [NEW_TERMS, NEW_TERMS]})
    once = await list_acceptances(logins)

    answer = await anna.post(PATH, {"documents": [NEW_TERMS]})

    assert answer.json() == {"pendingDocuments": []}
    assert await list_acceptances(logins) == once
    events = await fetch_rows(
        logins, "SELECT 1 FROM user_activity WHERE activity_type = 'documents_accepted'"
    )
    assert len(events) == 1


async def test_what_is_not_accepted_stays_pending(anna, new_terms, monkeypatch) -> None:
    monkeypatch.setitem(VERSIONS, LegalDocument.PRIVACY, (NEW_VERSION,))
    new_privacy = {"document": "privacy", "version": "2027-03-01"}
    assert await list_pending(anna) == [NEW_TERMS, new_privacy]

    answer = await anna.post(PATH, {"documents": [NEW_TERMS]})

    assert answer.json() == {"pendingDocuments": [new_privacy]}


@pytest.mark.parametrize(
    "version", [VERSIONS[LegalDocument.TERMS][0].isoformat(), "2027-03-02", "1999-01-01"]
)
async def test_only_current_versions_can_be_accepted(anna, new_terms, logins, version) -> None:
    before = await list_acceptances(logins)

    answer = await anna.post(
        PATH, {"documents": [NEW_TERMS, {"document": "terms", "version": version}]}
    )

    assert answer.status_code == 409
    assert answer.json()["error"] == "legal_documents_outdated"
    assert await list_pending(anna) == [NEW_TERMS]
    assert await list_acceptances(logins) == before


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [{"document": "cookies", "version": "2027-03-01"}],
        [{"document": "terms", "version": "yesterday"}],
        [{"document": "terms"}],
        None,
    ],
)
async def test_a_malformed_acceptance_is_refused(anna, new_terms, documents) -> None:
    answer = await anna.post(PATH, {"documents": documents})

    assert answer.status_code == 400
    assert answer.json()["error"] == "bad_request"
    assert await list_pending(anna) == [NEW_TERMS]


async def test_an_operator_is_asked_for_nothing(anna, logins, new_terms) -> None:
    await execute_as_owner(logins, "UPDATE user_account SET is_admin = true")

    assert await list_pending(anna) == []


async def test_an_operator_in_somebodys_name_is_not_asked_and_cannot_accept(
    anna, logins, new_terms
) -> None:
    await make_impersonated(logins.owner)

    assert await list_pending(anna) == []
    answer = await anna.post(PATH, {"documents": [NEW_TERMS]})
    assert answer.status_code == 403
    assert answer.json()["error"] == "auth_forbidden"
