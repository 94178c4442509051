"""The contracts catch registers and payment providers that quote a person or a secret."""

import logging

import pytest

from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import LicenceQuery, RegisterError, RegisterErrorKind
from prawko.hooks.payments import PaymentError, PaymentMethod
from prawko_testing.fake_payments import FakePaymentProvider
from prawko_testing.fakes import FakeRegister, licence_answer
from prawko_testing.provider_contract import sample_request
from prawko_testing.register_contract import RemoteRegisterContract
from prawko_testing.status_query_contract import RemotePaymentProviderContract

pytestmark = pytest.mark.anyio

DRIVER = LicenceQuery("Łucja", "Gżegżółka", "AA123456")
OTHER = LicenceQuery("Jan", "Żółkiewski", "BB654321")
REGISTERS = RemoteRegisterContract()
PROVIDERS = RemotePaymentProviderContract()
PAYER = sample_request(PaymentMethod.CARD).payer
KEYS = ("sk_live_x",)
LOG = logging.getLogger("vendor")


@pytest.fixture(autouse=True)
def log_of_operators(caplog: pytest.LogCaptureFixture) -> None:
    """Capture what the contracts do: their tests are called without their fixtures here."""
    caplog.set_level(logging.INFO)


def refuse(register: FakeRegister, kind: RegisterErrorKind, text: str) -> None:
    """Answer each query with an error of this text."""

    def raise_error(query: LicenceQuery) -> None:
        raise RegisterError(kind, text.format(number=query.number, name=query.last_name))

    register.default_answer = raise_error


async def be_away(text: str, register: FakeRegister, caplog: pytest.LogCaptureFixture) -> None:
    refuse(register, RegisterErrorKind.UNAVAILABLE, text)
    await REGISTERS.test_a_register_that_is_away_says_nothing_about_a_driver(
        register, DRIVER, OTHER, caplog
    )


async def confuse_documents(
    text: str, register: FakeRegister, caplog: pytest.LogCaptureFixture
) -> None:
    refuse(register, RegisterErrorKind.INVALID_RESPONSE, text)
    await REGISTERS.test_an_answer_about_another_document_is_invalid(register, OTHER, caplog)


async def test_a_state_needs_no_code_and_an_assertion_shows_what_came() -> None:
    register = FakeRegister()
    register.default_answer = lambda _: licence_answer(DRIVER.number, code=None)
    await REGISTERS.test_an_issued_document_reads_as_issued(register, DRIVER)

    register.default_answer = lambda _: licence_answer(DRIVER.number, "OK")
    with pytest.raises(AssertionError, match="assert 'OK' == 'Wydany'"):
        await REGISTERS.test_an_issued_document_reads_as_issued(register, DRIVER)


@pytest.mark.parametrize(
    "quoted", ["nobody knows {number}", "{name} is away"], ids=["number", "name"]
)
@pytest.mark.parametrize("run", [be_away, confuse_documents], ids=["away", "another-document"])
async def test_a_register_that_quotes_the_driver_in_an_error_is_caught(run, quoted, caplog) -> None:
    register = FakeRegister()
    await run("the server answered 503", register, caplog)
    with pytest.raises(AssertionError, match="the error's text contains"):
        await run(quoted, register, caplog)


async def test_a_register_that_quotes_the_driver_after_a_failure_is_caught(caplog, request) -> None:
    register = FakeRegister()

    class Request:
        def getfixturevalue(self, name: str) -> LicenceQuery:
            return DRIVER

    async def run(text: str) -> None:
        await REGISTERS.test_each_failure_raises_its_kind_of_error(
            "http_503", "issued", warm=False, register=register, request=Request(), caplog=caplog,
            inject_failure=lambda _: refuse(register, RegisterErrorKind.UNAVAILABLE, text),
        )  # fmt: skip

    await run("503")
    with pytest.raises(AssertionError, match="the error's text contains"):
        await run("503 at /licences/{number}")


async def test_a_register_that_logs_the_driver_is_caught(caplog) -> None:
    register = FakeRegister()
    await REGISTERS.test_the_log_names_no_driver(register, DRIVER, OTHER, caplog)
    register.before_answer = lambda query: LOG.info("GET /licences/%s", query.number)

    with pytest.raises(AssertionError, match="the log contains"):
        await REGISTERS.test_the_log_names_no_driver(register, DRIVER, OTHER, caplog)


@pytest.mark.parametrize("quoted", [PAYER.email, PAYER.name, KEYS[0]], ids=["email", "name", "key"])
@pytest.mark.parametrize(
    ("test", "failure"),
    [
        (PROVIDERS.test_a_refused_account_is_an_account_error, ProviderAccountError),
        (PROVIDERS.test_a_call_without_a_response_ends_at_the_deadline, PaymentError),
        (PROVIDERS.test_an_unreachable_server_is_a_temporary_error, PaymentError),
    ],
    ids=["refused", "no-response", "unreachable"],
)
async def test_a_payment_provider_that_quotes_the_payer_or_a_key_is_caught(
    test, failure, quoted, caplog
) -> None:
    provider = FakePaymentProvider()
    provider.failure = failure("the server refused us")
    await test(provider, KEYS, caplog)
    provider.failure = failure(f"refused: {quoted}")
    with pytest.raises(AssertionError, match="the error's text contains"):
        await test(provider, KEYS, caplog)


async def test_a_payment_provider_that_logs_the_payer_is_caught(caplog, monkeypatch) -> None:
    provider, create = FakePaymentProvider(), FakePaymentProvider.create_payment
    test = PROVIDERS.test_the_log_names_no_payer
    await test(provider, PaymentMethod.CARD, (), caplog)

    async def log_and_create(self, request):
        LOG.info("payer %s", request.payer)
        return await create(self, request)

    monkeypatch.setattr(FakePaymentProvider, "create_payment", log_and_create)
    with pytest.raises(AssertionError, match="the log contains"):
        await test(provider, PaymentMethod.CARD, (), caplog)
