"""Rights that no code uses are taken back; members' rows are those of the bound company."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import MEMBER_TABLES, enable_member_security, grant_rights

revision = "0022"
down_revision = "0021"

# All columns of an account but `password_hash`: the worker addresses people and signs nobody in.
WORKER_READS = (
    "id, email, email_key, is_admin, email_verified, language, phone_number, phone_verified,"
    " email_notifications_enabled, sms_notifications_enabled, email_state, email_state_reason,"
    " email_trusted_at, created_at, updated_at"
)
COMPANY = (
    "company_name, tax_id, street, postal_code, city, trial_started_at, trial_ended, updated_at"
)


def upgrade() -> None:
    to = current_roles()
    run_statements(*(enable_member_security(table, to) for table in sorted(MEMBER_TABLES)))
    run_statements(
        # By column, because a login that may update whole rows may lock the table.
        f"REVOKE UPDATE ON tenant FROM {to.app}",
        grant_rights("tenant", to, app=f"UPDATE ({COMPANY})"),
        # Deleting an account, a membership or a company would delete its part of the activity log.
        f"REVOKE DELETE ON tenant, user_account, membership FROM {to.app}",
        f"REVOKE DELETE ON login_session, one_time_code FROM {to.app}",
        f"REVOKE SELECT ON user_account FROM {to.worker}",  # noqa: S608 (no value is in it)
        grant_rights("user_account", to, worker=f"SELECT ({WORKER_READS})"),
        # No sign-up sets a telephone or a refused address; the planner makes and drops days.
        f"REVOKE INSERT (phone_number, email_state_reason) ON user_account FROM {to.app}",
        f"REVOKE EXECUTE ON FUNCTION ensure_day(date), drop_days(date) FROM {to.worker}",
    )
