"""Actions of the operators, and the rights of the console's login."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, grant_rights

revision = "0014"
down_revision = "0013"

TABLE = """
CREATE TABLE admin_action (
    id uuid NOT NULL,
    sequence bigint NOT NULL,
    admin_id uuid,
    target_user_id uuid,
    tenant_id uuid,
    action_type text NOT NULL,
    reason text,
    details jsonb,
    ip text NOT NULL,
    agent text NOT NULL,
    created_at timestamptz NOT NULL,
    admin_digest bytea,
    target_digest bytea,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT pk_admin_action PRIMARY KEY (id),
    CONSTRAINT uq_admin_action_sequence UNIQUE (sequence),
    CONSTRAINT fk_admin_action_admin
        FOREIGN KEY (admin_id) REFERENCES user_account (id) ON DELETE SET NULL,
    CONSTRAINT fk_admin_action_target_user
        FOREIGN KEY (target_user_id) REFERENCES user_account (id) ON DELETE SET NULL
)

CREATE INDEX ix_admin_action_admin_id ON admin_action (admin_id)

CREATE INDEX ix_admin_action_target_user_id ON admin_action (target_user_id)

CREATE INDEX ix_admin_action_tenant_id ON admin_action (tenant_id)

CREATE INDEX ix_admin_action_created_at ON admin_action (created_at)
"""

# The hash has digests of the two people instead of their ids, which become null when an account is
# erased. The id of the row in a digest keeps rows about one person apart.
CHAIN = """
CREATE FUNCTION admin_action_hash(action admin_action) RETURNS bytea
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT sha256(convert_to(jsonb_build_array(
        action.sequence, encode(action.previous_hash, 'hex'), action.id,
        encode(action.admin_digest, 'hex'), encode(action.target_digest, 'hex'), action.tenant_id,
        action.action_type, action.reason, action.details, action.ip, action.agent,
        (extract(epoch FROM action.created_at) * 1000000)::bigint
    )::text, 'UTF8'))
$$

CREATE FUNCTION chain_admin_action() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    latest record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('admin_action'));
    SELECT a.sequence, a.hash INTO latest
      FROM public.admin_action a ORDER BY a.sequence DESC LIMIT 1;
    NEW.sequence := coalesce(latest.sequence, 0) + 1;
    NEW.previous_hash := coalesce(latest.hash, ''::bytea);
    NEW.admin_digest := sha256(uuid_send(NEW.id) || uuid_send(NEW.admin_id));
    NEW.target_digest := sha256(uuid_send(NEW.id) || uuid_send(NEW.target_user_id));
    NEW.hash := public.admin_action_hash(NEW);
    RETURN NEW;
END
$$

CREATE FUNCTION protect_admin_action() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        -- The foreign keys: an erased account leaves the row without the person.
        IF to_jsonb(NEW) - 'admin_id' - 'target_user_id'
               = to_jsonb(OLD) - 'admin_id' - 'target_user_id'
           AND coalesce(NEW.admin_id = OLD.admin_id, NEW.admin_id IS NULL)
           AND coalesce(NEW.target_user_id = OLD.target_user_id, NEW.target_user_id IS NULL) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'admin_action is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$

CREATE TRIGGER admin_action_chain BEFORE INSERT ON admin_action
    FOR EACH ROW EXECUTE FUNCTION chain_admin_action()

CREATE TRIGGER admin_action_append_only BEFORE UPDATE OR DELETE ON admin_action
    FOR EACH ROW EXECUTE FUNCTION protect_admin_action()

CREATE TRIGGER admin_action_not_truncated BEFORE TRUNCATE ON admin_action
    FOR EACH STATEMENT EXECUTE FUNCTION protect_admin_action()

REVOKE ALL ON FUNCTION admin_action_hash(admin_action) FROM PUBLIC

REVOKE ALL ON FUNCTION chain_admin_action() FROM PUBLIC

REVOKE ALL ON FUNCTION protect_admin_action() FROM PUBLIC
"""

# Operators' sessions in somebody's name, of at most an hour and never their own (rule R21).
IMPERSONATION = """
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE login_session ADD CONSTRAINT ck_login_session_impersonation CHECK (
    impersonator_id IS NULL
    OR (impersonator_id <> user_id AND expires_at <= created_at + interval '60 minutes')
)

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_login_session_impersonator_id ON login_session (impersonator_id)
    WHERE impersonator_id IS NOT NULL
"""

WIDE_TABLES = (
    "tenant", "subscription", "subscription_history", "driver", "check_item", "delivery",
    "payment", "support_ticket",
)  # fmt: skip


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLE, CHAIN, IMPERSONATION)
    run_statements(
        f"GRANT EXECUTE ON FUNCTION admin_action_hash(admin_action) TO {to.operator}, {to.worker}",
        grant_rights("admin_action", to, operator="SELECT, INSERT", worker="SELECT"),
    )
    for table in WIDE_TABLES:
        run_statements(create_cross_tenant_policies(table, to, ("operator",)))
    _grant_operator_rights()


def _grant_operator_rights() -> None:
    # Every statement on a company's rows but SELECT is limited to the company that is bound.
    rights = {
        "tenant": "SELECT, UPDATE (updated_at), DELETE",
        "subscription": (
            "SELECT, INSERT, UPDATE (status, driver_limit, end_date, monitored_until,"
            " scheduled_limit, scheduled_limit_at, cancelled_at, mandate_id, updated_at)"
        ),
        "subscription_history": "SELECT, INSERT",
        "monitored_company": "SELECT",
        # Of all companies the ids alone; names are in the answers, which are read one by one.
        "driver": "SELECT (tenant_id, id, status, verified_at, document_version, created_at)",
        "verification": "SELECT",
        "register_answer": "SELECT",
        "check_item": "SELECT, DELETE",
        "delivery": (
            "SELECT (id, tenant_id, kind, channel_medium, state, not_before, next_try_at,"
            " attempts, carrier_ref, error_kind, error, created_at, sent_at, report, reported_at)"
        ),
        "payment": (
            "SELECT (id, tenant_id, reference, order_id, provider, method, grosze, currency,"
            " state, provider_ref, reason, expires_at, created_at, finished_at, refunded_grosze),"
            " UPDATE (url, transfer, encrypted_details, reason)"
        ),
        "support_ticket": "SELECT",
        "contact_message": "SELECT (id, email_key), DELETE",
        "webhook_event": "INSERT",
        # The password stays unread; the updated column is there for locks.
        "user_account": (
            "SELECT (id, email, email_key, is_admin, email_verified, language, created_at,"
            " updated_at), UPDATE (updated_at), DELETE"
        ),
        "membership": "SELECT",
        "login_session": "SELECT, INSERT, UPDATE (last_seen_at, revoked_at)",
        "user_activity": "SELECT, INSERT, DELETE",
    }
    to = current_roles()
    run_statements(*(grant_rights(table, to, operator=verbs) for table, verbs in rights.items()))
