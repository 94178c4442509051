"""Sessions and passwords of operators, which the panel's login writes with a proof only."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0023"
down_revision = "0022"

# The part of an operator's hash that only the right password gives. `user_account` keeps the
# algorithm and the salt, with which the panel computes it.
PASSWORDS = """
CREATE TABLE operator_password (
    user_id uuid NOT NULL,
    digest text NOT NULL,
    CONSTRAINT pk_operator_password PRIMARY KEY (user_id),
    CONSTRAINT fk_operator_password_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE FUNCTION separate_operator_password() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept text;
BEGIN
    IF NEW.is_admin AND split_part(NEW.password_hash, '$', 6) <> '' THEN
        INSERT INTO public.operator_password VALUES (NEW.id, split_part(NEW.password_hash, '$', 6))
            ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest;
        NEW.password_hash := regexp_replace(NEW.password_hash, '[^$]+$', '');
    ELSIF OLD.is_admin AND NOT NEW.is_admin THEN
        DELETE FROM public.operator_password WHERE user_id = NEW.id RETURNING digest INTO kept;
        NEW.password_hash := NEW.password_hash || coalesce(kept, '');
    END IF;
    RETURN NEW;
END
$$

REVOKE ALL ON FUNCTION separate_operator_password() FROM PUBLIC

CREATE TRIGGER user_account_password_separated
    BEFORE UPDATE OF is_admin, password_hash ON user_account
    FOR EACH ROW EXECUTE FUNCTION separate_operator_password()

UPDATE user_account SET password_hash = password_hash WHERE is_admin

CREATE FUNCTION is_operator_password(person uuid, password_digest text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT EXISTS (SELECT FROM public.operator_password
                    WHERE user_id = person AND digest = password_digest AND digest <> '')
$$

REVOKE ALL ON FUNCTION is_operator_password(uuid, text) FROM PUBLIC

CREATE FUNCTION change_operator_password(
    person uuid, old_digest text, new_hash text, changed_at timestamptz
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH changed AS (
        UPDATE public.user_account SET password_hash = new_hash, updated_at = changed_at
         WHERE id = person AND is_admin AND public.is_operator_password(person, old_digest)
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM changed)
$$

REVOKE ALL ON FUNCTION change_operator_password(uuid, text, text, timestamptz) FROM PUBLIC
"""

# A proof is the password's digest, or the token of a session of the same operator that is open,
# or was when this transaction began: the row has only the token's hash.
SESSIONS = """
CREATE FUNCTION add_operator_session(
    person uuid, password_digest text, present_token text, session_id uuid,
    new_token_hash bytea, company uuid, begun_at timestamptz, ends_at timestamptz,
    client_ip text, client_agent text, confirmed_at timestamptz, waits_for_code boolean,
    first_begun_at timestamptz
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH proof AS (
        SELECT NULL::timestamptz AS signed_in_at
         WHERE public.is_operator_password(person, password_digest)
           AND (waits_for_code AND ends_at <= now() + interval '11 minutes'
                OR NOT EXISTS (SELECT FROM public.second_factor f
                                WHERE f.user_id = person AND f.confirmed_at IS NOT NULL))
        UNION ALL
        SELECT CASE WHEN s.impersonator_id IS NOT NULL
                    THEN coalesce(s.signed_in_at, s.created_at) END
          FROM public.login_session s
         WHERE s.token_hash = sha256(convert_to(present_token, 'UTF8'))
           AND coalesce(s.impersonator_id, s.user_id) = person AND s.expires_at > now()
           AND (s.revoked_at IS NULL OR s.xmin::text = pg_current_xact_id()::xid::text)
         LIMIT 1
    ), added AS (
        INSERT INTO public.login_session (
            id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, ip, agent,
            second_factor_at, second_factor_pending, signed_in_at
        )
        SELECT session_id, new_token_hash, person, company, begun_at, begun_at, ends_at, client_ip,
               client_agent, confirmed_at, waits_for_code,
               coalesce(proof.signed_in_at, first_begun_at)
          FROM proof
          JOIN public.user_account operator ON operator.id = person AND operator.is_admin
         WHERE ends_at <= now() + interval '15 days' AND begun_at <= now() + interval '1 hour'
         LIMIT 1
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM added)
$$

REVOKE ALL ON FUNCTION add_operator_session(
    uuid, text, text, uuid, bytea, uuid, timestamptz, timestamptz, text, text, timestamptz,
    boolean, timestamptz
) FROM PUBLIC
"""

# As the invoker: within the functions above, which prove, that is the owner.
REFUSALS = """
CREATE FUNCTION refuse_operator_account() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_user = '{app}' THEN
        RAISE EXCEPTION 'an operator''s address and password are written with a proof'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$

REVOKE ALL ON FUNCTION refuse_operator_account() FROM PUBLIC

CREATE TRIGGER user_account_of_operator
    BEFORE UPDATE OF email, email_key, email_verified, password_hash ON user_account
    FOR EACH ROW WHEN (OLD.is_admin) EXECUTE FUNCTION refuse_operator_account()

CREATE FUNCTION refuse_operator_session() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_user = '{app}' AND (NEW.impersonator_id IS NOT NULL OR EXISTS (
        SELECT FROM public.user_account WHERE id = NEW.user_id AND is_admin
    )) THEN
        RAISE EXCEPTION 'an operator''s session is opened with a proof'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$

REVOKE ALL ON FUNCTION refuse_operator_session() FROM PUBLIC

CREATE TRIGGER login_session_of_operator BEFORE INSERT ON login_session
    FOR EACH ROW EXECUTE FUNCTION refuse_operator_session()
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(PASSWORDS, SESSIONS, REFUSALS.replace("{app}", to.app))
    signatures = (
        "is_operator_password(uuid, text)",
        "change_operator_password(uuid, text, text, timestamptz)",
        (
            "add_operator_session(uuid, text, text, uuid, bytea, uuid, timestamptz, timestamptz,"
            " text, text, timestamptz, boolean, timestamptz)"
        ),
    )
    run_statements(
        *(f"GRANT EXECUTE ON FUNCTION {signature} TO {to.app}" for signature in signatures),
        # Nothing else of a session changes.
        f"REVOKE UPDATE ON login_session FROM {to.app}",
        f"GRANT UPDATE (last_seen_at, revoked_at) ON login_session TO {to.app}",
    )
