"""The signature of a request, verified without the code that created it."""

import hashlib
from base64 import b64decode
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from lxml import etree

from prawko.hooks.licence_register import LicenceQuery
from prawko_register_upki import UpkiRegister
from prawko_register_upki.credentials import load_credentials
from prawko_register_upki.request import build_request
from prawko_register_upki.signing import XmlSigner

pytestmark = pytest.mark.anyio

WSS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity"
NAMES = {
    "soap": "http://schemas.xmlsoap.org/soap/envelope/",
    "wsse": f"{WSS}-secext-1.0.xsd",
    "wsu": f"{WSS}-utility-1.0.xsd",
    "ds": "http://www.w3.org/2000/09/xmldsig#",
}


@pytest.fixture
def signed_envelope(upki_settings):
    credentials = load_credentials(Path(upki_settings.p12), upki_settings.p12_password)
    request = build_request(LicenceQuery("Jan", "Żółć & Syn", "AB123456"))
    return XmlSigner(credentials).sign(request)


def verify_signature(envelope):
    """Check the signature over the body with the certificate in the header."""
    root = etree.fromstring(envelope)
    body = root.find("soap:Body", NAMES)
    security = root.find("soap:Header/wsse:Security", NAMES)
    signature = security.find("ds:Signature", NAMES)
    info = signature.find("ds:SignedInfo", NAMES)
    reference = info.find("ds:Reference", NAMES)
    assert reference.get("URI") == "#" + body.get(f"{{{NAMES['wsu']}}}Id")
    token = security.find("wsse:BinarySecurityToken", NAMES)
    pointer = signature.find("ds:KeyInfo/wsse:SecurityTokenReference/wsse:Reference", NAMES)
    assert pointer.get("URI") == "#" + token.get(f"{{{NAMES['wsu']}}}Id")
    key = x509.load_der_x509_certificate(b64decode(token.text)).public_key()
    value = b64decode(signature.find("ds:SignatureValue", NAMES).text)
    key.verify(value, canonicalise(info), PKCS1v15(), SHA256())
    digest = b64decode(reference.find("ds:DigestValue", NAMES).text)
    return digest == hashlib.sha256(canonicalise(body)).digest()


def canonicalise(element):
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


async def test_the_signature_covers_the_body(signed_envelope):
    assert verify_signature(signed_envelope)


async def test_a_changed_body_invalidates_the_signature(signed_envelope):
    assert not verify_signature(signed_envelope.replace(b"AB123456", b"AB123457"))


async def test_a_changed_digest_invalidates_the_signature(signed_envelope):
    changed = signed_envelope.replace(b"<ds:DigestValue>", b"<ds:DigestValue>AA")

    with pytest.raises(InvalidSignature):
        verify_signature(changed)


async def test_signing_leaves_the_query_unchanged(signed_envelope):
    request = etree.fromstring(build_request(LicenceQuery("Jan", "Żółć & Syn", "AB123456")))

    plain, body = (
        root.find("soap:Body", NAMES) for root in (request, etree.fromstring(signed_envelope))
    )

    assert [(child.tag, child.text) for child in body[0]] == [
        (child.tag, child.text) for child in plain[0]
    ]


async def test_a_signed_query_is_answered(upki_settings, issued, simulator):
    sent = []
    answer = simulator.soap.handle
    simulator.soap.handle = lambda request: sent.append(request.body) or answer(request)
    register = UpkiRegister.from_settings(msgspec.structs.replace(upki_settings, sign=True))

    assert (await register.look_up(issued)).state.text == "Wydany"
    assert verify_signature(sent[0])
    await register.close()
