"""What a mail server's refusals mean in the words that all plugins share.

4xx: try again. A refused login, sender or greeting is our account. A refused recipient is
the recipient's fault, unless the server asks for a login or says that it relays nothing for
us; refused content is nobody's address and is tried again.
"""

import re
import ssl

import aiosmtplib

from prawko.hooks.channels import DeliveryError
from prawko.hooks.failures import AccountError

PERMANENT = 500
_LOGIN_WANTED = {530, 535}
_REFUSED_AT_ALL = {550, 554}
_BAD_ADDRESS = re.compile(r"\b5\.[12]\.\d{1,3}\b")
_POLICY = re.compile(r"\b5\.7\.\d{1,3}\b")
# As a word of its own: hosts and mailboxes are called relay too.
_NO_RELAY = re.compile(r"(?<![\w.@-])(?:relay|authenticat)(?![\w-]*[.@]\w)", re.IGNORECASE)


def meaning(error: Exception) -> DeliveryError | AccountError:
    """The failure as the platform understands it."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return _answered(error.recipients[0])
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return _answered(error)
    if isinstance(error.__cause__ or error, ssl.SSLCertVerificationError):
        return AccountError("the server's certificate cannot be trusted")
    if type(error) is aiosmtplib.SMTPException:  # no STARTTLS, no way to log in that both know
        return AccountError(f"the settings and the server do not fit: {error.message}")
    return DeliveryError(f"no conversation with the server: {type(error).__name__}")


def _answered(error: aiosmtplib.SMTPResponseException) -> DeliveryError | AccountError:
    said = f"the server said {error.code} {error.message}"
    if error.code < PERMANENT:
        return DeliveryError(said)
    if isinstance(error, aiosmtplib.SMTPDataError):
        return DeliveryError(said, permanent=bool(_BAD_ADDRESS.search(error.message)))
    if isinstance(error, aiosmtplib.SMTPRecipientRefused) and not _is_about_us(error):
        return DeliveryError(said, permanent=True)
    return AccountError(said)


def _is_about_us(error: aiosmtplib.SMTPRecipientRefused) -> bool:
    """Whether a server refuses a recipient because of who asks."""
    if error.code in _LOGIN_WANTED:
        return True
    if not _NO_RELAY.search(error.message) or _BAD_ADDRESS.search(error.message):
        return False
    return error.code in _REFUSED_AT_ALL or bool(_POLICY.search(error.message))
