"""A licence all of whose categories are over entitles no longer, before its next check, too."""

from prawko_migrations.statements import run_statements

revision = "0047"
down_revision = "0046"

# As `entitled_until` of prawko.drivers.needed_categories: of two days of one category the first
# counts, and a category without a day has no end. What is over already keeps the day after which
# its episode began. Company by company, bound to it like any other writer.
BACK_FILL = """
DO $$
DECLARE
    company uuid;
BEGIN
    FOR company IN SELECT DISTINCT tenant_id FROM membership LOOP
        PERFORM set_config('app.tenant_id', company::text, true);
        WITH category AS (
            SELECT d.id AS driver_id, min(to_date(c ->> 'dataWaznosci', 'YYYY-MM-DD')) AS last_day
              FROM driver d, json_array_elements(
                       CASE json_typeof(d.latest -> 'categories')
                            WHEN 'array' THEN d.latest -> 'categories' END) AS c
             WHERE d.tenant_id = company
             GROUP BY d.id, regexp_replace(upper(c ->> 'kategoria'), '[+[:space:]]', '', 'g')
        ), listed AS (
            SELECT driver_id, max(last_day) AS last_day
              FROM category
             GROUP BY driver_id
            HAVING bool_and(last_day IS NOT NULL)
        )
        UPDATE driver d
           SET valid_until = l.last_day
          FROM listed l
         WHERE d.tenant_id = company AND d.id = l.driver_id
           AND (d.valid_until IS NULL OR d.valid_until > l.last_day
                AND d.valid_until + 1 > now() AT TIME ZONE 'Europe/Warsaw');
    END LOOP;
END
$$
"""


def upgrade() -> None:
    run_statements(BACK_FILL)
