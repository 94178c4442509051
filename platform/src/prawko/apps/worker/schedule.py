"""Periodic jobs and their intervals."""

from datetime import timedelta

import msgspec

from prawko.accounts.acts.jobs import record_ended_impersonations, verify_action_chain
from prawko.accounts.jobs import watch_mailbox_limit, watch_phone_code_limit
from prawko.billing.jobs import (
    apply_scheduled_limits,
    expire_ended_subscriptions,
    renew_subscriptions,
    send_subscription_reminders,
)
from prawko.invoices.jobs import build_due_invoices, purge_expired_invoices
from prawko.kit.deliveries.jobs import (
    mail_incident_ends,
    process_delivery_reports,
    purge_messages,
    wake_sender,
)
from prawko.kit.deliveries.monitoring import watch_loss_rate, watch_waiting_messages
from prawko.kit.incidents.jobs import log_unsent_incidents, ping_dead_man_switch
from prawko.kit.work.jobs import Job
from prawko.payments.incidents import report_payment_incidents
from prawko.payments.jobs import (
    make_requested_refunds,
    poll_open_payments,
    process_payment_events,
)
from prawko.personal_data.erasure_requests import erase_requested_companies
from prawko.personal_data.jobs import apply_retention
from prawko.support.jobs import forward_to_operators, watch_contact_form
from prawko.verifications.expiry_reminders import send_document_expiry_reminders
from prawko.verifications.jobs import prune_check_items, reconcile_runs, replan_all
from prawko.verifications.monitoring import check_health
from prawko.verifications.month_summaries import send_month_summaries
from prawko.verifications.stale_results import notify_stale_results
from prawko.verifications.unread_alerts import watch_unread_alerts


class PeriodicJob(msgspec.Struct, frozen=True):
    """A job and the minimum time between two of its runs, across all workers.

    `waits_for` names what it may wait long for: it then delays only the jobs that wait for the
    same.
    """

    job: Job[[]]
    interval: timedelta
    waits_for: str = ""


PAYMENTS = "payment providers"

SCHEDULE = (
    PeriodicJob(reconcile_runs, timedelta(minutes=1)),
    PeriodicJob(wake_sender, timedelta(minutes=1)),
    PeriodicJob(expire_ended_subscriptions, timedelta(minutes=1)),
    PeriodicJob(apply_scheduled_limits, timedelta(minutes=1)),
    PeriodicJob(record_ended_impersonations, timedelta(minutes=1)),
    PeriodicJob(renew_subscriptions, timedelta(minutes=5), waits_for=PAYMENTS),
    PeriodicJob(check_health, timedelta(minutes=1)),
    PeriodicJob(ping_dead_man_switch, timedelta(minutes=1), waits_for="dead-man switch"),
    PeriodicJob(watch_phone_code_limit, timedelta(minutes=1)),
    PeriodicJob(watch_contact_form, timedelta(minutes=1)),
    PeriodicJob(watch_mailbox_limit, timedelta(minutes=1)),
    PeriodicJob(forward_to_operators, timedelta(minutes=1)),
    PeriodicJob(build_due_invoices, timedelta(minutes=1), waits_for="invoice issuer"),
    PeriodicJob(replan_all, timedelta(minutes=10)),
    PeriodicJob(notify_stale_results, timedelta(minutes=15)),
    PeriodicJob(watch_unread_alerts, timedelta(minutes=15)),
    PeriodicJob(send_subscription_reminders, timedelta(minutes=15)),
    PeriodicJob(send_month_summaries, timedelta(hours=1)),
    PeriodicJob(send_document_expiry_reminders, timedelta(minutes=15)),
    PeriodicJob(process_delivery_reports, timedelta(minutes=1)),
    PeriodicJob(process_payment_events, timedelta(minutes=1), waits_for=PAYMENTS),
    PeriodicJob(poll_open_payments, timedelta(minutes=1), waits_for=PAYMENTS),
    PeriodicJob(make_requested_refunds, timedelta(minutes=15), waits_for=PAYMENTS),
    PeriodicJob(report_payment_incidents, timedelta(minutes=1)),
    PeriodicJob(watch_loss_rate, timedelta(minutes=15)),
    PeriodicJob(watch_waiting_messages, timedelta(minutes=5)),
    PeriodicJob(mail_incident_ends, timedelta(minutes=1)),
    PeriodicJob(log_unsent_incidents, timedelta(minutes=15)),
    PeriodicJob(purge_messages, timedelta(hours=6)),
    PeriodicJob(prune_check_items, timedelta(hours=6)),
    PeriodicJob(purge_expired_invoices, timedelta(hours=6)),
    PeriodicJob(apply_retention, timedelta(hours=1)),
    PeriodicJob(erase_requested_companies, timedelta(minutes=1)),
    PeriodicJob(verify_action_chain, timedelta(minutes=15), waits_for="action log"),
)
