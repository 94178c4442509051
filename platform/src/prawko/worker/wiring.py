"""Puts together what the domains leave open: who writes which message."""

from prawko.accounts.code_mail import KIND as EMAIL_CODE
from prawko.accounts.code_mail import compose_code_mails
from prawko.accounts.reset_mail import KIND as PASSWORD_RESET
from prawko.accounts.reset_mail import compose_reset_mails
from prawko.base.jobs import Tools
from prawko.billing.fulfilment import Fulfilment
from prawko.billing.transfer_mail import TRANSFER_MAIL, compose_transfer_mails
from prawko.deliveries.composing import Correspondence
from prawko.deliveries.incidents import OPERATOR_MAIL
from prawko.deliveries.jobs import postman
from prawko.deliveries.operator_mail import compose_operator_mail
from prawko.notifications.addresses import MemberAddresses
from prawko.notifications.announcing import NOTICE_MAIL
from prawko.notifications.compose import compose_notices
from prawko.notifications.phone_sms import PHONE_CODE, compose_phone_codes
from prawko.payments.buyers import till
from prawko.support.mails import CONTACT_MAIL, TICKET_MAIL, compose_contacts, compose_tickets


def correspondence(tools: Tools) -> Correspondence:
    """Every kind of message, and who writes it."""
    return Correspondence(
        composers={
            EMAIL_CODE: compose_code_mails,
            PASSWORD_RESET: compose_reset_mails,
            NOTICE_MAIL: compose_notices,
            TRANSFER_MAIL: compose_transfer_mails,
            OPERATOR_MAIL: compose_operator_mail,
            TICKET_MAIL: compose_tickets,
            CONTACT_MAIL: compose_contacts,
            PHONE_CODE: compose_phone_codes,
        },
        addresses=MemberAddresses(tools.settings, tools.clock),
    )


def wire(tools: Tools) -> None:
    """Tell the process's postman and its till; once, while it starts."""
    postman.wire(correspondence(tools))
    till.wire(Fulfilment(tools))
