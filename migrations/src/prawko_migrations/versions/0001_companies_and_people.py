"""Companies, the people in them, their sessions, and the outbox."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect, widen

revision = "0001"
down_revision = None

COMPANY = """
CREATE TABLE tenant (
    id uuid NOT NULL,
    company_name text DEFAULT '' NOT NULL,
    tax_id text DEFAULT '' NOT NULL,
    street text DEFAULT '' NOT NULL,
    postal_code text DEFAULT '' NOT NULL,
    city text DEFAULT '' NOT NULL,
    trial_started_at timestamptz,
    trial_ended boolean DEFAULT false NOT NULL,
    provider_customer_ref text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_tenant PRIMARY KEY (id)
)
"""

PEOPLE = """
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
    terms_version text,
    terms_accepted_at timestamptz,
    terms_ip text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_user_account PRIMARY KEY (id),
    CONSTRAINT uq_user_account_email_key UNIQUE (email_key),
    CONSTRAINT ck_user_account_language CHECK (language IN ('pl', 'en')),
    CONSTRAINT ck_user_account_email_state CHECK (email_state IN ('ok', 'bounced'))
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

OUTBOX = """
CREATE TABLE delivery (
    id uuid NOT NULL,
    tenant_id uuid,
    kind text NOT NULL,
    channel_medium text NOT NULL,
    user_id uuid,
    notice_id uuid,
    subject_id uuid,
    sealed bytea,
    state text DEFAULT 'pending' NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    not_before timestamptz,
    next_try_at timestamptz NOT NULL,
    lease_until timestamptz,
    fence bigint DEFAULT 0 NOT NULL,
    key text NOT NULL,
    carrier_ref text,
    error_kind text,
    error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    CONSTRAINT pk_delivery PRIMARY KEY (id),
    CONSTRAINT uq_delivery_key UNIQUE (key),
    CONSTRAINT ck_delivery_channel_medium CHECK (channel_medium IN ('email', 'sms')),
    CONSTRAINT ck_delivery_state CHECK (state IN ('pending', 'sent', 'failed')),
    CONSTRAINT fk_delivery_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE
)

CREATE INDEX ix_delivery_pending ON delivery (next_try_at) WHERE state = 'pending'

CREATE INDEX ix_delivery_tenant_id ON delivery (tenant_id)
"""


def upgrade() -> None:
    to = roles()
    run(COMPANY, protect("tenant", column="id"))
    run(grant("tenant", to, app="SELECT, INSERT, UPDATE, DELETE", worker="SELECT, UPDATE"))
    run(PEOPLE)
    # The jobs address people and note a bounced address; they sign nobody in.
    told = "SELECT, UPDATE (email_state, email_state_reason, updated_at)"
    ended = "SELECT (id, expires_at, revoked_at), DELETE"
    # The panel makes nobody an operator, whatever is done to it: the command does, as the owner.
    written = (
        "email, email_key, password_hash, email_verified, language, phone_number, phone_verified,"
        " email_notifications_enabled, sms_notifications_enabled, email_state,"
        " email_state_reason, terms_version, terms_accepted_at, terms_ip, created_at, updated_at"
    )
    signs_up = f"SELECT, INSERT (id, {written}), UPDATE ({written}), DELETE"
    run(
        grant("user_account", to, app=signs_up, worker=told),
        grant("membership", to, app="SELECT, INSERT, DELETE", worker="SELECT"),
        grant("login_session", to, app="SELECT, INSERT, UPDATE, DELETE", worker=ended),
        grant(
            "one_time_code",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT (id, user_id, expires_at, used_at), DELETE",
        ),
        grant("throttle", to, app="SELECT, INSERT, UPDATE, DELETE", worker="SELECT, DELETE"),
        grant("user_activity", to, app="INSERT", worker="SELECT (id, created_at), INSERT, DELETE"),
    )
    run(OUTBOX, protect("delivery"), widen("delivery", to))
    run(grant("delivery", to, app="SELECT, INSERT", worker="SELECT, INSERT, UPDATE, DELETE"))
