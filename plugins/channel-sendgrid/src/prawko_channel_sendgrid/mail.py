"""A notice as SendGrid's mail/send wants it."""

import hashlib
from email.headerregistry import Address
from typing import Any

from prawko.hooks.channels import Notice

# What SendGrid gives back with every event of this mail. It keeps the value for years and lets
# its people see it: our keys name nobody.
DELIVERY = "prawko_delivery"
_KEY_CHARACTERS = 32
_OFF = {"enable": False}
_ON = {"enable": True}


def mail(
    notice: Notice, sender: Address, recipient: str, *, key: str, sandbox: bool
) -> dict[str, Any]:
    """Write the mail. The same key makes the same Message-ID, so that readers see one.

    Links stay ours and nothing counts who opened it: codes and links to data travel in it.
    """
    return {
        "personalizations": [{"to": [{"email": recipient}], "custom_args": {DELIVERY: key}}],
        "from": {"email": sender.addr_spec, "name": sender.display_name or sender.addr_spec},
        "subject": " ".join(notice.title.split()),
        "content": [
            {"type": "text/plain", "value": notice.text},
            {"type": "text/html", "value": notice.html},
        ],
        "headers": {
            "Message-ID": f"<{_digest(key)}@{sender.domain}>",
            # Written by a machine, for machines that answer: no "out of office" comes back.
            "Auto-Submitted": "auto-generated",
            "X-Auto-Response-Suppress": "All",
        },
        "tracking_settings": {
            "click_tracking": {**_OFF, "enable_text": False},
            "open_tracking": _OFF,
            "subscription_tracking": _OFF,
            "ganalytics": _OFF,
        },
        "mail_settings": {
            "sandbox_mode": {"enable": sandbox},
            # Who is written to is decided by our own list, not by SendGrid's.
            "bypass_bounce_management": _ON,
            "bypass_spam_management": _ON,
            "bypass_unsubscribe_management": _ON,
        },
    }


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:_KEY_CHARACTERS]
