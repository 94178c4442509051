"""Rights that no statement uses are taken back (docs/decisions/0033-rights-and-proofs.md)."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0035"
down_revision = "0034"

APP = {
    # The end of a trial is a worker's. 0036 grants the first again.
    "payment_mandate": "INSERT",
    "tenant": "UPDATE (trial_ended)",
    "check_run": "SELECT (day, state, planned_at, started_at, finished_at)",
}
WORKER = {
    # The planner plans. Events are written where people act, in the panel and the console.
    "check_item": "INSERT",
    "check_run": "INSERT",
    "user_activity": "INSERT, SELECT (id)",
    "login_session": "SELECT (user_id)",
    # Until invoices are sent to KSeF, nothing writes its numbers.
    "invoice": "UPDATE (ksef_number)",
}
OPERATOR = {
    "heartbeat": "SELECT",
    "monitored_company": "SELECT",
    "delivery": "SELECT (carrier_ref, error, not_before, reported_at)",
    # The console lists the ids of drivers; the rest is that of the company that is bound.
    "driver": "SELECT (created_at, document_version, status, verified_at)",
    "invoice_file": "SELECT (id)",
    "invoice_line": "SELECT (id)",
    "payment": "SELECT (expires_at, reason)",
    "user_account": "SELECT (updated_at)",
    "webhook_event": "SELECT (id)",
}


def upgrade() -> None:
    to = current_roles()
    run_statements(
        *(
            f"REVOKE {rights} ON {table} FROM {role}"
            for role, revoked in ((to.app, APP), (to.worker, WORKER), (to.operator, OPERATOR))
            for table, rights in revoked.items()
        )
    )
