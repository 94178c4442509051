"""What happens without anybody asking, and how often."""

from datetime import timedelta

import msgspec

from prawko.base.jobs import Job
from prawko.billing.jobs import close_ended_subscriptions, tell_of_near_ends
from prawko.billing.renewal_jobs import apply_next_limits, renew_subscriptions
from prawko.deliveries.jobs import (
    forget_messages,
    read_reports,
    watch_incidents,
    watch_reports,
)
from prawko.invoices.jobs import finish_invoices, forget_old_invoices
from prawko.notifications.phone_limits import watch_phone_codes
from prawko.payments.jobs import ask_open_payments, work_on_payments
from prawko.payments.telling import tell_of_payments
from prawko.personal_data.jobs import forget_what_is_due
from prawko.support.jobs import pass_on_messages, watch_contact_form
from prawko.verifications.expiring_documents import tell_of_expiring_documents
from prawko.verifications.jobs import forget_days, plan_again, reconcile
from prawko.verifications.stale_results import tell_of_stale_results
from prawko.verifications.watchman import watch


class Periodic(msgspec.Struct, frozen=True):
    """A job and the least time between two of its runs, whichever worker runs it.

    `aside`: it waits for other people's servers, and nothing else may wait for it.
    """

    job: Job[[]]
    every: timedelta
    aside: bool = False


TIMETABLE = (
    Periodic(reconcile, timedelta(minutes=1)),
    Periodic(close_ended_subscriptions, timedelta(minutes=1)),
    Periodic(apply_next_limits, timedelta(minutes=1)),
    Periodic(renew_subscriptions, timedelta(minutes=5), aside=True),
    Periodic(watch, timedelta(minutes=1)),
    Periodic(watch_phone_codes, timedelta(minutes=1)),
    Periodic(watch_contact_form, timedelta(minutes=1)),
    Periodic(pass_on_messages, timedelta(minutes=1)),
    Periodic(finish_invoices, timedelta(minutes=1), aside=True),
    Periodic(plan_again, timedelta(minutes=10)),
    Periodic(tell_of_stale_results, timedelta(minutes=15)),
    Periodic(tell_of_near_ends, timedelta(minutes=15)),
    Periodic(tell_of_expiring_documents, timedelta(minutes=15)),
    Periodic(read_reports, timedelta(minutes=1)),
    Periodic(work_on_payments, timedelta(minutes=1), aside=True),
    Periodic(ask_open_payments, timedelta(minutes=1), aside=True),
    Periodic(tell_of_payments, timedelta(minutes=1)),
    Periodic(watch_reports, timedelta(minutes=15)),
    Periodic(watch_incidents, timedelta(minutes=15)),
    Periodic(forget_messages, timedelta(hours=6)),
    Periodic(forget_days, timedelta(hours=6)),
    Periodic(forget_old_invoices, timedelta(hours=6)),
    Periodic(forget_what_is_due, timedelta(hours=1)),
)
