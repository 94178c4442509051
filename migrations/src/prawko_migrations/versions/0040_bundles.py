"""The bundle of a notice and of a message, in place of an instant that several notices share."""

from prawko_migrations.statements import run_statements

revision = "0040"
down_revision = "0036"

# The previous release finds the notices of a message by their `created_at`, which it makes equal to
# the `batch_at` of the message. Triggers complete the rows of both releases, so that each sends
# what the other has written. An id holds the microseconds since 1970 and a number, which the
# previous release adds to them. A message's own notice may get a bundle that no message has. The
# release after this one drops the triggers, their functions and `batch_at`.
BUNDLES = """
ALTER TABLE notice ADD COLUMN bundle_id uuid

ALTER TABLE delivery ADD COLUMN bundle_id uuid

CREATE FUNCTION complete_notice_bundle() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    hex text := replace(NEW.bundle_id::text, '-', '');
BEGIN
    IF NEW.bundle_id IS NULL THEN
        NEW.bundle_id := (
            lpad(to_hex((extract(epoch FROM NEW.created_at) * 1000000)::bigint), 16, '0')
            || '0000000000000000')::uuid;
    ELSE
        NEW.created_at := timestamptz 'epoch' + interval '1 microsecond' * (
            ('x' || substr(hex, 1, 16))::bit(64)::bigint
            + ('x' || substr(hex, 17, 16))::bit(64)::bigint);
    END IF;
    RETURN NEW;
END
$$

CREATE TRIGGER notice_bundle BEFORE INSERT ON notice
    FOR EACH ROW WHEN (
        NEW.bundle_id IS NOT NULL
        OR NEW.kind IN
            ('withheld', 'attention', 'not_found', 'category_invalid', 'expiring', 'expired')
    )
    EXECUTE FUNCTION complete_notice_bundle()

CREATE FUNCTION complete_delivery_bundle() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    hex text := replace(NEW.bundle_id::text, '-', '');
BEGIN
    IF NEW.bundle_id IS NULL THEN
        NEW.bundle_id := (
            lpad(to_hex((extract(epoch FROM NEW.batch_at) * 1000000)::bigint), 16, '0')
            || '0000000000000000')::uuid;
    ELSE
        NEW.batch_at := timestamptz 'epoch' + interval '1 microsecond' * (
            ('x' || substr(hex, 1, 16))::bit(64)::bigint
            + ('x' || substr(hex, 17, 16))::bit(64)::bigint);
    END IF;
    RETURN NEW;
END
$$

CREATE TRIGGER delivery_bundle BEFORE INSERT ON delivery
    FOR EACH ROW WHEN (NEW.bundle_id IS NOT NULL OR NEW.batch_at IS NOT NULL)
    EXECUTE FUNCTION complete_delivery_bundle()
"""


def upgrade() -> None:
    run_statements(BUNDLES)
