"""A new session locks the accounts that it is of, and no detour prolongs an operator's."""

from prawko_migrations.statements import current_roles, run_statements

revision = "0054"
down_revision = "0053"

# What ends a person's sessions does not see one whose transaction is still open: so each locks its
# accounts, whose rows that act changes before.
SESSIONS = """
CREATE OR REPLACE FUNCTION refuse_operator_session() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    is_operators boolean := NEW.impersonator_id IS NOT NULL;
    person record;
BEGIN
    FOR person IN
        SELECT id, is_admin FROM public.user_account
         WHERE id IN (NEW.user_id, NEW.impersonator_id) ORDER BY id FOR SHARE
    LOOP
        is_operators := is_operators OR person.is_admin;
    END LOOP;
    IF current_user = '{app}' AND is_operators THEN
        RAISE EXCEPTION 'an operator''s session is opened with a proof'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$
"""

# As in 0043, but a session that waited for its code has begun when that by whose token it was
# opened began, not when the code was given.
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
        SELECT coalesce(s.signed_in_at,
                        CASE WHEN NOT s.second_factor_pending THEN s.created_at END),
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


def upgrade() -> None:
    run_statements(SESSIONS.replace("{app}", current_roles().app), OPERATORS)
