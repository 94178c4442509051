"""The damage that a process with a wrong clock must not do, and the incident it must report."""

from support.fleet import Fleet

INCIDENT = """
    SELECT count(*) FROM incident WHERE kind = 'clock_differs'
       AND opened_at BETWEEN now() - interval '5 minutes' AND now()
"""
# What a clock that is 400 days ahead would have ended, erased or dated.
DAMAGE = """
    SELECT (SELECT count(*) FROM subscription WHERE status <> 'active')
         + (SELECT count(*) FROM verification WHERE verified_at > now() + interval '10 s')
         + (SELECT count(*) FROM check_run WHERE day > current_date + 1)
         + (SELECT count(*) FROM driver WHERE asked_at_system > now() + interval '10 s')
         + (SELECT 1 - count(*) FROM user_account WHERE email = 'unverified@fleet.test')
"""
_UNVERIFIED = """
    WITH account AS (
        INSERT INTO user_account (id, email, email_key, password_hash, created_at, updated_at)
        VALUES (uuidv7(), 'unverified@fleet.test', 'unverified@fleet.test', '', now(), now())
        RETURNING id
    )
    INSERT INTO membership (tenant_id, user_id, role, created_at)
    SELECT tenant.id, account.id, 'manager', now() FROM account, tenant LIMIT 1
"""
_END_IN_A_MONTH = """
    UPDATE subscription SET end_date = now() + interval '30 days',
           monitored_until = now() + interval '30 days'
"""


async def expose_to_wrong_clock(fleet: Fleet) -> None:
    """Add an account that is erased soon, and let all subscriptions end soon."""
    await fleet.admin.execute(_UNVERIFIED)
    await fleet.admin.execute(_END_IN_A_MONTH)
