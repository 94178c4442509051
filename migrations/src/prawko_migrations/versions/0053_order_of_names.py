"""Order drivers whose names have ŧ, ŋ, ə or ς as the table of letters does."""

from prawko_migrations.statements import run_statements

revision = "0053"
down_revision = "0052"

# A sort key begins with the weights of both names, each without a blank. The release before had
# these letters there as they are, after all others. Company by company, as any writer is bound.
BACK_FILL = """
DO $$
DECLARE
    company uuid;
BEGIN
    FOR company IN SELECT DISTINCT tenant_id FROM membership LOOP
        PERFORM set_config('app.tenant_id', company::text, true);
        UPDATE driver
           SET sort_key = translate(replace(weights, 'ŋ', 'KC'), 'ŧəς', U&'T@\\03C3')
                          || substr(sort_key, length(weights) + 1)
          FROM (SELECT id AS driver_id, substring(sort_key FROM '^[^ ]* [^ ]*') AS weights
                  FROM driver
                 WHERE tenant_id = company) AS key
         WHERE tenant_id = company AND id = driver_id AND weights ~ '[ŧŋəς]';
    END LOOP;
END
$$
"""


def upgrade() -> None:
    run_statements(BACK_FILL)
