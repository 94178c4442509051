"""The signature that a register may ask for: verified here without the code that wrote it."""

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
from prawko_register_upki.credentials import read_credentials
from prawko_register_upki.question import write_question
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
def signed(upki_settings):
    credentials = read_credentials(Path(upki_settings.p12), upki_settings.p12_password)
    question = write_question(LicenceQuery("Jan", "Żółć & Syn", "AB123456"))
    return XmlSigner(credentials).sign(question)


def verify(envelope):
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
    key.verify(value, canonical(info), PKCS1v15(), SHA256())
    digest = b64decode(reference.find("ds:DigestValue", NAMES).text)
    return digest == hashlib.sha256(canonical(body)).digest()


def canonical(element):
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


async def test_the_signature_covers_the_body(signed):
    assert verify(signed)


async def test_a_changed_body_is_noticed(signed):
    assert not verify(signed.replace(b"AB123456", b"AB123457"))


async def test_a_changed_digest_is_noticed(signed):
    changed = signed.replace(b"<ds:DigestValue>", b"<ds:DigestValue>AA")

    with pytest.raises(InvalidSignature):
        verify(changed)


async def test_the_question_itself_stays_what_it_was(signed):
    question = etree.fromstring(write_question(LicenceQuery("Jan", "Żółć & Syn", "AB123456")))

    plain, body = (root.find("soap:Body", NAMES) for root in (question, etree.fromstring(signed)))

    assert [(child.tag, child.text) for child in body[0]] == [
        (child.tag, child.text) for child in plain[0]
    ]


async def test_a_signed_question_is_answered(upki_settings, issued, simulator, monkeypatch):
    sent = []
    answer = simulator._soap.answer
    monkeypatch.setattr(
        simulator._soap, "answer", lambda request: sent.append(request.body) or answer(request)
    )
    register = UpkiRegister.configured(msgspec.structs.replace(upki_settings, sign=True))

    assert (await register.look_up(issued)).state.text == "Wydany"
    assert verify(sent[0])
    await register.close()
