"""The Przelewy24 provider, against a fake of Przelewy24 on a real socket."""

import json
from collections.abc import AsyncIterator
from uuid import uuid4

import jsonschema_rs
import msgspec
import pytest
import yaml

from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.payments import (
    Money,
    PaymentError,
    PaymentEventKind,
    PaymentMethod,
    PaymentRef,
    PaymentState,
    RefundState,
    TransferInstructions,
)
from prawko.hooks.webhooks import WebhookRequest
from prawko_payments_przelewy24 import Przelewy24Provider, payment_providers, signature
from prawko_payments_przelewy24.responses import Przelewy24RequestError
from prawko_testing.provider_contract import PRICE, sample_request
from prawko_testing.refund_contract import RefundContract
from support.peer_specs import require_peer_spec
from support.servers.provider_contract import ServerProviderContract
from support.servers.przelewy24 import (
    API_KEY,
    CRC_KEY,
    EVENTS_URL,
    FIRST_ORDER,
    MERCHANT,
    FakePrzelewy24,
    payment_webhook,
    refund_webhook,
    webhook_request,
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
        signature.REGISTER_FIELDS, {},
        "58d3d97aac6128fd7f564fb062c8c478c4580e804e8a9d7b2b002c937607f95824cbd7a144218a5569b44ebf7fe4f33c",
    ),
    (
        signature.VERIFY_FIELDS, {},
        "b9d74e9b88a3e4c136b9eb8001fcd769e400a986cdab5e4f664e93ea095d20896d6994d5f0b83c6e30b5f4db3aea1076",
    ),
    (
        signature.PAYMENT_FIELDS, {},
        "3e2a899738785976a51fe50f3d74e76b75ff774418d391849d29c5058a56487237ba6959f2c5ebd539ca0fdfd39ac2ef",
    ),
    (
        signature.REFUND_FIELDS, {"refundsUuid": "u-1", "amount": 100, "status": 0},
        "d353d8dac77c8882e0520cede6f5f2425c30c176dc3a5c0192441db361563c289169a70eafd324df3a97ea9f9659d26c",
    ),
]  # fmt: skip


def provider_environment(**settings: str) -> Environment:
    variables = {
        "MERCHANT": str(MERCHANT),
        "KEY": API_KEY,
        "CRC": CRC_KEY,
        "EVENTS": EVENTS_URL,
        **settings,
    }
    return Environment({f"{PREFIX}_{name}": value for name, value in variables.items()})


def create_provider(server: FakePrzelewy24, **settings: str) -> Przelewy24Provider:
    services = {"TRANSFERS": "true", "BLIK_CODES": "true"}
    return payment_providers(provider_environment(**{"URL": server.url, **services, **settings}))[0]


@pytest.fixture
async def server() -> AsyncIterator[FakePrzelewy24]:
    fake = FakePrzelewy24()
    async with fake.serve():
        yield fake


@pytest.fixture
async def provider(server) -> AsyncIterator[Przelewy24Provider]:
    new_provider = create_provider(server)
    yield new_provider
    await new_provider.close()


class TestContract(RefundContract, ServerProviderContract):
    """The contract of a provider that talks to a server, with refunds."""

    create_provider = staticmethod(create_provider)
    module = "prawko_payments_przelewy24.client"
    keys = (API_KEY, CRC_KEY)
    bad_setting = ("KEY", "revoked")

    @pytest.fixture
    def forged_requests(self) -> list[WebhookRequest]:
        genuine = json.loads(payment_webhook().body)
        changes = [
            {"amount": 1}, {"originAmount": 1}, {"sessionId": "k2"}, {"orderId": 1},
            {"statement": "p24-A1B-C2D us\\u0142uga"}, {"currency": "EUR"}, {"amount": 18327.0},
            {"sign": ""}, {"sign": None}, {"sign": "ą" * 96}, {"sign": genuine["sign"].upper()},
        ]  # fmt: skip
        unsigned = {name: value for name, value in genuine.items() if name != "sign"}
        alias = {"email": "anna@acme.test", "value": "x", "type": "PAYID", "status": "EXPIRED"}
        return [
            payment_webhook(crc="another"),
            *(webhook_request({**genuine, **change}) for change in changes),
            *(webhook_request(body) for body in (b"", b"[]", b"\xff", b"{", b'{"sign":"\\ud800"}')),
            *(webhook_request(values) for values in (unsigned, alias, {})),
        ]

    @pytest.fixture
    def malformed_requests(self) -> list[WebhookRequest]:
        return [
            payment_webhook(amount="18327"),
            payment_webhook(amount=0),
            payment_webhook(currency="zł"),
            payment_webhook(orderId=None),
            refund_webhook(status=7),
            refund_webhook(amount=-1),
        ]

    @pytest.fixture
    def ignored_requests(self) -> list[WebhookRequest]:
        return [
            payment_webhook(merchantId=1),
            payment_webhook(posId=1),
            payment_webhook(sessionId="not/ours"),
            refund_webhook(merchantId=1),
            refund_webhook(refundsUuid="not-ours"),
        ]


@pytest.mark.parametrize(("names", "changed", "expected"), VECTORS)
def test_signatures_match_the_published_vectors(names, changed, expected) -> None:
    assert signature.compute_signature(names, {**PAYMENT, **changed}, CRC_KEY) == expected


async def test_a_transaction_is_registered_with_its_fields(server, provider) -> None:
    request = sample_request(PaymentMethod.PRZELEWY24)
    action = await provider.create_payment(request)

    sent = server.transactions[request.reference]
    assert action.url == f"{server.url}/trnRequest/TOKEN-0"
    assert action.expires_in_seconds == 1800
    assert (sent["sessionId"], sent["amount"], sent["currency"]) == (
        request.reference,
        18327,
        "PLN",
    )
    assert (sent["merchantId"], sent["posId"]) == (MERCHANT, MERCHANT)
    assert (sent["email"], sent["description"]) == (request.payer.email, request.description)
    assert (sent["urlReturn"], sent["urlStatus"]) == (request.return_url, EVENTS_URL)
    assert sent["client"] == request.payer.name[:40]
    assert "channel" not in sent


async def test_blik_without_a_code_is_a_page_with_blik_only(server, provider) -> None:
    request = sample_request(PaymentMethod.BLIK)

    assert (await provider.create_payment(request)).url
    assert server.transactions[request.reference]["channel"] == 8192


async def test_a_blik_code_is_charged_and_can_be_queried(server, provider) -> None:
    request = msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="777123")
    action = await provider.create_payment(request)

    assert action.url is None
    assert action.ref == PaymentRef(request.reference, str(FIRST_ORDER))
    payment = await provider.query_status(action.ref)
    assert payment.state is PaymentState.AUTHORIZED
    assert server.transactions[request.reference]["additional"] == {
        "PSU": {"IP": "203.0.113.7", "userAgent": "Mozilla/5.0"}
    }


@pytest.mark.parametrize("code", ["123456", "77712", "7771234", "77712x", "٧٧٧١٢٣", ""])
async def test_a_wrong_blik_code_is_a_permanent_error(provider, code) -> None:
    request = msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code=code)

    with pytest.raises(PaymentError) as refused:
        await provider.create_payment(request)
    assert refused.value.permanent


async def test_a_transfer_has_instructions_with_its_title(server, provider) -> None:
    request = sample_request(PaymentMethod.TRANSFER)
    action = await provider.create_payment(request)

    assert action.transfer == TransferInstructions(
        title=f"p24-{FIRST_ORDER}", iban="61109010140000071219812874", owner="PayPro SA",
        address="ul. Pastelowa 8, Poznań",
    )  # fmt: skip
    assert (action.url, action.expires_in_seconds) == (None, None)
    assert server.transactions[request.reference]["timeLimit"] == 0


async def test_services_that_are_not_enabled_are_not_offered(server) -> None:
    provider = payment_providers(provider_environment(URL=server.url))[0]

    assert provider.capabilities.methods == {PaymentMethod.PRZELEWY24, PaymentMethod.BLIK}
    assert not provider.capabilities.accepts_blik_codes
    for request in (
        sample_request(PaymentMethod.TRANSFER), sample_request(PaymentMethod.CARD),
        msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="777123"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not offered in this way"):
            await provider.create_payment(request)
    assert server.calls == 0


async def test_a_long_email_is_a_permanent_error(server, provider) -> None:
    request = sample_request(PaymentMethod.BLIK)
    payer = msgspec.structs.replace(request.payer, email=f"{'a' * 45}@acme.test")

    with pytest.raises(PaymentError) as refused:
        await provider.create_payment(msgspec.structs.replace(request, payer=payer))
    assert refused.value.permanent
    assert server.calls == 0


@pytest.mark.parametrize(
    ("down", "remaining"),
    [
        ((), {PaymentMethod.PRZELEWY24, PaymentMethod.BLIK, PaymentMethod.TRANSFER}),
        (("Blik",), {PaymentMethod.PRZELEWY24, PaymentMethod.TRANSFER}),
        (("Blik", "TraditionalTransfer", "FastTransfers"), set()),
    ],
)
async def test_inactive_methods_are_not_available(server, provider, down, remaining) -> None:
    for method in server.methods:
        method["status"] = method["group"] not in down

    assert await provider.available_methods(PRICE) == remaining


@pytest.mark.parametrize("amount", [1, 18326, 18328])
async def test_a_wrong_amount_is_never_verified(server, provider, amount) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.PRZELEWY24))
    event = provider.parse_webhook(await server.pay(action, amount))

    lying = msgspec.structs.replace(event, money=PRICE, requested_money=PRICE)

    for claim in (event, lying):
        captured = await provider.capture(claim, expected=PRICE)
        assert (captured.state, captured.money) == (PaymentState.AUTHORIZED, Money(amount))
    assert not [exchange for exchange in server.exchanges if exchange.path.endswith("/verify")]


@pytest.mark.parametrize("field", ["money", "requested_money"])
async def test_an_event_of_another_amount_verifies_nothing(server, provider, field) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.PRZELEWY24))
    event = provider.parse_webhook(await server.pay(action))
    mismatched = msgspec.structs.replace(event, **{field: Money(1)})

    assert (await provider.capture(mismatched, expected=PRICE)).state is PaymentState.AUTHORIZED
    assert server.verified_sessions == []


async def test_an_event_about_a_refund_verifies_nothing(server, provider) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.PRZELEWY24))
    event = provider.parse_webhook(await server.pay(action))
    mismatched = msgspec.structs.replace(event, kind=PaymentEventKind.REFUNDED)

    assert (await provider.capture(mismatched, expected=PRICE)).state is PaymentState.AUTHORIZED


async def test_a_payment_is_verified_once(server, provider) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )
    for _ in range(3):
        await provider.capture(event, expected=PRICE)

    assert server.verified_sessions == [event.ref.reference]


async def test_a_concurrent_verification_is_found(server, provider) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )

    def too_late(body: dict) -> tuple[int, dict]:
        server.transactions[event.ref.reference]["status"] = 2
        return 400, {"error": "Invalid input data", "code": 400}

    server.verify_transaction = too_late

    assert (await provider.capture(event, expected=PRICE)).state is PaymentState.PAID


async def test_a_refused_verification_is_an_error(server, provider) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )
    server.verify_transaction = lambda _: (400, {"error": "Invalid input data", "code": 400})

    with pytest.raises(Przelewy24RequestError):
        await provider.capture(event, expected=PRICE)


@pytest.mark.parametrize(
    ("status", "state"),
    [(0, PaymentState.OPEN), (1, PaymentState.AUTHORIZED), (2, PaymentState.PAID),
     (3, PaymentState.REFUNDED)],
)  # fmt: skip
async def test_each_status_is_translated(server, provider, status, state) -> None:
    action = await provider.create_payment(sample_request(PaymentMethod.BLIK))
    server.transactions[action.ref.reference]["status"] = status

    assert (await provider.query_status(action.ref)).state is state


@pytest.mark.parametrize(
    ("status", "kind"), [(0, PaymentEventKind.REFUNDED), (1, PaymentEventKind.REFUND_FAILED)]
)
async def test_a_refund_webhook_names_our_reference(provider, status, kind) -> None:
    event = provider.parse_webhook(refund_webhook(status=status))

    assert (event.kind, event.refund_reference, event.money) == (kind, "r1", Money(100))
    assert event.event_id == f"refund:r1:{status}"
    assert event.ref == PaymentRef("k1", str(FIRST_ORDER))


@pytest.mark.parametrize(
    ("status", "state"),
    [(1, RefundState.SUCCEEDED), (2, RefundState.PENDING), (3, RefundState.PENDING),
     (4, RefundState.FAILED)],
)  # fmt: skip
async def test_a_repeated_refund_returns_its_state(server, provider, status, state) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )
    await provider.capture(event, expected=PRICE)
    key = uuid4().hex
    ref = PaymentRef(event.ref.reference)  # its order number is queried
    assert (await provider.refund(ref, PRICE, refund_reference=key)).state is RefundState.PENDING
    server.refund_requests[key]["status"] = status

    assert (await provider.refund(ref, PRICE, refund_reference=key)).state is state
    assert server.refunded_amount(ref) == PRICE.grosze


async def test_a_refund_whose_response_was_lost_is_made_once(server, provider) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )
    await provider.capture(event, expected=PRICE)
    server.drops_responses = True
    with pytest.raises(PaymentError):
        await provider.refund(event.ref, PRICE, refund_reference="r1")
    server.recover()

    assert (
        await provider.refund(event.ref, PRICE, refund_reference="r1")
    ).state is RefundState.PENDING
    assert server.refunded_amount(event.ref) == PRICE.grosze


async def test_a_blik_payment_whose_response_was_lost_is_found(server, provider) -> None:
    request = msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="777123")
    charge = server.charge_blik

    def lose_response(body: dict) -> tuple[int, dict]:
        server.drops_responses = True
        return charge(body)

    server.charge_blik = lose_response
    with pytest.raises(PaymentError) as failed:
        await provider.create_payment(request)
    server.recover()

    assert not failed.value.permanent
    assert (
        await provider.query_status(PaymentRef(request.reference))
    ).state is PaymentState.AUTHORIZED


async def test_an_insufficient_balance_is_an_account_error(server, provider) -> None:
    event = provider.parse_webhook(
        await server.pay(await provider.create_payment(sample_request(PaymentMethod.BLIK)))
    )
    await provider.capture(event, expected=PRICE)
    server.balance = 0

    with pytest.raises(ProviderAccountError, match="Insufficient funds"):
        await provider.refund(event.ref, PRICE, refund_reference=uuid4().hex)


async def test_a_wrong_crc_is_an_account_error(server) -> None:
    provider = create_provider(server, CRC="another")

    with pytest.raises(ProviderAccountError, match="CRC"):
        await provider.create_payment(sample_request(PaymentMethod.BLIK))
    await provider.close()


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (200, "", PaymentError),
        (200, "null", PaymentError),
        (200, "{}", PaymentError),
        (200, {"data": None}, PaymentError),
        (200, {"data": {}}, PaymentError),
        (
            200,
            {"data": {"sessionId": "another", "status": 2, "amount": 1, "currency": "PLN"}},
            PaymentError,
        ),
        (
            200,
            {"data": {"sessionId": "k1", "status": 9, "amount": 1, "currency": "PLN"}},
            PaymentError,
        ),
        (
            200,
            {"data": {"sessionId": "k1", "status": 1, "amount": 1, "currency": "PLN"}},
            PaymentError,
        ),
        (
            200,
            {"data": {"sessionId": "k1", "status": 2, "amount": 0, "currency": "PLN"}},
            PaymentError,
        ),
        (302, "", PaymentError),
        (400, {"error": "Invalid input data"}, Przelewy24RequestError),
        (401, "<html>", ProviderAccountError),
        (403, "", ProviderAccountError),
        (404, "<html>", PaymentError),
        (404, {"error": "Wrong path"}, PaymentError),
        (429, "", PaymentError),
        (500, {"error": "Unknown error"}, PaymentError),
    ],
)
async def test_an_incomplete_or_unexpected_response_is_an_error(
    server, provider, status, body, expected
) -> None:
    server.respond_with(status, body if isinstance(body, str) and body else (body or " "))

    with pytest.raises(expected) as refused:
        await provider.query_status(PaymentRef("k1"))
    assert not getattr(refused.value, "permanent", False)


async def test_a_malformed_token_is_an_error(server, provider) -> None:
    server.respond_with(200, {"data": {"token": "../../@evil.example"}})

    with pytest.raises(PaymentError, match="cannot be parsed"):
        await provider.create_payment(sample_request(PaymentMethod.PRZELEWY24))


def test_it_is_absent_without_settings() -> None:
    assert payment_providers(Environment({})) == []


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"KEY": ""}, "KEY"), ({"CRC": ""}, "CRC"), ({"EVENTS": ""}, "EVENTS"),
        ({"MERCHANT": "shop"}, "MERCHANT"), ({"MERCHANT": "0"}, "MERCHANT"),
        ({"URL": "http://p24.example"}, "URL"),
        ({"EVENTS": EVENTS_URL.replace("https", "http")}, "EVENTS"),
        ({"EVENTS": EVENTS_URL.replace("przelewy24", "stripe")}, "EVENTS"),
        ({"EVENTS": "http://[::1"}, "EVENTS"),
    ],
)  # fmt: skip
def test_an_incomplete_configuration_names_the_variable(settings, variable) -> None:
    with pytest.raises(SettingsError) as refused:
        payment_providers(provider_environment(**settings))
    assert refused.value.variable == f"{PREFIX}_{variable}"


def resolve_refs(part: object, document: dict) -> object:
    """A part of the description with what it refers to put in."""
    if isinstance(part, list):
        return [resolve_refs(item, document) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        node: object = document
        for name in part["$ref"].split("/")[1:]:
            node = node[name]
        return resolve_refs(node, document)
    return {name: resolve_refs(value, document) for name, value in part.items()}


def schema_of(holder: dict) -> dict:
    schema = holder["content"]["application/json"]["schema"]
    # Its one slip: `ttl` is required of a transaction and is no property of it.
    required = [name for name in schema.get("required", []) if name != "ttl"]
    return {**schema, **({"required": required} if required else {})}


async def test_every_request_matches_przelewy24s_description(server, provider) -> None:
    document = yaml.safe_load(require_peer_spec("przelewy24-openapi.yml").read_text())
    requests = [
        sample_request(PaymentMethod.PRZELEWY24),
        sample_request(PaymentMethod.BLIK),
        sample_request(PaymentMethod.TRANSFER),
        msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="777123"),
        msgspec.structs.replace(sample_request(PaymentMethod.BLIK), blik_code="111111"),
    ]
    redirects = [await provider.create_payment(request) for request in requests[:-1]]
    with pytest.raises(PaymentError):
        await provider.create_payment(requests[-1])
    event = provider.parse_webhook(await server.pay(redirects[0]))
    await provider.capture(event, expected=PRICE)
    key = uuid4().hex
    for amount in (Money(100), Money(100), Money(10**6)):
        await provider.refund(
            event.ref, amount, refund_reference=key if amount == Money(100) else uuid4().hex
        )
    await provider.available_methods(PRICE)
    await provider.query_status(PaymentRef("unknown"))

    assert (
        len(
            {
                (exchange.method, exchange.status, exchange.path[:30])
                for exchange in server.exchanges
            }
        )
        >= 10
    )
    for exchange in server.exchanges:
        path, described = find_description(document, exchange)
        if exchange.body is not None:
            schema = schema_of(described["requestBody"])
            jsonschema_rs.validator_for(schema).validate(exchange.body)
            assert set(exchange.body) <= set(schema["properties"]), path
        answer = described["responses"][str(exchange.status)]
        jsonschema_rs.validator_for(schema_of(answer)).validate(exchange.answer)


def find_description(document: dict, exchange) -> tuple[str, dict]:
    """The description of a call."""
    for path, methods in document["paths"].items():
        pattern = path.partition("?")[0].split("/")
        given_path = exchange.path.split("/")
        if len(pattern) == len(given_path) and exchange.method.lower() in methods and all(
            theirs == ours or theirs.startswith("{")
            for theirs, ours in zip(pattern, given_path, strict=True)
        ):  # fmt: skip
            return path, resolve_refs(methods[exchange.method.lower()], document)
    raise AssertionError(f"{exchange.method} {exchange.path} is not described")
