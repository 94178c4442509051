"""The simulator of the register, and the two registers connected to it over real sockets."""

import pytest

from prawko.hooks.licence_register import LicenceQuery
from prawko_demo.register import running_register
from prawko_demo.register.documents import Category, Coded, Document, Note, Unknown
from prawko_demo.register.faults import Kind, Order
from prawko_register_public import PublicRegister
from prawko_register_public.settings import Settings as PublicSettings
from prawko_register_upki import UpkiRegister
from prawko_register_upki.settings import Settings as UpkiSettings

# A test waits for the end of these, so it comes soon; a handshake alone can take a third of it.
WAITED_FOR = {"silence": 0.8, "drip": 0.8}
SECONDS_TO_FAIL = 10.0  # all other failures come at once, however busy the machine is
SECONDS = 2.0

JAN = ("Jan", "Żółkiewski")
DOCUMENTS = {
    "AA000001": Document(*JAN, categories=(Category("B"), Category("C+E", "2039-01-31"))),
    "AA000002": Document(
        *JAN,
        state=Coded("Zatrzymany"),
        reasons=(Coded("Decyzja starosty", "DICT067_1"),),
        notes=(Note("Dokument wymaga dodatkowego sprawdzenia", "DICT486B_1"),),
    ),
    "AA000003": Document(*JAN, expiry_date="2019-12-31"),
    "AA000004": Document(*JAN, expiry_date=None),
    "AA000005": Document(*JAN, printed_serial="ZZ999999"),
}


@pytest.fixture(scope="session")
async def running(tmp_path_factory):
    async with running_register(tmp_path_factory.mktemp("register")) as simulator:
        yield simulator


@pytest.fixture
def simulator(running):
    """The simulator as it is after its start, knowing the documents of these tests."""
    running.shelf.unknown = Unknown.AUTO
    running.shelf.forget_calls()
    running.faults.order = Order(kind=None)
    running.followed = 0
    for serial in tuple(running.shelf._documents):
        running.shelf.forget(serial)
    for serial, document in DOCUMENTS.items():
        running.shelf.put(serial, document)
    return running


@pytest.fixture
def deadline(request):
    """Short where a test waits for its end, long where it must never be met."""
    kind = getattr(request.node, "callspec", None) and request.node.callspec.params.get("kind")
    return WAITED_FOR.get(kind, SECONDS_TO_FAIL) if kind else SECONDS


@pytest.fixture
def upki_settings(simulator, deadline):
    address = simulator.address
    return UpkiSettings(
        url=address.soap_url,
        p12=address.p12,
        p12_password=address.p12_password,
        ca=address.ca,
        server_name=address.server_name,
        deadline=deadline,
    )


@pytest.fixture
async def upki(upki_settings):
    register = UpkiRegister.configured(upki_settings)
    yield register
    await register.close()


@pytest.fixture
async def public(simulator, deadline):
    register = PublicRegister(PublicSettings(url=simulator.address.json_url, deadline=deadline))
    yield register
    await register.close()


@pytest.fixture
def issued():
    return _jan("AA000001")


@pytest.fixture
def withheld():
    return _jan("AA000002")


@pytest.fixture
def expired():
    return _jan("AA000003")


@pytest.fixture
def endless():
    return _jan("AA000004")


@pytest.fixture
def strange():
    return _jan("AA000005")


@pytest.fixture
def unknown():
    return _jan("AA000008")


@pytest.fixture
def fail(simulator):
    def order(kind, **more):
        simulator.faults.order = Order(kind=kind and Kind(kind), **more)

    return order


@pytest.fixture
def asked(simulator):
    return lambda: simulator.shelf.count + simulator.followed


def _jan(number):
    return LicenceQuery(first_name=JAN[0], last_name=JAN[1], number=number)
