"""A certificate authority with a server's and a client's certificate, new at every start."""

import secrets
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from prawko_embedded.secret_file import write_secret_file

SERVER_NAME = "upki.prawko.test"  # the only name in the server's certificate, without an IP address
_VALIDITY = timedelta(days=365)

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class CertificateAuthority:
    """Issues the certificates of one start of the simulator."""

    def __init__(self, name: str = "Prawko throw-away CA") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self._issue(
            name,
            self._key,
            issuer=None,
            extensions=[
                (x509.BasicConstraints(ca=True, path_length=0), True),
                (_key_usage(sign_certificates=True), True),
            ],
        )

    def issue_server_certificate(self, key: PrivateKey, *, name: str) -> x509.Certificate:
        """Issue a server's certificate for its DNS name."""
        names = x509.SubjectAlternativeName([x509.DNSName(name)])
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        return self._issue(
            name, key, issuer=self.certificate, extensions=[(names, False), (purpose, False)]
        )

    def issue_client_certificate(
        self, key: PrivateKey, *, name: str, validity: timedelta = _VALIDITY
    ) -> x509.Certificate:
        """Issue a client's certificate."""
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
        return self._issue(
            name, key, issuer=self.certificate, extensions=[(purpose, False)], validity=validity
        )

    def _issue(
        self,
        name: str,
        key: PrivateKey,
        *,
        issuer: x509.Certificate | None,
        extensions: Sequence[tuple[x509.ExtensionType, bool]],
        validity: timedelta = _VALIDITY,
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        public_key = key.public_key()
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject if issuer is None else issuer.subject)
            .public_key(public_key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + validity)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical=critical)
        return builder.sign(self._key, SHA256())


def _key_usage(*, sign_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=sign_certificates,
        crl_sign=sign_certificates,
        encipher_only=False,
        decipher_only=False,
    )


class CertificateFiles(msgspec.Struct, frozen=True):
    """Paths for a client of the simulator, and the server's TLS context."""

    ca: Path
    p12: Path
    p12_password: str
    server_context: ssl.SSLContext


def write_certificates(folder: Path) -> CertificateFiles:
    """Create all certificates in a folder, replacing those of an earlier start."""
    folder.mkdir(parents=True, exist_ok=True)
    authority = CertificateAuthority()
    ca, p12 = folder / "ca.pem", folder / "client.p12"
    ca.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    password = secrets.token_urlsafe(16)
    client_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    client = authority.issue_client_certificate(client_key, name="Prawko demo carrier")
    write_secret_file(p12, encode_pkcs12(client_key, client, password))
    return CertificateFiles(
        ca=ca,
        p12=p12,
        p12_password=password,
        server_context=_server_tls_context(authority, folder, ca),
    )


def encode_pkcs12(key: PrivateKey, certificate: x509.Certificate, password: str) -> bytes:
    """Return a PKCS#12 file with the key and its certificate."""
    return serialize_key_and_certificates(
        b"carrier", key, certificate, None, BestAvailableEncryption(password.encode())
    )


def _server_tls_context(authority: CertificateAuthority, folder: Path, ca: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = authority.issue_server_certificate(key, name=SERVER_NAME)
    pem = folder / "server.pem"
    private_key = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_secret_file(pem, private_key + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(pem)
    context.load_verify_locations(ca)
    context.verify_mode = ssl.CERT_REQUIRED
    pem.unlink()
    return context
