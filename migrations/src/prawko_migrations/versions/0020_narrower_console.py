"""Narrower rights of the console's login; entries of statements that were booked; old incidents."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0020"
down_revision = "0019"

# A company's activity is deleted with the company, so that no login needs the right to delete it.
ACTIVITY = """
CREATE FUNCTION erase_tenant_activity() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM public.user_activity WHERE tenant_id = OLD.id;
    RETURN NULL;
END
$$

REVOKE ALL ON FUNCTION erase_tenant_activity() FROM PUBLIC

CREATE TRIGGER tenant_activity_erased AFTER DELETE ON tenant
    FOR EACH ROW EXECUTE FUNCTION erase_tenant_activity()
"""

# Of the bound company alone; what refers to the membership goes with it, or loses its author.
MEMBERS = """
CREATE FUNCTION remove_member(person uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    DELETE FROM public.membership
     WHERE tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
       AND user_id = person
$$

REVOKE ALL ON FUNCTION remove_member(uuid) FROM PUBLIC
"""

# The console's only new session: in the name of somebody who is no operator, in place of an
# operator's own that is still open, and with the sign-in and second factor of that.
SESSIONS = """
CREATE FUNCTION add_impersonation(
    session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid,
    begun_at timestamptz, ends_at timestamptz, client_ip text, client_agent text
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH added AS (
        INSERT INTO public.login_session (
            id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, ip, agent,
            impersonator_id, second_factor_at, signed_in_at
        )
        SELECT session_id, new_token_hash, person, company, begun_at, begun_at, ends_at,
               client_ip, client_agent, s.user_id, s.second_factor_at,
               coalesce(s.signed_in_at, s.created_at)
          FROM public.login_session s
          JOIN public.user_account operator ON operator.id = s.user_id AND operator.is_admin
          JOIN public.user_account p ON p.id = person AND NOT p.is_admin
         WHERE s.id = operator_session AND s.impersonator_id IS NULL AND s.revoked_at IS NULL
           AND NOT s.second_factor_pending AND s.expires_at > now()
           AND ends_at <= now() + interval '61 minutes'
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM added)
$$

REVOKE ALL ON FUNCTION add_impersonation(
    uuid, uuid, bytea, uuid, uuid, timestamptz, timestamptz, text, text
) FROM PUBLIC

CREATE FUNCTION keep_session_ended() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION 'a revoked session stays revoked' USING ERRCODE = 'insufficient_privilege';
END
$$

CREATE TRIGGER login_session_stays_revoked BEFORE UPDATE OF revoked_at ON login_session
    FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    EXECUTE FUNCTION keep_session_ended()
"""

# A keyed digest of day, amount, currency and title finds an entry again in another format.
ENTRIES = """
CREATE TABLE booked_entry (
    reference text NOT NULL,
    fingerprint bytea NOT NULL,
    booked_at timestamptz NOT NULL,
    CONSTRAINT pk_booked_entry PRIMARY KEY (reference)
)

CREATE INDEX ix_booked_entry_fingerprint ON booked_entry (fingerprint)

CREATE INDEX ix_booked_entry_booked_at ON booked_entry (booked_at)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(ACTIVITY, MEMBERS, SESSIONS, ENTRIES)
    session_signature = "uuid, uuid, bytea, uuid, uuid, timestamptz, timestamptz, text, text"
    run_statements(
        f"GRANT EXECUTE ON FUNCTION remove_member(uuid) TO {to.operator}",
        f"GRANT EXECUTE ON FUNCTION add_impersonation({session_signature}) TO {to.operator}",
        f"REVOKE INSERT ON login_session FROM {to.operator}",
        f"REVOKE DELETE ON user_activity FROM {to.operator}",
        f"REVOKE UPDATE (refunded_grosze) ON payment FROM {to.operator}",
        grant_rights("booked_entry", to, operator="SELECT, INSERT", worker="SELECT, DELETE"),
        grant_rights("incident", to, worker="DELETE"),
    )
