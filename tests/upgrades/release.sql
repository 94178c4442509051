-- A dump of the schema of migration 0036 with data, written by the code of commit c6c2bd2830410b4310a7f534159da84828dbad07:
-- `python -m tests.upgrades --write`. test_release_dump.py upgrades it.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
ALTER SCHEMA public OWNER TO prawko_owner;
CREATE FUNCTION public.add_impersonation(session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
$$;
ALTER FUNCTION public.add_impersonation(session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text) OWNER TO prawko_owner;
CREATE FUNCTION public.add_operator_session(person uuid, password_digest text, present_token text, session_id uuid, new_token_hash bytea, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text, confirmed_at timestamp with time zone, waits_for_code boolean, first_begun_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
$$;
ALTER FUNCTION public.add_operator_session(person uuid, password_digest text, present_token text, session_id uuid, new_token_hash bytea, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text, confirmed_at timestamp with time zone, waits_for_code boolean, first_begun_at timestamp with time zone) OWNER TO prawko_owner;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.admin_action (
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
    created_at timestamp with time zone NOT NULL,
    admin_digest bytea,
    target_digest bytea,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL
);
ALTER TABLE public.admin_action OWNER TO prawko_owner;
CREATE FUNCTION public.admin_action_hash(action public.admin_action) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT sha256(convert_to(jsonb_build_array(
        action.sequence, encode(action.previous_hash, 'hex'), action.id,
        encode(action.admin_digest, 'hex'), encode(action.target_digest, 'hex'), action.tenant_id,
        action.action_type, action.reason, action.details, action.ip, action.agent,
        (extract(epoch FROM action.created_at) * 1000000)::bigint
    )::text, 'UTF8'))
$$;
ALTER FUNCTION public.admin_action_hash(action public.admin_action) OWNER TO prawko_owner;
CREATE FUNCTION public.chain_admin_action() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
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
$$;
ALTER FUNCTION public.chain_admin_action() OWNER TO prawko_owner;
CREATE FUNCTION public.change_operator_password(person uuid, old_digest text, new_hash text, changed_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH changed AS (
        UPDATE public.user_account SET password_hash = new_hash, updated_at = changed_at
         WHERE id = person AND is_admin AND public.is_operator_password(person, old_digest)
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM changed)
$$;
ALTER FUNCTION public.change_operator_password(person uuid, old_digest text, new_hash text, changed_at timestamp with time zone) OWNER TO prawko_owner;
CREATE FUNCTION public.company_drivers() RETURNS TABLE(tenant_id uuid, id uuid, first_name text, last_name text, license_number text, status text, needed_categories text[], verified_at timestamp with time zone, created_at timestamp with time zone, created_by uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT d.tenant_id, d.id, d.first_name, d.last_name, d.license_number, d.status,
           d.needed_categories, d.verified_at, d.created_at, d.created_by
      FROM public.driver d
     WHERE d.tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
$$;
ALTER FUNCTION public.company_drivers() OWNER TO prawko_owner;
CREATE FUNCTION public.drop_days(before date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
    items text;
    dropped integer := 0;
BEGIN
    IF before IS NULL OR abs(before - current_date) > 731 THEN
        RAISE EXCEPTION 'no days before % are dropped: more than 24 months away', before
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
$$;
ALTER FUNCTION public.drop_days(before date) OWNER TO prawko_owner;
CREATE FUNCTION public.drop_months(before date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    SET "TimeZone" TO 'UTC'
    AS $_$
DECLARE
    month text;
    dropped integer := 0;
BEGIN
    IF before IS NULL OR before > date_trunc('year', current_date) - interval '5 years' THEN
        RAISE EXCEPTION 'no months before % are dropped: they are kept for five years', before
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    FOR month IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.verification'::regclass
          AND c.relname ~ '^verification_[0-9]{6}$'
          AND c.relname < 'verification_' || to_char(before, 'YYYYMM')
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE public.%I', month);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$_$;
ALTER FUNCTION public.drop_months(before date) OWNER TO prawko_owner;
CREATE FUNCTION public.ensure_day(day date) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    SET "TimeZone" TO 'UTC'
    AS $_$
DECLARE
    items text := 'check_item_' || to_char(day, 'YYYYMMDD');
    own text := $own$NULLIF(current_setting('app.tenant_id', true), '')::uuid$own$;
BEGIN
    IF day IS NULL OR abs(day - current_date) > 731 THEN
        RAISE EXCEPTION 'no partition for %: more than 24 months away', day
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF to_regclass('public.' || items) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext(items));
    IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
               AND relname = items) THEN
        RETURN false;  -- made while we waited; to_regclass may remember that it was not there
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.check_item'
        ' INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (fillfactor = 70)', items);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', items);
    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', items);
    EXECUTE format('CREATE POLICY tenant_isolation ON public.%I'
        ' USING (tenant_id = %2$s) WITH CHECK (tenant_id = %2$s)', items, own);
    EXECUTE format('ALTER TABLE public.check_item ATTACH PARTITION public.%I'
        ' FOR VALUES IN (%L)', items, day);
    RETURN true;
END
$_$;
ALTER FUNCTION public.ensure_day(day date) OWNER TO prawko_owner;
CREATE FUNCTION public.ensure_month(day date) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '5s'
    SET "TimeZone" TO 'UTC'
    AS $_$
DECLARE
    first date := date_trunc('month', day);
    next date := first + interval '1 month';
    month text := 'verification_' || to_char(first, 'YYYYMM');
    own text := $own$NULLIF(current_setting('app.tenant_id', true), '')::uuid$own$;
BEGIN
    IF day IS NULL OR abs(day - current_date) > 731 THEN
        RAISE EXCEPTION 'no partition for %: more than 24 months away', day
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF to_regclass('public.' || month) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext(month));
    IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
               AND relname = month) THEN
        RETURN false;  -- made while we waited; to_regclass may remember that it was not there
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.verification'
        ' INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', month);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', month);
    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', month);
    EXECUTE format('CREATE POLICY tenant_isolation ON public.%I'
        ' USING (tenant_id = %2$s) WITH CHECK (tenant_id = %2$s)', month, own);
    EXECUTE format('ALTER TABLE public.verification ATTACH PARTITION public.%I'
        ' FOR VALUES FROM (%L) TO (%L)', month, first || ' 00:00:00+00', next || ' 00:00:00+00');
    RETURN true;
END
$_$;
ALTER FUNCTION public.ensure_month(day date) OWNER TO prawko_owner;
CREATE FUNCTION public.erase_tenant_activity() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM public.user_activity WHERE tenant_id = OLD.id;
    RETURN NULL;
END
$$;
ALTER FUNCTION public.erase_tenant_activity() OWNER TO prawko_owner;
CREATE FUNCTION public.is_operator_password(person uuid, password_digest text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM public.operator_password
                    WHERE user_id = person AND digest = password_digest AND digest <> '')
$$;
ALTER FUNCTION public.is_operator_password(person uuid, password_digest text) OWNER TO prawko_owner;
CREATE FUNCTION public.keep_session_ended() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RAISE EXCEPTION 'a revoked session stays revoked' USING ERRCODE = 'insufficient_privilege';
END
$$;
ALTER FUNCTION public.keep_session_ended() OWNER TO prawko_owner;
CREATE FUNCTION public.keep_status_since() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    old_end timestamptz := (OLD.valid_until + 1)::timestamp AT TIME ZONE 'Europe/Warsaw';
    new_end timestamptz := (NEW.valid_until + 1)::timestamp AT TIME ZONE 'Europe/Warsaw';
    was_over boolean := OLD.status = 'valid' AND coalesce(old_end <= NEW.verified_at, false);
    is_over boolean := NEW.status = 'valid' AND coalesce(new_end <= NEW.verified_at, false);
BEGIN
    IF NEW.status_since IS DISTINCT FROM OLD.status_since THEN
        RETURN NEW;
    END IF;
    IF (CASE WHEN was_over THEN 'attention' ELSE OLD.status END)
       <> (CASE WHEN is_over THEN 'attention' ELSE NEW.status END) THEN
        NEW.status_since := NEW.verified_at;
    ELSIF was_over THEN
        NEW.status_since := greatest(OLD.status_since, old_end);
    ELSE
        NEW.status_since := coalesce(OLD.status_since, OLD.verified_at, NEW.verified_at);
    END IF;
    RETURN NEW;
END
$$;
ALTER FUNCTION public.keep_status_since() OWNER TO prawko_owner;
CREATE FUNCTION public.protect_admin_action() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
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
$$;
ALTER FUNCTION public.protect_admin_action() OWNER TO prawko_owner;
CREATE FUNCTION public.refuse_operator_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF current_user = 'prawko_app' THEN
        RAISE EXCEPTION 'an operator''s address and password are written with a proof'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
ALTER FUNCTION public.refuse_operator_account() OWNER TO prawko_owner;
CREATE FUNCTION public.refuse_operator_session() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF current_user = 'prawko_app' AND (NEW.impersonator_id IS NOT NULL OR EXISTS (
        SELECT FROM public.user_account WHERE id = NEW.user_id AND is_admin
    )) THEN
        RAISE EXCEPTION 'an operator''s session is opened with a proof'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
$$;
ALTER FUNCTION public.refuse_operator_session() OWNER TO prawko_owner;
CREATE FUNCTION public.remove_member(person uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    DELETE FROM public.membership
     WHERE tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
       AND user_id = person
$$;
ALTER FUNCTION public.remove_member(person uuid) OWNER TO prawko_owner;
CREATE FUNCTION public.separate_operator_password() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
$_$;
ALTER FUNCTION public.separate_operator_password() OWNER TO prawko_owner;
CREATE TABLE public.acknowledgement (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    driver_id uuid NOT NULL,
    status text NOT NULL,
    since timestamp with time zone NOT NULL,
    entry integer NOT NULL,
    kind text NOT NULL,
    note text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT ck_acknowledgement_kind CHECK ((kind = ANY (ARRAY['acknowledged'::text, 'withdrawn'::text]))),
    CONSTRAINT ck_acknowledgement_status CHECK ((status = ANY (ARRAY['invalid'::text, 'attention'::text, 'not_found'::text])))
);
ALTER TABLE ONLY public.acknowledgement FORCE ROW LEVEL SECURITY;
ALTER TABLE public.acknowledgement OWNER TO prawko_owner;
CREATE TABLE public.admin_action_check (
    checked_at timestamp with time zone NOT NULL,
    rows bigint NOT NULL,
    head_hash bytea NOT NULL,
    broken_at bigint
);
ALTER TABLE public.admin_action_check OWNER TO prawko_owner;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
ALTER TABLE public.alembic_version OWNER TO prawko_owner;
CREATE TABLE public.alert_recipient (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    language text DEFAULT 'pl'::text NOT NULL,
    email_enabled boolean DEFAULT true NOT NULL,
    alert_groups text[] DEFAULT '{status,expiry,billing}'::text[] NOT NULL,
    email_state text DEFAULT 'ok'::text NOT NULL,
    email_trusted_at timestamp with time zone,
    invited_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    stopped_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT ck_alert_recipient_email_state CHECK ((email_state = ANY (ARRAY['ok'::text, 'bounced'::text, 'dropped'::text, 'spam'::text]))),
    CONSTRAINT ck_alert_recipient_language CHECK ((language = ANY (ARRAY['pl'::text, 'en'::text])))
);
ALTER TABLE ONLY public.alert_recipient FORCE ROW LEVEL SECURITY;
ALTER TABLE public.alert_recipient OWNER TO prawko_owner;
CREATE TABLE public.booked_entry (
    reference text NOT NULL,
    fingerprint bytea NOT NULL,
    booked_at timestamp with time zone NOT NULL
);
ALTER TABLE public.booked_entry OWNER TO prawko_owner;
CREATE TABLE public.check_item (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    fence bigint DEFAULT 0 NOT NULL,
    day date NOT NULL,
    document_version integer NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'due'::text NOT NULL,
    lease_until timestamp with time zone,
    asked_at_system timestamp with time zone,
    error_kind text,
    not_found_since timestamp with time zone,
    answer_id uuid,
    outcome text,
    done_at timestamp with time zone,
    counted_change boolean DEFAULT false NOT NULL,
    CONSTRAINT ck_check_item_outcome CHECK ((outcome = ANY (ARRAY['valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text]))),
    CONSTRAINT ck_check_item_state CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'quarantined'::text, 'cancelled'::text])))
)
PARTITION BY LIST (day);
ALTER TABLE ONLY public.check_item FORCE ROW LEVEL SECURITY;
ALTER TABLE public.check_item OWNER TO prawko_owner;
CREATE TABLE public.check_item_20261126 (
    tenant_id uuid CONSTRAINT check_item_tenant_id_not_null NOT NULL,
    driver_id uuid CONSTRAINT check_item_driver_id_not_null NOT NULL,
    next_try_at timestamp with time zone CONSTRAINT check_item_next_try_at_not_null NOT NULL,
    fence bigint DEFAULT 0 CONSTRAINT check_item_fence_not_null NOT NULL,
    day date CONSTRAINT check_item_day_not_null NOT NULL,
    document_version integer CONSTRAINT check_item_document_version_not_null NOT NULL,
    attempts integer DEFAULT 0 CONSTRAINT check_item_attempts_not_null NOT NULL,
    state text DEFAULT 'due'::text CONSTRAINT check_item_state_not_null NOT NULL,
    lease_until timestamp with time zone,
    asked_at_system timestamp with time zone,
    error_kind text,
    not_found_since timestamp with time zone,
    answer_id uuid,
    outcome text,
    done_at timestamp with time zone,
    counted_change boolean DEFAULT false CONSTRAINT check_item_counted_change_not_null NOT NULL,
    CONSTRAINT ck_check_item_outcome CHECK ((outcome = ANY (ARRAY['valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text]))),
    CONSTRAINT ck_check_item_state CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'quarantined'::text, 'cancelled'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.check_item_20261126 FORCE ROW LEVEL SECURITY;
ALTER TABLE public.check_item_20261126 OWNER TO prawko_owner;
CREATE TABLE public.check_item_20261127 (
    tenant_id uuid CONSTRAINT check_item_tenant_id_not_null NOT NULL,
    driver_id uuid CONSTRAINT check_item_driver_id_not_null NOT NULL,
    next_try_at timestamp with time zone CONSTRAINT check_item_next_try_at_not_null NOT NULL,
    fence bigint DEFAULT 0 CONSTRAINT check_item_fence_not_null NOT NULL,
    day date CONSTRAINT check_item_day_not_null NOT NULL,
    document_version integer CONSTRAINT check_item_document_version_not_null NOT NULL,
    attempts integer DEFAULT 0 CONSTRAINT check_item_attempts_not_null NOT NULL,
    state text DEFAULT 'due'::text CONSTRAINT check_item_state_not_null NOT NULL,
    lease_until timestamp with time zone,
    asked_at_system timestamp with time zone,
    error_kind text,
    not_found_since timestamp with time zone,
    answer_id uuid,
    outcome text,
    done_at timestamp with time zone,
    counted_change boolean DEFAULT false CONSTRAINT check_item_counted_change_not_null NOT NULL,
    CONSTRAINT ck_check_item_outcome CHECK ((outcome = ANY (ARRAY['valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text]))),
    CONSTRAINT ck_check_item_state CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'quarantined'::text, 'cancelled'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.check_item_20261127 FORCE ROW LEVEL SECURITY;
ALTER TABLE public.check_item_20261127 OWNER TO prawko_owner;
CREATE TABLE public.check_pause (
    id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
ALTER TABLE public.check_pause OWNER TO prawko_owner;
CREATE TABLE public.check_run (
    id uuid NOT NULL,
    day date NOT NULL,
    planned_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    planned integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    valid integer DEFAULT 0 NOT NULL,
    invalid integer DEFAULT 0 NOT NULL,
    attention integer DEFAULT 0 NOT NULL,
    not_found integer DEFAULT 0 NOT NULL,
    quarantined integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'planned'::text NOT NULL,
    review_state text,
    retry_requested_at timestamp with time zone,
    CONSTRAINT ck_check_run_review_state CHECK ((review_state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
    CONSTRAINT ck_check_run_state CHECK ((state = ANY (ARRAY['planned'::text, 'running'::text, 'finished'::text])))
);
ALTER TABLE public.check_run OWNER TO prawko_owner;
CREATE TABLE public.contact_message (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    company text NOT NULL,
    drivers_count integer NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    forwarded_at timestamp with time zone,
    answered_at timestamp with time zone,
    closed_at timestamp with time zone
);
ALTER TABLE public.contact_message OWNER TO prawko_owner;
CREATE TABLE public.delivery (
    id uuid NOT NULL,
    tenant_id uuid,
    kind text NOT NULL,
    channel_medium text NOT NULL,
    user_id uuid,
    notice_id uuid,
    subject_id uuid,
    batch_at timestamp with time zone,
    encrypted bytea,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    not_before timestamp with time zone,
    next_try_at timestamp with time zone NOT NULL,
    lease_until timestamp with time zone,
    fence bigint DEFAULT 0 NOT NULL,
    key text NOT NULL,
    carrier_ref text,
    error_kind text,
    error text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    report text,
    reported_at timestamp with time zone,
    carrier text,
    CONSTRAINT ck_delivery_channel_medium CHECK ((channel_medium = ANY (ARRAY['email'::text, 'sms'::text, 'push'::text]))),
    CONSTRAINT ck_delivery_report CHECK ((report = ANY (ARRAY['delivered'::text, 'failed'::text, 'dropped'::text, 'bounced'::text, 'spam'::text]))),
    CONSTRAINT ck_delivery_state CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text])))
);
ALTER TABLE ONLY public.delivery FORCE ROW LEVEL SECURITY;
ALTER TABLE public.delivery OWNER TO prawko_owner;
CREATE TABLE public.driver (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    asked_at_system timestamp with time zone,
    verified_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    created_by uuid,
    document_version integer DEFAULT 1 NOT NULL,
    status text DEFAULT 'unknown'::text NOT NULL,
    license_number text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    sort_key text NOT NULL COLLATE pg_catalog."C",
    latest json,
    needed_categories text[] DEFAULT '{}'::text[] NOT NULL,
    valid_until date,
    status_since timestamp with time zone,
    imported_at timestamp with time zone,
    CONSTRAINT ck_driver_status CHECK ((status = ANY (ARRAY['unknown'::text, 'valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.driver FORCE ROW LEVEL SECURITY;
ALTER TABLE public.driver OWNER TO prawko_owner;
CREATE TABLE public.heartbeat (
    id text NOT NULL,
    kind text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    release text NOT NULL,
    CONSTRAINT ck_heartbeat_kind CHECK ((kind = ANY (ARRAY['worker'::text, 'monitoring'::text, 'ping'::text])))
);
ALTER TABLE public.heartbeat OWNER TO prawko_owner;
CREATE TABLE public.incident (
    id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    mailed_at timestamp with time zone,
    closed_at timestamp with time zone,
    detail text NOT NULL,
    end_reported_at timestamp with time zone,
    facts jsonb
);
ALTER TABLE public.incident OWNER TO prawko_owner;
CREATE TABLE public.invoice (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    series text NOT NULL,
    year integer NOT NULL,
    serial integer NOT NULL,
    number text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    issued_on date NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    sold_on date NOT NULL,
    method text NOT NULL,
    seller_name text NOT NULL,
    seller_tax_id text NOT NULL,
    seller_street text NOT NULL,
    seller_postal_code text NOT NULL,
    seller_city text NOT NULL,
    seller_iban text DEFAULT ''::text NOT NULL,
    buyer_name text NOT NULL,
    buyer_tax_id text NOT NULL,
    buyer_street text NOT NULL,
    buyer_postal_code text NOT NULL,
    buyer_city text NOT NULL,
    net bigint NOT NULL,
    vat bigint NOT NULL,
    gross bigint NOT NULL,
    currency text DEFAULT 'PLN'::text NOT NULL,
    issuer text,
    state text DEFAULT 'numbered'::text NOT NULL,
    schema text,
    ksef_number text,
    reason text,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    CONSTRAINT ck_invoice_method CHECK ((method = ANY (ARRAY['card'::text, 'blik'::text, 'przelewy24'::text, 'transfer'::text]))),
    CONSTRAINT ck_invoice_state CHECK ((state = ANY (ARRAY['numbered'::text, 'xml_built'::text, 'xsd_ok'::text, 'queued'::text, 'session_sent'::text, 'accepted'::text, 'rejected'::text]))),
    CONSTRAINT ck_invoice_sums CHECK (((gross = (net + vat)) AND (net >= 0) AND (vat >= 0)))
);
ALTER TABLE ONLY public.invoice FORCE ROW LEVEL SECURITY;
ALTER TABLE public.invoice OWNER TO prawko_owner;
CREATE TABLE public.invoice_file (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_id uuid NOT NULL,
    kind text NOT NULL,
    content bytea NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_invoice_file_kind CHECK ((kind = ANY (ARRAY['pdf'::text, 'xml'::text, 'upo'::text])))
);
ALTER TABLE ONLY public.invoice_file FORCE ROW LEVEL SECURITY;
ALTER TABLE public.invoice_file OWNER TO prawko_owner;
CREATE TABLE public.invoice_line (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_id uuid NOT NULL,
    "position" integer NOT NULL,
    kind text NOT NULL,
    driver_limit integer NOT NULL,
    days integer,
    name text NOT NULL,
    net bigint NOT NULL,
    vat bigint NOT NULL,
    vat_percent integer NOT NULL,
    CONSTRAINT ck_invoice_line_kind CHECK ((kind = ANY (ARRAY['period'::text, 'upgrade'::text])))
);
ALTER TABLE ONLY public.invoice_line FORCE ROW LEVEL SECURITY;
ALTER TABLE public.invoice_line OWNER TO prawko_owner;
CREATE TABLE public.invoice_series (
    series text NOT NULL,
    year integer NOT NULL,
    last_serial integer NOT NULL
);
ALTER TABLE public.invoice_series OWNER TO prawko_owner;
CREATE TABLE public.legal_acceptance (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    document text NOT NULL,
    version date NOT NULL,
    accepted_at timestamp with time zone NOT NULL,
    ip text NOT NULL,
    CONSTRAINT ck_legal_acceptance_document CHECK ((document = ANY (ARRAY['terms'::text, 'privacy'::text, 'data_processing'::text])))
);
ALTER TABLE ONLY public.legal_acceptance FORCE ROW LEVEL SECURITY;
ALTER TABLE public.legal_acceptance OWNER TO prawko_owner;
CREATE TABLE public.login_session (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    ip text,
    agent text,
    impersonator_id uuid,
    second_factor_pending boolean DEFAULT false NOT NULL,
    second_factor_at timestamp with time zone,
    signed_in_at timestamp with time zone,
    CONSTRAINT ck_login_session_impersonation CHECK (((impersonator_id IS NULL) OR ((impersonator_id <> user_id) AND (expires_at <= (created_at + '01:00:00'::interval)))))
);
ALTER TABLE public.login_session OWNER TO prawko_owner;
CREATE TABLE public.membership (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    alert_groups text[] DEFAULT '{status,expiry,billing}'::text[] NOT NULL,
    sms_from_hour integer,
    sms_until_hour integer,
    CONSTRAINT ck_membership_role CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text])))
);
ALTER TABLE public.membership OWNER TO prawko_owner;
CREATE TABLE public.subscription (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    status text NOT NULL,
    driver_limit integer NOT NULL,
    is_trial boolean DEFAULT false NOT NULL,
    start_date timestamp with time zone NOT NULL,
    end_date timestamp with time zone NOT NULL,
    monitored_until timestamp with time zone NOT NULL,
    scheduled_limit integer,
    scheduled_limit_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    company_name text DEFAULT ''::text NOT NULL,
    tax_id text DEFAULT ''::text NOT NULL,
    street text DEFAULT ''::text NOT NULL,
    postal_code text DEFAULT ''::text NOT NULL,
    city text DEFAULT ''::text NOT NULL,
    provider text,
    mandate_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_subscription_status CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'cancelled'::text, 'trial'::text, 'expired'::text])))
);
ALTER TABLE ONLY public.subscription FORCE ROW LEVEL SECURITY;
ALTER TABLE public.subscription OWNER TO prawko_owner;
CREATE VIEW public.monitored_company WITH (security_invoker='true') AS
 SELECT DISTINCT ON (tenant_id) tenant_id,
    id AS subscription_id,
    driver_limit,
        CASE
            WHEN (status = ANY (ARRAY['active'::text, 'expired'::text])) THEN monitored_until
            ELSE NULL::timestamp with time zone
        END AS monitored_until
   FROM public.subscription
  ORDER BY tenant_id, id DESC;
ALTER VIEW public.monitored_company OWNER TO prawko_owner;
CREATE TABLE public.notice (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    driver_id uuid,
    dedup_key text NOT NULL,
    params jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.notice FORCE ROW LEVEL SECURITY;
ALTER TABLE public.notice OWNER TO prawko_owner;
CREATE TABLE public.notification (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    notice_id uuid,
    type text NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    read boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.notification FORCE ROW LEVEL SECURITY;
ALTER TABLE public.notification OWNER TO prawko_owner;
CREATE TABLE public.one_time_code (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    code_hash bytea NOT NULL,
    bound_to text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT ck_one_time_code_kind CHECK ((kind = ANY (ARRAY['email'::text, 'phone'::text, 'reset'::text])))
);
ALTER TABLE public.one_time_code OWNER TO prawko_owner;
CREATE TABLE public.operator_password (
    user_id uuid NOT NULL,
    digest text NOT NULL
);
ALTER TABLE public.operator_password OWNER TO prawko_owner;
CREATE TABLE public.payment (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    reference text NOT NULL,
    order_id uuid NOT NULL,
    provider text NOT NULL,
    method text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    save_payment_method boolean NOT NULL,
    state text NOT NULL,
    provider_ref text,
    url text,
    transfer jsonb,
    mandate_id uuid,
    encrypted_details bytea,
    reason text,
    expires_at timestamp with time zone,
    next_poll_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    fence bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    refunded_grosze bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ck_payment_state CHECK ((state = ANY (ARRAY['starting'::text, 'open'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'refunded'::text, 'mismatched'::text])))
);
ALTER TABLE ONLY public.payment FORCE ROW LEVEL SECURITY;
ALTER TABLE public.payment OWNER TO prawko_owner;
CREATE TABLE public.payment_discrepancy (
    id uuid NOT NULL,
    kind text NOT NULL,
    provider text NOT NULL,
    reference text NOT NULL,
    provider_ref text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    tenant_id uuid,
    detail text NOT NULL,
    detected_at timestamp with time zone NOT NULL,
    reported_at timestamp with time zone,
    resolved_at timestamp with time zone,
    resolution_note text,
    refunded_grosze bigint,
    facts jsonb,
    CONSTRAINT ck_payment_discrepancy_kind CHECK ((kind = ANY (ARRAY['paid_twice'::text, 'wrong_amount'::text, 'wrong_currency'::text, 'unknown_payment'::text, 'void_order'::text, 'refunded_elsewhere'::text, 'suspended'::text, 'disputed'::text])))
);
ALTER TABLE public.payment_discrepancy OWNER TO prawko_owner;
CREATE TABLE public.payment_mandate (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    method text NOT NULL,
    token bytea NOT NULL,
    key_id text NOT NULL,
    label text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
ALTER TABLE ONLY public.payment_mandate FORCE ROW LEVEL SECURITY;
ALTER TABLE public.payment_mandate OWNER TO prawko_owner;
CREATE TABLE public.provider_pause (
    provider text NOT NULL,
    since timestamp with time zone NOT NULL,
    paused_until timestamp with time zone NOT NULL,
    reason text NOT NULL
);
ALTER TABLE public.provider_pause OWNER TO prawko_owner;
CREATE TABLE public.push_browser (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    server_key text NOT NULL,
    agent text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.push_browser FORCE ROW LEVEL SECURITY;
ALTER TABLE public.push_browser OWNER TO prawko_owner;
CREATE VIEW public.ranked_driver WITH (security_invoker='true') AS
 SELECT tenant_id,
    id,
    document_version,
    status,
    row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS rank
   FROM public.driver;
ALTER VIEW public.ranked_driver OWNER TO prawko_owner;
CREATE TABLE public.recovery_code (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone
);
ALTER TABLE public.recovery_code OWNER TO prawko_owner;
CREATE TABLE public.register_answer (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    id uuid NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    document_version integer NOT NULL,
    expiry_date date,
    first_name text NOT NULL,
    last_name text NOT NULL,
    license_number text NOT NULL,
    hash bytea NOT NULL,
    key_id text NOT NULL,
    raw bytea NOT NULL,
    document_code text,
    document_status text,
    issuing_authority text,
    categories jsonb NOT NULL,
    reasons jsonb NOT NULL,
    notes text
);
ALTER TABLE ONLY public.register_answer FORCE ROW LEVEL SECURITY;
ALTER TABLE public.register_answer OWNER TO prawko_owner;
CREATE TABLE public.register_limiter (
    register text NOT NULL,
    lane text NOT NULL,
    next_free_at timestamp with time zone NOT NULL,
    paused_until timestamp with time zone,
    pause_seconds double precision DEFAULT 0 NOT NULL,
    breaker text DEFAULT 'closed'::text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    probe_at timestamp with time zone,
    account_error text,
    updated_at timestamp with time zone NOT NULL,
    refused jsonb DEFAULT '{}'::jsonb NOT NULL,
    failed jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT ck_register_limiter_breaker CHECK ((breaker = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text]))),
    CONSTRAINT ck_register_limiter_lane CHECK ((lane = ANY (ARRAY['run'::text, 'manual'::text])))
);
ALTER TABLE public.register_limiter OWNER TO prawko_owner;
CREATE TABLE public.renewal_step (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    end_date timestamp with time zone NOT NULL,
    step text NOT NULL,
    taken_at timestamp with time zone NOT NULL,
    order_id uuid,
    CONSTRAINT ck_renewal_step_step CHECK ((step = ANY (ARRAY['first_charge'::text, 'second_charge'::text, 'third_charge'::text, 'closing'::text, 'grace_end'::text])))
);
ALTER TABLE ONLY public.renewal_step FORCE ROW LEVEL SECURITY;
ALTER TABLE public.renewal_step OWNER TO prawko_owner;
CREATE TABLE public.second_factor (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint
);
ALTER TABLE public.second_factor OWNER TO prawko_owner;
CREATE TABLE public.subscription_history (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    old_status text,
    new_status text NOT NULL,
    old_end_date timestamp with time zone,
    new_end_date timestamp with time zone,
    note text
);
ALTER TABLE ONLY public.subscription_history FORCE ROW LEVEL SECURITY;
ALTER TABLE public.subscription_history OWNER TO prawko_owner;
CREATE TABLE public.subscription_order (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    driver_limit integer NOT NULL,
    from_limit integer,
    end_date timestamp with time zone,
    lines jsonb NOT NULL,
    net integer NOT NULL,
    vat integer NOT NULL,
    method text NOT NULL,
    company_name text NOT NULL,
    tax_id text NOT NULL,
    street text NOT NULL,
    postal_code text NOT NULL,
    city text NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    paid_at timestamp with time zone,
    payment_id uuid,
    superseded_by uuid,
    CONSTRAINT ck_subscription_order_kind CHECK ((kind = ANY (ARRAY['period'::text, 'upgrade'::text, 'renewal'::text]))),
    CONSTRAINT ck_subscription_order_state CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'void'::text])))
);
ALTER TABLE ONLY public.subscription_order FORCE ROW LEVEL SECURITY;
ALTER TABLE public.subscription_order OWNER TO prawko_owner;
CREATE TABLE public.support_ticket (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    subject text NOT NULL,
    message text NOT NULL,
    claimed_email text DEFAULT ''::text NOT NULL,
    claimed_company text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    forwarded_at timestamp with time zone,
    answered_at timestamp with time zone,
    closed_at timestamp with time zone
);
ALTER TABLE ONLY public.support_ticket FORCE ROW LEVEL SECURITY;
ALTER TABLE public.support_ticket OWNER TO prawko_owner;
CREATE TABLE public.tenant (
    id uuid NOT NULL,
    company_name text DEFAULT ''::text NOT NULL,
    tax_id text DEFAULT ''::text NOT NULL,
    street text DEFAULT ''::text NOT NULL,
    postal_code text DEFAULT ''::text NOT NULL,
    city text DEFAULT ''::text NOT NULL,
    trial_started_at timestamp with time zone,
    trial_ended boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    erasure_requested_at timestamp with time zone
);
ALTER TABLE ONLY public.tenant FORCE ROW LEVEL SECURITY;
ALTER TABLE public.tenant OWNER TO prawko_owner;
CREATE TABLE public.throttle (
    key text NOT NULL,
    window_started_at timestamp with time zone NOT NULL,
    count integer NOT NULL,
    tries timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL
);
ALTER TABLE public.throttle OWNER TO prawko_owner;
CREATE TABLE public.trial_claim (
    id uuid NOT NULL,
    kind text NOT NULL,
    digest bytea NOT NULL,
    tenant_id uuid,
    claimed_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_trial_claim_kind CHECK ((kind = ANY (ARRAY['tax_id'::text, 'email'::text])))
);
ALTER TABLE public.trial_claim OWNER TO prawko_owner;
CREATE TABLE public.user_account (
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    password_hash text NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    email_verified boolean DEFAULT false NOT NULL,
    language text DEFAULT 'pl'::text NOT NULL,
    phone_number text,
    phone_verified boolean DEFAULT false NOT NULL,
    email_notifications_enabled boolean DEFAULT true NOT NULL,
    sms_notifications_enabled boolean DEFAULT false NOT NULL,
    email_state text DEFAULT 'ok'::text NOT NULL,
    email_state_reason text,
    email_trusted_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    browser_generation integer DEFAULT 0 NOT NULL,
    CONSTRAINT ck_user_account_email_state CHECK ((email_state = ANY (ARRAY['ok'::text, 'refused'::text, 'bounced'::text, 'dropped'::text, 'spam'::text]))),
    CONSTRAINT ck_user_account_language CHECK ((language = ANY (ARRAY['pl'::text, 'en'::text])))
);
ALTER TABLE public.user_account OWNER TO prawko_owner;
CREATE TABLE public.user_activity (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    tenant_id uuid,
    activity_type text NOT NULL,
    details jsonb,
    ip text,
    agent text,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.user_activity OWNER TO prawko_owner;
CREATE TABLE public.verification (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    id uuid NOT NULL,
    verified_at timestamp with time zone NOT NULL,
    answer_id uuid,
    outcome text NOT NULL,
    CONSTRAINT ck_verification_outcome CHECK ((outcome = ANY (ARRAY['valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text])))
)
PARTITION BY RANGE (verified_at);
ALTER TABLE ONLY public.verification FORCE ROW LEVEL SECURITY;
ALTER TABLE public.verification OWNER TO prawko_owner;
CREATE TABLE public.verification_202611 (
    tenant_id uuid CONSTRAINT verification_tenant_id_not_null NOT NULL,
    driver_id uuid CONSTRAINT verification_driver_id_not_null NOT NULL,
    id uuid CONSTRAINT verification_id_not_null NOT NULL,
    verified_at timestamp with time zone CONSTRAINT verification_verified_at_not_null NOT NULL,
    answer_id uuid,
    outcome text CONSTRAINT verification_outcome_not_null NOT NULL,
    CONSTRAINT ck_verification_outcome CHECK ((outcome = ANY (ARRAY['valid'::text, 'invalid'::text, 'attention'::text, 'not_found'::text])))
);
ALTER TABLE ONLY public.verification_202611 FORCE ROW LEVEL SECURITY;
ALTER TABLE public.verification_202611 OWNER TO prawko_owner;
CREATE TABLE public.webhook_event (
    id uuid NOT NULL,
    provider text NOT NULL,
    event_id text NOT NULL,
    body bytea,
    received_at timestamp with time zone NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    fence bigint DEFAULT 0 NOT NULL,
    processed_at timestamp with time zone,
    outcome text
);
ALTER TABLE public.webhook_event OWNER TO prawko_owner;
ALTER TABLE ONLY public.check_item ATTACH PARTITION public.check_item_20261126 FOR VALUES IN ('2026-11-26');
ALTER TABLE ONLY public.check_item ATTACH PARTITION public.check_item_20261127 FOR VALUES IN ('2026-11-27');
ALTER TABLE ONLY public.verification ATTACH PARTITION public.verification_202611 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');
COPY public.acknowledgement (tenant_id, id, driver_id, status, since, entry, kind, note, created_at, created_by) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-cdb1-73ce-a121-81409800cb2e	01a21842-bc4e-75d9-b597-0392af901931	invalid	2026-11-26 14:29:17.928368+00	1	acknowledged	Auto oddane	2026-11-27 14:29:20.94298+00	01a21842-928c-73bb-b4fa-be97f7d72618
\.
COPY public.admin_action (id, sequence, admin_id, target_user_id, tenant_id, action_type, reason, details, ip, agent, created_at, admin_digest, target_digest, previous_hash, hash) FROM stdin;
01a21842-d16f-70bf-b655-837715f7d01a	1	01a21842-9b9f-70f7-af41-4c3c47f53c79	\N	01a21842-996e-7046-a663-afe76b17fccd	company_suspended	zaległa	{"days": null, "subscription": "01a21842-9b26-708d-acb1-155d3056dfab"}	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:21.881782+00	\\x3626309c95b190cb1b56e5d91dd3b72f5185c9448576d76fcbe93b16e82db9a6	\N	\\x	\\xba66efc2a14bc85ea496c24840f3b03af618534d7e8cd56c15343c892d2d3181
\.
COPY public.admin_action_check (checked_at, rows, head_hash, broken_at) FROM stdin;
2026-11-26 14:29:22.778556+00	1	\\xba66efc2a14bc85ea496c24840f3b03af618534d7e8cd56c15343c892d2d3181	\N
\.
COPY public.alembic_version (version_num) FROM stdin;
0036
\.
COPY public.alert_recipient (tenant_id, id, name, email, email_key, language, email_enabled, alert_groups, email_state, email_trusted_at, invited_at, confirmed_at, stopped_at, created_at, created_by) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-cbf3-739c-b56c-1a9bf53a01c9	Nocna	noc@acme.test	noc@acme.test	pl	t	{status,expiry,billing}	ok	\N	2026-11-27 14:29:20.498243+00	\N	\N	2026-11-27 14:29:20.498243+00	01a21842-928c-73bb-b4fa-be97f7d72618
\.
COPY public.booked_entry (reference, fingerprint, booked_at) FROM stdin;
2026/1	\\x78	2026-11-26 14:29:22.882856+00
\.
COPY public.check_item_20261126 (tenant_id, driver_id, next_try_at, fence, day, document_version, attempts, state, lease_until, asked_at_system, error_kind, not_found_since, answer_id, outcome, done_at, counted_change) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	2026-11-26 14:29:17.192167+00	1	2026-11-26	1	1	done	\N	2026-11-26 14:29:17.92837+00	\N	\N	01a21842-c242-76d4-a3e0-3d89a70eb42d	invalid	2026-11-26 14:29:17.928368+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	2026-11-26 14:29:17.192167+00	1	2026-11-26	1	1	done	\N	2026-11-26 14:29:17.928415+00	\N	\N	01a21842-c242-76d4-a3e0-3d8bd8f3731c	valid	2026-11-26 14:29:17.928414+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	2026-11-26 14:29:17.192167+00	1	2026-11-26	1	1	done	\N	2026-11-26 14:29:17.928435+00	\N	\N	01a21842-c242-76d4-a3e0-3d8da1e55222	valid	2026-11-26 14:29:17.928435+00	f
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	2026-11-26 14:29:17.192167+00	1	2026-11-26	1	1	done	\N	2026-11-26 14:29:17.928471+00	\N	\N	01a21842-c376-70a6-aedc-94e77baeb934	valid	2026-11-26 14:29:17.928471+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	2026-11-26 14:29:17.192167+00	1	2026-11-26	1	1	done	\N	2026-11-26 14:29:17.928453+00	\N	\N	01a21842-c242-76d4-a3e0-3d8f1448e81d	not_found	2026-11-26 14:29:17.928453+00	f
\.
COPY public.check_item_20261127 (tenant_id, driver_id, next_try_at, fence, day, document_version, attempts, state, lease_until, asked_at_system, error_kind, not_found_since, answer_id, outcome, done_at, counted_change) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	2026-11-27 14:29:19.499907+00	1	2026-11-27	1	1	done	\N	2026-11-26 14:29:19.881928+00	\N	\N	01a21842-c242-76d4-a3e0-3d89a70eb42d	invalid	2026-11-27 14:29:19.881924+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	2026-11-27 14:29:19.499907+00	1	2026-11-27	1	1	done	\N	2026-11-26 14:29:19.882+00	\N	\N	01a21842-c242-76d4-a3e0-3d8bd8f3731c	valid	2026-11-27 14:29:19.881999+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	2026-11-27 14:29:19.499907+00	1	2026-11-27	1	1	done	\N	2026-11-26 14:29:19.882022+00	\N	\N	01a21842-c242-76d4-a3e0-3d8da1e55222	valid	2026-11-27 14:29:19.882021+00	f
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	2026-11-27 14:29:19.499907+00	1	2026-11-27	1	1	done	\N	2026-11-26 14:29:19.882042+00	\N	\N	01a21842-c242-76d4-a3e0-3d8f1448e81d	not_found	2026-11-27 14:29:19.882041+00	f
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	2026-11-27 14:29:19.499907+00	1	2026-11-27	1	1	done	\N	2026-11-26 14:29:19.88206+00	\N	\N	01a21842-c376-70a6-aedc-94e77baeb934	valid	2026-11-27 14:29:19.88206+00	f
\.
COPY public.check_pause (id, started_at, ended_at) FROM stdin;
f47d1bec-5bb3-4837-97fb-0211373b78b1	2026-11-25 14:29:22.882856+00	2026-11-25 15:29:22.882856+00
\.
COPY public.check_run (id, day, planned_at, started_at, finished_at, planned, done, valid, invalid, attention, not_found, quarantined, state, review_state, retry_requested_at) FROM stdin;
01a21842-bfc5-7000-aed0-52c371360ca1	2026-11-26	2026-11-26 14:29:17.192167+00	2026-11-26 14:29:17.192167+00	2026-11-26 14:29:18.410161+00	5	5	3	1	0	1	0	finished	\N	\N
01a21842-c867-7708-85a5-45027242b7ab	2026-11-27	2026-11-27 14:29:19.499907+00	2026-11-27 14:29:19.499907+00	2026-11-27 14:29:20.021184+00	5	5	3	1	0	1	0	finished	\N	\N
\.
COPY public.contact_message (id, name, email, email_key, company, drivers_count, message, created_at, forwarded_at, answered_at, closed_at) FROM stdin;
01a21842-cd27-7105-aa32-4f4107dbd0cc	Ewa	ewa@nowak.test	ewa@nowak.test	Nowak	12	Proszę o ofertę.	2026-11-27 14:29:20.789419+00	\N	\N	\N
\.
COPY public.delivery (id, tenant_id, kind, channel_medium, user_id, notice_id, subject_id, batch_at, encrypted, state, attempts, not_before, next_try_at, lease_until, fence, key, carrier_ref, error_kind, error, created_at, sent_at, report, reported_at, carrier) FROM stdin;
01a21842-cc02-7414-8e4f-b97a21b04397	01a21842-927d-765b-865a-f40da75c2f10	alert_invitation	email	\N	\N	01a21842-cbf3-739c-b56c-1a9bf53a01c9	\N	\N	sent	1	\N	2026-11-26 14:29:20.514612+00	\N	1	alert_invitation:01a21842-cbf3-739c-b56c-1a9bf53a01c9:2026-11-27T14:29:20.498243+00:00	\N	\N	\N	2026-11-26 14:29:20.514612+00	2026-11-26 14:29:22.660688+00	\N	\N	recording
01a21842-931a-7247-ba96-4a3c3d989cb2	01a21842-927d-765b-865a-f40da75c2f10	email_code	email	01a21842-928c-73bb-b4fa-be97f7d72618	\N	01a21842-92e7-70ed-8867-c6da2e803443	\N	\N	sent	1	\N	2026-11-26 14:29:05.946257+00	\N	1	email_code:01a21842-92e7-70ed-8867-c6da2e803443	\N	\N	\N	2026-11-26 14:29:05.946257+00	2026-11-26 14:29:06.367161+00	\N	\N	recording
01a21842-ce96-72da-9021-43000e4fe43e	01a21842-927d-765b-865a-f40da75c2f10	password_reset	email	01a21842-928c-73bb-b4fa-be97f7d72618	\N	01a21842-ce88-722d-b52b-07acbecda96c	\N	\N	sent	1	\N	2026-11-26 14:29:21.174438+00	\N	1	password_reset:01a21842-ce88-722d-b52b-07acbecda96c	\N	\N	\N	2026-11-26 14:29:21.174438+00	2026-11-26 14:29:22.671557+00	\N	\N	recording
01a21842-d33d-738b-a9d2-6e34fdcf15c8	01a21842-927d-765b-865a-f40da75c2f10	second_factor_enabled	email	01a21842-97ce-771c-858f-2da4e088262b	\N	\N	\N	\N	sent	1	\N	2026-11-26 14:29:22.365995+00	\N	1	second_factor_enabled:01a21842-d33d-738b-a9d2-6e33dcca977b	\N	\N	\N	2026-11-26 14:29:22.365995+00	2026-11-26 14:29:22.672875+00	\N	\N	recording
01a21842-99ab-71bd-8da8-a9e637274d17	01a21842-996e-7046-a663-afe76b17fccd	email_code	email	01a21842-9972-758c-9d36-0b67d3341313	\N	01a21842-9994-7178-b8a7-b39549f77ec2	\N	\N	sent	1	\N	2026-11-26 14:29:07.627855+00	\N	1	email_code:01a21842-9994-7178-b8a7-b39549f77ec2	\N	\N	\N	2026-11-26 14:29:07.627855+00	2026-11-26 14:29:07.771833+00	\N	\N	recording
01a21842-9817-7401-8f54-6f6bebaf5140	01a21842-97ca-72f0-9bbe-b78489a756f3	email_code	email	01a21842-97ce-771c-858f-2da4e088262b	\N	01a21842-97f1-7666-95db-804937eecaa2	\N	\N	sent	1	\N	2026-11-26 14:29:07.223736+00	\N	1	email_code:01a21842-97f1-7666-95db-804937eecaa2	\N	\N	\N	2026-11-26 14:29:07.223736+00	2026-11-26 14:29:07.765557+00	\N	\N	recording
01a21842-9bd4-7229-b0f8-4f8640ba2f84	01a21842-9b96-77ee-8942-1ce224f1a361	email_code	email	01a21842-9b9f-70f7-af41-4c3c47f53c79	\N	01a21842-9bc0-72f8-a1c6-c7a7df498517	\N	\N	sent	1	\N	2026-11-26 14:29:08.180407+00	\N	1	email_code:01a21842-9bc0-72f8-a1c6-c7a7df498517	\N	\N	\N	2026-11-26 14:29:08.180407+00	2026-11-26 14:29:19.283143+00	\N	\N	recording
01a21842-a252-7485-b2ff-5764e94e2e25	\N	operator	email	\N	\N	01a21842-a242-7499-b4fe-6878f8a7b052	\N	\N	sent	1	\N	2026-11-26 14:29:09.842664+00	\N	1	operator:01a21842-a242-7499-b4fe-6878f8a7b052	\N	\N	\N	2026-11-26 14:29:09.842664+00	2026-11-26 14:29:19.284323+00	\N	\N	recording
01a21842-c32c-77af-af2d-5964237285ae	01a21842-927d-765b-865a-f40da75c2f10	notice	email	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-c286-736a-8c42-972f57255dd7	\N	\N	\N	sent	1	\N	2026-11-26 14:29:18.252361+00	\N	1	notice:01a21842-c286-736a-8c42-972f57255dd7:01a21842-928c-73bb-b4fa-be97f7d72618:email	\N	\N	\N	2026-11-26 14:29:18.252361+00	2026-11-26 14:29:19.29385+00	\N	\N	recording
01a21842-c572-70d2-9d9a-9d8d9e98ad14	01a21842-927d-765b-865a-f40da75c2f10	notice	email	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-c4e1-71cc-9e99-fef00e948db9	\N	\N	\N	sent	1	\N	2026-11-26 14:29:18.834756+00	\N	1	notice:01a21842-c4e1-71cc-9e99-fef00e948db9:01a21842-928c-73bb-b4fa-be97f7d72618:email	\N	\N	\N	2026-11-26 14:29:18.834756+00	2026-11-26 14:29:19.301849+00	\N	\N	recording
01a21842-c32c-77af-af2d-59651efd10a4	01a21842-927d-765b-865a-f40da75c2f10	notice	email	01a21842-97ce-771c-858f-2da4e088262b	01a21842-c286-736a-8c42-972f57255dd7	\N	\N	\N	sent	1	\N	2026-11-26 14:29:18.252361+00	\N	1	notice:01a21842-c286-736a-8c42-972f57255dd7:01a21842-97ce-771c-858f-2da4e088262b:email	\N	\N	\N	2026-11-26 14:29:18.252361+00	2026-11-26 14:29:19.294993+00	\N	\N	recording
01a21842-c572-70d2-9d9a-9d8e25b130d4	01a21842-927d-765b-865a-f40da75c2f10	notice	email	01a21842-97ce-771c-858f-2da4e088262b	01a21842-c4e1-71cc-9e99-fef00e948db9	\N	\N	\N	sent	1	\N	2026-11-26 14:29:18.834756+00	\N	1	notice:01a21842-c4e1-71cc-9e99-fef00e948db9:01a21842-97ce-771c-858f-2da4e088262b:email	\N	\N	\N	2026-11-26 14:29:18.834756+00	2026-11-26 14:29:19.304366+00	\N	\N	recording
\.
COPY public.driver (tenant_id, id, asked_at_system, verified_at, created_at, created_by, document_version, status, license_number, first_name, last_name, sort_key, latest, needed_categories, valid_until, status_since, imported_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	2026-11-26 14:29:19.881928+00	2026-11-27 14:29:19.881924+00	2026-11-26 14:29:16.454787+00	01a21842-928c-73bb-b4fa-be97f7d72618	1	invalid	AB000009	Jan	Kowalski	GMW:HRGE F:K Kowalski Jan	{"status":"invalid","verifiedAt":"2026-11-27T14:29:19.881924Z","documentStatus":"Zatrzymany","issuingAuthority":"Starosta Wołomiński","expiryDate":"2039-12-31","expired":false,"categories":[{"kategoria":"B","dataWaznosci":"2039-12-31"},{"kategoria":"C","dataWaznosci":"2039-12-31"}],"id":"01a21842-c9ad-7425-96e6-f9821577fe83","driverId":"01a21842-bc4e-75d9-b597-0392af901931","documentCode":"DICT003_ZAT","reasons":[{"kod":null,"wartosc":"Decyzja starosty"}],"notes":null,"lastVerificationHash":"612e809b30002750aef3792c28acdda039cae2b2b01836258109b688a905976d","licenseNumber":"AB000009"}	{}	2039-12-31	2026-11-26 14:29:17.928368+00	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	2026-11-26 14:29:19.882+00	2026-11-27 14:29:19.881999+00	2026-11-26 14:29:16.646422+00	01a21842-928c-73bb-b4fa-be97f7d72618	1	valid	AB000002	Jan	Kowalski	GMW:HRGE F:K Kowalski Jan	{"status":"valid","verifiedAt":"2026-11-27T14:29:19.881999Z","documentStatus":"Wydany","issuingAuthority":"Starosta Wołomiński","expiryDate":"2039-12-31","expired":false,"categories":[{"kategoria":"B","dataWaznosci":"2039-12-31"},{"kategoria":"C","dataWaznosci":"2039-12-31"}],"id":"01a21842-c9ad-7425-96e6-f9833ca1ca15","driverId":"01a21842-bcf4-740c-8639-eef334294946","documentCode":"DICT003_WYD","reasons":[],"notes":null,"lastVerificationHash":"342fc1e1ea4ae4604f59c939d160081153fe3ab48786ef614997cb323c89933a","licenseNumber":"AB000002"}	{}	2039-12-31	2026-11-26 14:29:17.928414+00	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	2026-11-26 14:29:19.882022+00	2026-11-27 14:29:19.882021+00	2026-11-26 14:29:16.778368+00	01a21842-928c-73bb-b4fa-be97f7d72618	1	valid	AB000003	Jan	Kowalski	GMW:HRGE F:K Kowalski Jan	{"status":"valid","verifiedAt":"2026-11-27T14:29:19.882021Z","documentStatus":"Wydany","issuingAuthority":"Starosta Wołomiński","expiryDate":"2026-12-16","expired":false,"categories":[{"kategoria":"B","dataWaznosci":"2026-12-16"},{"kategoria":"C","dataWaznosci":"2026-12-16"}],"id":"01a21842-c9ae-731a-9741-e26f8989c014","driverId":"01a21842-bd96-7079-8e53-c3dde4697904","documentCode":"DICT003_WYD","reasons":[],"notes":null,"lastVerificationHash":"49c74f3383d1a7f00354e6905ddb1307e5ed305ee90342e141bcf646de799a0d","licenseNumber":"AB000003"}	{}	2026-12-16	2026-11-26 14:29:17.928435+00	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	2026-11-26 14:29:19.882042+00	2026-11-27 14:29:19.882041+00	2026-11-26 14:29:16.927975+00	01a21842-928c-73bb-b4fa-be97f7d72618	1	not_found	AB000004	Jan	Kowalski	GMW:HRGE F:K Kowalski Jan	{"status":"not_found","verifiedAt":"2026-11-27T14:29:19.882041Z","documentStatus":null,"issuingAuthority":null,"expiryDate":null,"expired":false,"categories":[],"id":"01a21842-c9ae-731a-9741-e27045feb357","driverId":"01a21842-be17-737a-a71c-d248f642918a","documentCode":null,"reasons":[],"notes":null,"lastVerificationHash":"74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b","licenseNumber":"AB000004"}	{}	\N	2026-11-26 14:29:17.928453+00	\N
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	2026-11-26 14:29:19.88206+00	2026-11-27 14:29:19.88206+00	2026-11-26 14:29:17.074138+00	01a21842-9972-758c-9d36-0b67d3341313	1	valid	AB000001	Jan	Kowalski	GMW:HRGE F:K Kowalski Jan	{"status":"valid","verifiedAt":"2026-11-27T14:29:19.882060Z","documentStatus":"Wydany","issuingAuthority":"Starosta Wołomiński","expiryDate":"2039-12-31","expired":false,"categories":[{"kategoria":"B","dataWaznosci":"2039-12-31"},{"kategoria":"C","dataWaznosci":"2039-12-31"}],"id":"01a21842-c9d3-76cf-b576-9f9db5e11a46","driverId":"01a21842-bec0-708f-8c10-1b9f96f00271","documentCode":"DICT003_WYD","reasons":[],"notes":null,"lastVerificationHash":"1df790ac43aac91b27ba886f737513106bb1c99133f0a34e58d27b0dab062e83","licenseNumber":"AB000001"}	{}	2039-12-31	2026-11-26 14:29:17.928471+00	\N
\.
COPY public.heartbeat (id, kind, started_at, seen_at, release) FROM stdin;
worker 1	worker	2026-11-26 14:29:22.882856+00	2026-11-26 14:29:22.882856+00	0.1.0
\.
COPY public.incident (id, kind, key, opened_at, mailed_at, closed_at, detail, end_reported_at, facts) FROM stdin;
01a21842-a242-7499-b4fe-6878f8a7b052	wrong_amount	01a21842-a19a-72ef-927c-19f242f95c48	2026-11-26 14:29:09.778473+00	2026-11-26 14:29:19.390499+00	\N	fake CN4Z6XRHH5QJ (fake-2), 1,00 zł; 183,27 zł was requested	\N	[{"also": [{"text": "other_money", "params": {"expected": "183,27 zł"}}], "text": "money", "params": {"names": "fake CN4Z6XRHH5QJ (fake-2)", "amount": "1,00 zł"}}]
\.
COPY public.invoice (tenant_id, id, order_id, series, year, serial, number, issued_at, issued_on, paid_at, sold_on, method, seller_name, seller_tax_id, seller_street, seller_postal_code, seller_city, seller_iban, buyer_name, buyer_tax_id, buyer_street, buyer_postal_code, buyer_city, net, vat, gross, currency, issuer, state, schema, ksef_number, reason, attempts, next_attempt_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9f3f-772f-9de9-ab0173335ad7	01a21842-9ca1-7076-a521-a664ecc4fbcb	FV	2026	1	FV/2026/000001	2026-11-26 14:29:08.911608+00	2026-11-26	2026-11-26 14:29:08.715123+00	2026-11-26	card	Prawko Sp. z o.o.	5260250274	Prosta 1	00-950	Warszawa		Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	19900	4577	24477	PLN	\N	numbered	\N	\N	\N	0	\N
\.
COPY public.invoice_file (tenant_id, id, invoice_id, kind, content, sha256, created_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bb89-732b-9328-281d8ac7d7ad	01a21842-9f3f-772f-9de9-ab0173335ad7	pdf	\\x255044462d312e340a25e9ebf1bf0a312030206f626a0a3c3c0a2f436f756e7420310a2f4b696473205b33203020525d0a2f4d65646961426f78205b302030203539352e3238203834312e38395d0a2f54797065202f50616765730a3e3e0a656e646f626a0a322030206f626a0a3c3c0a2f4c616e672028706c290a2f4f70656e416374696f6e205b3320302052202f46697448206e756c6c5d0a2f506167654c61796f7574202f4f6e65436f6c756d6e0a2f50616765732031203020520a2f54797065202f436174616c6f670a3e3e0a656e646f626a0a332030206f626a0a3c3c0a2f436f6e74656e74732034203020520a2f47726f7570203c3c2f54797065202f47726f7570202f53202f5472616e73706172656e6379202f4353202f4465766963655247423e3e0a2f506172656e742031203020520a2f5265736f7572636573203236203020520a2f54797065202f506167650a3e3e0a656e646f626a0a342030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e67746820313632350a3e3e0a73747265616d0a789cad594b53e346109eb0062f0e45c0362c04969d855dd8073b8ce6295d5395a42ab7241cf7984aaa52e190bde4efe7ebb1852559965a24a5b22d53b8bf7e7cfd9896913f4db4f251fe33f9ee5edefd60a4714a6b79ffbbfcfe7ef2b7c41f7da1bc953158951b79ff9bd44a172e5b7d64da17f2cb1ff29df84a6c89676224b6c58ed87a2fefff840cf9f342702633dd2ed80515c342b07336ab7cc4dcad0b1e37041b99d976c1b024e83e8dc7e2b9d81513bcbec6dde4f1da5b83c995afa1b810943632c6a08abc5bffcf5f60c0082f29f6c537e220ddef8b43311533bcaffb2a362c7285572e4710a232a61b6b61ce1850239824e1b33d5cd0a0e9b89688b83c4f9ef34ec51ecf2dec38c47580fb297deff798cd95d3325a44dcb23d36c7e78e3802de31be277fe1af47787f214ed27f35915bfc973b9503d920567198ff66f83e07dc185013be0b33a79cff0f2ed42ab79993ab0f1733f9cb8f65b2faa04221436195f5f2417a78d6e7e5f7bfe4af9b42b0488d102db9a3d30fa7702fb97d2abe4d643d63d074293da084b86ee9c7f0e70b5c6371b29ecfed8522b89c6cee74e939551e28fb0c2193c98497892bc4a297f4e256a5609df25937d829e837426e51f190e27025ba2ac768655db79c69f2f119949f42ce4b483b81d40b7cbe12bbed52755059ec96fa1ac5ed14f2ce13cf885de7e9fd525cf5262a28a78267d1e402fe7e05001e414ac10c86bca11a30e711a414cb60c86be8799c1cfd2476944883e9712ede8acb46304b61ff33474ab1ff1749506bd00dbc73ca50ad41bff3aefc5a2b358d44ca5511a40f5e15be3bd497148926d117bff64615591f036b91aba9f7208db1aae0a81b7395672c7589f24770d256eaae0788c4b6b85acbffa53c8601a770f90ef87e88f84e5752ea9ac392a0552c1896185ba06bb04c792baee1bd1bf1f95d437b834e69234bfdcfef613f35e6112ca835e3bac60fd25aad0c271606a395732c0b3ea4198a42f131a5c82ce5f40cf7235cf3a6596087e3d28a44508467c92e99fa612346758b606191a92c6758683103613ee058780beb76c89614a70ee32c59650719f706b2af6162d5a49a090fd219af8ce698841935e79974ba1c809f555bc6627cd29e5a0ec7864f69f6ab685ed7149ac742e9c0d0dc59af022ff715b49e2f07d331cae75d537f1022f0f226fd1c62b6d08fe68966a38a2d35dd1f073c46d5a5d310cf160d5a6db732c9a383e43c2665103247113c18d82f3259b4f78b2c52867676adc3a1d57e1d6c599d112ddf73d039a639e41acdf606857e8e28ed5016eea601e224f5df1b781045900ac4361ac376f5985005635876835f8fd3dcf00a381ff0fe91464b646b02182525c65086ee6ff13e451ad01962bfed0c5105d7388ff41cdf6f5349982659d3caa9e472704f5af7b7b169346345174ac0e57bc8b583c1bd641dd96a4db3260ff90c173c3d7d428d6f4186ca05d7e656645e295e477688b6e7d9bc0f02dd0daea12d90dea942b320af3064c2d4cb2ab198f5aea56ae842195ed9d807f2d51a324d3a3197ce79a209c24b921ebf770d29a6a0ffa03550d6b353a8f4bb0d7da314e6adca7a562365dfd869f6bfbae64ba2160c4b6cc05f3ccb928b4db347f4d4f738fa27110d92172bad1dce8639476b6732e52c4bebdeae9d05ea0343bcdfdeb56bba2f59ccb165d9b539b6f4766d8e152d5dbbcc03daff864a1e2cbe4377c9cc9496e2bf24b7cd68401c528eea4aac28bd528a49fa8dd599a35447752e56ba95c1afe8c6a3764b31759a36a41cdd5a8b694d93150d579a3189baa1dc466628bbcaed469a9529b28944995679de8dfc291dd0a7c850299ee375b74cfeeb01c4daa406d1c6e62c35f684c165e971c200d66c027638d553b963003be1011b441840894db05e4715230b7617c0ae09dcb987b6d190333a4b557c5cf49fa5f17bde90bd690b6d83a11d424f5fde452dbde56ea0ad8bb458e33a21ed16d7b7974d57647942e3f8226d44873efb28e533fca1217ab478f63201ce2df3b15189c070cf74594621fd42a8fe45b426f558beb94b5bb46314eb593a8a2ddc334b6b93b3ea9171d36a7a09c5a4cde32321804dd299ed88b13d5e62301c45abdd190697ddb4fbd94a47b3273d73339a4e6c1c0fd2429c86821cc7cea778b0847a8207e96e82a964b4968c6d8fd896380c2f9ab4285f6ce017de9c00911e235f54d7e6dd85c4a9d8b349b148f9b7654870377dbce8304bd731804f5220d3b3a2447f9914a8ad33fe05379ea1a10a656e6473747265616d0a656e646f626a0a352030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b507261776b6f506c61696e5a65726f0a2f44657363656e64616e74466f6e7473205b36203020525d0a2f456e636f64696e67202f4964656e746974792d480a2f53756274797065202f54797065300a2f546f556e69636f64652037203020520a2f54797065202f466f6e740a3e3e0a656e646f626a0a362030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b507261776b6f506c61696e5a65726f0a2f43494453797374656d496e666f2038203020520a2f434944546f4749444d6170203130203020520a2f4457203532370a2f466f6e7444657363726970746f722039203020520a2f53756274797065202f434944466f6e7454797065320a2f54797065202f466f6e740a2f57205b2030205b203020333932203535302034363120353438203235322034383520353338203636392035323520333236203331342034373120353430203534382035393820323130203430372036343820353636203434392038343520353932203236322033343920353932203336322035393520353838203835362034363020363834203238302036393320353130203631342036313320333837203536362034393220323435203231302035343820323130203536342035373620323936203931392036323620353530203633312035353220353933205d0a5d0a3e3e0a656e646f626a0a372030206f626a0a3c3c0a2f4c656e67746820313036350a3e3e0a73747265616d0a2f434944496e6974202f50726f635365742066696e647265736f7572636520626567696e0a3132206469637420626567696e0a626567696e636d61700a2f43494453797374656d496e666f0a3c3c2f5265676973747279202841646f6265290a2f4f72646572696e672028554353290a2f537570706c656d656e7420300a3e3e206465660a2f434d61704e616d65202f41646f62652d4964656e746974792d554353206465660a2f434d6170547970652032206465660a3120626567696e636f6465737061636572616e67650a3c303030303e203c464646463e0a656e64636f6465737061636572616e67650a353320626567696e6266636861720a3c303030303e203c303030303e0a3c303032303e203c303032303e0a3c303030313e203c303034393e0a3c303030323e203c303036453e0a3c303030333e203c303037363e0a3c303030343e203c303036463e0a3c303030353e203c303036393e0a3c303030363e203c303036333e0a3c303030373e203c303036353e0a3c303030383e203c303034343e0a3c303030393e203c303036313e0a3c303030413e203c303037343e0a3c303030423e203c303036363e0a3c303030433e203c303037333e0a3c303030443e203c303037353e0a3c303030453e203c303033323e0a3c303030463e203c303033363e0a3c303031303e203c303032453e0a3c303031313e203c303033313e0a3c303031323e203c303033303e0a3c303031333e203c303037303e0a3c303031343e203c303037393e0a3c303031353e203c303036443e0a3c303031363e203c303035333e0a3c303031373e203c303036433e0a3c303031383e203c303037323e0a3c303031393e203c303035303e0a3c303031413e203c303032443e0a3c303031423e203c303033393e0a3c303031433e203c303033353e0a3c303031443e203c303035373e0a3c303031453e203c303037413e0a3c303031463e203c303037373e0a3c303032313e203c303034453e0a3c303032323e203c303033373e0a3c303032333e203c303033343e0a3c303032343e203c303034323e0a3c303032353e203c303032463e0a3c303032363e203c303036323e0a3c303032373e203c303036423e0a3c303032383e203c303036413e0a3c303032393e203c303032433e0a3c303032413e203c303046333e0a3c303032423e203c303033413e0a3c303032433e203c303036343e0a3c303032443e203c303033333e0a3c303032453e203c303134323e0a3c303032463e203c303032353e0a3c303033303e203c303034313e0a3c303033313e203c303036383e0a3c303033323e203c303034423e0a3c303033333e203c303034363e0a3c303033343e203c303035363e0a656e646266636861720a656e64636d61700a434d61704e616d652063757272656e7464696374202f434d617020646566696e657265736f7572636520706f700a656e640a656e640a656e6473747265616d0a656e646f626a0a382030206f626a0a3c3c0a2f4f72646572696e672028554353290a2f5265676973747279202841646f6265290a2f537570706c656d656e7420300a3e3e0a656e646f626a0a392030206f626a0a3c3c0a2f417363656e74203938340a2f436170486569676874203636380a2f44657363656e74202d3331360a2f466c61677320340a2f466f6e7442426f78205b2d3631202d32353020393638203930335d0a2f466f6e7446696c6532203131203020520a2f466f6e744e616d65202f4d50444641412b507261776b6f506c61696e5a65726f0a2f4974616c6963416e676c6520300a2f4d697373696e675769647468203532370a2f5374656d562038370a2f54797065202f466f6e7444657363726970746f720a3e3e0a656e646f626a0a31302030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e677468203232390a3e3e0a73747265616d0a789cedc1474e02000000c125b1f782318a60c1ae7051b0feff5d7ec3c3cc54eb5d74dbb8930e3a6ab5bd6e3aeeba698bbe7aeabdb72ebb6fd476e75db5d5ac9f3edbeda1bb1edbecbb8f567a6dbfb34e7b6ed24b872dfb6ddea0611badb513000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000f0cffd016b3806320a656e6473747265616d0a656e646f626a0a31312030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e67746820333835370a2f4c656e6774683120353733360a3e3e0a73747265616d0a789c8d580b709bc771defb7f129048f001e2c5274800c4fb45e2c7832408102440107c83044452944c891445520a25d2a41e96e48925359eba7ed48ed38e9bb1e24e3c71ec26b6275624b7b6dcc48eec3613c74da2b1534d1ba5695a276a2799ca96a2ba8af8a37bf78334a526d3e09fbbfffebbbdbddd6fef76f70004008ae124f0d0349cf1fa763dba330d405ab077f79e03d3cb725ef63100f7287eff627e7a7519dfe500daddf8de32bf786ceee2d35a0180bf86ddb685bdd3b32d7fb97419c7dec0125cc00eb9b2d08fed1b581a170e1cba6fe99fb76e47fe7f41fb1697f64c1f7decc4c338ff107edf7f60fabe6548c1111cafc4ef8683d307f6faa67b4e02a8f19bb32c2fad1eca9d07944d1ba3e34065e7a02bf8f1ce53bbcada7fb385e7af620ffcd21a38cbdef69b89dcc5dc14bfcaefc24f19d24a3f9cc75f16dfc6faa9dc45f11c8e5f853b7f11c63b0209288426c486dc31cae17701a7224fe028700f7313d8d72fbdc914b410ee2e6ef2cd1f43c343ddf0263490aebc0cff4e9e9664c2ea1a778669c67365e0e356a068a3ec8521ee4b586c30441e82107714dbe7b1a459b17023a0e027a0822b817a2e0829f22134727e2cd5d048daa08cb320b2b7a18a95dfe42ed2427e85743248f08390a2e35c23d2d342e7df83e51fa19e2441cdd54292bc8732bc0865e42d2822df071bb3d025b0ad17f247a026fbc1c43f058d3862db5cb887a09d3c0526e45dc7c5c0c5cda1bc0310e6c6a09388285b065a890d6a180a12d60a28807fc2b703b1288022accde08510b44117da2409bdd00f4390860c8cc31c2cc351380ed749572ec7d033830badd60a9d77d18ec1342cc00a1ccbd36e81ad48cf53e4736fe5decc7d2bf7b7b90bb9d7737f937b35f712f6bd9c7b29e7146fe5ad6f61f2b8e0fffe6a37b51de0063b5285c1497709a841033ac4bc1af5ab853aa8675456e840a9c6e151f826fc3dfc046e1205f19263e411f23cf92557c30d72a7b9d7b8cbdc6d5ece6bf806be954ff3f3fc97f977f8df16c80b5a0b460abe5070b6e0c705570b0b0a2d85edf88c161e283c56f850e19f15de9295cb6cb2986c52f698eccbb277e56ab957be4ffe57f20bf2eb5bd4b8637d08f315ee0dd45b86fa2ba00c605569509a0d3cafe28992b7aa0c3ef2757185acbcf6d6b973e4f4f992d7c5c7b837d6121ae217af123771ad3dc7dd235ed290009e84223c010bb86be5b4b5aa125426ab411e12f8a2dfeebb35eb172ff9d3374f7067d6669f7cf2dfc82462cee8f95d320b43550ecdf06b447abdff9e8d7e1f7c165e441987b0bf1bf99723822626a94fabd5a8657256cb4c56c1170c06fc169329802dd618227cf7b4cfded42584e67ace9f6d6aafedec39fb6224d8117d963be31ef23987745563dee084306c08e83df1beb0aba90535a12bdd8b2b29d05ab88ee0d3731a75294757887201bf8743ceaf66fe78b7109c79303d31d6b2a7cfe1e8dbd332c69d310d9ddcb9fbd4a0615815dc3b3a321b54a10e941b20b7ad4c660d7b9443e4acf822498bdfe0ce8cbc3b22fe08e942688d11a42b46ba80a034050c1a9352d084a6a648f5d454922b4f26d7ae2521cff133794aa5a024024f4cbc5c333445dc8773a476f5ea2c7746fc0672ff0ff104891dbcb43e677e5d0a81e03413510e3d429aa61e167f8066f92ed7b236cb85d7dec9eb1f60fa6b24fdf3089b94ca0d64afa70e46a307537ffe4462dbb6c413dc19e744b27bbb53bc497604e2f1005dd192bbc139b817e82eeb365a2cd6909ecb5bc86af5208c518e32d6c9114ea34ca6516b753a8ab34c462ca185e18ab1e250aad1d5eb6e4d4f06d36e737cbbbf69b2573d56e26dab37271c6d9ea9d83d42ea88c2980cd69b9b2bab0336bb4fa52971257df684afa626e4acaf362a751e93cd55ac2d73f78563135e944991df4332d48b17542a81ffe8c3f9f3afceff0211b8c479d66691a6021d4192699fa7a164269e7ffd85f9d3c70f1e3f3dfffccaa953487f99b3b1324bdf885a7dee06f931f904cfb503601c350ef883c11045cb28935b8341d456835a6a7526ab4c66a5480498dadff70e7b47bfb83f14f6b46d1951cfc7e7a70ab7160caa35198f2d613f723aa03074b8c3295bd1d640a7bdb1b2b563cfdc217b3c5499303be3b59d2dd6229fdfe8a05b2c857857706fa39f31e41197e3fe514a30535cad92ed8c74512d8958239e326d345be689585ba7c3e1e9e1d8e0602c36688a2934b6ea7eee6df1a7d5564d6475747435929a99d83e3dbd3d9c71213e8da8e78f989e6c15aaa564488b256f482dda39a42be54871cf424b78b1d79d0a960f96472de62e9bbdd36c8f940f56b40f28e287fafb0ec7eb7df5b5fa46eb4847346333d7d636f8eaa82e748d1ceaa201e3a758e22a3a5448bd09c17575fea765261c9e6909a7b5d942c5b0563d6a767698a836830a4903af9518d7febb6abab3dfe64db93261aacec48cb41206f14ff0a41b37eba3e7e4063dcff490c978835fd28de886165b630712e1c9704d8178b2c0e011348e56e548cdeccf88c5d4e132747a15dd877b87573bbcc3b381e65863698db6d2d9429a4c317b35cd24d0c3123df70f68233c57e8a7d86282862aa1c197724f36ab6e0b05fd0daaf979f2527c4c68afeaa9b68cc7c50c3d5129ac7e86a868a5739fb7acd2a494c4d32853d95267c4d19e6ac8967a9b2249b4e1bf569ab54ddb5ac5bf23064ba72d9316afa38745af06dfe2be871e56cbb2216f35e54e7bcf926b349361b229a7babf883288e5b91ccd9de0db6c46a53403433461bd5fc71925003d0176b6a979d05144fc767b69b6bebfebd9be529b85fc4a2c8bf4d4ad6bf073d420efb942821ca3845c93ca7e77ef85f7e79f6b438907ffe53df1ca871d5f45ea04aef53152d393482dc38c8f705df0f8355995d9a816bcdcd0da1b0ddabe3c6f5e8e96b432de3a868e4eda9b9b315a6f51b8a2da527babb93559aedfe66f4b3664cbdc9e6027ad1b837a72ad1fb1f3d83df63bf1630d736f40bcbe6e115c53bb69cd3b2d824b6c3689c4f54e8e9b76a18a46b66ee3ba7b94e24e7ea76f9c2e52e1cc763b1cdd59e7fadb12773ae31673c2e94c28f41d33f1f84c877efddd671d89c546ac524de32b5b8bfb0edab28ec5d726781724ff31c555a00c6acc9b60fc536da841a937d18436f98f5444b7e1385aa9277944f21e83cf724f0e497e63e450041dc9af7f2af90e3c6c79bc46708d920dbc3454294d2a525321c4ed896123b9b653efae1af7eee8fa00e9a94f7d8ddca2b9d6388b21ccb76c8410c927488e675300f92f67a65339523c606f4ef8436d8eb8d53fee8feed70d97c42d8eb0c3d9e61f700477286a420ebddde13035181525450d41a7b3c32804eaeaeb4d0d35754525c5c656afbb9be620785689895b646796ed427a6e05765cd96ebce21554d96c767e5ed5e0570505d21cbffffeb878c521edca246af03e9e114dde8fb13dcc94a02118fdd8876dc9fa6ca9db1d8e673b100845f3780b6917af58baac9961522e96a71a9b281fcc8ac845e4f369e4baf0ca8ed3a776bc42ae899f25a7c572c9bb705f429abb23d7338f4feeda333eb36bf24f07171791fef364899572f2b8782fe59d9b227f8df330f28db3731c0a494b94f226af5d6fd26e2dfce6ce078eec7cb9a4d61c723cdb5754af2f271f890f92136bb76cc186522a1fe6f7e465e441f38b003160f2420c1abc1c881f9155cc158d7d64675f9ff81586892d7703be86b7bb6286099a918646b56c5f8dc5528345c16a2c12ed09468b8b8c872c9f12cbe55eafaede525d6b29e0a20f1e2f68acacb65aabe565b267e81e672b909bb8c7ed6c8f634d4e525be6be4a96d0a360a63f4e04a2265b32e22793bcfef6cfe95a26f821e921063a7a94665fa4f1872323e80ff1c4f0ab98c9f0ec7c0a10471d7136bf29fae5e3eb9de7f4ff193f47de9f105d3e5fa6b939e313469b9b47057d735d5db39ed51cf97d03984393f68d11a4ea5b1fa2b578f0f70e313cb921f80af73d8a7d6613f6735566735575632337c45ed55566461b8677b9ef30da50700378db4889aaa45ca3d204b9f082b254a5545456b825de57e103bc61df4dbfa34c5d54ae29af6ce5ae4e9515a9ca15da329344df4a06b857a8374059ac8294380832d9eba17471628bb3a6dab9355134cab5760b3abd5e2774a3976a47ef35c07d0df73ae61f8577214ca4a3b58132498c1d696f3f32c66a71cd3c180e0f9aa55a917e7a79f9e9b454931de3c763b1e3e3ac96760210fb7ab66c0ad02321283f38db948994b6904fe2a50e3ba68a484721157167d4d05d1fe5ef48f6b4d477cb0d9aba894776fb3ac3de1145b6e2be89e8ee50cbcc0349b23cd479efdc4e973f26442a7bb73946dbc38b7b677c69e4e9420d659bf3e6759de8bd23b0493db9753d46acdf81882ab1ab459129ee8bb912365328565755651d6836851b23a9a25145fb54c439183185c3fdb1ee2585abcf5de9efd4b7daedbe9aa2018de034792aa3becaa61eabdad1e5f18d5468a702f1ed2e1a19f020723144a3885a6a3a600810012f26268d19ef1e2be239d2bfedf871f1c247cf0d9317c489e1e76e1096ff87518f529cd578b71e926de478bbd418e49b8c67884fb5948c2a7a3a31ef7577379afcc62da376f280f88eae66c01ede13892f32a143514b4a68491a74466525c9a6bfadd705e7fa0616fc54d24e5cb31eb1d3d31c5ccae6a43c209f9ccaef388d1bd18cf8338bfe9ac86c6fdf4e6da62462137aad9c6eacab63baa56d5faa6b78b82b3e3cace87f62bee773fba251b75e6f8cad0c5a836d73f1e8be8ebeb178626c2c111f837c7ef793fcfd42728233442f3e4ede13ff931b48a7d7cea18cad28a88e7b1ee30922b31a9279f8cd5b582ee7ef72131ffc8977bc37541f3d90e85e8cd6da540faa5d49bb23e97424edf6e4a5a2125b47da1d5bec8aed8fba46fbea2f93067bd2c1c6303570a04c345593b17b8114bf02f24088e65e1ab986c5af1f6036158964c7c6a48cea29738f992c8b17fd3dfe37596645fde724fd37a680fe47729bfd4f42db0433e6dbf93607a5449f6ff36021ae7cbb007c6434df2e846af2b97c5b061ef20cfad125588663b002fb601e16e010661e3ecc476871e75b7eeccbe2d85e7c7722c56790f620ace2cc83d893c2d9cb38b6028b58cfe3d80c6b35e01d762fdcc738a6717409f6e3f71ef6dd0987f1bd807d2bc8a70123175df910f2598536f0e243f9508ac3c8cd83b396e000eb5dc2679ef19f63eb1fc2195e98be4b2a37cefcdd52b9715492cacea49a86a3387389c9b8885ffb984e936ce6128cb2b987d9c8ca1f40df00cd7f10d59d7cc758ff2a524988fa50e3267ceee4f529a7753eeebbf8e4ff3d03c89da5ffcbfe8e1fc11b430ecafe17db398d4f0a656e6473747265616d0a656e646f626a0a31322030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b507261776b6f506c61696e5a65726f426f6c640a2f44657363656e64616e74466f6e7473205b3133203020525d0a2f456e636f64696e67202f4964656e746974792d480a2f53756274797065202f54797065300a2f546f556e69636f6465203134203020520a2f54797065202f466f6e740a3e3e0a656e646f626a0a31332030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b507261776b6f506c61696e5a65726f426f6c640a2f43494453797374656d496e666f203135203020520a2f434944546f4749444d6170203137203020520a2f4457203532370a2f466f6e7444657363726970746f72203136203020520a2f53756274797065202f434944466f6e7454797065320a2f54797065202f466f6e740a2f57205b2030205b20302035363620353532203535352033373620353637203337362036343420343430203537392036353920363236203434302036383820373430203532312035303820333030203536332035373120353736203530352038383220353936203334382036313020353936203531302036323920323732203731372035393620333132203637382035353220353933203533302034323420333138203530382035313020373536203635382032353920383836203635302036363320363037203634332037313820353731203237312036323420363037203533372036313820353736205d0a5d0a3e3e0a656e646f626a0a31342030206f626a0a3c3c0a2f4c656e67746820313132310a3e3e0a73747265616d0a2f434944496e6974202f50726f635365742066696e647265736f7572636520626567696e0a3132206469637420626567696e0a626567696e636d61700a2f43494453797374656d496e666f0a3c3c2f5265676973747279202841646f6265290a2f4f72646572696e672028554353290a2f537570706c656d656e7420300a3e3e206465660a2f434d61704e616d65202f41646f62652d4964656e746974792d554353206465660a2f434d6170547970652032206465660a3120626567696e636f6465737061636572616e67650a3c303030303e203c464646463e0a656e64636f6465737061636572616e67650a353720626567696e6266636861720a3c303030303e203c303030303e0a3c303032303e203c303032303e0a3c303030313e203c303034363e0a3c303030323e203c303036313e0a3c303030333e203c303036423e0a3c303030343e203c303037343e0a3c303030353e203c303037353e0a3c303030363e203c303037323e0a3c303030373e203c303035363e0a3c303030383e203c303032463e0a3c303030393e203c303033323e0a3c303030413e203c303033303e0a3c303030423e203c303033363e0a3c303030433e203c303033313e0a3c303030443e203c303034343e0a3c303030453e203c303037373e0a3c303030463e203c303037393e0a3c303031303e203c303037333e0a3c303031313e203c303036393e0a3c303031323e203c303036353e0a3c303031333e203c303036453e0a3c303031343e203c303036463e0a3c303031353e203c303037413e0a3c303031363e203c303036443e0a3c303031373e203c303037303e0a3c303031383e203c303134323e0a3c303031393e203c303035333e0a3c303031413e203c303036343e0a3c303031423e203c303036333e0a3c303031433e203c303035303e0a3c303031443e203c303032453e0a3c303031453e203c303034453e0a3c303031463e203c303036323e0a3c303032313e203c303034313e0a3c303032323e203c303034433e0a3c303032333e203c303036373e0a3c303032343e203c303037363e0a3c303032353e203c303034393e0a3c303032363e203c303036433e0a3c303032373e203c303135423e0a3c303032383e203c303130373e0a3c303032393e203c303035313e0a3c303032413e203c303034333e0a3c303032423e203c303036413e0a3c303032433e203c303035373e0a3c303032443e203c303035323e0a3c303032453e203c303034423e0a3c303032463e203c303035343e0a3c303033303e203c303034323e0a3c303033313e203c303034373e0a3c303033323e203c303033393e0a3c303033333e203c303032433e0a3c303033343e203c303033343e0a3c303033353e203c303033353e0a3c303033363e203c303033373e0a3c303033373e203c303035413e0a3c303033383e203c303046333e0a656e646266636861720a656e64636d61700a434d61704e616d652063757272656e7464696374202f434d617020646566696e657265736f7572636520706f700a656e640a656e640a656e6473747265616d0a656e646f626a0a31352030206f626a0a3c3c0a2f4f72646572696e672028554353290a2f5265676973747279202841646f6265290a2f537570706c656d656e7420300a3e3e0a656e646f626a0a31362030206f626a0a3c3c0a2f417363656e74203938340a2f436170486569676874203636380a2f44657363656e74202d3331360a2f466c616773203236323134380a2f466f6e7442426f78205b2d3638202d32353120393839203931395d0a2f466f6e7446696c6532203138203020520a2f466f6e744e616d65202f4d50444641412b507261776b6f506c61696e5a65726f426f6c640a2f4974616c6963416e676c6520300a2f4d697373696e675769647468203532370a2f5374656d56203136350a2f54797065202f466f6e7444657363726970746f720a3e3e0a656e646f626a0a31372030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e677468203233350a3e3e0a73747265616d0a789cedc1572e04000040c127b17a5d568de8abec6a3fba10f73f946bf898996abe51c75d77d3b8614fbdf6dc472fcd3569da5587ed77d679779d76d94f1bedb5db6a0fadb4d37d332d77d06d8b9df4db776b0d3a6aabf596da6cb685be7aecadf73edbee22000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e09ffa0342fe07180a656e6473747265616d0a656e646f626a0a31382030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e67746820343136330a2f4c656e6774683120363234380a3e3e0a73747265616d0a789ccd3869701bd779efbd250e4ae001024b9020712e081037b8b8798024488297788ba42a5207455214c553222952910fcab56a47a4dc586a1ccba215578d9234f68c6bcbee388ee44a95274d9b699bb8938c3c13b79e5a5634ced85122c5b11a71d16f77418a52329df44fa700deb1ef7defbbdff77d0b8411429bd122a290afadcbcbee7eabffcb08e108acee1e9c189896bf27ff5b84c8b7e1f9f39181996918b311cadb0da37c64fcf0de5ffcfb9b5f4728cd85500eda373c3014599eba0a7b17a185f6c182745542c3fc0e34cbbe89d985a7dae46700fff3d0b2c7a70607ceaebeb08810f512ec1f9f185898466d6812f6f2e0d938393031ecbd56f72142b9809fa8a7a76666936f22e02daf8adf473cef04c547b86bbb766595ff464e51376105fddc16bc208cf6cfeb921793616a2f3505b05280153f708ebac6bd0bfda1e445ee55d8bf891efcd40ab86b911f49501474831fd825f09c46fce422ec22729c6c83b56671c43b51049387b0c9363eb4b6b5d6a1cbc888fb523c5cc767449ea0bb455604c928928558f24d245d6f7f8acac94964227f036308dabf2013fe36f290afc1bc18da3f439b837607608ec3b807e5935d28933c893651875036d98fcc00974fb6a228e6901e463df143eb407aec42b4d0a8e445be1127c0c450903a88a2a40c5a15c0550967a27801da3da4825141c2284c72d026721d659174b409df05a922bc65910b67417b0ba9411ad7c6464e211fac3b490de09b465ae0d1450ea210c9071c65a898e74d68fd482bd081963a8b537650a034f4098c1ed0531aca84de855814063bd5a27ad488b6a056b415f5a2ed68188da069348fbe846e63198ee3be6452d0ae0bce0600be1a2500be19e0db510fc00f00fc283a880e6f80cf041a08ec0c7df24af272f2ef92ef242f8157bd9d7c23095ec6f7c9926484e3b89fa7bcc421f41ef4fb1ff343cf5e548242c07984f727a021450548870cc0a1096019542440d95025f0d88b96d125741d7d817db80eefc293f849fc2d7c93e4907e32411e2767c86be4575411d54b2d5357d336a5d1694c9a27ad3e6d67da5cdaab69ff264997d0927ac96ec95f49ae483e96fc56aa9206a54df0dd2d3d223d2e7d49fa96f447d24f6485329f6cbb6c4ef6aaec97722c2f958fcb17e4a7e53f93df4c4782165830c307e0f714f09a0e96c842684669521699284a45612565539958fc3277101ffcee9537dec04fbc99f13677825c5cada57180bb89ddd8b57a9eece0dea371106e91146ecf4be0f132b409f0a8fc2ac6669285fd9474f52fef9d75725f383bbfbb83acac0e3df2c86d9c0db610e0a929a955d0b40c6cf84bb0c0da7af7fa7a103d87be013c96c3fa38e0cf465ad026cf299b9b4baba532a19732363f1b0a0503568609c24c9894637ddb64a9d71da98ccd753dbf62f16a02a195936e8fcffd15b252dc12f13668546d65b16d9ec3b4555be43a60373136a06a4ade218b1025f508d599add6602014f2b3b91a99d5ca98a5525a9d9bcb930a6ba4523c3a72aab5f3ab7bfb97ad4773dbdc256d5e4f075b18f5651d2d7e56d1bd32baff4c7757bdd75e1c1c6e68180e66333a6f7d271f7178598005d0793e2f899fd5135a9d497819622418f010e0fd27dd27f68623234bdd3575ecd698d95cd9c5d691154bdbe3fd3b8eb6304794eeae787cab3b07f8e5b1e500b674412bb4f82dc73fe52ee22aee3259597c71318952729d05b98afe07b9807c90099a948c0da4ebdbb3bc65ebf343db4e599e5426426c97cfd3112a8c780acf62ef4e8d7144d1f3e2e8e899ad8d0d3ebdd33fd8d4381ccad0792dea796e798bdb09f4e0d6e02f015f9b81afa05f09686946e9a73d3b76e02d3b768ce1ef8f8d71a5632825c18914a4d2af54f9316628195d7ef2de05eebf70ee77fea999ac709fe05cee23ee28ceeffc87b533349c91886740e293b81e1cecfae2daeeb36b3af1630060b0b2fc12de7ce212f71b40a6c29fae0ee1cfb89c94357609d6a037f895946168e57d4f32341c4a240e359c38eeadacf41e272bee5d5b9a77bb3ec5a3769675f03635257f4811d0ae1ad91fd0afe0a31a19e8d3c686c2b6b046f0d27595e3b9e1d33d3da787874ff7166a27db279cfb2af491dcafb53f2d95b1dd7ef8f9bb15bd2b23232bbdd0970ed947baf7e94d0b39aa67ba8ed21e6dd3502030d404fd9a573d0a7264c10dd9703f4ae0268aa2888441186bfdc1dabe862baf5c687fc6e02b28f0199e212bcebec6cedd59dc9d64121fc92ed2e98bb2793de683cf348054ac28932d0c89464464b379c055638417512303971505d268785f06e709240eb4ab8fa53babaca6a8255cd915ebf53a9b0723c1c136fa58ba35603405f44e5b5fd57059eba30a5b73d067706ab28bf44c518632c3d7e4f76e0914ea62ac4f63ccce36e51532e93999f62d9589011678ca04393b844803528a5e75e31aa9799f142e2eae5ee7b986084478cf83583243f9552a3ff5e947a7cf7efd85eb607939fe62750860403c6aaf60f5140c0fc650d4ebe74e0d8dbc303274eadcd9b1318037e20ff906def2315700e720ee834644cf0a621390c726da8cfbb90b44ce7d0bef3b805f5e3cc0752ff21601ed610eaf42160017e94df94498f728b3546613dc83e69d40c388ee110a060525beeb6df5743e3fec739b4be4f39a03ed6307d2e492a32a6db7c418d0f70d39154cb5bbacc126cf743b8d06873fbe6b6ad2dc58951bb33103b901372db3146b0d3cfd28582f4cde059f34a5ec27831ba8148dc65bc926fab75974c51dba52365b3dbf94cd96ea6283d1e8e0a8b7b6d65b52630828722c0575e45dee46a145159be9e898af9ce8686c68696c0bd4f0959b1ee4fcb520e7039eff50c80c6b3209d6b44f95561e687676d5e51e52b0065dd0640ee8ccdecc99bcfa4e457cbea565ae3a3fe271180a75f170b84657a07138821a5e16a0415c200bcd5ba07743fc0281d4a20683a90c2088f3dbd86024321873776b96649b9e541b3a4d7e438dcf575baba89cefe8988939ec58bbbaca0c47ab8b8b268c3581b6c69686c68e354a2690269fa7745f1e3d9199f4942087544af9458fc7c5ed0bf1faf9faf281b841c22d49f3cd76b5259075c072f0ca6d6c604dba5091a2ea507bdb6c95bb7da2cae02c50e42a8bc3211c3279b5b45ba416265aa8924c5041a4ee989860785f6036c81906398130bb1e3f40486cb177d5d3331901bbd6abd777ba437b2a2a76074aba0be8b98aa96643c0003f10f91f69d6e9cdd3abdcb6dee2e2d289e69ea9b0d39ee07c9d233e9cd096fbfde505f1ba4402b22f5fdfdf259f41f62d849914b10c7f9ff8d55fe15b62ac85fcaa1c6eff19feb3fd1ce471a89e76a26bc209bd78020a662cacfe004e6420541f14a4510aec33b561bd51b1e4ee2e3b37b5a9200fdfe0a465355a9e4614946105fba67240d82f83b825a3a34baf9cbffce3f34f07c1fb46affe2bf71fef448f0174108e38009abfbdbc8e0427f0fbe91f97d6ea97b5563b5d1621e5ab37ccf44c0a37550616b509b83582ff6b52d159c92853ea5c9fc1343aafdeec282f2aad57eab6052a1b0c4b9bcc36af77596eb61a1d34be55abb6e43bed0e87afbf9afb11ce60ca2d75b5dc5d6162aa7073bf4bc923019ab91b683e408d27e1acb055361a96d3cd36b644c47a1f634382e352de68063c2abeeaa933af055db162b0b10f6513a3bfbfd1e168ecf7b3fd8d4e67633f6b081ae0670c188d0185a16a4f4ded9e2a038cb535304ec21d8bc475ba78241cd7f1b597408bbc07b66484dacb8ffe1e8971642709030f6aa86651ef7d69d4a287da68d58638123d44af0790181f5126c52852738e9c4c40fca89aede8988ba9ac059f60aaa5a9a1bdbeadb559d4171e827b90b1a62f0d6d05a1e8e87881d213b385130cbed567f5aaf1b234aface4369c50256fe35f0057ae07eecd7a6ada58dd6c4c4c24b22b91b3909e70584b2dee766fbd3d365c9a385cb8b039642d76e999aeb2166be568863e62771a9902ad2a5f9e996e29b5fb134ca0c25950a0a573d4b2accd4cd41d6a2ae27d0b3c10779371feed48f044289ffc413feda7195af0c8bba5b5bacecea5f171adc5439745ef8d3df2c8d8fb16d12fc3427eb8c5dfafde752f1684e00b1688681f56351996e48c95752fcfd3b97145c98e6aece63e67624c553d9671d9098b672ddfc901cffd7cf7bdd79e9d9c7cf6757c8b3b8ffbb86c8081ea9efc04601ece777fbeb8d45a7facbe75f9f1e75a5b01fe3bb84768d9789cfb0b1e7772274ec2b91ce051b8c9e1b048229362e216bd8996492e3eb777e8abdf539a5c31cfb911305906145697700da7f05458b278fec06bf075c021e64c46cc99462cf902ff35770fe74ce3ece969eed63440ba9277e0bde8153e0a8046c0887c8a544b9fb6864256680aa1878604d869f4117a99af077ac3d6fbc0325965406f0f598b4214d5f495a764acd11a0c59d395f24bfc2975f29bf81b1039283885fd588dd39fe2ee6ea7f4f7fe53c0496ad14fc9673cfdae0df48f322ccb584a5852cb0f25168615602bd01df29e001b0ead1377edcad428f30ab234115231a7ccd2d1195aa553c4fd014a5253bf073f92a9cbd414666a2ac807b3d9993a7566bed22ec2077007798dbf11c08bcd2f2651bf54fa4e75437aa7c49c9f679174a637924043505958a80c36c04df5c10d1e827a2d8bcfc59207ab5029957a75598b18b8a9ffb1aaaac7fafb1fadae7ef48629e674c64c62afd8ba32367ea6b3f3ccf8d8ca56dcd73d565232d62df4c0172f4ce75a6dcdf0491752d30f5e0c3496e48ce01f4e2bec2e28b0f8aa003c2e1f7829e0ad1ea31e287b72f9e82533d1faa627204ed8cd559b17f39fd856335ae1ee39d4881b6683433b7a8b1d2e2beb49b4b87a2a03bbfb7a5d73201fa40ad202b437f15a19089a82d8afe4af1af607f16eee6d9c58dab387fbfeab27f7e173dc81232771c635d153ee100f9cb23c9461537a90c19b2e6d92dd5714b6960fd6ab8f6456392ca5264bc4a87599363feac017b8cbcabc664bf9fe78d382c252e773b10e7dc4e18c162875b41bf7cc7e59a50a8cb46cd917e463660868c684b748c75a1521e69d5451b481dcc62a0c576e3f1435d48cb774eed13eb6c967b09619495e6ba072b8ac7ab639505e0e58628aee93fdcdc7f6969597b8355a6757b9d6523a1caf1bafd85f1709276aa3913a24de777c2f55038b656a0fce8102f553ee77c43637b7fa3ef0580c8c2ac879885da09999b0d4436d741719453d945ede9c8622dcabad9aaca9998c6fcecb5d721b83c6c2601113d099425731edaa6872d48cc7ab27e3da40858de370cc103216842ca6a0c11cd4a3ff8b4a51cc62f8d742168b0959ac065d15fe71e2cb8c98500da722b52c18e62b0d5a2646ea8fa176801c3f30905bec84fa6141bbbf00ff09772734167ad1962bc4ebff071907e413b810e4ab4ec9771ea1ff753ce24f6ee7ff854be3ff0eba074d9cf36f38f7527382e4589f9a53c88aada9791a72e12da9b90469f1426a2e45c5f824f03385a6d16174108da211b40fcd42fc67914f68eed42c006b5b616f18c66a801803d8493403272761a5014e4fc3de41342efcef378af60833236a857e41c0d80ebb53683f3c0f0acfd5680ec67db07610f018c1b779cab380670695426ded15f0f0107380cd03a7a6d084b03a05df1101ff5e81fe2c9cf0a28187b872c3c93fcc951b7645aeec025703681e4e4e093c8ec3d3a820d376e1e4148a431b47437f04a41195fc51506b187b849519d817b5c882943ef83e88e53e8e350cee750c94f85766f275fe7ff93ff0c150d92751d67f037c8a070d0a656e6473747265616d0a656e646f626a0a31392030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b41746b696e736f6e48797065726c656769626c654e6578740a2f44657363656e64616e74466f6e7473205b3230203020525d0a2f456e636f64696e67202f4964656e746974792d480a2f53756274797065202f54797065300a2f546f556e69636f6465203231203020520a2f54797065202f466f6e740a3e3e0a656e646f626a0a32302030206f626a0a3c3c0a2f42617365466f6e74202f4d50444641412b41746b696e736f6e48797065726c656769626c654e6578740a2f43494453797374656d496e666f203232203020520a2f434944546f4749444d6170203234203020520a2f4457203532370a2f466f6e7444657363726970746f72203233203020520a2f53756274797065202f434944466f6e7454797065320a2f54797065202f466f6e740a2f57205b203020302030203332203332203238305d0a3e3e0a656e646f626a0a32312030206f626a0a3c3c0a2f4c656e677468203335300a3e3e0a73747265616d0a2f434944496e6974202f50726f635365742066696e647265736f7572636520626567696e0a3132206469637420626567696e0a626567696e636d61700a2f43494453797374656d496e666f0a3c3c2f5265676973747279202841646f6265290a2f4f72646572696e672028554353290a2f537570706c656d656e7420300a3e3e206465660a2f434d61704e616d65202f41646f62652d4964656e746974792d554353206465660a2f434d6170547970652032206465660a3120626567696e636f6465737061636572616e67650a3c303030303e203c464646463e0a656e64636f6465737061636572616e67650a3220626567696e6266636861720a3c303030303e203c303030303e0a3c303032303e203c303032303e0a656e646266636861720a656e64636d61700a434d61704e616d652063757272656e7464696374202f434d617020646566696e657265736f7572636520706f700a656e640a656e640a656e6473747265616d0a656e646f626a0a32322030206f626a0a3c3c0a2f4f72646572696e672028554353290a2f5265676973747279202841646f6265290a2f537570706c656d656e7420300a3e3e0a656e646f626a0a32332030206f626a0a3c3c0a2f417363656e74203938340a2f436170486569676874203636380a2f44657363656e74202d3331360a2f466c61677320340a2f466f6e7442426f78205b2d3631202d32353020393638203930335d0a2f466f6e7446696c6532203235203020520a2f466f6e744e616d65202f4d50444641412b41746b696e736f6e48797065726c656769626c654e6578740a2f4974616c6963416e676c6520300a2f4d697373696e675769647468203532370a2f5374656d562038370a2f54797065202f466f6e7444657363726970746f720a3e3e0a656e646f626a0a32342030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e677468203135360a3e3e0a73747265616d0a789cedcc210100000c0230c4fb677e080c620bb0a4746d00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ac78ff8300050a656e6473747265616d0a656e646f626a0a32352030206f626a0a3c3c0a2f46696c746572202f466c6174654465636f64650a2f4c656e677468203831320a2f4c656e6774683120313436340a3e3e0a73747265616d0a789ca5545d485361187ebeef6c673aab69f32f039b59ceb0a96d73cbfe7f1c04958a4645a1b6fcd92ce7c636c10822ba088a828888206fbdaa0b9379517851d145d742e44d2024b49b40a2baa8dc7ace39d350eac6cec7fb7defcff33ee739efd9190480025c8782c6b6ce0677cfcdf3f580d8cdec85de4830061b3a19a718ef0c0513319e85807982675e68e8cac0dbd70fc7595fa06d0cf707fbfcef277cac4dd37c6126d493ca2cfdafb46de14872d43a8e51621f31ae188af606855974309ed37823c1d11836a28e713963c77030d2bfbfba630ba098007927164d24b353a036f33dad0e4dbbc491b9e29aa61edbbe6f798a9266069f9c4d93c649295642c24a0f439558e3629f329b79c34a1cd64c8af534565eaace6de1b39ab189b3112baa92b149dac53d56216fcbb3cc1d374ed18ddd42ae625bd1dddad61ac04baa77181a9479f178092316e498fe648ab4c1ada95b327d22402d97c168685a0713d1e06ed26347366becd9f9e5bb3a7110c771862b8a5b54ec66fb07394d0615f964b00189a2aaa2ed558a62574491e2b457b9c5934c5cc49fbf4aa5c48da9f52f3277e5f4624b89f066d2c225762e8ecbaecc4c8968e224f4f952b545f312768fbdda5965f17b14ebcfc11f7ddecc8cb7fdfb5539b6d877fffe47718eea72ef43adc94dd88ccfc072be6b39afe21a9ed2af9569bce3fb2b003afd3e9fc75d5a52ac5a2cb5e76dc5d6c292c2f26699eeb659ed85eb4a6dd5d0f1cde2847c86f5c46fad717a4a4b3d6e9fdfa3aa2ffced052d79759b2beaf25bac1db239e029abac2cf304f41959704e9ba8299ffe2f9ae10b781919bec406d198f3159c160772be092de241ce37a342cce67c1587c4171ce5cc63b882380611421849be2d371a7573e53c2f73a758ebe7799888cbc40e23c1ce61668eb13bc65a1c43dc43ac5dd43d075ab98fea8cedac46718971af1e1fc608cf307371f238f89bd1ee9c244f027bd0c0a5f1688811b2d5b32b8a889e8d728574fe01fdfe49763420b84a958b9d7f57e562d550b5634dcfd2a1e747980d12e5a6b646ae5dd84b441b2d406f35efbf5897385dab58d736e3951ca77574824883e18fd2ff55a7181f6d7652fb9ffbcb2520f8b5d87e03ac5ff8ec0a656e6473747265616d0a656e646f626a0a32362030206f626a0a3c3c0a2f466f6e74203c3c2f46312035203020520a2f4632203132203020523e3e0a2f50726f63536574205b2f504446202f54657874202f496d61676542202f496d61676543202f496d616765495d0a3e3e0a656e646f626a0a32372030206f626a0a3c3c0a2f4372656174696f6e446174652028443a32303236313132363134323930385a290a2f50726f64756365722028507261776b6f290a2f5469746c65202846616b747572612046562f323032362f303030303031290a3e3e0a656e646f626a0a787265660a302032380a303030303030303030302036353533352066200a30303030303030303135203030303030206e200a30303030303030313032203030303030206e200a30303030303030323136203030303030206e200a30303030303030333533203030303030206e200a30303030303032303531203030303030206e200a30303030303032313938203030303030206e200a30303030303032353832203030303030206e200a30303030303033363939203030303030206e200a30303030303033373638203030303030206e200a30303030303033393835203030303030206e200a30303030303034323837203030303030206e200a30303030303038323332203030303030206e200a30303030303038333836203030303030206e200a30303030303038373933203030303030206e200a30303030303039393637203030303030206e200a30303030303130303337203030303030206e200a30303030303130323635203030303030206e200a30303030303130353733203030303030206e200a30303030303134383234203030303030206e200a30303030303134393833203030303030206e200a30303030303135313738203030303030206e200a30303030303135353830203030303030206e200a30303030303135363530203030303030206e200a30303030303135383737203030303030206e200a30303030303136313036203030303030206e200a30303030303137303035203030303030206e200a30303030303137313034203030303030206e200a747261696c65720a3c3c0a2f53697a652032380a2f526f6f742032203020520a2f496e666f203237203020520a2f4944205b3c39314431433543354233373245353136304538304633323039383035353930363e3c39314431433543354233373245353136304538304633323039383035353930363e5d0a3e3e0a7374617274787265660a31373231310a2525454f460a	\\xcb5b7a4caa0612bc3a130b4ac651326c66424b6356d83d49f33228b21127a5ff	2026-11-26 14:29:16.282919+00
\.
COPY public.invoice_line (tenant_id, id, invoice_id, "position", kind, driver_limit, days, name, net, vat, vat_percent) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9f54-74d1-ac65-b183f6f54af7	01a21842-9f3f-772f-9de9-ab0173335ad7	1	period	10	\N	Subskrypcja Prawko, limit kierowców: 10, okres od 03.12.2026 do 02.01.2027	19900	4577	23
\.
COPY public.invoice_series (series, year, last_serial) FROM stdin;
FV	2026	1
\.
COPY public.legal_acceptance (tenant_id, id, user_id, document, version, accepted_at, ip) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-92c0-72a8-83dd-57bffc5b0136	01a21842-928c-73bb-b4fa-be97f7d72618	terms	2026-11-22	2026-11-26 14:29:05.789388+00	127.0.0.1
01a21842-927d-765b-865a-f40da75c2f10	01a21842-92c0-72a8-83dd-57c06b267f8d	01a21842-928c-73bb-b4fa-be97f7d72618	privacy	2026-11-22	2026-11-26 14:29:05.789388+00	127.0.0.1
01a21842-927d-765b-865a-f40da75c2f10	01a21842-92c0-72a8-83dd-57c16b1025a0	01a21842-928c-73bb-b4fa-be97f7d72618	data_processing	2026-11-22	2026-11-26 14:29:05.789388+00	127.0.0.1
01a21842-97ca-72f0-9bbe-b78489a756f3	01a21842-97e4-736f-b03f-7ffd5e889aaa	\N	terms	2026-11-22	2026-11-26 14:29:07.146039+00	127.0.0.1
01a21842-97ca-72f0-9bbe-b78489a756f3	01a21842-97e4-736f-b03f-7ffeacccc367	\N	privacy	2026-11-22	2026-11-26 14:29:07.146039+00	127.0.0.1
01a21842-97ca-72f0-9bbe-b78489a756f3	01a21842-97e4-736f-b03f-7fff5d2f203e	\N	data_processing	2026-11-22	2026-11-26 14:29:07.146039+00	127.0.0.1
01a21842-927d-765b-865a-f40da75c2f10	5ec98ffc-4893-4168-8107-1b24e5858460	01a21842-97ce-771c-858f-2da4e088262b	terms	2026-11-22	2026-11-26 14:29:07.340332+00	127.0.0.1
01a21842-927d-765b-865a-f40da75c2f10	c9551cf8-fe4b-444d-afd8-a4dd8637dc6d	01a21842-97ce-771c-858f-2da4e088262b	privacy	2026-11-22	2026-11-26 14:29:07.341336+00	127.0.0.1
01a21842-927d-765b-865a-f40da75c2f10	32efd26b-7480-44ca-bf2c-22eaf312ff51	01a21842-97ce-771c-858f-2da4e088262b	data_processing	2026-11-22	2026-11-26 14:29:07.343542+00	127.0.0.1
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9982-72e1-883c-3d83b33ebaca	01a21842-9972-758c-9d36-0b67d3341313	terms	2026-11-22	2026-11-26 14:29:07.56624+00	127.0.0.1
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9982-72e1-883c-3d84bbc1d872	01a21842-9972-758c-9d36-0b67d3341313	privacy	2026-11-22	2026-11-26 14:29:07.56624+00	127.0.0.1
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9982-72e1-883c-3d8565c2ecd4	01a21842-9972-758c-9d36-0b67d3341313	data_processing	2026-11-22	2026-11-26 14:29:07.56624+00	127.0.0.1
01a21842-9b96-77ee-8942-1ce224f1a361	01a21842-9bad-7781-8022-6b22d599c1a7	01a21842-9b9f-70f7-af41-4c3c47f53c79	terms	2026-11-22	2026-11-26 14:29:08.118917+00	127.0.0.1
01a21842-9b96-77ee-8942-1ce224f1a361	01a21842-9bad-7781-8022-6b23408859a2	01a21842-9b9f-70f7-af41-4c3c47f53c79	privacy	2026-11-22	2026-11-26 14:29:08.118917+00	127.0.0.1
01a21842-9b96-77ee-8942-1ce224f1a361	01a21842-9bad-7781-8022-6b2484d68a3f	01a21842-9b9f-70f7-af41-4c3c47f53c79	data_processing	2026-11-22	2026-11-26 14:29:08.118917+00	127.0.0.1
\.
COPY public.login_session (id, token_hash, user_id, tenant_id, created_at, last_seen_at, expires_at, revoked_at, ip, agent, impersonator_id, second_factor_pending, second_factor_at, signed_in_at) FROM stdin;
01a21842-937b-73e8-a60c-7a771f42b56f	\\x499fbb1dfa3689d6605d36227d89ae6dd92f061a93a735f401fd00c37aec3745	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	2026-11-26 14:29:06.0288+00	2026-11-26 14:29:06.0288+00	2026-12-10 14:29:06.0288+00	\N	127.0.0.1	python-httpx/0.28.1	\N	f	\N	\N
01a21842-99af-7049-828e-d7a1709c11cb	\\x85c2964a7cdfbeb2b94bd6b02fb3c8fcfa16f77b857f53113ee9d4f19ee454af	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	2026-11-26 14:29:07.630597+00	2026-11-26 14:29:07.630597+00	2026-12-10 14:29:07.630597+00	\N	127.0.0.1	python-httpx/0.28.1	\N	f	\N	\N
01a21842-9bd9-76d0-8cec-3525d0388d23	\\x0e260d6f0e6e367e138bbad965a0a3ca4d51af2ae50aee1fca924e4b8c5b746d	01a21842-9b9f-70f7-af41-4c3c47f53c79	01a21842-9b96-77ee-8942-1ce224f1a361	2026-11-26 14:29:08.184566+00	2026-11-26 14:29:08.184566+00	2026-12-10 14:29:08.184566+00	\N	127.0.0.1	python-httpx/0.28.1	\N	f	\N	\N
01a21842-98ff-7468-a914-25fdb0814f5e	\\x2707fd894c39bbb16f8389cc5b1ca0ee78bdaca131aaee441bd7877f92b7e3c6	01a21842-97ce-771c-858f-2da4e088262b	01a21842-927d-765b-865a-f40da75c2f10	2026-11-26 14:29:07.454991+00	2026-11-26 14:29:07.454991+00	2026-12-10 14:29:07.454991+00	2026-11-26 14:29:22.370024+00	127.0.0.1	python-httpx/0.28.1	\N	f	\N	\N
01a21842-d361-73e7-9bce-dafd9ea194b6	\\x00387343aacdd8534b92231ff5a8e194d01d21c74ff4b3891c978e5140f176d2	01a21842-97ce-771c-858f-2da4e088262b	01a21842-927d-765b-865a-f40da75c2f10	2026-11-26 14:29:22.401119+00	2026-11-26 14:29:22.401119+00	2026-12-10 14:29:22.401119+00	\N	127.0.0.1	python-httpx/0.28.1	\N	f	2026-11-26 14:29:22.397612+00	\N
\.
COPY public.membership (tenant_id, user_id, role, created_at, alert_groups, sms_from_hour, sms_until_hour) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-928c-73bb-b4fa-be97f7d72618	owner	2026-11-26 14:29:05.789388+00	{status,expiry,billing}	\N	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-97ce-771c-858f-2da4e088262b	member	2026-11-26 14:29:07.299861+00	{status,expiry,billing}	\N	\N
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9972-758c-9d36-0b67d3341313	owner	2026-11-26 14:29:07.56624+00	{status,expiry,billing}	\N	\N
01a21842-9b96-77ee-8942-1ce224f1a361	01a21842-9b9f-70f7-af41-4c3c47f53c79	owner	2026-11-26 14:29:08.118917+00	{status,expiry,billing}	\N	\N
\.
COPY public.notice (tenant_id, id, kind, driver_id, dedup_key, params, created_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c286-736a-8c42-972f57255dd7	withheld	01a21842-bc4e-75d9-b597-0392af901931	01a21842-c242-76d4-a3e0-3d8a13d33820	{"state": "Zatrzymany", "expires": "2039-12-31", "reasons": ["Decyzja starosty"], "authority": "Starosta Wołomiński", "last_name": "Kowalski", "checked_at": "2026-11-26T14:29:17.928368Z", "first_name": "Jan", "license_number": "AB000009"}	2026-11-26 14:29:18.070138+00
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c4e1-71cc-9e99-fef00e948db9	not_found	01a21842-be17-737a-a71c-d248f642918a	01a21842-c4c4-7617-96f7-b09190d7a66b	{"last_name": "Kowalski", "checked_at": "2026-11-26T14:29:17.928453Z", "first_name": "Jan", "license_number": "AB000004"}	2026-11-26 14:29:18.68216+00
\.
COPY public.notification (tenant_id, id, user_id, notice_id, type, title, content, read, created_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c306-72f2-8000-0049c5dba9da	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-c286-736a-8c42-972f57255dd7	driver_status	Zatrzymane uprawnienia: Jan Kowalski	Rejestr podaje stan dokumentu „Zatrzymany”. Prawo jazdy AB000009, data sprawdzenia: 26.11.2026, 15:29 (czas polski). Do wyjaśnienia sprawy nie powierzaj kierowania pojazdem.	f	2026-11-26 14:29:18.070138+00
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c306-72f2-8000-004a9f4f9489	01a21842-97ce-771c-858f-2da4e088262b	01a21842-c286-736a-8c42-972f57255dd7	driver_status	Zatrzymane uprawnienia: Jan Kowalski	Rejestr podaje stan dokumentu „Zatrzymany”. Prawo jazdy AB000009, data sprawdzenia: 26.11.2026, 15:29 (czas polski). Do wyjaśnienia sprawy nie powierzaj kierowania pojazdem.	f	2026-11-26 14:29:18.070138+00
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c544-72fc-b5f6-d9081d26f012	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-c4e1-71cc-9e99-fef00e948db9	driver_status	Sprawdź numer prawa jazdy: Jan Kowalski	Rejestr nie zna dokumentu o tych danych: Jan Kowalski, AB000004, data sprawdzenia: 26.11.2026, 15:29 (czas polski). Porównaj imię, nazwisko i numer z dokumentem. To nie oznacza zatrzymania uprawnień.	f	2026-11-26 14:29:18.68216+00
01a21842-927d-765b-865a-f40da75c2f10	01a21842-c544-72fc-b5f6-d90912836a88	01a21842-97ce-771c-858f-2da4e088262b	01a21842-c4e1-71cc-9e99-fef00e948db9	driver_status	Sprawdź numer prawa jazdy: Jan Kowalski	Rejestr nie zna dokumentu o tych danych: Jan Kowalski, AB000004, data sprawdzenia: 26.11.2026, 15:29 (czas polski). Porównaj imię, nazwisko i numer z dokumentem. To nie oznacza zatrzymania uprawnień.	f	2026-11-26 14:29:18.68216+00
\.
COPY public.one_time_code (id, user_id, kind, code_hash, bound_to, created_at, expires_at, tries, used_at) FROM stdin;
01a21842-92e7-70ed-8867-c6da2e803443	01a21842-928c-73bb-b4fa-be97f7d72618	email	\\x642698efabf3926480f59ee036ec49fcd354feb09dc571e38b765b562fb26b3f	\N	2026-11-26 14:29:05.895496+00	2026-11-26 14:44:05.895496+00	1	2026-11-26 14:29:06.683434+00
01a21842-97f1-7666-95db-804937eecaa2	01a21842-97ce-771c-858f-2da4e088262b	email	\\x002ac339710dfd0050e61f7287a6a34f0c26cd2002d866375bfb2786788570d7	\N	2026-11-26 14:29:07.185455+00	2026-11-26 14:44:07.185455+00	0	\N
01a21842-9994-7178-b8a7-b39549f77ec2	01a21842-9972-758c-9d36-0b67d3341313	email	\\x3525a85ad891d14b18e680f56380086a4db28221beabcc33c60aceda8b53206d	\N	2026-11-26 14:29:07.604812+00	2026-11-26 14:44:07.604812+00	1	2026-11-26 14:29:07.908531+00
01a21842-9bc0-72f8-a1c6-c7a7df498517	01a21842-9b9f-70f7-af41-4c3c47f53c79	email	\\xc37b660663527b854e28618f8d965a2a3b32278ed7ae2001be644bc29ad6d768	\N	2026-11-26 14:29:08.160689+00	2026-11-26 14:44:08.160689+00	0	\N
01a21842-ce88-722d-b52b-07acbecda96c	01a21842-928c-73bb-b4fa-be97f7d72618	reset	\\x3e6afda52ca0398fadb35cc0b2a956fd0bd3f44b69e06edbcf38c840f4254155	\N	2026-11-27 14:29:21.160477+00	2026-11-27 15:29:21.160477+00	0	\N
\.
COPY public.operator_password (user_id, digest) FROM stdin;
01a21842-9b9f-70f7-af41-4c3c47f53c79	JdrbcrwN7QUb+miGacIi2goaRherPOwpyDwyBhgmyEI
\.
COPY public.payment (id, tenant_id, reference, order_id, provider, method, grosze, currency, save_payment_method, state, provider_ref, url, transfer, mandate_id, encrypted_details, reason, expires_at, next_poll_at, attempts, lease_until, fence, created_at, finished_at, refunded_grosze) FROM stdin;
01a21842-9ce4-731a-af27-8e3727909f8f	01a21842-927d-765b-865a-f40da75c2f10	78T9RFEDCZ79	01a21842-9ca1-7076-a521-a664ecc4fbcb	fake	card	24477	PLN	t	paid	fake-1	https://pay.test/78T9RFEDCZ79	\N	\N	\N	\N	2026-11-26 14:44:08.492421+00	\N	0	\N	0	2026-11-26 14:29:08.445935+00	2026-11-26 14:29:08.715123+00	0
01a21842-a03e-724b-af3f-0bc0fdf3d664	01a21842-996e-7046-a663-afe76b17fccd	CN4Z6XRHH5QJ	01a21842-a018-768d-b065-302f2eca4196	fake	card	18327	PLN	t	mismatched	fake-2	https://pay.test/CN4Z6XRHH5QJ	\N	\N	\N	\N	2026-11-26 14:44:09.341197+00	\N	0	\N	0	2026-11-26 14:29:09.306262+00	2026-11-26 14:29:09.545537+00	0
\.
COPY public.payment_discrepancy (id, kind, provider, reference, provider_ref, grosze, currency, tenant_id, detail, detected_at, reported_at, resolved_at, resolution_note, refunded_grosze, facts) FROM stdin;
01a21842-a19a-72ef-927c-19f242f95c48	wrong_amount	fake	CN4Z6XRHH5QJ	fake-2	100	PLN	01a21842-996e-7046-a663-afe76b17fccd	183,27 zł was requested	2026-11-26 14:29:09.545537+00	2026-11-26 14:29:09.778465+00	\N	\N	\N	[{"text": "other_money", "params": {"expected": "183,27 zł"}}]
\.
COPY public.payment_mandate (tenant_id, id, provider, method, token, key_id, label, created_at, ended_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9e3f-7525-9bab-e958fba62c63	fake	card	\\x909d0cf7b611b780ad57d133bfc6d53b30da19eef1d60d6611aad0e08f3f2552c95c9f770892e154	payload	•••• 4242	2026-11-26 14:29:08.715123+00	\N
\.
COPY public.provider_pause (provider, since, paused_until, reason) FROM stdin;
fake	2026-11-25 14:29:22.882856+00	2026-11-25 15:29:22.882856+00	account
\.
COPY public.push_browser (tenant_id, id, user_id, session_id, endpoint, p256dh, auth, server_key, agent, created_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-ce1e-7128-97db-adbdfea9f379	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-937b-73e8-a60c-7a771f42b56f	https://push.test/laptop	BA	AA	test-key	python-httpx/0.28.1	2026-11-27 14:29:21.016946+00
\.
COPY public.recovery_code (id, user_id, code_hash, used_at) FROM stdin;
01a21842-d333-766a-9c3c-0599e3872a8a	01a21842-97ce-771c-858f-2da4e088262b	\\xc17b19ec5f4a947ce76e6c3fd4b8db287522cb9b2eb81478eddf22b7359bad92	\N
01a21842-d333-766a-9c3c-059ade257b7b	01a21842-97ce-771c-858f-2da4e088262b	\\xf95d8793aa0c32ca6c1ef9547cc164d76a2f3f5bd0d4fed5f430e8e168ea4daa	\N
01a21842-d333-766a-9c3c-059b4ffc1e46	01a21842-97ce-771c-858f-2da4e088262b	\\xaed04b2507e8d16b641ef6b281e1a867c2b0757f9dd09a048da376ace2a8d766	\N
01a21842-d333-766a-9c3c-059c10ba0b2e	01a21842-97ce-771c-858f-2da4e088262b	\\x4168309da8c8cdaf8e35237c7611a49f7a36c0a317bcf5494055338b6cd64a6f	\N
01a21842-d333-766a-9c3c-059db3a25926	01a21842-97ce-771c-858f-2da4e088262b	\\x6b66a0b2d20a6ce5bd6f3ea9b6172841ef31a7959f2ca4036a179204a8f5e670	\N
01a21842-d333-766a-9c3c-059ec6d91571	01a21842-97ce-771c-858f-2da4e088262b	\\x2d3e3ffc3a50eb1a041bf571f29b91249a7a59ee72e8f800a132e43e1bcaad71	\N
01a21842-d333-766a-9c3c-059fe5e15340	01a21842-97ce-771c-858f-2da4e088262b	\\xd7d06e0c7cbdb1271a610203ab71156825fc1b0da19cea26ad87e4e1e62acae8	\N
01a21842-d333-766a-9c3c-05a0a9849ab4	01a21842-97ce-771c-858f-2da4e088262b	\\x9eccd31e62800633994b1d58fba16857dba490043af83885dea988f2ca539211	\N
01a21842-d333-766a-9c3c-05a18d5d8b71	01a21842-97ce-771c-858f-2da4e088262b	\\x1557cc04cf7c30ab509c3dcdfb300f9de8f20c6fea417e69dc89d82e42f1713a	\N
01a21842-d333-766a-9c3c-05a2f83af2d2	01a21842-97ce-771c-858f-2da4e088262b	\\xcb5bc7412c7b2e0f068effc055831f1ccfdd8ed04b7c1ca0a01b6f7ff4f712df	\N
\.
COPY public.register_answer (tenant_id, driver_id, id, first_seen_at, document_version, expiry_date, first_name, last_name, license_number, hash, key_id, raw, document_code, document_status, issuing_authority, categories, reasons, notes) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	01a21842-c242-76d4-a3e0-3d89a70eb42d	2026-11-26 14:29:17.928368+00	1	2039-12-31	Jan	Kowalski	AB000009	\\x612e809b30002750aef3792c28acdda039cae2b2b01836258109b688a905976d	derived	\\xbb230c8823f94a12c3110b8c9257d2cb976cce0d9b0a61042ae2ebf8705ef06440a5b092ccc27994a4d511a23f1ca5bcd963b1c3176b98735b368457e9e9e12f31275474e44b4692731d467f7a75e3bc3a7d716d519d43ce1a919fdb98a99d5e83acbe8a0f0877dc9438fcc9abe84cdf1fd074eb3824014d99a21f200e8ba1748c6f9848dd7892ed6a7d42725197767a5d8f84e6d53d4368f557ef7b0e100c351d61d0a0f518c921c7b3b6d9788ce4cbc08c5903c1eca00a6a79b142a3af93bb5f87c9875d6989bcdaf1bec05a8bc66e6205f688	DICT003_ZAT	Zatrzymany	Starosta Wołomiński	[{"kategoria": "B", "dataWaznosci": "2039-12-31"}, {"kategoria": "C", "dataWaznosci": "2039-12-31"}]	[{"kod": null, "wartosc": "Decyzja starosty"}]	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	01a21842-c242-76d4-a3e0-3d8bd8f3731c	2026-11-26 14:29:17.928414+00	1	2039-12-31	Jan	Kowalski	AB000002	\\x342fc1e1ea4ae4604f59c939d160081153fe3ab48786ef614997cb323c89933a	derived	\\xdfdd20a3dba0ae2643bdf1787213eaf95adc3859dcb5a58ce459bea3ebf4d326372aa47aa5b5fa5fc30696de32893ad73e1af826b6a7d7a558278e39f02284ecdf8b467175124e5412c772b9356d846d341e421a39dfe9342241002a305032291399999e948d51116b964efac397d60779c9f68a9c90c4596cea364d08eda112e3fda90b157608a65697047f2cb3c392cb58bc9342138c226254c33c3113fb0cb7e69cf81d0b99df7762d81c93e6ac9bfd7134197f44a16cf8a7156ece57	DICT003_WYD	Wydany	Starosta Wołomiński	[{"kategoria": "B", "dataWaznosci": "2039-12-31"}, {"kategoria": "C", "dataWaznosci": "2039-12-31"}]	[]	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	01a21842-c242-76d4-a3e0-3d8da1e55222	2026-11-26 14:29:17.928435+00	1	2026-12-16	Jan	Kowalski	AB000003	\\x49c74f3383d1a7f00354e6905ddb1307e5ed305ee90342e141bcf646de799a0d	derived	\\x77c3c81153271b05d7ba4b4dc830dd1f7342c07e3a5a8eccb1faa711c6c881161247c11e45241f36af12d399d73515a28aa5d7d70c1b894327b439039b454f460d7d0056e6c4d2039912ef63a8abe8d4040147ef0827735ca1ad53dff0575c97baa3d33d9b7d5ba3fc38195b76d572c2d40e969ebe37c3e6b74cb4d19cc3cc6c6f28100737f82e37b94db019bcfe3bda98aa7c4501fb9277d8305623dfa8afcd8653993bb09ec7775680346750b50c2eae0f1f59fa15c44afbe86e4f7e73	DICT003_WYD	Wydany	Starosta Wołomiński	[{"kategoria": "B", "dataWaznosci": "2026-12-16"}, {"kategoria": "C", "dataWaznosci": "2026-12-16"}]	[]	\N
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	01a21842-c242-76d4-a3e0-3d8f1448e81d	2026-11-26 14:29:17.928453+00	1	\N	Jan	Kowalski	AB000004	\\x74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b	derived	\\x7a1986a30eea28be4a32569418adfb00e03a2b177d19eafa8ca67b662f7251b6	\N	\N	\N	[]	[]	\N
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	01a21842-c376-70a6-aedc-94e77baeb934	2026-11-26 14:29:17.928471+00	1	2039-12-31	Jan	Kowalski	AB000001	\\x1df790ac43aac91b27ba886f737513106bb1c99133f0a34e58d27b0dab062e83	derived	\\x624fa18f35070b772ca4e14534d025f0bb29933a70887180f59df5895534ad45e64a0ac07031b9e45827120877685ff119628591b457027a13a9ab520243f9267d757937a85fbb4517386284fd915711ed410617ae2fafe1fff785d00e8967b47ced491bf590126201799376ec74a255e44f6c6d947acaf8ce7d9290e976117b3bfc6782f497a51a59fd71b6b9dc7dd7fed62152475b2b28e7ecfc5c5bc8dd5380ad6f3928aa81084150e790f3b140aac2f0469383d5e4af48fa286916ac	DICT003_WYD	Wydany	Starosta Wołomiński	[{"kategoria": "B", "dataWaznosci": "2039-12-31"}, {"kategoria": "C", "dataWaznosci": "2039-12-31"}]	[]	\N
\.
COPY public.register_limiter (register, lane, next_free_at, paused_until, pause_seconds, breaker, failures, probe_at, account_error, updated_at, refused, failed) FROM stdin;
fake	manual	2026-11-26 14:29:17.606959+00	\N	0	closed	0	\N	\N	2026-11-26 14:29:17.606959+00	{}	{}
fake	run	2026-11-26 14:29:19.73302+00	\N	0	closed	0	\N	\N	2026-11-26 14:29:19.721078+00	{"drivers": [], "tenants": [], "has_known": false}	{"drivers": [], "tenants": [], "has_known": false}
\.
COPY public.renewal_step (tenant_id, id, subscription_id, end_date, step, taken_at, order_id) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	2a3f660d-bd45-468a-9872-a5682767fd38	01a21842-96f4-7466-87be-bc8c727e9581	2026-12-03 14:29:06.848981+00	first_charge	2026-11-26 14:29:22.882856+00	\N
\.
COPY public.second_factor (user_id, secret, created_at, confirmed_at, last_step) FROM stdin;
01a21842-97ce-771c-858f-2da4e088262b	\\x38095fe1bf7964b2c2dacbf6b3893578b21055be3d8e1af3f4534c95614a0242aaeb2f0d06875092216809483a375a4d5034a3a1b80271e55f9c6bbb	2026-11-26 14:29:22.126116+00	2026-11-26 14:29:22.327134+00	59856778
\.
COPY public.subscription (tenant_id, id, status, driver_limit, is_trial, start_date, end_date, monitored_until, scheduled_limit, scheduled_limit_at, cancelled_at, company_name, tax_id, street, postal_code, city, provider, mandate_id, created_at, updated_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-96f4-7466-87be-bc8c727e9581	active	5	t	2026-11-26 14:29:06.848981+00	2026-12-03 14:29:06.848981+00	2026-12-03 14:29:06.848981+00	\N	\N	\N		5260250274				\N	\N	2026-11-26 14:29:06.848981+00	2026-11-26 14:29:06.848981+00
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9ecd-72e5-a82b-7734b7f96180	active	10	f	2026-11-26 14:29:08.911608+00	2027-01-02 14:29:06.848981+00	2027-01-05 14:29:06.848981+00	\N	\N	\N	Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	fake	01a21842-9e3f-7525-9bab-e958fba62c63	2026-11-26 14:29:08.911608+00	2026-11-26 14:29:08.911608+00
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9b26-708d-acb1-155d3056dfab	inactive	5	t	2026-11-26 14:29:07.977236+00	2026-12-03 14:29:07.977236+00	2026-12-03 14:29:07.977236+00	\N	\N	\N		7740001454				\N	\N	2026-11-26 14:29:07.977236+00	2026-11-27 14:29:21.475522+00
\.
COPY public.subscription_history (tenant_id, id, subscription_id, changed_at, old_status, new_status, old_end_date, new_end_date, note) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9710-74a9-bb06-d0af5fa3cacb	01a21842-96f4-7466-87be-bc8c727e9581	2026-11-26 14:29:06.848981+00	\N	active	\N	2026-12-03 14:29:06.848981+00	Rozpoczęto bezpłatny okres próbny
01a21842-996e-7046-a663-afe76b17fccd	01a21842-9b37-725e-98c2-9486d7d4b78d	01a21842-9b26-708d-acb1-155d3056dfab	2026-11-26 14:29:07.977236+00	\N	active	\N	2026-12-03 14:29:07.977236+00	Rozpoczęto bezpłatny okres próbny
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9ef8-77ea-baf6-4ab7cc10cf9e	01a21842-9ecd-72e5-a82b-7734b7f96180	2026-11-26 14:29:08.911608+00	\N	active	\N	2027-01-02 14:29:06.848981+00	Opłacono pierwszy okres
01a21842-996e-7046-a663-afe76b17fccd	01a21842-d167-76f5-8c42-0f08b9193a27	01a21842-9b26-708d-acb1-155d3056dfab	2026-11-27 14:29:21.475522+00	active	inactive	2026-12-03 14:29:07.977236+00	2026-12-03 14:29:07.977236+00	Zmieniono przez operatora
\.
COPY public.subscription_order (tenant_id, id, kind, state, driver_limit, from_limit, end_date, lines, net, vat, method, company_name, tax_id, street, postal_code, city, created_by, created_at, paid_at, payment_id, superseded_by) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-9ca1-7076-a521-a664ecc4fbcb	period	paid	10	\N	\N	[{"net": 19900, "vat": 4577, "kind": "period"}]	19900	4577	card	Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	01a21842-928c-73bb-b4fa-be97f7d72618	2026-11-26 14:29:08.385576+00	2026-11-26 14:29:08.911608+00	01a21842-9ce4-731a-af27-8e3727909f8f	\N
01a21842-996e-7046-a663-afe76b17fccd	01a21842-a018-768d-b065-302f2eca4196	period	open	5	\N	\N	[{"net": 14900, "vat": 3427, "kind": "period"}]	14900	3427	card	Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	01a21842-9972-758c-9d36-0b67d3341313	2026-11-26 14:29:09.27217+00	\N	\N	\N
\.
COPY public.support_ticket (tenant_id, id, user_id, subject, message, claimed_email, claimed_company, created_at, forwarded_at, answered_at, closed_at) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-cc97-74c5-9b1f-d8da95bcd7d8	01a21842-928c-73bb-b4fa-be97f7d72618	Faktura	Proszę o fakturę.			2026-11-27 14:29:20.642243+00	\N	\N	\N
\.
COPY public.tenant (id, company_name, tax_id, street, postal_code, city, trial_started_at, trial_ended, created_at, updated_at, erasure_requested_at) FROM stdin;
01a21842-97ca-72f0-9bbe-b78489a756f3						\N	f	2026-11-26 14:29:07.146039+00	2026-11-26 14:29:07.146039+00	\N
01a21842-9b96-77ee-8942-1ce224f1a361						\N	f	2026-11-26 14:29:08.118917+00	2026-11-26 14:29:08.118917+00	\N
01a21842-927d-765b-865a-f40da75c2f10	Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	2026-11-26 14:29:06.848981+00	f	2026-11-26 14:29:05.789388+00	2026-11-26 14:29:08.331482+00	\N
01a21842-996e-7046-a663-afe76b17fccd	Acme Sp. z o.o.	5260250274	Prosta 5/7	00-950	Warszawa	2026-11-26 14:29:07.977236+00	f	2026-11-26 14:29:07.56624+00	2026-11-26 14:29:09.243466+00	\N
\.
COPY public.throttle (key, window_started_at, count, tries) FROM stdin;
205a0a02156c4424b66560e9c781d72c1860c4bae10116f619e1c4908e728d2f	2026-11-26 14:29:05.631336+00	1	{"2026-11-26 14:29:05.631336+00"}
faf22afebba869615c986baadfa2f3828e9f8916109d4c17521a70ce4b50dd8b	2026-11-26 14:29:05.654802+00	1	{"2026-11-26 14:29:05.654802+00"}
2402903603ace5f0b86204f27e3f937baa649f0cbafcf72251ee12a3cc5b3d71	2026-11-26 14:29:06.608941+00	1	{"2026-11-26 14:29:06.608941+00"}
f9231044da0d628ce5982d70d333bd19aa806ca786ac29ed53cb787cd08ee712	2026-11-26 14:29:06.80127+00	1	{"2026-11-26 14:29:06.80127+00"}
2c77829928f03db2a3a5701e5318a9863362dc00f63a5af3d36c91b1eeaf7110	2026-11-26 14:29:07.100485+00	1	{"2026-11-26 14:29:07.100485+00"}
5d1b6b7537c0a755627d668af79bbbc0e426b91bdbf64f9bdfb4ed803001878a	2026-11-26 14:29:07.114874+00	1	{"2026-11-26 14:29:07.114874+00"}
fc653a291eeab63fa6b4905cd5645b2e2ff2a8cdf6fa9b42a0cc254b7ae0df93	2026-11-26 14:29:07.376111+00	0	{}
398c5aa88d99e255e21ce176155bc69accbafd67f88ea1d972ecbc2b12536497	2026-11-26 14:29:07.535375+00	1	{"2026-11-26 14:29:07.535375+00"}
ed1fb19a842fc53ed7849383c041ab3e7374bd0722e3b06eacc4ce4d1060e4c9	2026-11-26 14:29:07.540591+00	1	{"2026-11-26 14:29:07.540591+00"}
fd996524656c2c5adc234a0fcda228a76f78f920fa1dc99941bae2c2be1b40c7	2026-11-26 14:29:07.867137+00	1	{"2026-11-26 14:29:07.867137+00"}
e69c9259896c000e0fe5a9d817c32ce80329577671a8c56aa2252f8f616c8bcb	2026-11-26 14:29:07.952396+00	1	{"2026-11-26 14:29:07.952396+00"}
7d44059242df2b3de0d48b0b67751eba0b6515717c5f22720821116aaf5bb92e	2026-11-26 14:29:06.83807+00	2	{"2026-11-26 14:29:06.83807+00","2026-11-26 14:29:07.971466+00"}
5d9b0e3d1c5e5635d9920eff298ed2dbbcf015d3817d7a1e7624655d29548c27	2026-11-26 14:29:05.498995+00	4	{"2026-11-26 14:29:05.498995+00","2026-11-26 14:29:07.056794+00","2026-11-26 14:29:07.50494+00","2026-11-26 14:29:08.068143+00"}
4c090e651f8b891495ae2960c7dfe7842e7ec6cce5054454e0513899419e24e0	2026-11-26 14:29:08.088393+00	1	{"2026-11-26 14:29:08.088393+00"}
e545ac7c2ea070d84e98c76a699b7a4e9bc72ef4c06c89dd84d50d35e46bd355	2026-11-26 14:29:08.094387+00	1	{"2026-11-26 14:29:08.094387+00"}
23c31287b4f499d9f738a8cc3651d7215679faf4a68738082a4529293f29f1bc	2026-11-26 14:29:08.305768+00	1	{"2026-11-26 14:29:08.305768+00"}
e78e1ba5ca891265afa6c0159a44601cc600e9f0d0feffe2a653b59ead25aaf6	2026-11-26 14:29:09.212066+00	1	{"2026-11-26 14:29:09.212066+00"}
1bed5ab5f043d05fbfbb5e83c2c006dc33a05b6e76154e783eb1e0a7892c2d5a	2026-11-26 14:29:16.442175+00	4	{"2026-11-26 14:29:16.442175+00","2026-11-26 14:29:16.628359+00","2026-11-26 14:29:16.742291+00","2026-11-26 14:29:16.90645+00"}
f799f94fd581627625c652115b51567dad45728520ee3b61ea0b6ab99b11eba8	2026-11-26 14:29:17.062266+00	1	{"2026-11-26 14:29:17.062266+00"}
3e2e990f4a409b648654c60056f6df810df1e32444a51e41d64b5669757c523f	2026-11-26 14:29:20.353318+00	1	{"2026-11-26 14:29:20.353318+00"}
3d6b6c6908ea93d20e30fe7d4f9124c3fc426df0160dcfc8917dd85ca39e58c5	2026-11-26 14:29:20.386006+00	1	{"2026-11-26 14:29:20.386006+00"}
5c6f5bffaeb657e0d60d65148e186354af2354d51848ae10cf58d35222365f12	2026-11-26 14:29:20.400755+00	1	{"2026-11-26 14:29:20.400755+00"}
1483a01e539584bbba909634487a15560dcd34a3be32186d4f2d9d7c82da5588	2026-11-26 14:29:20.421039+00	1	{"2026-11-26 14:29:20.421039+00"}
bc202ff9e3551b4c1a308c3e0d5706f8049c23a70384f25e2da193b92db3d67f	2026-11-26 14:29:20.591211+00	1	{"2026-11-26 14:29:20.591211+00"}
b1e2ac9349566cd335170ebe5993889f0695ad12df316626140daaa10aeed923	2026-11-26 14:29:20.61834+00	1	{"2026-11-26 14:29:20.61834+00"}
7f02e0a203569870ae7f91eff93aae7bd1329cbdcfb4f53499bcdada86dfecf8	2026-11-26 14:29:20.707895+00	1	{"2026-11-26 14:29:20.707895+00"}
41424deec45764551900ee7dd3a004f0ac84e0361d92279369a0e10c8dde5caf	2026-11-26 14:29:20.750316+00	1	{"2026-11-26 14:29:20.750316+00"}
041c9a25159504a13c409fbb5ca45b850dd9fbe27a7e62c33f986bef6a38eb1f	2026-11-26 14:29:20.77041+00	1	{"2026-11-26 14:29:20.77041+00"}
4cfa1459787cffe7cebfca9b0e2e24e276485900132dec39ccf4a709aff1bfa5	2026-11-26 14:29:20.853222+00	1	{"2026-11-26 14:29:20.853222+00"}
79df33b8107e6775808e96c6bd854b6e9b069491861150cb54f89f03fdc30345	2026-11-26 14:29:21.10029+00	1	{"2026-11-26 14:29:21.10029+00"}
476c110daebb6f4c38bd12796c26c09b9cf9ae754e615878b24cf8a3449a9a40	2026-11-26 14:29:21.134313+00	1	{"2026-11-26 14:29:21.134313+00"}
23e260529fd73a99fa64386ed0b9462996923a71a330d462b2a55e4f67d1b450	2026-11-26 14:29:21.146114+00	1	{"2026-11-26 14:29:21.146114+00"}
\.
COPY public.trial_claim (id, kind, digest, tenant_id, claimed_at) FROM stdin;
01a21842-96d7-7366-adbf-edd9378f8077	email	\\xa7f5eb278602cab61ad084ed870f329385dfdd8ee793d96f63075e7821eef6ed	01a21842-927d-765b-865a-f40da75c2f10	2026-11-26 14:29:06.848981+00
01a21842-96d7-7366-adbf-eddabbb4349a	tax_id	\\x92c2f93ecdfd3d3f981b809fc7bb8422a2058c722076c472e995fefcbd918738	01a21842-927d-765b-865a-f40da75c2f10	2026-11-26 14:29:06.848981+00
01a21842-9b1a-77ac-be30-9298a13ac507	email	\\x0281368ab632c0abbc7ce93d23fd8995b8a33a71579d905d8b02e7400634e2bb	01a21842-996e-7046-a663-afe76b17fccd	2026-11-26 14:29:07.977236+00
01a21842-9b1a-77ac-be30-92990f04dcc2	tax_id	\\xc3862c2a244f0e43776ba312e5610809acf1f30dfe03d6e7c39368824bf190b7	01a21842-996e-7046-a663-afe76b17fccd	2026-11-26 14:29:07.977236+00
\.
COPY public.user_account (id, email, email_key, password_hash, is_admin, email_verified, language, phone_number, phone_verified, email_notifications_enabled, sms_notifications_enabled, email_state, email_state_reason, email_trusted_at, created_at, updated_at, browser_generation) FROM stdin;
01a21842-928c-73bb-b4fa-be97f7d72618	anna@acme.test	anna@acme.test	$argon2id$v=19$m=64,t=1,p=1$E0QUexGVyKno2c5lHr7r6w$wjFK2SxIkUITsHRwDyPaxDF/nneG8ktYyYBKddDgG24	f	t	pl	\N	f	t	f	ok	\N	2026-11-26 14:29:06.700267+00	2026-11-26 14:29:05.789388+00	2026-11-26 14:29:06.70015+00	0
01a21842-9972-758c-9d36-0b67d3341313	celina@rival.test	celina@rival.test	$argon2id$v=19$m=64,t=1,p=1$D4fCszMc+PpLyW6biCrXTg$c1CqsWvYAyep8GoNa+mDZcPWAS/gTjAS3mFk2O3KLrY	f	t	pl	\N	f	t	f	ok	\N	2026-11-26 14:29:07.911355+00	2026-11-26 14:29:07.56624+00	2026-11-26 14:29:07.911281+00	0
01a21842-9b9f-70f7-af41-4c3c47f53c79	olga@prawko.test	olga@prawko.test	$argon2id$v=19$m=64,t=1,p=1$Mm+jSA3PtHDPWb+YgyHTtA$	t	t	pl	\N	f	t	f	ok	\N	\N	2026-11-26 14:29:08.118917+00	2026-11-26 14:29:08.118917+00	0
01a21842-97ce-771c-858f-2da4e088262b	bartek@acme.test	bartek@acme.test	$argon2id$v=19$m=64,t=1,p=1$EapWQFEnq32V2fwOzcnAqQ$RZ7pE/3gCOLfEK09fTneemKIo6FZkYvJySyeNP4e49A	f	t	pl	\N	f	t	f	ok	\N	\N	2026-11-26 14:29:07.146039+00	2026-11-26 14:29:07.146039+00	1
\.
COPY public.user_activity (id, user_id, tenant_id, activity_type, details, ip, agent, created_at) FROM stdin;
01a21842-92d8-752f-8b06-cb0baeedb4a6	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	registered	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:05.789388+00
01a21842-9628-76f8-9f07-d88852979551	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	email_verified	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:06.70015+00
01a21842-971e-71f9-8870-57b0a2965bef	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	trial_started	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:06.959226+00
01a21842-97ef-7656-84a3-7258d6233181	01a21842-97ce-771c-858f-2da4e088262b	01a21842-97ca-72f0-9bbe-b78489a756f3	registered	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:07.146039+00
01a21842-98ec-7377-87ef-b24ef29f3967	01a21842-97ce-771c-858f-2da4e088262b	01a21842-927d-765b-865a-f40da75c2f10	signed_in	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:07.422497+00
01a21842-998e-7360-8680-570b370177fb	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	registered	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:07.56624+00
01a21842-9acf-73af-a209-5819b36c76c6	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	email_verified	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:07.911281+00
01a21842-9b3a-76bc-a2c2-0ee3b7925d50	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	trial_started	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:08.022555+00
01a21842-9bba-7558-a9c6-134c68a361de	01a21842-9b9f-70f7-af41-4c3c47f53c79	01a21842-9b96-77ee-8942-1ce224f1a361	registered	\N	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:08.118917+00
01a21842-9cc9-7747-acef-7f4cbc8df381	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	order_placed	{"order": "01a21842-9ca1-7076-a521-a664ecc4fbcb"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:08.422728+00
01a21842-a02b-77a7-93d0-375512ea4cec	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	order_placed	{"order": "01a21842-a018-768d-b065-302f2eca4196"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:09.290572+00
01a21842-bc6e-7314-ae69-e1fe425d72df	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	driver_added	{"driver": "01a21842-bc4e-75d9-b597-0392af901931"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:16.526329+00
01a21842-bd04-722c-b2d9-a40f57e676a3	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	driver_added	{"driver": "01a21842-bcf4-740c-8639-eef334294946"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:16.676254+00
01a21842-bd9e-70ea-bec7-96f828816041	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	driver_added	{"driver": "01a21842-bd96-7079-8e53-c3dde4697904"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:16.830001+00
01a21842-be2a-769e-8671-c6097d03247e	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	driver_added	{"driver": "01a21842-be17-737a-a71c-d248f642918a"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:16.96927+00
01a21842-bed3-7698-ba7e-534655ea9a66	01a21842-9972-758c-9d36-0b67d3341313	01a21842-996e-7046-a663-afe76b17fccd	driver_added	{"driver": "01a21842-bec0-708f-8c10-1b9f96f00271"}	127.0.0.1	python-httpx/0.28.1	2026-11-26 14:29:17.139027+00
01a21842-cc1e-712f-b1c2-dd2db19be88f	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	recipient_added	{"recipient": "01a21842-cbf3-739c-b56c-1a9bf53a01c9"}	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:20.498243+00
01a21842-cca7-72f0-ac6b-7e70239c9499	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	ticket_sent	{"ticket": "01a21842-cc97-74c5-9b1f-d8da95bcd7d8"}	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:20.642243+00
01a21842-cdcb-73a5-aa97-852b071aede2	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	driver_acknowledged	{"driver": "01a21842-bc4e-75d9-b597-0392af901931", "acknowledgement": "01a21842-cdb1-73ce-a121-81409800cb2e"}	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:20.970523+00
01a21842-ce27-74a2-a552-8b0ff28f109f	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	settings_changed	{"push": true}	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:21.016946+00
01a21842-cea3-759f-a050-edf5fe09352f	01a21842-928c-73bb-b4fa-be97f7d72618	01a21842-927d-765b-865a-f40da75c2f10	password_reset_requested	\N	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:21.187139+00
01a21842-d33c-7310-b068-381f6c1293fb	01a21842-97ce-771c-858f-2da4e088262b	01a21842-927d-765b-865a-f40da75c2f10	second_factor_enabled	\N	127.0.0.1	python-httpx/0.28.1	2026-11-27 14:29:22.36392+00
\.
COPY public.verification_202611 (tenant_id, driver_id, id, verified_at, answer_id, outcome) FROM stdin;
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	01a21842-c242-76d4-a3e0-3d8a13d33820	2026-11-26 14:29:17.928368+00	01a21842-c242-76d4-a3e0-3d89a70eb42d	invalid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	01a21842-c242-76d4-a3e0-3d8c2cb35204	2026-11-26 14:29:17.928414+00	01a21842-c242-76d4-a3e0-3d8bd8f3731c	valid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	01a21842-c242-76d4-a3e0-3d8e443c049d	2026-11-26 14:29:17.928435+00	01a21842-c242-76d4-a3e0-3d8da1e55222	valid
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	01a21842-c376-70a6-aedc-94e8a3efd3bb	2026-11-26 14:29:17.928471+00	01a21842-c376-70a6-aedc-94e77baeb934	valid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	01a21842-c4c4-7617-96f7-b09190d7a66b	2026-11-26 14:29:17.928453+00	01a21842-c242-76d4-a3e0-3d8f1448e81d	not_found
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bc4e-75d9-b597-0392af901931	01a21842-c9ad-7425-96e6-f9821577fe83	2026-11-27 14:29:19.881924+00	01a21842-c242-76d4-a3e0-3d89a70eb42d	invalid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bcf4-740c-8639-eef334294946	01a21842-c9ad-7425-96e6-f9833ca1ca15	2026-11-27 14:29:19.881999+00	01a21842-c242-76d4-a3e0-3d8bd8f3731c	valid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-bd96-7079-8e53-c3dde4697904	01a21842-c9ae-731a-9741-e26f8989c014	2026-11-27 14:29:19.882021+00	01a21842-c242-76d4-a3e0-3d8da1e55222	valid
01a21842-927d-765b-865a-f40da75c2f10	01a21842-be17-737a-a71c-d248f642918a	01a21842-c9ae-731a-9741-e27045feb357	2026-11-27 14:29:19.882041+00	01a21842-c242-76d4-a3e0-3d8f1448e81d	not_found
01a21842-996e-7046-a663-afe76b17fccd	01a21842-bec0-708f-8c10-1b9f96f00271	01a21842-c9d3-76cf-b576-9f9db5e11a46	2026-11-27 14:29:19.88206+00	01a21842-c376-70a6-aedc-94e77baeb934	valid
\.
COPY public.webhook_event (id, provider, event_id, body, received_at, next_try_at, attempts, lease_until, fence, processed_at, outcome) FROM stdin;
01a21842-9d67-766f-9eb5-6583fccab19d	fake	paid-78T9RFEDCZ79	\N	2026-11-26 14:29:08.58344+00	2026-11-26 14:29:08.58344+00	1	\N	1	2026-11-26 14:29:09.09442+00	applied
01a21842-a0a5-769d-937b-93f96deae920	fake	paid-CN4Z6XRHH5QJ	\N	2026-11-26 14:29:09.413263+00	2026-11-26 14:29:09.413263+00	1	\N	1	2026-11-26 14:29:09.721177+00	applied
\.
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.check_item
    ADD CONSTRAINT pk_check_item PRIMARY KEY (day, tenant_id, driver_id);
ALTER TABLE ONLY public.check_item_20261126
    ADD CONSTRAINT check_item_20261126_pkey PRIMARY KEY (day, tenant_id, driver_id);
ALTER TABLE ONLY public.check_item_20261127
    ADD CONSTRAINT check_item_20261127_pkey PRIMARY KEY (day, tenant_id, driver_id);
ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT pk_acknowledgement PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.admin_action
    ADD CONSTRAINT pk_admin_action PRIMARY KEY (id);
ALTER TABLE ONLY public.admin_action_check
    ADD CONSTRAINT pk_admin_action_check PRIMARY KEY (checked_at);
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT pk_alert_recipient PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.booked_entry
    ADD CONSTRAINT pk_booked_entry PRIMARY KEY (reference);
ALTER TABLE ONLY public.check_pause
    ADD CONSTRAINT pk_check_pause PRIMARY KEY (id);
ALTER TABLE ONLY public.check_run
    ADD CONSTRAINT pk_check_run PRIMARY KEY (id);
ALTER TABLE ONLY public.contact_message
    ADD CONSTRAINT pk_contact_message PRIMARY KEY (id);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT pk_delivery PRIMARY KEY (id);
ALTER TABLE ONLY public.driver
    ADD CONSTRAINT pk_driver PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.heartbeat
    ADD CONSTRAINT pk_heartbeat PRIMARY KEY (id);
ALTER TABLE ONLY public.incident
    ADD CONSTRAINT pk_incident PRIMARY KEY (id);
ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT pk_invoice PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.invoice_file
    ADD CONSTRAINT pk_invoice_file PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.invoice_line
    ADD CONSTRAINT pk_invoice_line PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.invoice_series
    ADD CONSTRAINT pk_invoice_series PRIMARY KEY (series, year);
ALTER TABLE ONLY public.legal_acceptance
    ADD CONSTRAINT pk_legal_acceptance PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT pk_login_session PRIMARY KEY (id);
ALTER TABLE ONLY public.membership
    ADD CONSTRAINT pk_membership PRIMARY KEY (tenant_id, user_id);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT pk_notice PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.notification
    ADD CONSTRAINT pk_notification PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.one_time_code
    ADD CONSTRAINT pk_one_time_code PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_password
    ADD CONSTRAINT pk_operator_password PRIMARY KEY (user_id);
ALTER TABLE ONLY public.payment
    ADD CONSTRAINT pk_payment PRIMARY KEY (id);
ALTER TABLE ONLY public.payment_discrepancy
    ADD CONSTRAINT pk_payment_discrepancy PRIMARY KEY (id);
ALTER TABLE ONLY public.payment_mandate
    ADD CONSTRAINT pk_payment_mandate PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.provider_pause
    ADD CONSTRAINT pk_provider_pause PRIMARY KEY (provider);
ALTER TABLE ONLY public.push_browser
    ADD CONSTRAINT pk_push_browser PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT pk_recovery_code PRIMARY KEY (id);
ALTER TABLE ONLY public.register_answer
    ADD CONSTRAINT pk_register_answer PRIMARY KEY (tenant_id, driver_id, id);
ALTER TABLE ONLY public.register_limiter
    ADD CONSTRAINT pk_register_limiter PRIMARY KEY (register, lane);
ALTER TABLE ONLY public.renewal_step
    ADD CONSTRAINT pk_renewal_step PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.second_factor
    ADD CONSTRAINT pk_second_factor PRIMARY KEY (user_id);
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT pk_subscription PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.subscription_history
    ADD CONSTRAINT pk_subscription_history PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.subscription_order
    ADD CONSTRAINT pk_subscription_order PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT pk_support_ticket PRIMARY KEY (tenant_id, id);
ALTER TABLE ONLY public.tenant
    ADD CONSTRAINT pk_tenant PRIMARY KEY (id);
ALTER TABLE ONLY public.throttle
    ADD CONSTRAINT pk_throttle PRIMARY KEY (key);
ALTER TABLE ONLY public.trial_claim
    ADD CONSTRAINT pk_trial_claim PRIMARY KEY (id);
ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT pk_user_account PRIMARY KEY (id);
ALTER TABLE ONLY public.user_activity
    ADD CONSTRAINT pk_user_activity PRIMARY KEY (id);
ALTER TABLE ONLY public.verification
    ADD CONSTRAINT pk_verification PRIMARY KEY (tenant_id, driver_id, verified_at);
ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT pk_webhook_event PRIMARY KEY (id);
ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT uq_acknowledgement_tenant_id_driver_id_since_entry UNIQUE (tenant_id, driver_id, since, entry);
ALTER TABLE ONLY public.admin_action
    ADD CONSTRAINT uq_admin_action_sequence UNIQUE (sequence);
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT uq_alert_recipient_tenant_id_email_key UNIQUE (tenant_id, email_key);
ALTER TABLE ONLY public.check_run
    ADD CONSTRAINT uq_check_run_day UNIQUE (day);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT uq_delivery_key UNIQUE (key);
ALTER TABLE ONLY public.driver
    ADD CONSTRAINT uq_driver_tenant_id_license_number UNIQUE (tenant_id, license_number);
ALTER TABLE ONLY public.invoice_file
    ADD CONSTRAINT uq_invoice_file_tenant_id_invoice_id_kind UNIQUE (tenant_id, invoice_id, kind);
ALTER TABLE ONLY public.invoice_line
    ADD CONSTRAINT uq_invoice_line_tenant_id_invoice_id_position UNIQUE (tenant_id, invoice_id, "position");
ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT uq_invoice_tenant_id_number UNIQUE (tenant_id, number);
ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT uq_invoice_tenant_id_order_id UNIQUE (tenant_id, order_id);
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT uq_login_session_tenant_id_id UNIQUE (tenant_id, id);
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT uq_login_session_token_hash UNIQUE (token_hash);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT uq_notice_tenant_id_kind_dedup_key UNIQUE (tenant_id, kind, dedup_key);
ALTER TABLE ONLY public.payment_discrepancy
    ADD CONSTRAINT uq_payment_discrepancy_content UNIQUE (kind, provider, reference, provider_ref, grosze, currency);
ALTER TABLE ONLY public.payment
    ADD CONSTRAINT uq_payment_reference UNIQUE (reference);
ALTER TABLE ONLY public.push_browser
    ADD CONSTRAINT uq_push_browser_tenant_id_user_id_endpoint UNIQUE (tenant_id, user_id, endpoint);
ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT uq_recovery_code_user_id_code_hash UNIQUE (user_id, code_hash);
ALTER TABLE ONLY public.register_answer
    ADD CONSTRAINT uq_register_answer_tenant_id_driver_id_document_version_hash UNIQUE (tenant_id, driver_id, document_version, hash);
ALTER TABLE ONLY public.renewal_step
    ADD CONSTRAINT uq_renewal_step_tenant_id_subscription_id_end_date_step UNIQUE (tenant_id, subscription_id, end_date, step);
ALTER TABLE ONLY public.trial_claim
    ADD CONSTRAINT uq_trial_claim_kind_digest UNIQUE (kind, digest);
ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT uq_user_account_email_key UNIQUE (email_key);
ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT uq_webhook_event_provider_event_id UNIQUE (provider, event_id);
ALTER TABLE ONLY public.verification_202611
    ADD CONSTRAINT verification_202611_pkey PRIMARY KEY (tenant_id, driver_id, verified_at);
CREATE INDEX ix_check_item_unanswered ON ONLY public.check_item USING btree (day, error_kind) WHERE ((state = 'due'::text) AND (error_kind IS NOT NULL));
CREATE INDEX check_item_20261126_day_error_kind_idx ON public.check_item_20261126 USING btree (day, error_kind) WHERE ((state = 'due'::text) AND (error_kind IS NOT NULL));
CREATE INDEX ix_check_item_due ON ONLY public.check_item USING btree (day, next_try_at, tenant_id) WHERE (state = 'due'::text);
CREATE INDEX check_item_20261126_day_next_try_at_tenant_id_idx ON public.check_item_20261126 USING btree (day, next_try_at, tenant_id) WHERE (state = 'due'::text);
CREATE INDEX check_item_20261127_day_error_kind_idx ON public.check_item_20261127 USING btree (day, error_kind) WHERE ((state = 'due'::text) AND (error_kind IS NOT NULL));
CREATE INDEX check_item_20261127_day_next_try_at_tenant_id_idx ON public.check_item_20261127 USING btree (day, next_try_at, tenant_id) WHERE (state = 'due'::text);
CREATE INDEX ix_admin_action_admin_id ON public.admin_action USING btree (admin_id);
CREATE INDEX ix_admin_action_created_at ON public.admin_action USING btree (created_at);
CREATE INDEX ix_admin_action_target_user_id ON public.admin_action USING btree (target_user_id);
CREATE INDEX ix_admin_action_tenant_id ON public.admin_action USING btree (tenant_id);
CREATE INDEX ix_booked_entry_booked_at ON public.booked_entry USING btree (booked_at);
CREATE INDEX ix_booked_entry_fingerprint ON public.booked_entry USING btree (fingerprint);
CREATE UNIQUE INDEX ix_check_pause_open ON public.check_pause USING btree (((ended_at IS NULL))) WHERE (ended_at IS NULL);
CREATE INDEX ix_contact_message_created_at ON public.contact_message USING btree (created_at);
CREATE INDEX ix_contact_message_email_key ON public.contact_message USING btree (email_key);
CREATE INDEX ix_contact_message_not_forwarded ON public.contact_message USING btree (id) WHERE (forwarded_at IS NULL);
CREATE INDEX ix_delivery_pending ON public.delivery USING btree (next_try_at) WHERE (state = 'pending'::text);
CREATE INDEX ix_delivery_tenant_id ON public.delivery USING btree (tenant_id);
CREATE INDEX ix_incident_kind_key_opened_at ON public.incident USING btree (kind, key, opened_at);
CREATE INDEX ix_invoice_next_attempt ON public.invoice USING btree (tenant_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX ix_login_session_expires_at ON public.login_session USING btree (expires_at);
CREATE INDEX ix_login_session_impersonator_id ON public.login_session USING btree (impersonator_id) WHERE (impersonator_id IS NOT NULL);
CREATE INDEX ix_login_session_tenant_id_user_id ON public.login_session USING btree (tenant_id, user_id);
CREATE INDEX ix_login_session_user_id ON public.login_session USING btree (user_id);
CREATE INDEX ix_membership_user_id ON public.membership USING btree (user_id);
CREATE INDEX ix_notice_tenant_id_driver_id ON public.notice USING btree (tenant_id, driver_id);
CREATE INDEX ix_notification_tenant_id_notice_id ON public.notification USING btree (tenant_id, notice_id);
CREATE INDEX ix_notification_tenant_id_user_id_created_at ON public.notification USING btree (tenant_id, user_id, created_at);
CREATE INDEX ix_one_time_code_user_id_kind_created_at ON public.one_time_code USING btree (user_id, kind, created_at);
CREATE INDEX ix_payment_discrepancy_detected_at ON public.payment_discrepancy USING btree (detected_at) WHERE (resolved_at IS NULL);
CREATE INDEX ix_payment_next_poll ON public.payment USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE INDEX ix_payment_tenant_id_order_id_id ON public.payment USING btree (tenant_id, order_id, id);
CREATE INDEX ix_push_browser_tenant_id_session_id ON public.push_browser USING btree (tenant_id, session_id);
CREATE INDEX ix_subscription_history_tenant_id_subscription_id_changed_at ON public.subscription_history USING btree (tenant_id, subscription_id, changed_at);
CREATE INDEX ix_subscription_tenant_id_created_at ON public.subscription USING btree (tenant_id, created_at);
CREATE INDEX ix_support_ticket_not_forwarded ON public.support_ticket USING btree (tenant_id, id) WHERE (forwarded_at IS NULL);
CREATE INDEX ix_user_account_created_at ON public.user_account USING btree (created_at);
CREATE INDEX ix_user_activity_created_at ON public.user_activity USING btree (created_at);
CREATE INDEX ix_user_activity_user_id_created_at ON public.user_activity USING btree (user_id, created_at);
CREATE INDEX ix_webhook_event_unprocessed ON public.webhook_event USING btree (next_try_at) WHERE (processed_at IS NULL);
CREATE UNIQUE INDEX uq_incident_kind_key_open ON public.incident USING btree (kind, key) WHERE (closed_at IS NULL);
ALTER INDEX public.ix_check_item_unanswered ATTACH PARTITION public.check_item_20261126_day_error_kind_idx;
ALTER INDEX public.ix_check_item_due ATTACH PARTITION public.check_item_20261126_day_next_try_at_tenant_id_idx;
ALTER INDEX public.pk_check_item ATTACH PARTITION public.check_item_20261126_pkey;
ALTER INDEX public.ix_check_item_unanswered ATTACH PARTITION public.check_item_20261127_day_error_kind_idx;
ALTER INDEX public.ix_check_item_due ATTACH PARTITION public.check_item_20261127_day_next_try_at_tenant_id_idx;
ALTER INDEX public.pk_check_item ATTACH PARTITION public.check_item_20261127_pkey;
ALTER INDEX public.pk_verification ATTACH PARTITION public.verification_202611_pkey;
CREATE TRIGGER admin_action_append_only BEFORE DELETE OR UPDATE ON public.admin_action FOR EACH ROW EXECUTE FUNCTION public.protect_admin_action();
CREATE TRIGGER admin_action_chain BEFORE INSERT ON public.admin_action FOR EACH ROW EXECUTE FUNCTION public.chain_admin_action();
CREATE TRIGGER admin_action_not_truncated BEFORE TRUNCATE ON public.admin_action FOR EACH STATEMENT EXECUTE FUNCTION public.protect_admin_action();
CREATE TRIGGER driver_status_since BEFORE UPDATE OF status, valid_until ON public.driver FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.valid_until IS DISTINCT FROM new.valid_until) OR (old.status_since IS NULL))) EXECUTE FUNCTION public.keep_status_since();
CREATE TRIGGER login_session_of_operator BEFORE INSERT ON public.login_session FOR EACH ROW EXECUTE FUNCTION public.refuse_operator_session();
CREATE TRIGGER login_session_stays_revoked BEFORE UPDATE OF revoked_at ON public.login_session FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND (new.revoked_at IS NULL))) EXECUTE FUNCTION public.keep_session_ended();
CREATE TRIGGER tenant_activity_erased AFTER DELETE ON public.tenant FOR EACH ROW EXECUTE FUNCTION public.erase_tenant_activity();
CREATE TRIGGER user_account_of_operator BEFORE UPDATE OF email, email_key, email_verified, password_hash ON public.user_account FOR EACH ROW WHEN (old.is_admin) EXECUTE FUNCTION public.refuse_operator_account();
CREATE TRIGGER user_account_password_separated BEFORE UPDATE OF is_admin, password_hash ON public.user_account FOR EACH ROW EXECUTE FUNCTION public.separate_operator_password();
ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT fk_acknowledgement_driver FOREIGN KEY (tenant_id, driver_id) REFERENCES public.driver(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT fk_acknowledgement_membership FOREIGN KEY (tenant_id, created_by) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (created_by);
ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT fk_acknowledgement_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.admin_action
    ADD CONSTRAINT fk_admin_action_admin FOREIGN KEY (admin_id) REFERENCES public.user_account(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.admin_action
    ADD CONSTRAINT fk_admin_action_target_user FOREIGN KEY (target_user_id) REFERENCES public.user_account(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT fk_alert_recipient_membership FOREIGN KEY (tenant_id, created_by) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (created_by);
ALTER TABLE ONLY public.alert_recipient
    ADD CONSTRAINT fk_alert_recipient_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT fk_delivery_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.driver
    ADD CONSTRAINT fk_driver_membership FOREIGN KEY (tenant_id, created_by) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (created_by);
ALTER TABLE ONLY public.driver
    ADD CONSTRAINT fk_driver_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoice_file
    ADD CONSTRAINT fk_invoice_file_invoice FOREIGN KEY (tenant_id, invoice_id) REFERENCES public.invoice(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.invoice_line
    ADD CONSTRAINT fk_invoice_line_invoice FOREIGN KEY (tenant_id, invoice_id) REFERENCES public.invoice(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.legal_acceptance
    ADD CONSTRAINT fk_legal_acceptance_membership FOREIGN KEY (tenant_id, user_id) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (user_id);
ALTER TABLE ONLY public.legal_acceptance
    ADD CONSTRAINT fk_legal_acceptance_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT fk_login_session_impersonator FOREIGN KEY (impersonator_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT fk_login_session_membership FOREIGN KEY (tenant_id, user_id) REFERENCES public.membership(tenant_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.login_session
    ADD CONSTRAINT fk_login_session_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.membership
    ADD CONSTRAINT fk_membership_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.membership
    ADD CONSTRAINT fk_membership_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT fk_notice_driver FOREIGN KEY (tenant_id, driver_id) REFERENCES public.driver(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT fk_notice_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification
    ADD CONSTRAINT fk_notification_membership FOREIGN KEY (tenant_id, user_id) REFERENCES public.membership(tenant_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification
    ADD CONSTRAINT fk_notification_notice FOREIGN KEY (tenant_id, notice_id) REFERENCES public.notice(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification
    ADD CONSTRAINT fk_notification_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.one_time_code
    ADD CONSTRAINT fk_one_time_code_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.operator_password
    ADD CONSTRAINT fk_operator_password_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.payment_mandate
    ADD CONSTRAINT fk_payment_mandate_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.push_browser
    ADD CONSTRAINT fk_push_browser_login_session FOREIGN KEY (tenant_id, session_id) REFERENCES public.login_session(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.push_browser
    ADD CONSTRAINT fk_push_browser_membership FOREIGN KEY (tenant_id, user_id) REFERENCES public.membership(tenant_id, user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.push_browser
    ADD CONSTRAINT fk_push_browser_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.recovery_code
    ADD CONSTRAINT fk_recovery_code_second_factor FOREIGN KEY (user_id) REFERENCES public.second_factor(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.register_answer
    ADD CONSTRAINT fk_register_answer_driver FOREIGN KEY (tenant_id, driver_id) REFERENCES public.driver(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.renewal_step
    ADD CONSTRAINT fk_renewal_step_subscription FOREIGN KEY (tenant_id, subscription_id) REFERENCES public.subscription(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.renewal_step
    ADD CONSTRAINT fk_renewal_step_subscription_order FOREIGN KEY (tenant_id, order_id) REFERENCES public.subscription_order(tenant_id, id) ON DELETE SET NULL (order_id);
ALTER TABLE ONLY public.renewal_step
    ADD CONSTRAINT fk_renewal_step_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.second_factor
    ADD CONSTRAINT fk_second_factor_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription_history
    ADD CONSTRAINT fk_subscription_history_subscription FOREIGN KEY (tenant_id, subscription_id) REFERENCES public.subscription(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription_history
    ADD CONSTRAINT fk_subscription_history_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription_order
    ADD CONSTRAINT fk_subscription_order_membership FOREIGN KEY (tenant_id, created_by) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (created_by);
ALTER TABLE ONLY public.subscription_order
    ADD CONSTRAINT fk_subscription_order_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT fk_subscription_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT fk_support_ticket_membership FOREIGN KEY (tenant_id, user_id) REFERENCES public.membership(tenant_id, user_id) ON DELETE SET NULL (user_id);
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT fk_support_ticket_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.trial_claim
    ADD CONSTRAINT fk_trial_claim_tenant FOREIGN KEY (tenant_id) REFERENCES public.tenant(id) ON DELETE SET NULL;
ALTER TABLE ONLY public.user_activity
    ADD CONSTRAINT fk_user_activity_user_account FOREIGN KEY (user_id) REFERENCES public.user_account(id) ON DELETE CASCADE;
ALTER TABLE public.verification
    ADD CONSTRAINT fk_verification_driver FOREIGN KEY (tenant_id, driver_id) REFERENCES public.driver(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE public.verification
    ADD CONSTRAINT fk_verification_register_answer FOREIGN KEY (tenant_id, driver_id, answer_id) REFERENCES public.register_answer(tenant_id, driver_id, id);
ALTER TABLE public.acknowledgement ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.alert_recipient ENABLE ROW LEVEL SECURITY;
CREATE POLICY bound_company ON public.membership TO prawko_app USING (((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text) OR (tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))) WITH CHECK (((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text) OR (tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)));
CREATE POLICY bound_company ON public.user_activity TO prawko_app USING (((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text) OR (tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))) WITH CHECK (((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text) OR (tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)));
ALTER TABLE public.check_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.check_item_20261126 ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.check_item_20261127 ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.driver ENABLE ROW LEVEL SECURITY;
CREATE POLICY every_company ON public.membership TO prawko_worker, prawko_operator USING (true) WITH CHECK (true);
CREATE POLICY every_company ON public.user_activity TO prawko_worker, prawko_operator USING (true) WITH CHECK (true);
ALTER TABLE public.invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invoice_file ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.invoice_line ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.legal_acceptance ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.membership ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notice ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notification ENABLE ROW LEVEL SECURITY;
CREATE POLICY operator_all_tenants ON public.check_item FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.delivery FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.driver FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.payment FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.subscription FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.subscription_history FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.support_ticket FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_all_tenants ON public.tenant FOR SELECT TO prawko_operator USING ((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text));
CREATE POLICY operator_own_mail ON public.delivery FOR INSERT TO prawko_operator WITH CHECK ((tenant_id IS NULL));
ALTER TABLE public.payment ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.payment_mandate ENABLE ROW LEVEL SECURITY;
CREATE POLICY planner_all_tenants ON public.check_item TO prawko_planner USING (true) WITH CHECK (true);
CREATE POLICY planner_due_rows ON public.driver FOR SELECT TO prawko_planner USING (true);
CREATE POLICY planner_due_rows ON public.renewal_step FOR SELECT TO prawko_planner USING (true);
CREATE POLICY planner_due_rows ON public.subscription FOR SELECT TO prawko_planner USING (true);
CREATE POLICY planner_pending_rows ON public.invoice FOR SELECT TO prawko_planner USING (true);
CREATE POLICY planner_pending_rows ON public.support_ticket FOR SELECT TO prawko_planner USING (true);
CREATE POLICY planner_pending_rows ON public.tenant FOR SELECT TO prawko_planner USING ((erasure_requested_at IS NOT NULL));
ALTER TABLE public.push_browser ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.register_answer ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.renewal_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.subscription_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.subscription_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.support_ticket ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.acknowledgement USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.alert_recipient USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.check_item USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.check_item_20261126 USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.check_item_20261127 USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.delivery USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.driver USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.invoice USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.invoice_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.invoice_line USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.legal_acceptance USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.notice USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.notification USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.payment USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.payment_mandate USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.push_browser USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.register_answer USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.renewal_step USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.subscription USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.subscription_history USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.subscription_order USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.support_ticket USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.tenant USING ((id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.verification USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
CREATE POLICY tenant_isolation ON public.verification_202611 USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
ALTER TABLE public.user_activity ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.verification ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.verification_202611 ENABLE ROW LEVEL SECURITY;
CREATE POLICY worker_all_tenants ON public.check_item TO prawko_worker USING (true) WITH CHECK (true);
CREATE POLICY worker_all_tenants ON public.delivery TO prawko_worker USING (true) WITH CHECK (true);
CREATE POLICY worker_all_tenants ON public.payment TO prawko_worker USING (true) WITH CHECK (true);
REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO prawko_app;
GRANT USAGE ON SCHEMA public TO prawko_worker;
GRANT USAGE ON SCHEMA public TO prawko_planner;
GRANT USAGE ON SCHEMA public TO prawko_operator;
GRANT USAGE ON SCHEMA public TO prawko_backup;
REVOKE ALL ON FUNCTION pg_catalog.lo_close(integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_creat(integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_create(oid) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_get(oid) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_get(oid, bigint, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_lseek(integer, integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_lseek64(integer, bigint, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_open(oid, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_put(oid, bigint, bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_tell(integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_tell64(integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_truncate(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_truncate64(integer, bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lo_unlink(oid) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.loread(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.lowrite(integer, bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION pg_catalog.pg_advisory_lock(bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_advisory_lock(bigint) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_advisory_lock(integer, integer) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_advisory_lock(integer, integer) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_advisory_lock_shared(bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_advisory_lock_shared(bigint) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_advisory_lock_shared(integer, integer) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_advisory_lock_shared(integer, integer) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_try_advisory_lock(bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_try_advisory_lock(bigint) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_try_advisory_lock(integer, integer) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_try_advisory_lock(integer, integer) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_try_advisory_lock_shared(bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_try_advisory_lock_shared(bigint) TO prawko_owner;
REVOKE ALL ON FUNCTION pg_catalog.pg_try_advisory_lock_shared(integer, integer) FROM PUBLIC;
GRANT ALL ON FUNCTION pg_catalog.pg_try_advisory_lock_shared(integer, integer) TO prawko_owner;
REVOKE ALL ON FUNCTION public.add_impersonation(session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_impersonation(session_id uuid, operator_session uuid, new_token_hash bytea, person uuid, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text) TO prawko_operator;
REVOKE ALL ON FUNCTION public.add_operator_session(person uuid, password_digest text, present_token text, session_id uuid, new_token_hash bytea, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text, confirmed_at timestamp with time zone, waits_for_code boolean, first_begun_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_operator_session(person uuid, password_digest text, present_token text, session_id uuid, new_token_hash bytea, company uuid, begun_at timestamp with time zone, ends_at timestamp with time zone, client_ip text, client_agent text, confirmed_at timestamp with time zone, waits_for_code boolean, first_begun_at timestamp with time zone) TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.admin_action TO prawko_operator;
GRANT SELECT ON TABLE public.admin_action TO prawko_worker;
REVOKE ALL ON FUNCTION public.admin_action_hash(action public.admin_action) FROM PUBLIC;
GRANT ALL ON FUNCTION public.admin_action_hash(action public.admin_action) TO prawko_operator;
GRANT ALL ON FUNCTION public.admin_action_hash(action public.admin_action) TO prawko_worker;
REVOKE ALL ON FUNCTION public.chain_admin_action() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.change_operator_password(person uuid, old_digest text, new_hash text, changed_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_operator_password(person uuid, old_digest text, new_hash text, changed_at timestamp with time zone) TO prawko_app;
REVOKE ALL ON FUNCTION public.company_drivers() FROM PUBLIC;
GRANT ALL ON FUNCTION public.company_drivers() TO prawko_operator;
REVOKE ALL ON FUNCTION public.drop_days(before date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_days(before date) TO prawko_planner;
REVOKE ALL ON FUNCTION public.drop_months(before date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_months(before date) TO prawko_worker;
REVOKE ALL ON FUNCTION public.ensure_day(day date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ensure_day(day date) TO prawko_planner;
REVOKE ALL ON FUNCTION public.ensure_month(day date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ensure_month(day date) TO prawko_app;
GRANT ALL ON FUNCTION public.ensure_month(day date) TO prawko_worker;
GRANT ALL ON FUNCTION public.ensure_month(day date) TO prawko_planner;
REVOKE ALL ON FUNCTION public.erase_tenant_activity() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.is_operator_password(person uuid, password_digest text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_operator_password(person uuid, password_digest text) TO prawko_app;
REVOKE ALL ON FUNCTION public.keep_session_ended() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.keep_status_since() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.protect_admin_action() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.refuse_operator_account() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.refuse_operator_session() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.remove_member(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_member(person uuid) TO prawko_operator;
REVOKE ALL ON FUNCTION public.separate_operator_password() FROM PUBLIC;
GRANT SELECT,INSERT ON TABLE public.acknowledgement TO prawko_app;
GRANT SELECT(tenant_id) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(id) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(driver_id) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(status) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(since) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(entry) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(kind) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(note) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT(created_by) ON TABLE public.acknowledgement TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.admin_action_check TO prawko_worker;
GRANT SELECT ON TABLE public.admin_action_check TO prawko_operator;
GRANT SELECT ON TABLE public.alembic_version TO prawko_app;
GRANT SELECT ON TABLE public.alembic_version TO prawko_worker;
GRANT SELECT ON TABLE public.alembic_version TO prawko_operator;
GRANT SELECT,INSERT,DELETE ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT ON TABLE public.alert_recipient TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.alert_recipient TO prawko_operator;
GRANT SELECT(id) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(name) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(name) ON TABLE public.alert_recipient TO prawko_operator;
GRANT SELECT(email) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(language) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(language) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(email_enabled) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(email_enabled) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(alert_groups) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(alert_groups) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(email_state) ON TABLE public.alert_recipient TO prawko_app;
GRANT UPDATE(email_state) ON TABLE public.alert_recipient TO prawko_worker;
GRANT SELECT(email_state) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(email_trusted_at) ON TABLE public.alert_recipient TO prawko_app;
GRANT UPDATE(invited_at) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(invited_at) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(confirmed_at) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(confirmed_at) ON TABLE public.alert_recipient TO prawko_operator;
GRANT UPDATE(stopped_at) ON TABLE public.alert_recipient TO prawko_app;
GRANT SELECT(stopped_at) ON TABLE public.alert_recipient TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.alert_recipient TO prawko_operator;
GRANT SELECT(created_by) ON TABLE public.alert_recipient TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.booked_entry TO prawko_operator;
GRANT SELECT,DELETE ON TABLE public.booked_entry TO prawko_worker;
GRANT SELECT ON TABLE public.check_item TO prawko_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.check_item TO prawko_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.check_item TO prawko_planner;
GRANT SELECT,DELETE ON TABLE public.check_item TO prawko_operator;
GRANT SELECT ON TABLE public.check_pause TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.check_pause TO prawko_operator;
GRANT UPDATE(ended_at) ON TABLE public.check_pause TO prawko_operator;
GRANT SELECT,UPDATE ON TABLE public.check_run TO prawko_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.check_run TO prawko_planner;
GRANT SELECT ON TABLE public.check_run TO prawko_operator;
GRANT UPDATE(review_state) ON TABLE public.check_run TO prawko_operator;
GRANT UPDATE(retry_requested_at) ON TABLE public.check_run TO prawko_operator;
GRANT INSERT ON TABLE public.contact_message TO prawko_app;
GRANT SELECT,DELETE ON TABLE public.contact_message TO prawko_worker;
GRANT DELETE ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(id) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(name) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(email) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(email_key) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(company) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(drivers_count) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(message) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.contact_message TO prawko_operator;
GRANT UPDATE(forwarded_at) ON TABLE public.contact_message TO prawko_worker;
GRANT SELECT(forwarded_at) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(answered_at),UPDATE(answered_at) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT(closed_at),UPDATE(closed_at) ON TABLE public.contact_message TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.delivery TO prawko_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery TO prawko_worker;
GRANT INSERT ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(id) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(tenant_id) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(kind) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(channel_medium) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(user_id) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(notice_id) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(subject_id) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(state),UPDATE(state) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(attempts),UPDATE(attempts) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(not_before) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(next_try_at),UPDATE(next_try_at) ON TABLE public.delivery TO prawko_operator;
GRANT UPDATE(lease_until) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(key) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(error_kind),UPDATE(error_kind) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(error),UPDATE(error) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(sent_at) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(report),UPDATE(report) ON TABLE public.delivery TO prawko_operator;
GRANT UPDATE(reported_at) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT(carrier) ON TABLE public.delivery TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.driver TO prawko_app;
GRANT SELECT,UPDATE ON TABLE public.driver TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.driver TO prawko_planner;
GRANT SELECT(tenant_id) ON TABLE public.driver TO prawko_operator;
GRANT SELECT(id) ON TABLE public.driver TO prawko_planner;
GRANT SELECT(id) ON TABLE public.driver TO prawko_operator;
GRANT SELECT(document_version) ON TABLE public.driver TO prawko_planner;
GRANT SELECT(status) ON TABLE public.driver TO prawko_planner;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.heartbeat TO prawko_worker;
GRANT SELECT ON TABLE public.heartbeat TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.incident TO prawko_worker;
GRANT SELECT ON TABLE public.incident TO prawko_operator;
GRANT UPDATE(closed_at) ON TABLE public.incident TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.invoice TO prawko_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.invoice TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.invoice TO prawko_planner;
GRANT SELECT(tenant_id) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(id) ON TABLE public.invoice TO prawko_planner;
GRANT SELECT(id) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(order_id) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(number) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(issued_at) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(issued_on) ON TABLE public.invoice TO prawko_planner;
GRANT SELECT(issued_on) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(sold_on) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(method) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(seller_name) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(seller_tax_id) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(seller_street) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(seller_postal_code) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(seller_city) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(buyer_name) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(buyer_tax_id) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(buyer_street) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(buyer_postal_code) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(buyer_city) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(net) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(vat) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(gross) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(currency) ON TABLE public.invoice TO prawko_operator;
GRANT SELECT(issuer) ON TABLE public.invoice TO prawko_operator;
GRANT UPDATE(state) ON TABLE public.invoice TO prawko_worker;
GRANT SELECT(state) ON TABLE public.invoice TO prawko_operator;
GRANT UPDATE(schema) ON TABLE public.invoice TO prawko_worker;
GRANT SELECT(ksef_number) ON TABLE public.invoice TO prawko_operator;
GRANT UPDATE(reason) ON TABLE public.invoice TO prawko_worker;
GRANT UPDATE(attempts) ON TABLE public.invoice TO prawko_worker;
GRANT SELECT(attempts) ON TABLE public.invoice TO prawko_planner;
GRANT UPDATE(next_attempt_at) ON TABLE public.invoice TO prawko_worker;
GRANT SELECT(next_attempt_at) ON TABLE public.invoice TO prawko_planner;
GRANT SELECT ON TABLE public.invoice_file TO prawko_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.invoice_file TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.invoice_file TO prawko_operator;
GRANT SELECT(invoice_id) ON TABLE public.invoice_file TO prawko_operator;
GRANT SELECT(kind) ON TABLE public.invoice_file TO prawko_operator;
GRANT SELECT(content) ON TABLE public.invoice_file TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.invoice_line TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.invoice_line TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT(invoice_id) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT("position") ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT(name) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT(net) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT(vat) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT(vat_percent) ON TABLE public.invoice_line TO prawko_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.invoice_series TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.invoice_series TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.legal_acceptance TO prawko_app;
GRANT SELECT(tenant_id) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(id) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(user_id) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(document) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(version) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(accepted_at) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT(ip) ON TABLE public.legal_acceptance TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.login_session TO prawko_app;
GRANT DELETE ON TABLE public.login_session TO prawko_worker;
GRANT SELECT ON TABLE public.login_session TO prawko_operator;
GRANT SELECT(id) ON TABLE public.login_session TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.login_session TO prawko_worker;
GRANT SELECT(last_seen_at) ON TABLE public.login_session TO prawko_worker;
GRANT UPDATE(last_seen_at) ON TABLE public.login_session TO prawko_operator;
GRANT UPDATE(last_seen_at) ON TABLE public.login_session TO prawko_app;
GRANT SELECT(expires_at) ON TABLE public.login_session TO prawko_worker;
GRANT SELECT(revoked_at) ON TABLE public.login_session TO prawko_worker;
GRANT UPDATE(revoked_at) ON TABLE public.login_session TO prawko_operator;
GRANT UPDATE(revoked_at) ON TABLE public.login_session TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.membership TO prawko_app;
GRANT SELECT ON TABLE public.membership TO prawko_worker;
GRANT SELECT ON TABLE public.membership TO prawko_operator;
GRANT UPDATE(alert_groups) ON TABLE public.membership TO prawko_app;
GRANT UPDATE(sms_from_hour) ON TABLE public.membership TO prawko_app;
GRANT UPDATE(sms_until_hour) ON TABLE public.membership TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.subscription TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.subscription TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(tenant_id) ON TABLE public.subscription TO prawko_planner;
GRANT SELECT(id) ON TABLE public.subscription TO prawko_planner;
GRANT SELECT(status) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(status) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(driver_limit) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(driver_limit) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(end_date) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(end_date) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(monitored_until) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(monitored_until) ON TABLE public.subscription TO prawko_operator;
GRANT UPDATE(scheduled_limit) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(scheduled_limit_at) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(scheduled_limit_at) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(cancelled_at) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(cancelled_at) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(mandate_id) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(mandate_id) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.subscription TO prawko_planner;
GRANT UPDATE(updated_at) ON TABLE public.subscription TO prawko_operator;
GRANT SELECT ON TABLE public.monitored_company TO prawko_app;
GRANT SELECT ON TABLE public.monitored_company TO prawko_worker;
GRANT SELECT ON TABLE public.monitored_company TO prawko_planner;
GRANT SELECT,INSERT ON TABLE public.notice TO prawko_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.notice TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.notice TO prawko_operator;
GRANT SELECT(id) ON TABLE public.notice TO prawko_operator;
GRANT SELECT(kind) ON TABLE public.notice TO prawko_operator;
GRANT SELECT(driver_id) ON TABLE public.notice TO prawko_operator;
GRANT SELECT(params) ON TABLE public.notice TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.notice TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notification TO prawko_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.notification TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(id) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(user_id) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(notice_id) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(type) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(title) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(content) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(read) ON TABLE public.notification TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.notification TO prawko_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.one_time_code TO prawko_app;
GRANT DELETE ON TABLE public.one_time_code TO prawko_worker;
GRANT SELECT(id) ON TABLE public.one_time_code TO prawko_worker;
GRANT SELECT(user_id) ON TABLE public.one_time_code TO prawko_worker;
GRANT SELECT(expires_at) ON TABLE public.one_time_code TO prawko_worker;
GRANT SELECT(used_at) ON TABLE public.one_time_code TO prawko_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.payment TO prawko_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payment TO prawko_worker;
GRANT SELECT(id) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(tenant_id) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(reference) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(order_id) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(provider) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(method) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(grosze) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(currency) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(state) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(provider_ref) ON TABLE public.payment TO prawko_operator;
GRANT UPDATE(url) ON TABLE public.payment TO prawko_operator;
GRANT UPDATE(transfer) ON TABLE public.payment TO prawko_operator;
GRANT UPDATE(encrypted_details) ON TABLE public.payment TO prawko_operator;
GRANT UPDATE(reason) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(finished_at) ON TABLE public.payment TO prawko_operator;
GRANT SELECT(refunded_grosze) ON TABLE public.payment TO prawko_operator;
GRANT INSERT ON TABLE public.payment_discrepancy TO prawko_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payment_discrepancy TO prawko_worker;
GRANT SELECT ON TABLE public.payment_discrepancy TO prawko_operator;
GRANT UPDATE(resolved_at) ON TABLE public.payment_discrepancy TO prawko_operator;
GRANT UPDATE(resolution_note) ON TABLE public.payment_discrepancy TO prawko_operator;
GRANT UPDATE(refunded_grosze) ON TABLE public.payment_discrepancy TO prawko_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.payment_mandate TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.payment_mandate TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(id) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(provider) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(method) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(label) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT(ended_at) ON TABLE public.payment_mandate TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_pause TO prawko_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.provider_pause TO prawko_worker;
GRANT SELECT ON TABLE public.provider_pause TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.push_browser TO prawko_app;
GRANT SELECT,DELETE ON TABLE public.push_browser TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.push_browser TO prawko_operator;
GRANT SELECT(id) ON TABLE public.push_browser TO prawko_operator;
GRANT SELECT(user_id) ON TABLE public.push_browser TO prawko_operator;
GRANT SELECT(agent) ON TABLE public.push_browser TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.push_browser TO prawko_operator;
GRANT SELECT ON TABLE public.ranked_driver TO prawko_app;
GRANT SELECT ON TABLE public.ranked_driver TO prawko_worker;
GRANT SELECT ON TABLE public.ranked_driver TO prawko_planner;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recovery_code TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.register_answer TO prawko_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.register_answer TO prawko_worker;
GRANT SELECT ON TABLE public.register_answer TO prawko_operator;
GRANT UPDATE(key_id) ON TABLE public.register_answer TO prawko_worker;
GRANT UPDATE(raw) ON TABLE public.register_answer TO prawko_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.register_limiter TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.register_limiter TO prawko_worker;
GRANT SELECT ON TABLE public.register_limiter TO prawko_operator;
GRANT SELECT ON TABLE public.renewal_step TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.renewal_step TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.renewal_step TO prawko_planner;
GRANT SELECT(tenant_id) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(id) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(subscription_id) ON TABLE public.renewal_step TO prawko_planner;
GRANT SELECT(subscription_id) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(end_date) ON TABLE public.renewal_step TO prawko_planner;
GRANT SELECT(end_date) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(step) ON TABLE public.renewal_step TO prawko_planner;
GRANT SELECT(step) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(taken_at) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT(order_id) ON TABLE public.renewal_step TO prawko_operator;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.second_factor TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.subscription_history TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.subscription_history TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.subscription_history TO prawko_operator;
GRANT SELECT,INSERT,UPDATE ON TABLE public.subscription_order TO prawko_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.subscription_order TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(id) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(kind) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(state) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(driver_limit) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(lines) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(net) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(vat) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(method) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(company_name) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(tax_id) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(street) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(postal_code) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(city) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(created_by) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT(paid_at) ON TABLE public.subscription_order TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.support_ticket TO prawko_app;
GRANT SELECT,DELETE ON TABLE public.support_ticket TO prawko_worker;
GRANT SELECT ON TABLE public.support_ticket TO prawko_operator;
GRANT SELECT(tenant_id) ON TABLE public.support_ticket TO prawko_planner;
GRANT SELECT(id) ON TABLE public.support_ticket TO prawko_planner;
GRANT UPDATE(forwarded_at) ON TABLE public.support_ticket TO prawko_worker;
GRANT SELECT(forwarded_at) ON TABLE public.support_ticket TO prawko_planner;
GRANT UPDATE(answered_at) ON TABLE public.support_ticket TO prawko_operator;
GRANT UPDATE(closed_at) ON TABLE public.support_ticket TO prawko_operator;
GRANT SELECT,INSERT ON TABLE public.tenant TO prawko_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.tenant TO prawko_worker;
GRANT SELECT,DELETE ON TABLE public.tenant TO prawko_operator;
GRANT SELECT(id) ON TABLE public.tenant TO prawko_planner;
GRANT UPDATE(company_name) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(tax_id) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(street) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(postal_code) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(city) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(trial_started_at) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(updated_at) ON TABLE public.tenant TO prawko_operator;
GRANT UPDATE(updated_at) ON TABLE public.tenant TO prawko_app;
GRANT UPDATE(erasure_requested_at) ON TABLE public.tenant TO prawko_app;
GRANT SELECT(erasure_requested_at) ON TABLE public.tenant TO prawko_planner;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.throttle TO prawko_app;
GRANT SELECT,DELETE ON TABLE public.throttle TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.trial_claim TO prawko_app;
GRANT SELECT ON TABLE public.user_account TO prawko_app;
GRANT DELETE ON TABLE public.user_account TO prawko_worker;
GRANT DELETE ON TABLE public.user_account TO prawko_operator;
GRANT INSERT(id) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(id) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(id) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(email),UPDATE(email) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(email) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(email_key),UPDATE(email_key) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_key) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(email_key) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(password_hash),UPDATE(password_hash) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(is_admin) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(is_admin) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(email_verified),UPDATE(email_verified) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_verified) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(email_verified) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(language),UPDATE(language) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(language) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(language) ON TABLE public.user_account TO prawko_worker;
GRANT UPDATE(phone_number) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(phone_number) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(phone_verified),UPDATE(phone_verified) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(phone_verified) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(phone_verified) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(email_notifications_enabled),UPDATE(email_notifications_enabled) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_notifications_enabled) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(email_notifications_enabled) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(sms_notifications_enabled),UPDATE(sms_notifications_enabled) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(sms_notifications_enabled) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(sms_notifications_enabled) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(email_state),UPDATE(email_state) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_state),UPDATE(email_state) ON TABLE public.user_account TO prawko_worker;
GRANT SELECT(email_state) ON TABLE public.user_account TO prawko_operator;
GRANT UPDATE(email_state_reason) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_state_reason),UPDATE(email_state_reason) ON TABLE public.user_account TO prawko_worker;
GRANT UPDATE(email_trusted_at) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(email_trusted_at) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(created_at),UPDATE(created_at) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(created_at) ON TABLE public.user_account TO prawko_operator;
GRANT SELECT(created_at) ON TABLE public.user_account TO prawko_worker;
GRANT INSERT(updated_at),UPDATE(updated_at) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(updated_at),UPDATE(updated_at) ON TABLE public.user_account TO prawko_worker;
GRANT UPDATE(updated_at) ON TABLE public.user_account TO prawko_operator;
GRANT UPDATE(browser_generation) ON TABLE public.user_account TO prawko_app;
GRANT SELECT(browser_generation) ON TABLE public.user_account TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.user_activity TO prawko_app;
GRANT DELETE ON TABLE public.user_activity TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.user_activity TO prawko_operator;
GRANT SELECT(user_id) ON TABLE public.user_activity TO prawko_worker;
GRANT SELECT(tenant_id) ON TABLE public.user_activity TO prawko_worker;
GRANT SELECT(created_at) ON TABLE public.user_activity TO prawko_worker;
GRANT SELECT,INSERT ON TABLE public.verification TO prawko_app;
GRANT SELECT,INSERT ON TABLE public.verification TO prawko_worker;
GRANT SELECT ON TABLE public.verification TO prawko_operator;
GRANT INSERT ON TABLE public.webhook_event TO prawko_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.webhook_event TO prawko_worker;
GRANT INSERT ON TABLE public.webhook_event TO prawko_operator;
GRANT SELECT(provider) ON TABLE public.webhook_event TO prawko_operator;
GRANT SELECT(event_id) ON TABLE public.webhook_event TO prawko_operator;
ALTER DEFAULT PRIVILEGES FOR ROLE prawko_owner REVOKE ALL ON FUNCTIONS FROM PUBLIC;
