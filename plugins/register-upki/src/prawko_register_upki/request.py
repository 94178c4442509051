"""Builds requests: `DaneDokumentuRequest` in a SOAP 1.1 envelope."""

import re
from xml.sax.saxutils import escape

from prawko.hooks.licence_register import LicenceQuery, RegisterError, RegisterErrorKind

SOAP_NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/"
UPKI_NAMESPACE = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
HEADERS = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '""', "Accept": "text/xml"}

_INVALID_XML_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The schema qualifies the message element only: its children have no namespace.
_ENVELOPE = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    f'<soapenv:Envelope xmlns:soapenv="{SOAP_NAMESPACE}" xmlns:upr="{UPKI_NAMESPACE}">'
    "<soapenv:Header/><soapenv:Body><upr:DaneDokumentuRequest>"
    "<imiePierwsze>%s</imiePierwsze><nazwisko>%s</nazwisko>"
    "<seriaNumerBlankietuDruku>%s</seriaNumerBlankietuDruku>"
    "</upr:DaneDokumentuRequest></soapenv:Body></soapenv:Envelope>"
)


def build_request(query: LicenceQuery) -> bytes:
    """Return the envelope in UTF-8. The register knows only the first given name.

    Raises RegisterError (INVALID_QUERY) for a name with characters that XML excludes.
    """
    given_names = query.first_name.split(maxsplit=1)
    values = (given_names[0] if given_names else "", query.last_name.strip(), query.number)
    if _INVALID_XML_CHARACTERS.search("".join(values)):
        raise RegisterError(RegisterErrorKind.INVALID_QUERY, "the name contains control characters")
    return (_ENVELOPE % tuple(map(escape, values))).encode()
