"""Rights of the console's login to read the archive of a company."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0017"
down_revision = "0016"

# Operators list the drivers of all companies, without names. These they see of the company that
# is bound: the policy binds the owner, too, and the condition repeats it.
COMPANY_DRIVERS = """
CREATE FUNCTION company_drivers() RETURNS TABLE (
    tenant_id uuid, id uuid, first_name text, last_name text, license_number text, status text,
    verified_at timestamptz, created_at timestamptz, created_by uuid
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT d.tenant_id, d.id, d.first_name, d.last_name, d.license_number, d.status,
           d.verified_at, d.created_at, d.created_by
      FROM public.driver d
     WHERE d.tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
$$

REVOKE ALL ON FUNCTION company_drivers() FROM PUBLIC
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(COMPANY_DRIVERS, f"GRANT EXECUTE ON FUNCTION company_drivers() TO {to.operator}")
    rights = {
        # Tables that show the company that is bound, and no other.
        "legal_acceptance": "tenant_id, id, user_id, document, version, accepted_at, ip",
        "notice": "tenant_id, id, kind, driver_id, params, created_at",
        "notification": (
            "tenant_id, id, user_id, notice_id, type, title, content, read, created_at"
        ),
        "subscription_order": (
            "tenant_id, id, kind, state, driver_limit, lines, net, vat, method, company_name,"
            " tax_id, street, postal_code, city, created_by, created_at, paid_at"
        ),
        "renewal_step": "tenant_id, id, subscription_id, end_date, step, taken_at, order_id",
        "invoice": (
            "tenant_id, id, order_id, number, issued_at, issued_on, sold_on, method, seller_name,"
            " seller_tax_id, seller_street, seller_postal_code, seller_city, buyer_name,"
            " buyer_tax_id, buyer_street, buyer_postal_code, buyer_city, net, vat, gross,"
            " currency, issuer, state, ksef_number"
        ),
        "invoice_line": ("tenant_id, id, invoice_id, position, name, net, vat, vat_percent"),
        "invoice_file": "tenant_id, id, invoice_id, kind, content",
        "payment_mandate": "tenant_id, id, provider, method, label, created_at, ended_at",
        # Of all companies: ids, switches and states; no name, number or text.
        "delivery": "user_id, notice_id",
        "user_account": (
            "phone_verified, email_notifications_enabled, sms_notifications_enabled, email_state"
        ),
    }
    for table, columns in rights.items():
        run_statements(grant_rights(table, to, operator=f"SELECT ({columns})"))
