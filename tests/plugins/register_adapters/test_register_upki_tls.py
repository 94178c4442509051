"""Mutual TLS: our certificate, the server's, and the protection of our key."""

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from prawko.hooks.environment import SettingsError
from prawko.hooks.errors import ProviderAccountError
from prawko.hooks.licence_register import RegisterError, RegisterErrorKind
from prawko.kit.text.plain_text import redact
from prawko_demo.register.certificates import CertificateAuthority, encode_pkcs12
from prawko_register_upki import UpkiRegister
from prawko_register_upki.credentials import (
    CredentialsError,
    create_tls_context,
    load_client_certificate,
    load_credentials,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def query_with(upki_settings, issued):
    """Ask with changed settings."""

    async def ask(**changes):
        register = UpkiRegister.from_settings(msgspec.structs.replace(upki_settings, **changes))
        try:
            return await register.look_up(issued)
        finally:
            await register.close()

    return ask


@pytest.fixture
def other_authority(tmp_path):
    """An authority that the server does not trust."""
    authority = CertificateAuthority("Another CA")
    file = tmp_path / "another.pem"
    file.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    return authority, str(file)


async def test_a_server_of_another_authority_is_refused(query_with, other_authority, request_count):
    with pytest.raises(RegisterError) as failure:
        await query_with(ca=other_authority[1])

    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE
    assert request_count() == 0


@pytest.mark.parametrize("name", ["cepik.prawko.test", "prawko.test", "127.0.0.1", None])
async def test_a_server_of_another_name_is_refused(query_with, request_count, name):
    with pytest.raises(RegisterError) as failure:
        await query_with(server_name=name)

    assert failure.value.kind is RegisterErrorKind.UNAVAILABLE
    assert request_count() == 0


async def test_the_systems_authorities_do_not_certify_the_server(query_with, request_count):
    with pytest.raises(RegisterError):
        await query_with(ca=None)

    assert request_count() == 0


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_without_a_certificate_our_account_is_refused(upki_settings, issued, version):
    tls = create_tls_context(Path(upki_settings.ca))
    tls.minimum_version = tls.maximum_version = version
    register = UpkiRegister(upki_settings, tls=tls, certificate_expires_at=datetime.now(UTC))

    with pytest.raises(ProviderAccountError):
        await register.look_up(issued)
    with pytest.raises(ProviderAccountError):
        await register.check()
    await register.close()


async def test_a_certificate_of_another_authority_is_an_account_error(
    query_with, other_authority, tmp_path, request_count
):
    key = ec.generate_private_key(ec.SECP256R1())
    file = tmp_path / "client.p12"
    file.write_bytes(
        encode_pkcs12(
            key, other_authority[0].issue_client_certificate(key, name="stranger"), "secret"
        )
    )

    with pytest.raises(ProviderAccountError):
        await query_with(p12=str(file), p12_password="secret")

    assert request_count() == 0


async def test_an_expired_certificate_is_recognised(tmp_path):
    authority = CertificateAuthority()
    key = ec.generate_private_key(ec.SECP256R1())
    ended = authority.issue_client_certificate(key, name="late", validity=timedelta(minutes=-5))
    file = tmp_path / "late.p12"
    file.write_bytes(encode_pkcs12(key, ended, "secret"))

    assert load_credentials(file, "secret").expires_at() < datetime.now(UTC)


async def test_older_tls_versions_are_refused(upki_settings):
    context = create_tls_context(Path(upki_settings.ca))

    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


async def test_the_key_is_never_readable_on_the_disk(upki_settings, monkeypatch, tmp_path):
    server_state = {}

    class Context:
        def load_cert_chain(self, file, *, password):
            server_state["content"] = Path(file).read_bytes()
            server_state["modes"] = [path.stat().st_mode & 0o777 for path in (file, file.parent)]
            server_state["password"] = password

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    credentials = load_credentials(Path(upki_settings.p12), upki_settings.p12_password)
    load_client_certificate(credentials, Context())

    assert b"BEGIN ENCRYPTED PRIVATE KEY" in server_state["content"]
    assert b"BEGIN PRIVATE KEY" not in server_state["content"]
    assert server_state["password"] not in server_state["content"]
    assert server_state["modes"] == [0o600, 0o700]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no certificate", b"\x30\x82"])
async def test_a_file_that_is_no_pkcs12_is_named(tmp_path, content):
    file = tmp_path / "x.p12"
    file.write_bytes(content)

    with pytest.raises(CredentialsError):
        load_credentials(file, "secret")


async def test_signing_needs_an_rsa_key(query_with, tmp_path, upki_settings):
    authority = CertificateAuthority()
    key = ec.generate_private_key(ec.SECP256R1())
    file = tmp_path / "ec.p12"
    file.write_bytes(
        encode_pkcs12(key, authority.issue_client_certificate(key, name="carrier"), "secret")
    )

    with pytest.raises(SettingsError) as failure:
        await query_with(p12=str(file), p12_password="secret", sign=True)

    assert failure.value.variable == "REGISTER_UPKI_P12"


async def test_a_password_is_needed_once_only(tmp_path):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    file = tmp_path / "client.p12"
    file.write_bytes(
        encode_pkcs12(
            key, CertificateAuthority().issue_client_certificate(key, name="carrier"), "zażółć"
        )
    )

    assert load_credentials(file, "zażółć").chain == ()
    with pytest.raises(CredentialsError):
        load_credentials(file, "zazolc")


async def test_a_check_asks_with_the_certificate_and_names_its_end(upki) -> None:
    until = upki.certificate_expires_at()
    text = await upki.check()
    assert text == f"answers; the certificate is valid until {until:%-d %B %Y}"
    assert redact(text) == text
