"""The Przelewy24 provider keeps every promise of a provider, against its fake on a real socket."""

import json
from collections.abc import AsyncIterator
from uuid import uuid4

import jsonschema_rs
import msgspec
import pytest
import yaml

from contracts import published
from prawko.hooks.callbacks import Callback
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.hooks.payments import (
    EventKind,
    Method,
    Money,
    PaymentError,
    PaymentRef,
    PaymentState,
    RefundState,
    Transfer,
)
from prawko.testing.asked_contract import RemoteProviderContract
from prawko.testing.provider_contract import PRICE, order
from prawko.testing.refunding_contract import RefundingContract
from prawko_payments_przelewy24 import Przelewy24Provider, payment_providers, signs
from prawko_payments_przelewy24.answers import RejectedRequestError
from przelewy24 import (
    CRC,
    EVENTS,
    FIRST_ORDER,
    KEY,
    MERCHANT,
    FakePrzelewy24,
    call,
    paid_call,
    refund_call,
)

pytestmark = pytest.mark.anyio

PREFIX = "PAYMENTS_PRZELEWY24"
# Published sums of two independent programs, with CRC a123b456 and merchant and shop 999999.
PAYMENT = {
    "sessionId": "sess/ąę-1", "merchantId": MERCHANT, "posId": MERCHANT, "amount": 18327,
    "originAmount": 18327, "currency": "PLN", "orderId": 3000000001, "methodId": 154,
    "statement": "p24-A1B-C2D usługa",
}  # fmt: skip
VECTORS = [
    (
        signs.REGISTER, {},
        "58d3d97aac6128fd7f564fb062c8c478c4580e804e8a9d7b2b002c937607f95824cbd7a144218a5569b44ebf7fe4f33c",
    ),
    (
        signs.VERIFY, {},
        "b9d74e9b88a3e4c136b9eb8001fcd769e400a986cdab5e4f664e93ea095d20896d6994d5f0b83c6e30b5f4db3aea1076",
    ),
    (
        signs.PAID, {},
        "3e2a899738785976a51fe50f3d74e76b75ff774418d391849d29c5058a56487237ba6959f2c5ebd539ca0fdfd39ac2ef",
    ),
    (
        signs.REFUNDED, {"refundsUuid": "u-1", "amount": 100, "status": 0},
        "d353d8dac77c8882e0520cede6f5f2425c30c176dc3a5c0192441db361563c289169a70eafd324df3a97ea9f9659d26c",
    ),
]  # fmt: skip


def given(**settings: str) -> Environment:
    own = {"MERCHANT": str(MERCHANT), "KEY": KEY, "CRC": CRC, "EVENTS": EVENTS, **settings}
    return Environment({f"{PREFIX}_{name}": value for name, value in own.items()})


def provider_to(server: FakePrzelewy24, **settings: str) -> Przelewy24Provider:
    services = {"TRANSFERS": "true", "BLIK_CODES": "true"}
    return payment_providers(given(**{"URL": server.url, **services, **settings}))[0]


@pytest.fixture
async def server() -> AsyncIterator[FakePrzelewy24]:
    fake = FakePrzelewy24()
    async with fake.listening():
        yield fake


@pytest.fixture
async def provider(server) -> AsyncIterator[Przelewy24Provider]:
    made = provider_to(server)
    yield made
    await made.close()


class TestContract(RefundingContract, RemoteProviderContract):
    """The promises of a provider that talks to a server, which gives money back."""

    @pytest.fixture
    async def provider(self, server) -> AsyncIterator[Przelewy24Provider]:
        made = provider_to(server)
        yield made
        await made.close()

    @pytest.fixture
    def bench(self, server) -> FakePrzelewy24:
        return server

    @pytest.fixture
    def broken_provider(self, server, provider) -> Przelewy24Provider:
        server.says(503, "<html>")
        return provider

    @pytest.fixture
    async def refusing_provider(self, server) -> AsyncIterator[Przelewy24Provider]:
        made = provider_to(server, KEY="revoked")
        yield made
        await made.close()

    @pytest.fixture
    async def silent_provider(self, server) -> AsyncIterator[Przelewy24Provider]:
        server.silent = True
        made = provider_to(server, DEADLINE="0.2")
        yield made
        await made.close()

    @pytest.fixture
    def forged(self) -> list[Callback]:
        genuine = json.loads(paid_call().body)
        changes = [
            {"amount": 1}, {"originAmount": 1}, {"sessionId": "k2"}, {"orderId": 1},
            {"statement": "p24-A1B-C2D us\\u0142uga"}, {"currency": "EUR"}, {"amount": 18327.0},
            {"sign": ""}, {"sign": None}, {"sign": "ą" * 96}, {"sign": genuine["sign"].upper()},
        ]  # fmt: skip
        unsigned = {name: value for name, value in genuine.items() if name != "sign"}
        alias = {"email": "anna@acme.test", "value": "x", "type": "PAYID", "status": "EXPIRED"}
        return [
            paid_call(crc="another"),
            *(call({**genuine, **change}) for change in changes),
            *(call(body) for body in (b"", b"[]", b"\xff", b"{", b'{"sign":"\\ud800"}')),
            *(call(values) for values in (unsigned, alias, {})),
        ]

    @pytest.fixture
    def garbled(self) -> list[Callback]:
        return [
            paid_call(amount="18327"), paid_call(amount=0), paid_call(currency="zł"),
            paid_call(orderId=None), refund_call(status=7), refund_call(amount=-1),
        ]  # fmt: skip

    @pytest.fixture
    def of_no_interest(self) -> list[Callback]:
        return [
            paid_call(merchantId=1), paid_call(posId=1), paid_call(sessionId="not/ours"),
            refund_call(merchantId=1), refund_call(refundsUuid="not-ours"),
        ]  # fmt: skip


@pytest.mark.parametrize(("names", "changed", "expected"), VECTORS)
def test_signs_are_those_of_the_published_vectors(names, changed, expected) -> None:
    assert signs.sign(names, {**PAYMENT, **changed}, CRC) == expected


async def test_an_order_is_registered_as_it_is(server, provider) -> None:
    placed = order(Method.PRZELEWY24)
    redirect = await provider.start(placed)

    sent = server.transactions[placed.key]
    assert redirect.url == f"{server.url}/trnRequest/TOKEN-0"
    assert redirect.open_seconds == 1800
    assert (sent["sessionId"], sent["amount"], sent["currency"]) == (placed.key, 18327, "PLN")
    assert (sent["merchantId"], sent["posId"]) == (MERCHANT, MERCHANT)
    assert (sent["email"], sent["description"]) == (placed.payer.email, placed.title)
    assert (sent["urlReturn"], sent["urlStatus"]) == (placed.return_url, EVENTS)
    assert sent["client"] == placed.payer.name[:40]
    assert "channel" not in sent


async def test_blik_without_a_code_is_a_page_with_blik_alone(server, provider) -> None:
    placed = order(Method.BLIK)

    assert (await provider.start(placed)).url
    assert server.transactions[placed.key]["channel"] == 8192


async def test_a_blik_code_is_taken_on_our_page_and_asked_about(server, provider) -> None:
    placed = msgspec.structs.replace(order(Method.BLIK), blik_code="777123")
    redirect = await provider.start(placed)

    assert redirect.url is None
    assert redirect.ref == PaymentRef(placed.key, str(FIRST_ORDER))
    found = await provider.status(redirect.ref)
    assert found.state is PaymentState.CLAIMED
    assert server.transactions[placed.key]["additional"] == {
        "PSU": {"IP": "203.0.113.7", "userAgent": "Mozilla/5.0"}
    }


@pytest.mark.parametrize("code", ["123456", "77712", "7771234", "77712x", "٧٧٧١٢٣", ""])
async def test_a_wrong_blik_code_is_the_payers(provider, code) -> None:
    placed = msgspec.structs.replace(order(Method.BLIK), blik_code=code)

    with pytest.raises(PaymentError) as refused:
        await provider.start(placed)
    assert refused.value.permanent


async def test_a_transfer_is_told_with_its_title(server, provider) -> None:
    placed = order(Method.TRANSFER)
    redirect = await provider.start(placed)

    assert redirect.transfer == Transfer(
        title=f"p24-{FIRST_ORDER}", iban="61109010140000071219812874", owner="PayPro SA",
        address="ul. Pastelowa 8, Poznań",
    )  # fmt: skip
    assert (redirect.url, redirect.open_seconds) == (None, None)
    assert server.transactions[placed.key]["timeLimit"] == 0


async def test_services_that_were_not_asked_for_are_not_offered(server) -> None:
    provider = payment_providers(given(URL=server.url))[0]

    assert provider.capabilities.methods == {Method.PRZELEWY24, Method.BLIK}
    assert not provider.capabilities.blik_codes
    for placed in (
        order(Method.TRANSFER), order(Method.CARD),
        msgspec.structs.replace(order(Method.BLIK), blik_code="777123"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not paid by"):
            await provider.start(placed)
    assert server.calls == 0


async def test_an_email_that_is_too_long_is_the_payers(server, provider) -> None:
    placed = order(Method.BLIK)
    payer = msgspec.structs.replace(placed.payer, email=f"{'a' * 45}@acme.test")

    with pytest.raises(PaymentError) as refused:
        await provider.start(msgspec.structs.replace(placed, payer=payer))
    assert refused.value.permanent
    assert server.calls == 0


@pytest.mark.parametrize(
    ("down", "left"),
    [
        ((), {Method.PRZELEWY24, Method.BLIK, Method.TRANSFER}),
        (("Blik",), {Method.PRZELEWY24, Method.TRANSFER}),
        (("Blik", "TraditionalTransfer", "FastTransfers"), set()),
    ],
)
async def test_what_is_down_is_not_available(server, provider, down, left) -> None:
    for method in server.methods:
        method["status"] = method["group"] not in down

    assert await provider.available(PRICE) == left


@pytest.mark.parametrize("amount", [1, 18326, 18328])
async def test_a_wrong_sum_is_never_verified(server, provider, amount) -> None:
    redirect = await provider.start(order(Method.PRZELEWY24))
    event = provider.read_event(await server.pay(redirect, amount))

    lying = msgspec.structs.replace(event, money=PRICE, ordered=PRICE)

    for said in (event, lying):
        found = await provider.confirm(said, expected=PRICE)
        assert (found.state, found.money) == (PaymentState.CLAIMED, Money(amount))
    assert not [one for one in server.exchanges if one.path.endswith("/verify")]


@pytest.mark.parametrize("field", ["money", "ordered"])
async def test_a_call_that_says_another_sum_verifies_nothing(server, provider, field) -> None:
    redirect = await provider.start(order(Method.PRZELEWY24))
    event = provider.read_event(await server.pay(redirect))
    other = msgspec.structs.replace(event, **{field: Money(1)})

    assert (await provider.confirm(other, expected=PRICE)).state is PaymentState.CLAIMED
    assert server.verified == []


async def test_a_call_about_a_refund_verifies_nothing(server, provider) -> None:
    redirect = await provider.start(order(Method.PRZELEWY24))
    event = provider.read_event(await server.pay(redirect))
    other = msgspec.structs.replace(event, kind=EventKind.REFUNDED)

    assert (await provider.confirm(other, expected=PRICE)).state is PaymentState.CLAIMED


async def test_what_is_ours_is_verified_once(server, provider) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))
    for _ in range(3):
        await provider.confirm(event, expected=PRICE)

    assert server.verified == [event.ref.key]


async def test_a_verification_that_another_made_first_is_found(server, provider) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))

    def too_late(body: dict) -> tuple[int, dict]:
        server.transactions[event.ref.key]["status"] = 2
        return 400, {"error": "Invalid input data", "code": 400}

    server.verify = too_late

    assert (await provider.confirm(event, expected=PRICE)).state is PaymentState.PAID


async def test_a_verification_that_is_refused_is_not_ours(server, provider) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))
    server.verify = lambda _: (400, {"error": "Invalid input data", "code": 400})

    with pytest.raises(RejectedRequestError):
        await provider.confirm(event, expected=PRICE)


@pytest.mark.parametrize(
    ("status", "state"),
    [(0, PaymentState.OPEN), (1, PaymentState.CLAIMED), (2, PaymentState.PAID),
     (3, PaymentState.REFUNDED)],
)  # fmt: skip
async def test_a_status_has_its_word(server, provider, status, state) -> None:
    redirect = await provider.start(order(Method.BLIK))
    server.transactions[redirect.ref.key]["status"] = status

    assert (await provider.status(redirect.ref)).state is state


@pytest.mark.parametrize(
    ("status", "kind"), [(0, EventKind.REFUNDED), (1, EventKind.REFUND_REFUSED)]
)
async def test_a_call_about_a_refund_names_ours(provider, status, kind) -> None:
    event = provider.read_event(refund_call(status=status))

    assert (event.kind, event.refund_key, event.money) == (kind, "r1", Money(100))
    assert event.event_id == f"refund:r1:{status}"
    assert event.ref == PaymentRef("k1", str(FIRST_ORDER))


@pytest.mark.parametrize(
    ("status", "state"),
    [(1, RefundState.DONE), (2, RefundState.PENDING), (3, RefundState.PENDING),
     (4, RefundState.REFUSED)],
)  # fmt: skip
async def test_a_refund_asked_for_again_says_how_far_it_is(server, provider, status, state) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))
    await provider.confirm(event, expected=PRICE)
    key = uuid4().hex
    ref = PaymentRef(event.ref.key)  # its number is asked for
    assert (await provider.refund(ref, PRICE, key=key)).state is RefundState.PENDING
    server.refund_requests[key]["status"] = status

    assert (await provider.refund(ref, PRICE, key=key)).state is state
    assert server.refunded(ref) == PRICE.grosze


async def test_a_refund_whose_answer_was_lost_is_given_once(server, provider) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))
    await provider.confirm(event, expected=PRICE)
    server.loses_its_answers = True
    with pytest.raises(PaymentError):
        await provider.refund(event.ref, PRICE, key="r1")
    server.works()

    assert (await provider.refund(event.ref, PRICE, key="r1")).state is RefundState.PENDING
    assert server.refunded(event.ref) == PRICE.grosze


async def test_a_code_whose_answer_was_lost_is_found_by_asking(server, provider) -> None:
    placed = msgspec.structs.replace(order(Method.BLIK), blik_code="777123")
    charge = server.charge

    def lost(body: dict) -> tuple[int, dict]:
        server.loses_its_answers = True
        return charge(body)

    server.charge = lost
    with pytest.raises(PaymentError) as failed:
        await provider.start(placed)
    server.works()

    assert not failed.value.permanent
    assert (await provider.status(PaymentRef(placed.key))).state is PaymentState.CLAIMED


async def test_an_empty_account_is_ours_to_fill(server, provider) -> None:
    event = provider.read_event(await server.pay(await provider.start(order(Method.BLIK))))
    await provider.confirm(event, expected=PRICE)
    server.balance = 0

    with pytest.raises(AccountError, match="Insufficient funds"):
        await provider.refund(event.ref, PRICE, key=uuid4().hex)


async def test_a_wrong_crc_is_our_accounts(server) -> None:
    provider = provider_to(server, CRC="another")

    with pytest.raises(AccountError, match="CRC"):
        await provider.start(order(Method.BLIK))
    await provider.close()


@pytest.mark.parametrize(
    ("status", "body", "means"),
    [
        (200, "", PaymentError), (200, "null", PaymentError), (200, "{}", PaymentError),
        (200, {"data": None}, PaymentError), (200, {"data": {}}, PaymentError),
        (200, {"data": {"sessionId": "another", "status": 2, "amount": 1, "currency": "PLN"}},
         PaymentError),
        (200, {"data": {"sessionId": "k1", "status": 9, "amount": 1, "currency": "PLN"}},
         PaymentError),
        (200, {"data": {"sessionId": "k1", "status": 1, "amount": 1, "currency": "PLN"}},
         PaymentError),
        (200, {"data": {"sessionId": "k1", "status": 2, "amount": 0, "currency": "PLN"}},
         PaymentError),
        (302, "", PaymentError), (400, {"error": "Invalid input data"}, RejectedRequestError),
        (401, "<html>", AccountError), (403, "", AccountError), (404, "<html>", PaymentError),
        (404, {"error": "Wrong path"}, PaymentError), (429, "", PaymentError),
        (500, {"error": "Unknown error"}, PaymentError),
    ],
)  # fmt: skip
async def test_only_a_whole_answer_is_believed(server, provider, status, body, means) -> None:
    server.says(status, body if isinstance(body, str) and body else (body or " "))

    with pytest.raises(means) as refused:
        await provider.status(PaymentRef("k1"))
    assert not getattr(refused.value, "permanent", False)


async def test_a_token_that_is_an_address_leads_nowhere(server, provider) -> None:
    server.says(200, {"data": {"token": "../../@evil.example"}})

    with pytest.raises(PaymentError, match="cannot be read"):
        await provider.start(order(Method.PRZELEWY24))


def test_without_variables_it_takes_no_part() -> None:
    assert payment_providers(Environment({})) == []


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"KEY": ""}, "KEY"), ({"CRC": ""}, "CRC"), ({"EVENTS": ""}, "EVENTS"),
        ({"MERCHANT": "shop"}, "MERCHANT"), ({"MERCHANT": "0"}, "MERCHANT"),
        ({"URL": "http://p24.example"}, "URL"), ({"MINUTES": "100"}, "MINUTES"),
        ({"EVENTS": EVENTS.replace("https", "http")}, "EVENTS"),
        ({"EVENTS": EVENTS.replace("przelewy24", "stripe")}, "EVENTS"),
        ({"EVENTS": "http://[::1"}, "EVENTS"), ({"DEADLINE": "0"}, "DEADLINE"),
    ],
)  # fmt: skip
def test_half_a_configuration_names_the_variable(settings, variable) -> None:
    with pytest.raises(SettingError) as refused:
        payment_providers(given(**settings))
    assert refused.value.variable == f"{PREFIX}_{variable}"


def whole(part: object, document: dict) -> object:
    """A part of the description with what it refers to put in."""
    if isinstance(part, list):
        return [whole(one, document) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found: object = document
        for name in part["$ref"].split("/")[1:]:
            found = found[name]
        return whole(found, document)
    return {name: whole(one, document) for name, one in part.items()}


def schema_of(holder: dict) -> dict:
    schema = holder["content"]["application/json"]["schema"]
    # Its one slip: `ttl` is required of a transaction and is no property of it.
    required = [name for name in schema.get("required", []) if name != "ttl"]
    return {**schema, **({"required": required} if required else {})}


async def test_every_call_is_as_przelewy24_describes_it(server, provider) -> None:
    document = yaml.safe_load(published("przelewy24-openapi.yml").read_text())
    placed = [order(Method.PRZELEWY24), order(Method.BLIK), order(Method.TRANSFER),
              msgspec.structs.replace(order(Method.BLIK), blik_code="777123"),
              msgspec.structs.replace(order(Method.BLIK), blik_code="111111")]  # fmt: skip
    redirects = [await provider.start(one) for one in placed[:-1]]
    with pytest.raises(PaymentError):
        await provider.start(placed[-1])
    event = provider.read_event(await server.pay(redirects[0]))
    await provider.confirm(event, expected=PRICE)
    key = uuid4().hex
    for amount in (Money(100), Money(100), Money(10**6)):
        await provider.refund(event.ref, amount, key=key if amount == Money(100) else uuid4().hex)
    await provider.available(PRICE)
    await provider.status(PaymentRef("unknown"))

    assert len({(one.method, one.status, one.path[:30]) for one in server.exchanges}) >= 10
    for one in server.exchanges:
        path, described = found_in(document, one)
        if one.body is not None:
            schema = schema_of(described["requestBody"])
            jsonschema_rs.validator_for(schema).validate(one.body)
            assert set(one.body) <= set(schema["properties"]), path
        answer = described["responses"][str(one.status)]
        jsonschema_rs.validator_for(schema_of(answer)).validate(one.answer)


def found_in(document: dict, one) -> tuple[str, dict]:
    """The description of a call."""
    for path, methods in document["paths"].items():
        pattern = path.partition("?")[0].split("/")
        given_path = one.path.split("/")
        if len(pattern) == len(given_path) and one.method.lower() in methods and all(
            theirs == ours or theirs.startswith("{")
            for theirs, ours in zip(pattern, given_path, strict=True)
        ):  # fmt: skip
            return path, whole(methods[one.method.lower()], document)
    raise AssertionError(f"{one.method} {one.path} is not described")
