"""The SMTP channel, against a mail server on a real socket."""

import asyncio
import itertools
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from prawko.hooks.channels import DeliveryError, Message, Recipient
from prawko.hooks.environment import Environment, SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko_channel_smtp import SmtpChannel, channels
from prawko_testing.channel_contract import RemoteChannelContract, sample_message
from support.servers.mail import FakeMailServer, serve_protocol

ANNA = Recipient(email="anna@acme.test", phone=None)
NOBODY = Recipient(email="nobody@acme.test", phone=None)
SENDER = "Prawko <powiadomienia@prawko.test>"

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def quiet_server() -> None:
    """The server of these tests logs addresses, and is no part of the plugin."""
    logging.getLogger("mail.log").setLevel(logging.WARNING)


@pytest.fixture
async def server() -> AsyncIterator[FakeMailServer]:
    new_server = FakeMailServer()
    async with new_server.serve():
        yield new_server


def create_channel(port: int, **settings: str) -> SmtpChannel:
    variables = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "TLS": "none",
        "SENDER": SENDER,
        **settings,
    }
    [channel] = channels(
        Environment({f"CHANNEL_SMTP_{name}": value for name, value in variables.items()})
    )
    return channel


class _SilentProtocol(asyncio.Protocol):
    """Accepts connections and sends nothing."""


class _SlowProtocol(asyncio.Protocol):
    """Sends a greeting that never ends, five characters a second."""

    def connection_made(self, transport) -> None:
        self._task = asyncio.create_task(self._drip(transport))

    def connection_lost(self, exc) -> None:
        self._task.cancel()

    async def _drip(self, transport) -> None:
        for byte in itertools.chain(b"220 mail.test", itertools.repeat(ord(" "))):
            transport.write(bytes([byte]))
            await asyncio.sleep(0.2)


class TestContract(RemoteChannelContract):
    """The contract of every channel that talks to a server."""

    @pytest.fixture
    def received(self, server: FakeMailServer) -> Callable[[], str]:
        return lambda: "".join(
            part.get_content() for mail in server.mails for part in mail.iter_parts()
        )

    @pytest.fixture
    def secrets(self) -> tuple[str, ...]:
        return ()

    @pytest.fixture
    def channel(self, server: FakeMailServer) -> SmtpChannel:
        return create_channel(server.port)

    @pytest.fixture
    def recipient(self) -> Recipient:
        return ANNA

    @pytest.fixture
    def rejected_recipient(self) -> Recipient:
        return NOBODY

    @pytest.fixture
    def unreachable_channel(self, server: FakeMailServer) -> SmtpChannel:
        server.sender_reply = "451 4.3.0 try again later"
        return create_channel(server.port)

    @pytest.fixture
    def unauthorized_channel(self, server: FakeMailServer) -> SmtpChannel:
        server.sender_reply = "550 5.7.1 sender not allowed"
        return create_channel(server.port)

    @pytest.fixture
    async def unresponsive_channel(self, monkeypatch) -> AsyncIterator[SmtpChannel]:
        monkeypatch.setattr("prawko_channel_smtp.channel.DEADLINE_SECONDS", 0.5)
        async with serve_protocol(_SilentProtocol) as port:
            yield create_channel(port)


async def test_a_mail_has_text_and_html_and_returns_the_reference(server) -> None:
    reference = await create_channel(server.port).send(sample_message(), ANNA, idempotency_key="k")

    [mail] = server.mails
    assert reference == "2.0.0 Ok: queued as 4F2A"
    assert mail["Subject"] == sample_message().subject
    assert mail["From"] == SENDER
    assert mail["To"] == "anna@acme.test"
    assert mail["Auto-Submitted"] == "auto-generated"
    text, html = mail.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert text.get_content().splitlines() == sample_message().text.splitlines()
    assert html.get_content_type() == "text/html"
    assert html.get_content().splitlines() == sample_message().html.splitlines()
    assert text.get_content_charset() == html.get_content_charset() == "utf-8"
    [envelope] = server.envelopes
    assert envelope.mail_from == "powiadomienia@prawko.test"
    assert max(len(line) for line in envelope.content.splitlines()) <= 998


async def test_a_check_connects_and_sends_nothing(server) -> None:
    assert await create_channel(server.port).check() == "connected"
    assert server.mails == []

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        with pytest.raises(DeliveryError, match="the connection failed"):
            await create_channel(probe.getsockname()[1]).check()


async def test_the_message_id_depends_on_the_idempotency_key(server) -> None:
    channel = create_channel(server.port)
    for key in ("one", "one", "two"):
        await channel.send(sample_message(), ANNA, idempotency_key=key)

    first, repeated, other = (mail["Message-ID"] for mail in server.mails)
    assert first == repeated != other
    assert first.endswith("@prawko.test>")


async def test_line_breaks_add_no_header(server) -> None:
    injected = Message(subject="Tytuł\r\nBcc: all@rival.test", text="x", html="x", sms_text="x")

    await create_channel(server.port).send(injected, ANNA, idempotency_key="k")

    [mail] = server.mails
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Tytuł Bcc: all@rival.test"
    assert server.envelopes[0].rcpt_tos == ["anna@acme.test"]


@pytest.mark.parametrize(
    "address",
    ["anna@acme.test\r\nRCPT TO:<x@y.test>", "anna", "a b@c.test", "=?x?q?a?=@c.test"],
)
async def test_a_malformed_address_is_a_permanent_error(server, address) -> None:
    with pytest.raises(DeliveryError) as refused:
        await create_channel(server.port).send(
            sample_message(), Recipient(email=address, phone=None), idempotency_key="k"
        )

    assert refused.value.permanent
    assert server.envelopes == []


TRANSIENT, PERMANENT, ACCOUNT_ERROR = "again", "never", "account"


@pytest.mark.parametrize(
    ("stage", "answer", "meaning"),
    [
        ("recipient", "450 4.2.0 greylisted", TRANSIENT),
        ("recipient", "452 4.2.2 mailbox full", TRANSIENT),
        ("recipient", "550 5.1.1 user unknown", PERMANENT),
        ("recipient", "550 no such user", PERMANENT),
        ("recipient", "553 5.1.3 bad address", PERMANENT),
        ("recipient", "554 5.7.1 Relay access denied", ACCOUNT_ERROR),
        ("recipient", "550 relaying denied", ACCOUNT_ERROR),
        ("recipient", "530 5.7.0 Must authenticate first", ACCOUNT_ERROR),
        ("recipient", "530 log in first", ACCOUNT_ERROR),
        ("recipient", "535 5.7.8 bad credentials", ACCOUNT_ERROR),
        ("recipient", "553 5.7.1 relaying denied", ACCOUNT_ERROR),
        ("recipient", "550 5.7.1 Unable to relay for anna@acme.test", ACCOUNT_ERROR),
        ("recipient", "554 <anna@acme.test>: Relay access denied.", ACCOUNT_ERROR),
        ("recipient", "550 not authenticated", ACCOUNT_ERROR),
        ("recipient", "550 5.1.1 no such user at relay.example.com", PERMANENT),
        ("recipient", "550 5.1.1 no such user, will not relay", PERMANENT),
        ("recipient", "550 5.2.1 mailbox disabled, the relay says", PERMANENT),
        ("recipient", "550 no such user at relay.example.com", PERMANENT),
        ("recipient", "550 5.7.1 refused by mx-relay.example.com", PERMANENT),
        ("recipient", "550 <relay@acme.test> is unknown", PERMANENT),
        ("recipient", "550 5.7.1 this mailbox takes no mail from outside", PERMANENT),
        ("recipient", "551 user not local, the relay says", PERMANENT),
        ("sender", "451 4.1.8 try later", TRANSIENT),
        ("sender", "530 5.7.0 Authentication required", ACCOUNT_ERROR),
        ("sender", "553 5.7.1 sender address rejected", ACCOUNT_ERROR),
        ("data", "421 4.3.2 shutting down", TRANSIENT),
        ("data", "451 4.7.1 later", TRANSIENT),
        ("data", "554 5.7.1 looks like spam", TRANSIENT),
        ("data", "550 5.1.1 user unknown", PERMANENT),
        ("data", "552 5.2.2 mailbox full", PERMANENT),
    ],
)
async def test_each_error_response_has_its_error(server, stage, answer, meaning) -> None:
    if stage == "recipient":
        server.recipient_replies["anna@acme.test"] = answer
    elif stage == "sender":
        server.sender_reply = answer
    else:
        server.data_reply = answer

    with pytest.raises((DeliveryError, ProviderAccountError)) as failed:
        await create_channel(server.port).send(sample_message(), ANNA, idempotency_key="k")

    error = failed.value
    reply = (
        ACCOUNT_ERROR
        if isinstance(error, ProviderAccountError)
        else PERMANENT
        if error.permanent
        else TRANSIENT
    )
    assert reply == meaning


async def test_a_refusal_does_not_quote_the_recipient(server) -> None:
    server.recipient_replies["anna@acme.test"] = "550 5.1.1 <Anna@ACME.test> is unknown"

    with pytest.raises(DeliveryError) as refused:
        await create_channel(server.port).send(sample_message(), ANNA, idempotency_key="k")

    assert str(refused.value) == "the server answered 550 5.1.1 <…> is unknown"


async def test_an_unreachable_server_is_temporary() -> None:
    async with serve_protocol(_SilentProtocol) as port:
        pass

    with pytest.raises(DeliveryError) as failed:
        await create_channel(port).send(sample_message(), ANNA, idempotency_key="k")

    assert not failed.value.permanent


async def test_a_slow_server_is_abandoned_at_the_deadline(monkeypatch) -> None:
    monkeypatch.setattr("prawko_channel_smtp.channel.DEADLINE_SECONDS", 0.7)
    async with serve_protocol(_SlowProtocol) as port, asyncio.timeout(6):
        with pytest.raises(DeliveryError):
            await create_channel(port).send(sample_message(), ANNA, idempotency_key="k")


async def test_a_server_that_disconnects_after_accepting_a_mail_has_accepted_it(server) -> None:
    async def hang_up(protocol, session, envelope, hostname="") -> str:
        protocol.transport.abort()
        return "221 bye"

    server.handle_QUIT = hang_up

    assert await create_channel(server.port).send(sample_message(), ANNA, idempotency_key="k")
    assert len(server.envelopes) == 1


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, str]:
    """A server's context for one name, and the file a client trusts it by."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    try:
        names: list[x509.GeneralName] = [x509.IPAddress(ip_address(name))]
    except ValueError:
        names = [x509.DNSName(name)]
    created = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    public = folder / f"{name}.pem"
    private = folder / f"{name}.key"
    public.write_bytes(created.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context, str(public)


def authenticate(server, session, envelope, mechanism, data) -> AuthResult:
    is_correct = isinstance(data, LoginPassword) and data.password == b"correct"
    return AuthResult(success=is_correct, handled=False)


def tls_login_server(seen: FakeMailServer, context: ssl.SSLContext) -> Callable[[], SMTP]:
    return lambda: SMTP(
        seen,
        hostname="mail.test",
        tls_context=context,
        require_starttls=True,
        authenticator=authenticate,
        auth_required=True,
    )


async def test_a_mail_is_sent_by_starttls_with_a_login(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    server = FakeMailServer()
    async with serve_protocol(tls_login_server(server, context)) as port:
        channel = create_channel(
            port, TLS="starttls", CA_FILE=trusted, USERNAME="prawko", PASSWORD="correct"
        )
        await channel.send(sample_message(), ANNA, idempotency_key="k")

    assert len(server.envelopes) == 1


async def test_a_mail_is_sent_by_implicit_tls(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    server = FakeMailServer()
    async with serve_protocol(lambda: SMTP(server, hostname="mail.test"), ssl=context) as port:
        await create_channel(port, TLS="tls", CA_FILE=trusted).send(
            sample_message(), ANNA, idempotency_key="k"
        )

    assert len(server.envelopes) == 1


async def test_a_refused_login_is_an_account_error(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    server = FakeMailServer()
    async with serve_protocol(tls_login_server(server, context)) as port:
        channel = create_channel(
            port, TLS="starttls", CA_FILE=trusted, USERNAME="prawko", PASSWORD="wrong"
        )
        with pytest.raises(ProviderAccountError) as refused:
            await channel.send(sample_message(), ANNA, idempotency_key="k")

    assert "wrong" not in str(refused.value)
    assert server.envelopes == []


@pytest.mark.parametrize("tls", ["starttls", "tls"])
@pytest.mark.parametrize("problem", ["another name", "nobody vouches"])
async def test_an_untrusted_certificate_is_an_account_error(tmp_path, tls, problem) -> None:
    name = "mail.rival.test" if problem == "another name" else "127.0.0.1"
    context, trusted = certificate(tmp_path, name)
    if problem == "nobody vouches":
        _, trusted = certificate(tmp_path, "other.test")
    server = FakeMailServer()
    options = {"ssl": context} if tls == "tls" else {}
    factory = tls_login_server(server, context) if tls == "starttls" else lambda: SMTP(server)
    async with serve_protocol(factory, **options) as port:
        with pytest.raises(ProviderAccountError, match="certificate"):
            await create_channel(port, TLS=tls, CA_FILE=trusted).send(
                sample_message(), ANNA, idempotency_key="k"
            )

    assert server.envelopes == []


async def test_no_mail_is_sent_to_a_server_without_starttls(server) -> None:
    with pytest.raises(ProviderAccountError):
        await create_channel(server.port, TLS="starttls").send(
            sample_message(), ANNA, idempotency_key="k"
        )

    assert server.envelopes == []


def test_it_is_absent_without_settings() -> None:
    assert channels(Environment({"CHANNEL_SMTP_HOST": ""})) == []


@pytest.mark.parametrize(
    ("variables", "variable"),
    [
        ({"HOST": "mail.test"}, "SENDER"),
        ({"SENDER": SENDER}, "HOST"),
        ({"HOST": "mail.test", "SENDER": "Prawko"}, "SENDER"),
        ({"HOST": "mail.test", "SENDER": SENDER, "TLS": "none"}, "TLS"),
        ({"HOST": "mail.test", "SENDER": SENDER, "TLS": "maybe"}, "TLS"),
        ({"HOST": "mail.test", "SENDER": SENDER, "PORT": "many"}, "PORT"),
        ({"HOST": "mail.test", "SENDER": SENDER, "USERNAME": "prawko"}, "PASSWORD"),
        ({"HOST": "mail.test", "SENDER": SENDER, "PASSWORD": "secret"}, "USERNAME"),
        ({"HOST": "mail.test", "SENDER": SENDER, "CA_FILE": "/no/such/file"}, "CA_FILE"),
    ],
)
def test_an_incomplete_configuration_names_the_variable(variables, variable) -> None:
    environment = {f"CHANNEL_SMTP_{name}": value for name, value in variables.items()}

    with pytest.raises(SettingsError) as refused:
        channels(Environment(environment))

    assert refused.value.variable == f"CHANNEL_SMTP_{variable}"
    assert "secret" not in str(refused.value)
