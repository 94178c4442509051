"""Composition root: gives each process what the kit and lower domains need of higher domains."""

from functools import partial

from prawko.accounts.passwords.reset import RESET_MAIL, render_reset_mails
from prawko.accounts.phone_verification import PHONE_CODE, render_phone_codes
from prawko.accounts.registration import EMAIL_CODE, render_email_code_mails
from prawko.accounts.second_factor.mails import SecondFactorMail, render_second_factor_mails
from prawko.billing.order_handler import SubscriptionOrderHandler
from prawko.billing.transfer_mail import TRANSFER_MAIL, render_transfer_mails
from prawko.drivers.service import FirstCheckJob
from prawko.kit import bootstrap
from prawko.kit.context import AppContext
from prawko.kit.deliveries.jobs import deliver_pending
from prawko.kit.incidents.operator_mail import render_operator_end_mails, render_operator_mails
from prawko.kit.incidents.service import OPERATOR_END_MAIL, OPERATOR_MAIL
from prawko.kit.outbox.rendering import RendererRegistry, RendererRegistryFactory
from prawko.notifications.delivery_feedback import ReaderDeliveryFeedback
from prawko.notifications.publisher import NOTICE_MAIL
from prawko.notifications.recipients.invitation_mails import (
    ALERT_INVITATION,
    render_invitation_mails,
)
from prawko.notifications.renderer import render_notices
from prawko.payments.order_handler import OrderHandlerFactory
from prawko.personal_data.erasure_requests import (
    COMPANY_ERASED_MAIL,
    render_company_erased_mails,
)
from prawko.support.answer_mails import (
    CONTACT_ANSWER_MAIL,
    TICKET_ANSWER_MAIL,
    render_contact_answers,
    render_ticket_answers,
)
from prawko.support.mails import (
    CONTACT_MAIL,
    TICKET_MAIL,
    render_contact_mails,
    render_ticket_mails,
)
from prawko.verifications.jobs import check_new_documents


def create_renderer_registry(context: AppContext) -> RendererRegistry:
    """Return the renderers of all kinds of message, and the feedback for carriers' results."""
    return RendererRegistry(
        renderers={
            EMAIL_CODE: render_email_code_mails,
            RESET_MAIL: render_reset_mails,
            **dict.fromkeys(SecondFactorMail, render_second_factor_mails),
            NOTICE_MAIL: render_notices,
            ALERT_INVITATION: render_invitation_mails,
            TRANSFER_MAIL: render_transfer_mails,
            OPERATOR_MAIL: render_operator_mails,
            OPERATOR_END_MAIL: render_operator_end_mails,
            TICKET_MAIL: render_ticket_mails,
            CONTACT_MAIL: render_contact_mails,
            TICKET_ANSWER_MAIL: render_ticket_answers,
            CONTACT_ANSWER_MAIL: render_contact_answers,
            PHONE_CODE: render_phone_codes,
            COMPANY_ERASED_MAIL: render_company_erased_mails,
        },
        feedback=ReaderDeliveryFeedback(context.settings, context.clock),
    )


HANDLERS = (
    RendererRegistryFactory(create_renderer_registry),
    OrderHandlerFactory(SubscriptionOrderHandler),
    FirstCheckJob(check_new_documents),
)

# Creates the context of every process: panel, console, worker, commands, demo and tests.
create_context = partial(bootstrap.create_context, sender=deliver_pending, handlers=HANDLERS)
