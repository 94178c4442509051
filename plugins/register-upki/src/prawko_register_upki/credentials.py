"""Our certificate for the register, and whom we trust to be the register."""

import secrets
import ssl
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12


class CredentialsError(Exception):
    """The PKCS#12 file cannot be used: missing, another password, or no key in it."""


class Credentials(msgspec.Struct, frozen=True):
    """The key and certificates of one PKCS#12 file."""

    key: PrivateKeyTypes
    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...]

    def ends(self) -> datetime:
        """The last moment of the certificate, in UTC."""
        return self.certificate.not_valid_after_utc


def read_credentials(path: Path, password: str) -> Credentials:
    """Open a PKCS#12 file. Raises CredentialsError, which never quotes the password."""
    try:
        content = load_pkcs12(path.read_bytes(), password.encode() or None)
    except OSError as error:
        raise CredentialsError(f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise CredentialsError("is no PKCS#12 file, or the password is another") from None
    if content.key is None or content.cert is None:
        raise CredentialsError("holds no key with its certificate")
    return Credentials(
        key=content.key,
        certificate=content.cert.certificate,
        chain=tuple(extra.certificate for extra in content.additional_certs),
    )


def trust(ca: Path | None) -> ssl.SSLContext:
    """TLS 1.2 or newer; the server's certificate and name are always verified.

    `ca` is a bundle of the authorities to trust, None means the system's own. Raises OSError
    (ssl.SSLError included) when the bundle cannot be read.
    """
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def present(credentials: Credentials, context: ssl.SSLContext) -> None:
    """Let a context show our certificate.

    OpenSSL reads keys from files only: the file is private, lives for this call, and its key
    is encrypted with a password that never leaves memory.
    """
    password = secrets.token_bytes(32).hex().encode()
    key = credentials.key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password)
    )
    certificates = (credentials.certificate, *credentials.chain)
    with TemporaryDirectory() as folder:  # 0700
        file = Path(folder) / "key.pem"
        file.touch(mode=0o600)
        file.write_bytes(
            b"".join([key, *(each.public_bytes(Encoding.PEM) for each in certificates)])
        )
        context.load_cert_chain(file, password=password)
