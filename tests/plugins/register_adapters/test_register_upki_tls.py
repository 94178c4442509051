"""Who may talk to whom: our certificate, the server's, and the key that stays off the disk."""

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding

from prawko.hooks.environment import SettingError
from prawko.hooks.failures import AccountError
from prawko.hooks.licence_register import RegisterError, RegisterTrouble
from prawko_demo.register.certificates import Authority, packed
from prawko_register_upki import UpkiRegister
from prawko_register_upki.credentials import (
    CredentialsError,
    present,
    read_credentials,
    trust,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def asking(upki_settings, issued):
    """Ask with changed settings."""

    async def ask(**changes):
        register = UpkiRegister.configured(msgspec.structs.replace(upki_settings, **changes))
        try:
            return await register.look_up(issued)
        finally:
            await register.close()

    return ask


@pytest.fixture
def another(tmp_path):
    """An authority that the server has never heard of."""
    authority = Authority("Another CA")
    file = tmp_path / "another.pem"
    file.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    return authority, str(file)


async def test_a_server_of_another_authority_is_not_spoken_to(asking, another, asked):
    with pytest.raises(RegisterError) as failure:
        await asking(ca=another[1])

    assert failure.value.trouble is RegisterTrouble.UNAVAILABLE
    assert asked() == 0


@pytest.mark.parametrize("name", ["cepik.prawko.test", "prawko.test", "127.0.0.1", None])
async def test_a_server_of_another_name_is_not_spoken_to(asking, asked, name):
    with pytest.raises(RegisterError) as failure:
        await asking(server_name=name)

    assert failure.value.trouble is RegisterTrouble.UNAVAILABLE
    assert asked() == 0


async def test_the_systems_authorities_do_not_vouch_for_the_server(asking, asked):
    with pytest.raises(RegisterError):
        await asking(ca=None)

    assert asked() == 0


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_without_a_certificate_our_account_is_refused(upki_settings, issued, version):
    tls = trust(Path(upki_settings.ca))
    tls.minimum_version = tls.maximum_version = version
    register = UpkiRegister(upki_settings, tls=tls, certificate_ends=datetime.now(UTC))

    with pytest.raises(AccountError):
        await register.look_up(issued)
    await register.close()


async def test_a_certificate_of_another_authority_is_an_account_refused(
    asking, another, tmp_path, asked
):
    key = ec.generate_private_key(ec.SECP256R1())
    file = tmp_path / "client.p12"
    file.write_bytes(packed(key, another[0].client(key, name="stranger"), "secret"))

    with pytest.raises(AccountError):
        await asking(p12=str(file), p12_password="secret")

    assert asked() == 0


async def test_a_certificate_that_has_ended_is_told_and_refused(tmp_path, running):
    authority = Authority()
    key = ec.generate_private_key(ec.SECP256R1())
    ended = authority.client(key, name="late", life=timedelta(minutes=-5))
    file = tmp_path / "late.p12"
    file.write_bytes(packed(key, ended, "secret"))

    assert read_credentials(file, "secret").ends() < datetime.now(UTC)


async def test_older_tls_is_not_spoken(upki_settings):
    context = trust(Path(upki_settings.ca))

    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


async def test_the_key_never_lies_readable_on_the_disk(upki_settings, monkeypatch, tmp_path):
    seen = {}

    class Context:
        def load_cert_chain(self, file, *, password):
            seen["content"] = Path(file).read_bytes()
            seen["modes"] = [path.stat().st_mode & 0o777 for path in (file, file.parent)]
            seen["password"] = password

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    credentials = read_credentials(Path(upki_settings.p12), upki_settings.p12_password)
    present(credentials, Context())

    assert b"BEGIN ENCRYPTED PRIVATE KEY" in seen["content"]
    assert b"BEGIN PRIVATE KEY" not in seen["content"]
    assert seen["password"] not in seen["content"]
    assert seen["modes"] == [0o600, 0o700]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no certificate", b"\x30\x82"])
async def test_a_file_that_is_no_pkcs12_is_named(tmp_path, content):
    file = tmp_path / "x.p12"
    file.write_bytes(content)

    with pytest.raises(CredentialsError):
        read_credentials(file, "secret")


async def test_signing_needs_an_rsa_key(asking, tmp_path, upki_settings):
    authority = Authority()
    key = ec.generate_private_key(ec.SECP256R1())
    file = tmp_path / "ec.p12"
    file.write_bytes(packed(key, authority.client(key, name="carrier"), "secret"))

    with pytest.raises(SettingError) as failure:
        await asking(p12=str(file), p12_password="secret", sign=True)

    assert failure.value.variable == "REGISTER_UPKI_P12"


async def test_a_password_is_needed_once_only(tmp_path):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    file = tmp_path / "client.p12"
    file.write_bytes(packed(key, Authority().client(key, name="carrier"), "zażółć"))

    assert read_credentials(file, "zażółć").chain == ()
    with pytest.raises(CredentialsError):
        read_credentials(file, "zazolc")
