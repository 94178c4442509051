"""The register simulator, and both registers connected to it over real sockets."""

import pytest

from prawko.hooks.licence_register import LicenceQuery
from prawko_demo.register.documents import (
    DictionaryEntry,
    DocumentCategory,
    RegisterDocument,
    Remark,
)
from prawko_demo.register.faults import FaultKind, FaultPlan
from prawko_register_public import PublicRegister
from prawko_register_public.settings import PublicRegisterSettings
from prawko_register_upki import UpkiRegister
from prawko_register_upki.settings import UpkiSettings
from support.servers.register import reset_simulator

# A test waits for the end of these, so it comes soon; a handshake alone can take a third of it.
SHORT_DEADLINES = {"silence": 0.8, "drip": 0.8}
SECONDS = 10.0  # all other failures come at once, however busy the machine is

JAN = ("Jan", "Żółkiewski")
DOCUMENTS = {
    "AA000001": RegisterDocument(
        *JAN, categories=(DocumentCategory("B"), DocumentCategory("C+E", "2039-01-31"))
    ),
    "AA000002": RegisterDocument(
        *JAN,
        state=DictionaryEntry("Zatrzymany"),
        reasons=(DictionaryEntry("Decyzja starosty", "DICT067_1"),),
        notes=(Remark("Dokument wymaga dodatkowego sprawdzenia", "DICT486B_1"),),
    ),
    "AA000003": RegisterDocument(*JAN, expiry_date="2019-12-31"),
    "AA000004": RegisterDocument(*JAN, expiry_date=None),
    "AA000005": RegisterDocument(*JAN, printed_serial="ZZ999999"),
}


@pytest.fixture
def simulator(register_process):
    """The simulator as it is after its start, knowing the documents of these tests."""
    return reset_simulator(register_process, DOCUMENTS)


@pytest.fixture
def deadline(request):
    """Short where a test waits for its end, long where it must never be met."""
    kind = getattr(request.node, "callspec", None) and request.node.callspec.params.get("kind")
    return SHORT_DEADLINES.get(kind, SECONDS)


@pytest.fixture
def upki_settings(simulator, deadline):
    address = simulator.address
    return UpkiSettings(
        url=address.soap_url, p12=address.p12, p12_password=address.p12_password, ca=address.ca,
        server_name=address.server_name, deadline=deadline,
    )  # fmt: skip


@pytest.fixture
async def upki(upki_settings):
    register = UpkiRegister.from_settings(upki_settings)
    yield register
    await register.close()


@pytest.fixture
async def public(simulator, deadline):
    register = PublicRegister(
        PublicRegisterSettings(url=simulator.address.json_url, deadline=deadline)
    )
    yield register
    await register.close()


@pytest.fixture
def inject_failure(simulator):
    def order(kind, **options):
        simulator.faults.plan = FaultPlan(kind=kind and FaultKind(kind), **options)

    return order


@pytest.fixture
def request_count(simulator):
    return lambda: simulator.document_store.call_count + simulator.followed_count


def _query_of(number):
    query = LicenceQuery(first_name=JAN[0], last_name=JAN[1], number=number)
    return pytest.fixture(lambda: query)


issued, withheld, expired, without_expiry, mismatched = (
    _query_of(f"AA00000{number}") for number in range(1, 6)
)
unknown = _query_of("AA000008")
