"""Signs requests (WS-Security, X.509 token profile).

Public documents do not say whether the register requires it; `REGISTER_UPKI_SIGN` is off by
default.
"""

import hashlib
from base64 import b64encode
from typing import Any, Protocol

from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from lxml import etree

from prawko_register_upki.credentials import Credentials, CredentialsError
from prawko_register_upki.request import SOAP_NAMESPACE

_OASIS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_WSSE = f"{_OASIS}wssecurity-secext-1.0.xsd"
_WSU = f"{_OASIS}wssecurity-utility-1.0.xsd"
_X509 = f"{_OASIS}x509-token-profile-1.0#X509v3"
_BASE64 = f"{_OASIS}soap-message-security-1.0#Base64Binary"
_DS = "http://www.w3.org/2000/09/xmldsig#"
_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#"

_SECURITY_HEADER = f"""\
<wsse:Security xmlns:wsse="{_WSSE}" xmlns:wsu="{_WSU}" xmlns:ds="{_DS}" \
xmlns:soapenv="{SOAP_NAMESPACE}" soapenv:mustUnderstand="1">\
<wsse:BinarySecurityToken EncodingType="{_BASE64}" ValueType="{_X509}" wsu:Id="token">\
%(token)s</wsse:BinarySecurityToken>\
<ds:Signature><ds:SignedInfo>\
<ds:CanonicalizationMethod Algorithm="{_C14N}"/>\
<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>\
<ds:Reference URI="#body">\
<ds:Transforms><ds:Transform Algorithm="{_C14N}"/></ds:Transforms>\
<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
<ds:DigestValue>%(digest)s</ds:DigestValue></ds:Reference></ds:SignedInfo>\
<ds:SignatureValue/><ds:KeyInfo><wsse:SecurityTokenReference>\
<wsse:Reference URI="#token" ValueType="{_X509}"/>\
</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature></wsse:Security>"""


class EnvelopeSigner(Protocol):
    """Signs SOAP envelopes."""

    def sign(self, envelope: bytes) -> bytes:
        """Return the envelope with a signature in its header and the same content. Pure."""
        ...


class XmlSigner:
    """Signs the body with the RSA key of our certificate (rsa-sha256, exclusive C14N).

    The constructor raises CredentialsError for a key of another kind.
    """

    def __init__(self, credentials: Credentials) -> None:
        if not isinstance(credentials.key, RSAPrivateKey):
            raise CredentialsError("contains no RSA key, which signing needs")
        self._key = credentials.key
        self._token = _encode_base64(credentials.certificate.public_bytes(Encoding.DER))

    def sign(self, envelope: bytes) -> bytes:
        """Return the envelope with a `wsse:Security` header over its body."""
        root = etree.fromstring(envelope)
        header, body = root
        body.set(f"{{{_WSU}}}Id", "body")
        digest = hashlib.sha256(_canonicalise(body)).digest()
        security = etree.fromstring(
            _SECURITY_HEADER % {"token": self._token, "digest": _encode_base64(digest)}
        )
        header.append(security)
        signature = security[1]
        signed_info, value = signature[0], signature[1]
        value.text = _encode_base64(
            self._key.sign(_canonicalise(signed_info), PKCS1v15(), SHA256())
        )
        return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def _canonicalise(element: Any) -> bytes:
    canonical: bytes = etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
    return canonical


def _encode_base64(content: bytes) -> str:
    return b64encode(content).decode()
