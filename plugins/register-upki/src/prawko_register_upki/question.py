"""Writes the question: `DaneDokumentuRequest` in an envelope of SOAP 1.1."""

import re
from xml.sax.saxutils import escape

from prawko.hooks.licence_register import LicenceQuery, RegisterError, RegisterTrouble

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
CARRIERS = "http://uprawnieniakierowcow-przewoznicy.ul.api.cepik.coi.gov.pl"
HEADERS = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '""', "Accept": "text/xml"}

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The schema qualifies the message element only: its children have no namespace.
_ENVELOPE = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    f'<soapenv:Envelope xmlns:soapenv="{SOAP}" xmlns:upr="{CARRIERS}">'
    "<soapenv:Header/><soapenv:Body><upr:DaneDokumentuRequest>"
    "<imiePierwsze>%s</imiePierwsze><nazwisko>%s</nazwisko>"
    "<seriaNumerBlankietuDruku>%s</seriaNumerBlankietuDruku>"
    "</upr:DaneDokumentuRequest></soapenv:Body></soapenv:Envelope>"
)


def write_question(query: LicenceQuery) -> bytes:
    """Return the envelope, in UTF-8. The register knows the first given name only.

    Raises RegisterError (refused) for a name that XML cannot carry.
    """
    given = query.first_name.split(maxsplit=1)
    values = (given[0] if given else "", query.last_name.strip(), query.number)
    if _NOT_XML.search("".join(values)):
        raise RegisterError(RegisterTrouble.REFUSED, "the name holds control characters")
    return (_ENVELOPE % tuple(map(escape, values))).encode()
