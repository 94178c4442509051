"""Builds mails with a text and an HTML part."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate

from prawko.hooks.channels import Message
from prawko.hooks.email_messages import AUTOMATED_HEADERS, create_message_id


def build_mail(
    message: Message, sender: Address, recipient: str, *, idempotency_key: str
) -> EmailMessage:
    """Return the mail; the same idempotency key gives the same Message-ID.

    Line breaks in the subject become spaces. Raises ValueError for an address with one, and
    MessageError for one that the library takes for encoded words.
    """
    mail = EmailMessage(policy=SMTP)
    mail["From"] = sender
    mail["To"] = Address(addr_spec=recipient)
    mail["Subject"] = " ".join(message.subject.split())
    mail["Date"] = formatdate(usegmt=True)
    mail["Message-ID"] = create_message_id(idempotency_key, sender)
    for name, value in AUTOMATED_HEADERS.items():
        mail[name] = value
    # Quoted-printable keeps lines short for servers without 8-bit mail.
    mail.set_content(message.text, cte="quoted-printable")
    mail.add_alternative(message.html, subtype="html", cte="quoted-printable")
    return mail
