"""Acceptances of legal documents, in place of the columns of the account."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0013"
down_revision = "0012"

TABLE = """
CREATE TABLE legal_acceptance (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    document text NOT NULL,
    version date NOT NULL,
    accepted_at timestamptz NOT NULL,
    ip text NOT NULL,
    CONSTRAINT pk_legal_acceptance PRIMARY KEY (tenant_id, id),
    CONSTRAINT ck_legal_acceptance_document
        CHECK (document IN ('terms', 'privacy', 'data_processing')),
    CONSTRAINT fk_legal_acceptance_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_legal_acceptance_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (user_id)
)
"""

# Panels of the release before read the columns: restart them at once. Copied before row-level
# security, which would show the owner no rows. Operators' rows have no address: they accepted
# nothing.
COPY = """
INSERT INTO legal_acceptance (tenant_id, id, user_id, document, version, accepted_at, ip)
SELECT m.tenant_id, gen_random_uuid(), u.id, 'terms', u.terms_version::date, u.terms_accepted_at,
       u.terms_ip
  FROM user_account u JOIN membership m ON m.user_id = u.id
 WHERE u.terms_version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
   AND u.terms_accepted_at IS NOT NULL AND u.terms_ip <> ''

-- squawk-ignore ban-drop-column
ALTER TABLE user_account DROP COLUMN terms_version

-- squawk-ignore ban-drop-column
ALTER TABLE user_account DROP COLUMN terms_accepted_at

-- squawk-ignore ban-drop-column
ALTER TABLE user_account DROP COLUMN terms_ip
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLE, COPY, enable_row_security("legal_acceptance"))
    run_statements(grant_rights("legal_acceptance", to, app="SELECT, INSERT"))
