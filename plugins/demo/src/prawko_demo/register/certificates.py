"""A throw-away authority with a server's and a client's certificate, made at every start."""

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

SERVER_NAME = "upki.prawko.test"  # the only name in the server's certificate: no address
_LIFE = timedelta(days=365)

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Authority:
    """Signs certificates for one start of the simulator."""

    def __init__(self, name: str = "Prawko throw-away CA") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = self._signed(
            name,
            self._key,
            issuer=None,
            extensions=[
                (x509.BasicConstraints(ca=True, path_length=0), True),
                (_key_usage(sign_certificates=True), True),
            ],
        )

    def server(self, key: Key, *, name: str) -> x509.Certificate:
        """Certify a server by its DNS name."""
        names = x509.SubjectAlternativeName([x509.DNSName(name)])
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        return self._signed(
            name, key, issuer=self.certificate, extensions=[(names, False), (purpose, False)]
        )

    def client(self, key: Key, *, name: str, life: timedelta = _LIFE) -> x509.Certificate:
        """Certify a client."""
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
        return self._signed(
            name, key, issuer=self.certificate, extensions=[(purpose, False)], life=life
        )

    def _signed(
        self,
        name: str,
        key: Key,
        *,
        issuer: x509.Certificate | None,
        extensions: Sequence[tuple[x509.ExtensionType, bool]],
        life: timedelta = _LIFE,
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
            .not_valid_after(now + life)
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


class Files(msgspec.Struct, frozen=True):
    """What a client of the simulator needs; `tls` is the server's own side."""

    ca: Path
    p12: Path
    p12_password: str
    tls: ssl.SSLContext


def write_files(folder: Path) -> Files:
    """Make everything into a folder; the files of an earlier start are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    authority = Authority()
    ca, p12 = folder / "ca.pem", folder / "client.p12"
    ca.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    password = secrets.token_urlsafe(16)
    client_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    client = authority.client(client_key, name="Prawko demo carrier")
    write_private(p12, packed(client_key, client, password))
    return Files(ca=ca, p12=p12, p12_password=password, tls=_server_side(authority, folder, ca))


def packed(key: Key, certificate: x509.Certificate, password: str) -> bytes:
    """A PKCS#12 file, as the authority hands it out."""
    return serialize_key_and_certificates(
        b"carrier", key, certificate, None, BestAvailableEncryption(password.encode())
    )


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, from its first byte on."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(content)


def _server_side(authority: Authority, folder: Path, ca: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = authority.server(key, name=SERVER_NAME)
    pem = folder / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_private(pem, private + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(pem)
    context.load_verify_locations(ca)
    context.verify_mode = ssl.CERT_REQUIRED
    pem.unlink()
    return context
