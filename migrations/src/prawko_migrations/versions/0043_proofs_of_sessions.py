"""Sessions of operators ask for the proof themselves: the token, its limits, and the act."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0043"
down_revision = "0042"

# A revoked row keeps everything, so that its version (xmin) is that of the transaction which
# revoked it. An update of one is passed over: a request may record itself in that moment.
REVOKED = """
DROP TRIGGER login_session_stays_revoked ON login_session

CREATE OR REPLACE FUNCTION keep_session_ended() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NEW.revoked_at IS NULL THEN
        RAISE EXCEPTION 'a revoked session stays revoked' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$

REVOKE ALL ON FUNCTION keep_session_ended() FROM PUBLIC

CREATE TRIGGER login_session_stays_revoked BEFORE UPDATE ON login_session
    FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL)
    EXECUTE FUNCTION keep_session_ended()
"""

# Only the token of a session keeps it from becoming idle. A process of the release before writes
# the column itself: of a customer's session it may, that of an operator it leaves as it was.
TOUCHES = """
CREATE FUNCTION touch_session(present_token text) RETURNS void
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE public.login_session s SET last_seen_at = now()
      FROM public.user_account u
     WHERE s.token_hash = sha256(convert_to(present_token, 'UTF8')) AND u.id = s.user_id
       AND s.revoked_at IS NULL AND s.expires_at > now()
       AND s.last_seen_at > now() - CASE WHEN u.is_admin OR s.impersonator_id IS NOT NULL
                                         THEN interval '30 minutes' ELSE interval '3 days' END
$$

REVOKE ALL ON FUNCTION touch_session(text) FROM PUBLIC

CREATE FUNCTION ignore_foreign_touch() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_user = '{operator}' OR current_user = '{app}' AND (
        NEW.impersonator_id IS NOT NULL
        OR EXISTS (SELECT FROM public.user_account WHERE id = NEW.user_id AND is_admin)
    ) THEN
        NEW.last_seen_at := OLD.last_seen_at;
    END IF;
    RETURN NEW;
END
$$

REVOKE ALL ON FUNCTION ignore_foreign_touch() FROM PUBLIC

CREATE TRIGGER login_session_touched BEFORE UPDATE OF last_seen_at ON login_session
    FOR EACH ROW EXECUTE FUNCTION ignore_foreign_touch()
"""

# A proof is the password's digest, or the token of a session of the same operator that is neither
# idle nor twelve hours old, and open or revoked by this very transaction. The new session signed in
# when that one did, and is confirmed by a second factor only if that one was, if it waited for the
# code, or if the factor was switched on meanwhile.
OPERATORS = """
CREATE OR REPLACE FUNCTION add_operator_session(
    person uuid, password_digest text, present_token text, session_id uuid,
    new_token_hash bytea, company uuid, begun_at timestamptz, ends_at timestamptz,
    client_ip text, client_agent text, confirmed_at timestamptz, waits_for_code boolean,
    first_begun_at timestamptz
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH factor AS (
        SELECT f.confirmed_at AS switched_on_at FROM public.second_factor f
         WHERE f.user_id = person AND f.confirmed_at IS NOT NULL
    ), proof AS (
        SELECT NULL::timestamptz AS signed_in_at, NULL::timestamptz AS second_factor_at
         WHERE public.is_operator_password(person, password_digest)
           AND (waits_for_code AND ends_at <= now() + interval '11 minutes'
                OR NOT EXISTS (SELECT FROM factor))
        UNION ALL
        SELECT CASE WHEN NOT s.second_factor_pending
                    THEN coalesce(s.signed_in_at, s.created_at) END,
               CASE WHEN confirmed_at IS NULL THEN NULL
                    WHEN s.second_factor_pending THEN now()
                    ELSE coalesce(s.second_factor_at, (SELECT switched_on_at FROM factor)) END
          FROM public.login_session s
         WHERE s.token_hash = sha256(convert_to(present_token, 'UTF8'))
           AND coalesce(s.impersonator_id, s.user_id) = person AND s.expires_at > now()
           AND (s.revoked_at IS NULL OR s.xmin::text = pg_current_xact_id()::xid::text)
           AND s.last_seen_at > now() - interval '30 minutes'
           AND coalesce(s.signed_in_at, s.created_at) > now() - interval '12 hours'
           AND (NOT s.second_factor_pending
                OR confirmed_at IS NOT NULL AND EXISTS (SELECT FROM factor))
         LIMIT 1
    ), added AS (
        INSERT INTO public.login_session (
            id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, ip, agent,
            second_factor_at, second_factor_pending, signed_in_at
        )
        SELECT session_id, new_token_hash, person, company, least(begun_at, now()),
               least(begun_at, now()), ends_at, client_ip, client_agent,
               proof.second_factor_at, waits_for_code, proof.signed_in_at
          FROM proof
          JOIN public.user_account operator ON operator.id = person AND operator.is_admin
         WHERE ends_at <= now() + interval '15 days'
         LIMIT 1
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM added)
$$
"""

# The console's only new session: in the name of somebody who is no operator. The function ends the
# operator's own session, whose token it asks for, and records the act, so that no caller can leave
# either out. The release before passes no token and starts no impersonation.
IMPERSONATIONS = """
-- squawk-ignore ban-drop-function
DROP FUNCTION add_impersonation(
    uuid, uuid, bytea, uuid, uuid, timestamptz, timestamptz, text, text
)

CREATE FUNCTION add_impersonation(
    session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid,
    begun_at timestamptz, ends_at timestamptz, client_ip text, client_agent text,
    present_token text DEFAULT '', act_reason text DEFAULT NULL,
    acted_at timestamptz DEFAULT now()
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own record;
    starts_at timestamptz := least(begun_at, now());
BEGIN
    UPDATE public.login_session s SET revoked_at = now()
      FROM public.user_account operator, public.user_account p
     WHERE s.id = operator_session
       AND s.token_hash = sha256(convert_to(present_token, 'UTF8'))
       AND s.impersonator_id IS NULL AND s.revoked_at IS NULL AND NOT s.second_factor_pending
       AND s.expires_at > now() AND s.last_seen_at > now() - interval '30 minutes'
       AND coalesce(s.signed_in_at, s.created_at) > now() - interval '12 hours'
       AND operator.id = s.user_id AND operator.is_admin AND p.id = person AND NOT p.is_admin
       AND ends_at <= now() + interval '61 minutes'
    RETURNING s.user_id, s.second_factor_at, coalesce(s.signed_in_at, s.created_at) AS signed_in_at
         INTO own;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO public.login_session (
        id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, ip, agent,
        impersonator_id, second_factor_at, signed_in_at
    ) VALUES (
        session_id, new_token_hash, person, company, starts_at, starts_at,
        least(ends_at, starts_at + interval '60 minutes', own.signed_in_at + interval '12 hours'),
        client_ip, client_agent, own.user_id, own.second_factor_at, own.signed_in_at
    );
    INSERT INTO public.admin_action (
        id, admin_id, target_user_id, tenant_id, action_type, reason, details, ip, agent, created_at
    ) VALUES (
        gen_random_uuid(), own.user_id, person, company, 'impersonation_started', act_reason,
        jsonb_build_object('impersonation', session_id), client_ip, client_agent, acted_at
    );
    RETURN true;
END
$$

REVOKE ALL ON FUNCTION add_impersonation(
    uuid, uuid, bytea, uuid, uuid, timestamptz, timestamptz, text, text, text, text, timestamptz
) FROM PUBLIC
"""

DAYS = """
CREATE OR REPLACE FUNCTION drop_days(before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
SET timezone = 'UTC'
AS $$
DECLARE
    items text;
    dropped integer := 0;
BEGIN
    IF before IS NULL OR abs(before - current_date) > 731 THEN
        RAISE EXCEPTION 'no days before % are dropped: more than 24 months away', before
            USING ERRCODE = 'invalid_parameter_value';
    ELSIF before > current_date THEN
        RAISE EXCEPTION 'no days before % are dropped: they are not past', before
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    FOR items IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.check_item'::regclass
          AND c.relname < 'check_item_' || to_char(before, 'YYYYMMDD')
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE public.%I', items);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$
"""


def upgrade() -> None:
    to = current_roles()
    touches = TOUCHES.replace("{app}", to.app).replace("{operator}", to.operator)
    run_statements(REVOKED, touches, OPERATORS, IMPERSONATIONS, DAYS)
    run_statements(
        f"GRANT EXECUTE ON FUNCTION touch_session(text) TO {to.app}, {to.operator}",
        "GRANT EXECUTE ON FUNCTION add_impersonation(uuid, uuid, bytea, uuid, uuid, timestamptz,"
        f" timestamptz, text, text, text, text, timestamptz) TO {to.operator}",
    )
