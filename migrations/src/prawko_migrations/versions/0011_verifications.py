"""The daily check: answers of the register, verifications by month, items by day."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import (
    CURRENT_TENANT,
    create_cross_tenant_policies,
    enable_row_security,
    grant_rights,
)

revision = "0011"
down_revision = "0010"

# The columns of verification stand in an order without padding: a row is written for every
# driver every day. Its foreign key to the answer runs through the driver, so that the check on
# deleting an answer finds the rows by the primary key.
TABLES = """
CREATE TABLE register_answer (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    id uuid NOT NULL,
    first_seen_at timestamptz NOT NULL,
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
    notes text,
    CONSTRAINT pk_register_answer PRIMARY KEY (tenant_id, driver_id, id),
    CONSTRAINT uq_register_answer_tenant_id_driver_id_document_version_hash
        UNIQUE (tenant_id, driver_id, document_version, hash),
    CONSTRAINT fk_register_answer_driver
        FOREIGN KEY (tenant_id, driver_id) REFERENCES driver (tenant_id, id) ON DELETE CASCADE
)

CREATE TABLE verification (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    id uuid NOT NULL,
    verified_at timestamptz NOT NULL,
    answer_id uuid,
    outcome text NOT NULL,
    CONSTRAINT pk_verification PRIMARY KEY (tenant_id, driver_id, verified_at),
    CONSTRAINT ck_verification_outcome
        CHECK (outcome IN ('valid', 'invalid', 'attention', 'not_found')),
    CONSTRAINT fk_verification_driver
        FOREIGN KEY (tenant_id, driver_id) REFERENCES driver (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_verification_register_answer
        FOREIGN KEY (tenant_id, driver_id, answer_id)
        REFERENCES register_answer (tenant_id, driver_id, id)
) PARTITION BY RANGE (verified_at)

CREATE TABLE check_item (
    tenant_id uuid NOT NULL,
    driver_id uuid NOT NULL,
    next_try_at timestamptz NOT NULL,
    fence bigint DEFAULT 0 NOT NULL,
    day date NOT NULL,
    document_version integer NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'due' NOT NULL,
    lease_until timestamptz,
    asked_at_system timestamptz,
    error_kind text,
    not_found_since timestamptz,
    answer_id uuid,
    outcome text,
    done_at timestamptz,
    counted_change boolean DEFAULT false NOT NULL,
    CONSTRAINT pk_check_item PRIMARY KEY (day, tenant_id, driver_id),
    CONSTRAINT ck_check_item_state CHECK (state IN ('due', 'done', 'quarantined', 'cancelled')),
    CONSTRAINT ck_check_item_outcome
        CHECK (outcome IN ('valid', 'invalid', 'attention', 'not_found'))
) PARTITION BY LIST (day)

CREATE INDEX ix_check_item_due ON check_item (day, next_try_at, tenant_id) WHERE state = 'due'

CREATE TABLE check_run (
    id uuid NOT NULL,
    day date NOT NULL,
    planned_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    planned integer DEFAULT 0 NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    valid integer DEFAULT 0 NOT NULL,
    invalid integer DEFAULT 0 NOT NULL,
    attention integer DEFAULT 0 NOT NULL,
    not_found integer DEFAULT 0 NOT NULL,
    quarantined integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'planned' NOT NULL,
    review_state text,
    CONSTRAINT pk_check_run PRIMARY KEY (id),
    CONSTRAINT uq_check_run_day UNIQUE (day),
    CONSTRAINT ck_check_run_state CHECK (state IN ('planned', 'running', 'finished')),
    CONSTRAINT ck_check_run_review_state
        CHECK (review_state IN ('pending', 'approved', 'rejected'))
)

CREATE TABLE register_limiter (
    register text NOT NULL,
    lane text NOT NULL,
    next_free_at timestamptz NOT NULL,
    paused_until timestamptz,
    pause_seconds double precision DEFAULT 0 NOT NULL,
    breaker text DEFAULT 'closed' NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    probe_at timestamptz,
    account_error text,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_register_limiter PRIMARY KEY (register, lane),
    CONSTRAINT ck_register_limiter_lane CHECK (lane IN ('run', 'manual')),
    CONSTRAINT ck_register_limiter_breaker CHECK (breaker IN ('closed', 'open', 'half_open'))
)
"""

# Only the owner may make a partition, and no process has the owner's login: so the functions
# run with its rights, and can do this one thing, near to today. A partition is made apart and
# then attached, which does not stop those who read and write its parent. It is forced and has
# its company's policy, and nobody is granted anything on it: the way in is its parent.
PARTITIONS = """
CREATE FUNCTION ensure_month(day date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
DECLARE
    first date := date_trunc('month', day);
    next date := first + interval '1 month';
    month text := 'verification_' || to_char(first, 'YYYYMM');
    own text := $own$COMPANY$own$;
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
$$

CREATE FUNCTION ensure_day(day date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
DECLARE
    items text := 'check_item_' || to_char(day, 'YYYYMMDD');
    own text := $own$COMPANY$own$;
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
$$

CREATE FUNCTION drop_days(before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
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
$$
"""

# A month of checks goes when the fifth year after its own has ended (docs/personal-data.md), by
# the machine's clock: whatever is asked for, nothing younger is dropped.
RETENTION = """
CREATE FUNCTION drop_months(before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
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
$$
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(
        TABLES, enable_row_security("register_answer"), enable_row_security("verification")
    )
    run_statements(
        grant_rights(
            "register_answer",
            to,
            app="SELECT, INSERT",
            worker="SELECT, INSERT, UPDATE (raw, key_id), DELETE",
        ),
        grant_rights("verification", to, app="SELECT, INSERT", worker="SELECT, INSERT"),
    )
    run_statements(
        enable_row_security("check_item"), create_cross_tenant_policies("check_item", to)
    )
    planned = "SELECT, INSERT, UPDATE"
    day = "SELECT (day, state, planned_at, started_at, finished_at)"
    run_statements(
        grant_rights("check_item", to, app="SELECT", worker=f"{planned}, DELETE", planner=planned),
        grant_rights(
            "check_run",
            to,
            app=day,
            worker=planned,
            planner=planned,
            operator="SELECT, UPDATE (review_state)",
        ),
        grant_rights("register_limiter", to, app=planned, worker=planned, operator="SELECT"),
    )
    run_statements(PARTITIONS.replace("COMPANY", CURRENT_TENANT), RETENTION)
    for function, callers in {
        "ensure_month(date)": (to.app, to.worker, to.planner),
        "ensure_day(date)": (to.worker, to.planner),
        "drop_days(date)": (to.worker, to.planner),
        "drop_months(date)": (to.worker,),
    }.items():
        run_statements(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        run_statements(f"GRANT EXECUTE ON FUNCTION {function} TO {', '.join(callers)}")
