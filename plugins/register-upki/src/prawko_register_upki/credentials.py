"""Our client certificate, and the TLS context that verifies the register's."""

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
    """The PKCS#12 file cannot be used: it is missing, has another password, or has no key."""


class Credentials(msgspec.Struct, frozen=True):
    """The key and certificates of one PKCS#12 file."""

    key: PrivateKeyTypes
    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...]

    def expires_at(self) -> datetime:
        """Return the last moment (UTC) at which the certificate is valid."""
        return self.certificate.not_valid_after_utc


def load_credentials(path: Path, password: str) -> Credentials:
    """Load a PKCS#12 file. Raises CredentialsError, which never quotes the password."""
    try:
        content = load_pkcs12(path.read_bytes(), password.encode() or None)
    except OSError as error:
        raise CredentialsError(f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise CredentialsError("is no PKCS#12 file, or has another password") from None
    if content.key is None or content.cert is None:
        raise CredentialsError("contains no key with its certificate")
    return Credentials(
        key=content.key,
        certificate=content.cert.certificate,
        chain=tuple(extra.certificate for extra in content.additional_certs),
    )


def create_tls_context(ca: Path | None) -> ssl.SSLContext:
    """Return a context for TLS 1.2 or newer that verifies the server's certificate and name.

    `ca` is a bundle of the authorities to trust; None means the system's. Raises OSError
    (including ssl.SSLError) if the bundle cannot be read.
    """
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def load_client_certificate(credentials: Credentials, context: ssl.SSLContext) -> None:
    """Add our certificate to a context.

    OpenSSL loads keys from files only: the file is private and exists during this call, and its
    key is encrypted with a password that never leaves memory.
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
