"""People, their places in companies, sessions, codes, rate limits and the audit log."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0002"
down_revision = "0001"

TABLES = """
CREATE TABLE user_account (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    password_hash text NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    language text DEFAULT 'pl' NOT NULL,
    phone_number text,
    phone_verified boolean DEFAULT false NOT NULL,
    email_notifications_enabled boolean DEFAULT true NOT NULL,
    sms_notifications_enabled boolean DEFAULT false NOT NULL,
    email_state text DEFAULT 'ok' NOT NULL,
    email_state_reason text,
    email_trusted_at timestamptz,
    terms_version text,
    terms_accepted_at timestamptz,
    terms_ip text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_user_account PRIMARY KEY (id),
    CONSTRAINT uq_user_account_email_key UNIQUE (email_key),
    CONSTRAINT ck_user_account_language CHECK (language IN ('pl', 'en')),
    CONSTRAINT ck_user_account_email_state
        CHECK (email_state IN ('ok', 'refused', 'bounced', 'dropped', 'spam'))
)

CREATE INDEX ix_user_account_created_at ON user_account (created_at)

CREATE TABLE membership (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_membership PRIMARY KEY (tenant_id, user_id),
    CONSTRAINT ck_membership_role CHECK (role IN ('owner', 'member')),
    CONSTRAINT fk_membership_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_membership_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE INDEX ix_membership_user_id ON membership (user_id)

CREATE TABLE login_session (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    ip text,
    agent text,
    impersonator_id uuid,
    CONSTRAINT pk_login_session PRIMARY KEY (id),
    CONSTRAINT uq_login_session_token_hash UNIQUE (token_hash),
    CONSTRAINT fk_login_session_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE,
    CONSTRAINT fk_login_session_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE CASCADE,
    CONSTRAINT fk_login_session_impersonator
        FOREIGN KEY (impersonator_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE INDEX ix_login_session_user_id ON login_session (user_id)

CREATE INDEX ix_login_session_tenant_id_user_id ON login_session (tenant_id, user_id)

CREATE INDEX ix_login_session_expires_at ON login_session (expires_at)

CREATE TABLE one_time_code (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    code_hash bytea NOT NULL,
    bound_to text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    used_at timestamptz,
    CONSTRAINT pk_one_time_code PRIMARY KEY (id),
    CONSTRAINT ck_one_time_code_kind CHECK (kind IN ('email', 'phone', 'reset')),
    CONSTRAINT fk_one_time_code_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE INDEX ix_one_time_code_user_id_kind_created_at
    ON one_time_code (user_id, kind, created_at)

CREATE TABLE throttle (
    key text NOT NULL,
    window_started_at timestamptz NOT NULL,
    count integer NOT NULL,
    CONSTRAINT pk_throttle PRIMARY KEY (key)
)

CREATE TABLE user_activity (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    tenant_id uuid,
    activity_type text NOT NULL,
    details jsonb,
    ip text,
    agent text,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_user_activity PRIMARY KEY (id),
    CONSTRAINT fk_user_activity_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE INDEX ix_user_activity_user_id_created_at ON user_activity (user_id, created_at)

CREATE INDEX ix_user_activity_created_at ON user_activity (created_at)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES)
    everything = "SELECT, INSERT, UPDATE, DELETE"
    # The panel's login cannot make a user an operator; the command does it as the owner.
    writable = (
        "email, email_key, password_hash, email_verified, language, phone_number, phone_verified,"
        " email_notifications_enabled, sms_notifications_enabled, email_state,"
        " email_state_reason, terms_version, terms_accepted_at, terms_ip, created_at, updated_at"
    )
    run_statements(
        grant_rights(
            "user_account",
            to,
            app=f"SELECT, INSERT (id, {writable}), UPDATE ({writable}, email_trusted_at), DELETE",
            # Jobs address users, record a bounced address and erase; they do not sign users in.
            worker="SELECT, UPDATE (email_state, email_state_reason, updated_at), DELETE",
        ),
        grant_rights("membership", to, app="SELECT, INSERT, DELETE", worker="SELECT"),
        grant_rights(
            "login_session",
            to,
            app=everything,
            worker="SELECT (id, tenant_id, user_id, last_seen_at, expires_at, revoked_at), DELETE",
        ),
        grant_rights(
            "one_time_code",
            to,
            app=everything,
            worker="SELECT (id, user_id, expires_at, used_at), DELETE",
        ),
        grant_rights("throttle", to, app=everything, worker="SELECT, DELETE"),
        grant_rights(
            "user_activity",
            to,
            app="SELECT, INSERT",
            worker="SELECT (id, tenant_id, user_id, created_at), INSERT, DELETE",
        ),
    )
