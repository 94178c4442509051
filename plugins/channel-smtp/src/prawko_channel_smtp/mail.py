"""A notice as a mail: text and HTML side by side."""

import hashlib
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate

from prawko.hooks.channels import Notice

KEY_CHARACTERS = 32


def mail(notice: Notice, sender: Address, recipient: str, *, key: str) -> EmailMessage:
    """Write the mail. The same key makes the same Message-ID, so that readers see one.

    A line break in the title becomes a blank; an address with one is refused by the library.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = Address(addr_spec=recipient)
    message["Subject"] = " ".join(notice.title.split())
    message["Date"] = formatdate(usegmt=True)
    message["Message-ID"] = f"<{_digest(key)}@{sender.domain}>"
    # Written by a machine, for machines that answer: no "out of office" comes back.
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    # Quoted-printable keeps lines short on servers that know no 8-bit mail.
    message.set_content(notice.text, cte="quoted-printable")
    message.add_alternative(notice.html, subtype="html", cte="quoted-printable")
    return message


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:KEY_CHARACTERS]
