"""Builds the request body of SendGrid's mail/send."""

from email.headerregistry import Address
from typing import Any

from sendgrid.helpers.mail import (
    BypassBounceManagement,
    BypassSpamManagement,
    BypassUnsubscribeManagement,
    ClickTracking,
    Content,
    CustomArg,
    From,
    Ganalytics,
    Header,
    Mail,
    MailSettings,
    MimeType,
    OpenTracking,
    SandBoxMode,
    Subject,
    SubscriptionTracking,
    To,
    TrackingSettings,
)

from prawko.hooks.channels import Message
from prawko.hooks.email_messages import AUTOMATED_HEADERS, create_message_id

# SendGrid returns this argument with every event of the mail. It stores the value for years and
# its staff can see it, so it must contain no personal data.
DELIVERY_ARGUMENT = "prawko_delivery"


def build_mail(
    message: Message, sender: Address, recipient: str, *, idempotency_key: str, sandbox: bool
) -> dict[str, Any]:
    """Return the JSON of a mail; the same idempotency key gives the same Message-ID.

    Opens and clicks are not tracked: tracking would rewrite links that contain secrets.
    """
    mail = Mail(
        from_email=From(sender.addr_spec, sender.display_name or sender.addr_spec),
        to_emails=To(recipient),
        subject=Subject(" ".join(message.subject.split())),
    )
    mail.add_content(Content(MimeType.text, message.text))
    mail.add_content(Content(MimeType.html, message.html))
    mail.custom_arg = CustomArg(DELIVERY_ARGUMENT, idempotency_key, p=0)
    mail.header = [
        Header("Message-ID", create_message_id(idempotency_key, sender)),
        *(Header(name, value) for name, value in AUTOMATED_HEADERS.items()),
    ]
    mail.tracking_settings = TrackingSettings(
        click_tracking=ClickTracking(enable=False, enable_text=False),
        open_tracking=OpenTracking(enable=False),
        subscription_tracking=SubscriptionTracking(enable=False),
        ganalytics=Ganalytics(enable=False),
    )
    mail.mail_settings = MailSettings(
        sandbox_mode=SandBoxMode(enable=sandbox),
        # Our own suppression list decides, not SendGrid's.
        bypass_bounce_management=BypassBounceManagement(enable=True),
        bypass_spam_management=BypassSpamManagement(enable=True),
        bypass_unsubscribe_management=BypassUnsubscribeManagement(enable=True),
    )
    built: dict[str, Any] = mail.get()
    return built
