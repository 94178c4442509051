"""The SMTP channel keeps every promise of a channel, against a mail server on a real socket."""

import asyncio
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

from mail_server import Server, listening
from prawko.hooks.channels import DeliveryError, Notice, Recipient
from prawko.hooks.environment import Environment, SettingError
from prawko.hooks.failures import AccountError
from prawko.testing.channel_contract import RemoteChannelContract, notice
from prawko_channel_smtp import SmtpChannel, channels

ANNA = Recipient(email="anna@acme.test", phone=None)
NOBODY = Recipient(email="nobody@acme.test", phone=None)
SENDER = "Prawko <powiadomienia@prawko.test>"

pytestmark = pytest.mark.anyio


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    seen = Server()
    async with seen.listening():
        yield seen


def channel_to(port: int, **settings: str) -> SmtpChannel:
    given = {"HOST": "127.0.0.1", "PORT": str(port), "TLS": "none", "SENDER": SENDER, **settings}
    [channel] = channels(Environment({f"CHANNEL_SMTP_{name}": v for name, v in given.items()}))
    return channel


class _Silent(asyncio.Protocol):
    """Takes the call and says nothing."""


class _Slow(asyncio.Protocol):
    """Says a letter a second."""

    def connection_made(self, transport) -> None:
        self._task = asyncio.create_task(self._drip(transport))

    def connection_lost(self, exc) -> None:
        self._task.cancel()

    async def _drip(self, transport) -> None:
        for letter in b"220 mail.test, and then a great deal more":
            transport.write(bytes([letter]))
            await asyncio.sleep(0.2)


class TestContract(RemoteChannelContract):
    """The promises."""

    @pytest.fixture
    def channel(self, server: Server) -> SmtpChannel:
        return channel_to(server.port)

    @pytest.fixture
    def recipient(self) -> Recipient:
        return ANNA

    @pytest.fixture
    def rejected(self) -> Recipient:
        return NOBODY

    @pytest.fixture
    def broken_channel(self, server: Server) -> SmtpChannel:
        server.to_sender = "451 4.3.0 try again later"
        return channel_to(server.port)

    @pytest.fixture
    def refusing_channel(self, server: Server) -> SmtpChannel:
        server.to_sender = "550 5.7.1 sender not allowed"
        return channel_to(server.port)

    @pytest.fixture
    async def silent_channel(self) -> AsyncIterator[SmtpChannel]:
        async with listening(_Silent) as port:
            yield channel_to(port, DEADLINE="0.5")


async def test_a_mail_carries_text_and_html_and_the_reference_comes_back(server) -> None:
    reference = await channel_to(server.port).deliver(notice(), ANNA, key="k")

    [mail] = server.mails
    assert reference == "2.0.0 Ok: queued as 4F2A"
    assert mail["Subject"] == notice().title
    assert mail["From"] == SENDER
    assert mail["To"] == "anna@acme.test"
    assert mail["Auto-Submitted"] == "auto-generated"
    text, html = mail.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert text.get_content().splitlines() == notice().text.splitlines()
    assert html.get_content_type() == "text/html"
    assert html.get_content().splitlines() == notice().html.splitlines()
    assert text.get_content_charset() == html.get_content_charset() == "utf-8"
    [envelope] = server.envelopes
    assert envelope.mail_from == "powiadomienia@prawko.test"
    assert max(len(line) for line in envelope.content.splitlines()) <= 998


async def test_a_retry_carries_the_same_message_id_and_another_key_another(server) -> None:
    channel = channel_to(server.port)
    for key in ("one", "one", "two"):
        await channel.deliver(notice(), ANNA, key=key)

    first, again, other = (mail["Message-ID"] for mail in server.mails)
    assert first == again != other
    assert first.endswith("@prawko.test>")


async def test_line_breaks_add_no_header(server) -> None:
    crafty = Notice(title="Tytuł\r\nBcc: all@rival.test", text="x", html="x", line="x")

    await channel_to(server.port).deliver(crafty, ANNA, key="k")

    [mail] = server.mails
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Tytuł Bcc: all@rival.test"
    assert server.envelopes[0].rcpt_tos == ["anna@acme.test"]


@pytest.mark.parametrize("address", ["anna@acme.test\r\nRCPT TO:<x@y.test>", "anna", "a b@c.test"])
async def test_what_is_no_address_is_never_sent(server, address) -> None:
    with pytest.raises(DeliveryError) as refused:
        await channel_to(server.port).deliver(
            notice(), Recipient(email=address, phone=None), key="k"
        )

    assert refused.value.permanent
    assert server.envelopes == []


AGAIN, NEVER, ACCOUNT = "again", "never", "account"


@pytest.mark.parametrize(
    ("stage", "answer", "meaning"),
    [
        ("recipient", "450 4.2.0 greylisted", AGAIN),
        ("recipient", "452 4.2.2 mailbox full", AGAIN),
        ("recipient", "550 5.1.1 user unknown", NEVER),
        ("recipient", "550 no such user", NEVER),
        ("recipient", "553 5.1.3 bad address", NEVER),
        ("recipient", "554 5.7.1 Relay access denied", ACCOUNT),
        ("recipient", "550 relaying denied", ACCOUNT),
        ("recipient", "530 5.7.0 Must authenticate first", ACCOUNT),
        ("recipient", "530 log in first", ACCOUNT),
        ("recipient", "535 5.7.8 bad credentials", ACCOUNT),
        ("recipient", "553 5.7.1 relaying denied", ACCOUNT),
        ("recipient", "550 5.7.1 Unable to relay for anna@acme.test", ACCOUNT),
        ("recipient", "554 <anna@acme.test>: Relay access denied.", ACCOUNT),
        ("recipient", "550 not authenticated", ACCOUNT),
        ("recipient", "550 5.1.1 no such user at relay.example.com", NEVER),
        ("recipient", "550 5.1.1 no such user, will not relay", NEVER),
        ("recipient", "550 5.2.1 mailbox disabled, the relay says", NEVER),
        ("recipient", "550 no such user at relay.example.com", NEVER),
        ("recipient", "550 5.7.1 refused by mx-relay.example.com", NEVER),
        ("recipient", "550 <relay@acme.test> is unknown", NEVER),
        ("recipient", "550 5.7.1 this mailbox takes no mail from outside", NEVER),
        ("recipient", "551 user not local, the relay says", NEVER),
        ("sender", "451 4.1.8 try later", AGAIN),
        ("sender", "530 5.7.0 Authentication required", ACCOUNT),
        ("sender", "553 5.7.1 sender address rejected", ACCOUNT),
        ("data", "421 4.3.2 shutting down", AGAIN),
        ("data", "451 4.7.1 later", AGAIN),
        ("data", "554 5.7.1 looks like spam", AGAIN),
        ("data", "550 5.1.1 user unknown", NEVER),
        ("data", "552 5.2.2 mailbox full", NEVER),
    ],
)
async def test_each_refusal_has_its_word(server, stage, answer, meaning) -> None:
    if stage == "recipient":
        server.to_recipient["anna@acme.test"] = answer
    elif stage == "sender":
        server.to_sender = answer
    else:
        server.to_data = answer

    with pytest.raises((DeliveryError, AccountError)) as failed:
        await channel_to(server.port).deliver(notice(), ANNA, key="k")

    error = failed.value
    said = ACCOUNT if isinstance(error, AccountError) else NEVER if error.permanent else AGAIN
    assert said == meaning


async def test_a_server_that_is_not_there_is_tried_again() -> None:
    async with listening(_Silent) as port:
        pass

    with pytest.raises(DeliveryError) as failed:
        await channel_to(port).deliver(notice(), ANNA, key="k")

    assert not failed.value.permanent


async def test_a_server_that_drips_meets_the_one_deadline() -> None:
    loop = asyncio.get_running_loop()
    async with listening(_Slow) as port:
        began = loop.time()
        with pytest.raises(DeliveryError):
            await channel_to(port, DEADLINE="0.7").deliver(notice(), ANNA, key="k")

    assert loop.time() - began < 2.0


async def test_a_server_that_hangs_up_after_taking_the_mail_has_taken_it(server) -> None:
    async def hang_up(protocol, session, envelope, hostname="") -> str:
        protocol.transport.abort()
        return "221 bye"

    server.handle_QUIT = hang_up

    assert await channel_to(server.port).deliver(notice(), ANNA, key="k")
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
    made = (
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
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
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


def one_login(server, session, envelope, mechanism, data) -> AuthResult:
    fits = isinstance(data, LoginPassword) and data.password == b"correct"
    return AuthResult(success=fits, handled=False)


def protected(seen: Server, context: ssl.SSLContext) -> Callable[[], SMTP]:
    return lambda: SMTP(
        seen,
        hostname="mail.test",
        tls_context=context,
        require_starttls=True,
        authenticator=one_login,
        auth_required=True,
    )


async def test_starttls_and_login_protect_the_mail(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    seen = Server()
    async with listening(protected(seen, context)) as port:
        channel = channel_to(
            port, TLS="starttls", CA_FILE=trusted, USERNAME="prawko", PASSWORD="correct"
        )
        await channel.deliver(notice(), ANNA, key="k")

    assert len(seen.envelopes) == 1


async def test_tls_from_the_first_byte_works_too(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    seen = Server()
    async with listening(lambda: SMTP(seen, hostname="mail.test"), ssl=context) as port:
        await channel_to(port, TLS="tls", CA_FILE=trusted).deliver(notice(), ANNA, key="k")

    assert len(seen.envelopes) == 1


async def test_a_refused_login_is_our_account(tmp_path) -> None:
    context, trusted = certificate(tmp_path, "127.0.0.1")
    seen = Server()
    async with listening(protected(seen, context)) as port:
        channel = channel_to(
            port, TLS="starttls", CA_FILE=trusted, USERNAME="prawko", PASSWORD="wrong"
        )
        with pytest.raises(AccountError) as refused:
            await channel.deliver(notice(), ANNA, key="k")

    assert "wrong" not in str(refused.value)
    assert seen.envelopes == []


@pytest.mark.parametrize("tls", ["starttls", "tls"])
@pytest.mark.parametrize("trouble", ["another name", "nobody vouches"])
async def test_a_certificate_that_does_not_fit_stops_the_mail(tmp_path, tls, trouble) -> None:
    name = "mail.rival.test" if trouble == "another name" else "127.0.0.1"
    context, trusted = certificate(tmp_path, name)
    if trouble == "nobody vouches":
        _, trusted = certificate(tmp_path, "other.test")
    seen = Server()
    options = {"ssl": context} if tls == "tls" else {}
    factory = protected(seen, context) if tls == "starttls" else lambda: SMTP(seen)
    async with listening(factory, **options) as port:
        with pytest.raises(AccountError, match="certificate"):
            await channel_to(port, TLS=tls, CA_FILE=trusted).deliver(notice(), ANNA, key="k")

    assert seen.envelopes == []


async def test_a_server_without_starttls_gets_no_mail(server) -> None:
    with pytest.raises(AccountError):
        await channel_to(server.port, TLS="starttls").deliver(notice(), ANNA, key="k")

    assert server.envelopes == []


def test_it_is_absent_until_it_is_configured() -> None:
    assert channels(Environment({"CHANNEL_SMTP_HOST": ""})) == []


@pytest.mark.parametrize(
    ("variables", "named"),
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
        ({"HOST": "mail.test", "SENDER": SENDER, "DEADLINE": "60"}, "DEADLINE"),
    ],
)
def test_a_half_configured_channel_stops_the_start_and_says_where(variables, named) -> None:
    given = {f"CHANNEL_SMTP_{name}": value for name, value in variables.items()}

    with pytest.raises(SettingError) as refused:
        channels(Environment(given))

    assert refused.value.variable == f"CHANNEL_SMTP_{named}"
    assert "secret" not in str(refused.value)
