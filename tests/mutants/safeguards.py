"""What stands between a mistake and a false "valid", and the tests that notice its absence."""

from typing import NamedTuple

from prawko_tenants.policies import CONTROL_TABLES, TENANT_TABLES, WIDE_POLICIES, WidePolicy

CHECKS = "platform/src/prawko/verifications"
PAYMENTS = "platform/src/prawko/payments"
BILLING = "platform/src/prawko/billing"
NOTICES = "platform/src/prawko/notifications"
DAILY = "tests/daily_check"
MATRIX = "tests/tenancy/test_matrix.py"
NO_ROW = "test_a_session_touches_no_row_of_another_company"
POLICIES = "tenants/src/prawko_tenants/policies.py"
OWN = 'f"{column} = {COMPANY}"'
PHONE = "tests/http/test_phone.py"
REPORTS = "tests/http/test_webhooks.py"
FIRST = "migrations/src/prawko_migrations/versions/0001_companies_and_people.py"


class Safeguard(NamedTuple):
    """`edits` remove it, each being a file, a text that stands there once, and what remains."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    tests: tuple[str, ...]


def without_policy(table: str) -> Safeguard:
    """The policy of one table shows every row to everybody."""
    own, everybody = "({column} = {COMPANY})", f'({{"true" if table == "{table}" else OWN}})'
    return Safeguard(
        f"Rows of {table} are their own company's (its policy)",
        tuple(
            (POLICIES, f"{clause} {own}", f"{clause} {everybody.replace('OWN', OWN)}")
            for clause in ("USING", "WITH CHECK")
        ),
        (f"{MATRIX}::{NO_ROW}[app-{table}-SELECT-foreign]",),
    )


def widened(policy: WidePolicy) -> Safeguard:
    """What one policy shows to a role of ours is shown to the panel as well."""
    named = f'WidePolicy("{policy.table}", "{policy.name}", '
    return Safeguard(
        f"All companies' rows of {policy.table} are for the {policy.role} ({policy.name})",
        ((POLICIES, f'{named}"{policy.role}"', f'{named}"app"'),),
        (f"{MATRIX}::{NO_ROW}[app-{policy.table}-SELECT-foreign]",),
    )


SAFEGUARDS = (
    Safeguard(
        "Once per driver and day: the key of check items",
        (
            (
                f"{CHECKS}/planning.py",
                "AND t.driver_id = w.id AND t.document_no = w.document_no",
                "AND false",
            ),
            (f"{CHECKS}/planning.py", "WHERE i.document_no <> excluded.document_no", "WHERE true"),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "A leased item is nobody else's",
        (
            (
                f"{CHECKS}/leases.py",
                "AND (i.lease_until IS NULL OR i.lease_until <= :machine_now)",
                "",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "The fence: who lost a lease writes nothing",
        (
            (
                f"{CHECKS}/recording.py",
                "AND i.driver_id = q.driver_id AND i.fence = q.fence AND",
                "AND i.driver_id = q.driver_id AND",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "An item that is done is not recorded again",
        (
            (
                f"{CHECKS}/recording.py",
                "AND i.fence = q.fence AND i.state = 'due'\n      JOIN",
                "AND i.fence = q.fence\n      JOIN",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "The answer is about the driver's present document (run)",
        ((f"{CHECKS}/recording.py", "row.document_no == answered.asked.document_no", "True"),),
        (f"{DAILY}/test_documents.py",),
    ),
    Safeguard(
        "The newest question wins (run)",
        ((f"{CHECKS}/recording.py", "row.asked_at > answered.asked.began", "False"),),
        (f"{DAILY}/test_documents.py",),
    ),
    Safeguard(
        "A question is newer by the machine's clock",
        (
            (f"{CHECKS}/effects.py", '"began": one.asked.began', '"began": one.asked.at'),
            (f"{CHECKS}/service.py", "driver.asked_at > asked.began", "driver.asked_at > asked.at"),
        ),
        (f"{DAILY}/test_effects.py",),
    ),
    Safeguard(
        "An answer with another serial is garbage (platform)",
        ((f"{CHECKS}/asking.py", "answer.serial != query.number", "False"),),
        (f"{DAILY}/test_documents.py",),
    ),
    Safeguard(
        "An answer with another serial is garbage (adapters)",
        (("platform/src/prawko/hooks/licence_document.py", "if serial != asked:", "if False:"),),
        ("tests/plugins/register_adapters/test_register_document.py",),
    ),
    Safeguard(
        "Decoding is strict: a state of another type is garbage",
        (
            (
                "platform/src/prawko/hooks/licence_document.py",
                "    kod: str | None = None\n    wartosc: str | None = None\n    opisowa",
                "    kod: Any = None\n    wartosc: Any = None\n    opisowa",
            ),
        ),
        ("tests/plugins/register_adapters/test_register_document.py",),
    ),
    Safeguard(
        "Decoding is strict: an answer without a state is garbage",
        (
            (
                "platform/src/prawko/hooks/licence_document.py",
                "if code is None or text is None:",
                "if False:",
            ),
        ),
        ("tests/plugins/register_adapters/test_register_document.py",),
    ),
    Safeguard(
        "A missing document counts an hour later",
        (
            (
                f"{CHECKS}/recording.py",
                "self.missing_since is not None and self.asked.at",
                "False and self.asked.at",
            ),
        ),
        (f"{DAILY}/test_documents.py",),
    ),
    Safeguard(
        "A mass change waits for a word",
        ((f"{CHECKS}/settling.py", "return is_mass_change(", "return False and is_mass_change("),),
        (f"{DAILY}/test_mass_change.py",),
    ),
    Safeguard(
        "A running pause outlives answers in flight",
        (
            (
                f"{CHECKS}/pace.py",
                "if pace.paused_until is None or pace.paused_until <= now:\n        return fresh",
                "if True:\n        return fresh",
            ),
        ),
        ("tests/unit/verifications/test_pace.py",),
    ),
    Safeguard(
        "No transaction is open while the register is asked",
        (
            (
                f"{CHECKS}/service.py",
                "        answer = await self._ask(asked.query)\n",
                """\
        async with self._tools.database.system() as open_one:
            await open_one.connection()
            answer = await self._ask(asked.query)
""",
            ),
        ),
        (f"{DAILY}/test_manual_check.py",),
    ),
    Safeguard(
        "A company reads its own rows alone (USING)",
        (
            (
                POLICIES,
                "USING ({column} = {COMPANY})",
                "USING (true)",
            ),
        ),
        (MATRIX,),
    ),
    Safeguard(
        "A company writes its own rows alone (WITH CHECK)",
        (
            (
                POLICIES,
                "WITH CHECK ({column} = {COMPANY})",
                "WITH CHECK (true)",
            ),
        ),
        (MATRIX,),
    ),
    Safeguard(
        "The tables' owner is no exception (FORCE)",
        (
            (
                POLICIES,
                "ALTER TABLE {table} FORCE ROW LEVEL SECURITY\n\n",
                "",
            ),
        ),
        ("tests/tenancy/test_catalog.py",),
    ),
    *(without_policy(table) for table in (*TENANT_TABLES, *CONTROL_TABLES)),
    *(widened(policy) for policy in WIDE_POLICIES),
    Safeguard(
        "A partition has its parent's policy (FORCE)",
        (
            (
                "migrations/src/prawko_migrations/versions/0003_daily_check.py",
                "    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', month);\n",
                "",
            ),
        ),
        ("tests/tenancy/test_catalog.py", "tests/tenancy/test_partitions.py"),
    ),
    Safeguard(
        "Parallel adds queue up at the driver limit",
        (
            (
                "platform/src/prawko/drivers/service.py",
                "        await self._drivers.hold_company()\n",
                "",
            ),
        ),
        ("tests/http/test_drivers_at_once.py",),
    ),
    Safeguard(
        "A session revoked meanwhile undoes the write",
        (
            (
                "platform/src/prawko/web/dependencies.py",
                "                await refuse_revoked(session, identity)\n        await later",
                "                pass\n        await later",
            ),
        ),
        ("tests/http/test_transactions.py",),
    ),
    Safeguard(
        "No SMS is handed over for a phone that nobody proved",
        (
            (
                f"{NOTICES}/addresses.py",
                "        if due.medium is not Medium.SMS:\n",
                "        if due:\n",
            ),
        ),
        (f"{PHONE}::test_none_that_was_written_is_handed_over",),
    ),
    Safeguard(
        "No SMS is written for a phone that nobody proved",
        (
            (
                f"{NOTICES}/compose.py",
                "if medium is Medium.SMS and row.sms_on and row.phone_verified",
                "if medium is Medium.SMS and row.sms_on",
            ),
            (
                f"{NOTICES}/addresses.py",
                "        if due.medium is not Medium.SMS:\n",
                "        if due:\n",
            ),
        ),
        (f"{PHONE}::test_none_that_was_ordered_is_written",),
    ),
    Safeguard(
        "Another number is unverified until its code is typed",
        (
            (
                f"{NOTICES}/phone_repository.py",
                "SET phone_number = :number, phone_verified = false,",
                "SET phone_number = :number,",
            ),
        ),
        (PHONE,),
    ),
    Safeguard(
        "A phone's code counts for the number it was sent to",
        (
            (
                f"{NOTICES}/phone_repository.py",
                "WHERE id = :user_id AND phone_number = :number\n    RETURNING",
                "WHERE id = :user_id\n    RETURNING",
            ),
        ),
        (f"{PHONE}::test_a_code_proves_the_number_it_was_sent_to_alone",),
    ),
    Safeguard(
        "A phone's code is tried five times",
        (
            (
                f"{NOTICES}/phone_verification.py",
                "tried.tries <= phone.CODE_TRIES",
                "tried.tries <= 999",
            ),
        ),
        (PHONE,),
    ),
    Safeguard(
        "Codes for a phone queue up, half a minute apart",
        (
            (
                f"{NOTICES}/phone_verification.py",
                "            await accounts.hold_user(identity.user_id)\n",
                "",
            ),
            (
                f"{NOTICES}/phone_verification.py",
                "            await self._refuse_too_soon(phones, identity.user_id)\n",
                "",
            ),
        ),
        (f"{PHONE}::test_ten_requests_at_once_send_one_code",),
    ),
    Safeguard(
        "Codes by SMS are limited for everybody together",
        ((f"{NOTICES}/phone_limits.py", "            (self._everybody, EVERYBODY),\n", ""),),
        (PHONE,),
    ),
    Safeguard(
        "Wrong codes for a phone do not fill the log",
        ((f"{NOTICES}/phone_verification.py", "if counts and not fits:", "if not fits:"),),
        (f"{PHONE}::test_guessing_does_not_fill_the_log",),
    ),
    Safeguard(
        "A blocked notice leaves once more, and no oftener",
        ((f"{NOTICES}/addresses.py", " or due.key.startswith(AGAIN):", ":"),),
        (f"{REPORTS}::test_what_is_blocked_again_is_told_once_a_day_and_switches_nothing_off",),
    ),
    Safeguard(
        "A link that was blocked does not leave again",
        ((f"{NOTICES}/addresses.py", "due.kind != NOTICE_MAIL or ", ""),),
        (f"{REPORTS}::test_a_link_that_was_blocked_is_told_and_not_sent_again",),
    ),
    Safeguard(
        "Another sum than was asked for starts nothing",
        (
            (
                f"{PAYMENTS}/settling.py",
                "if said.money.grosze != expected.grosze:",
                "if False:",
            ),
        ),
        ("tests/payments/test_calls.py::test_another_sum_is_flagged_and_starts_nothing",),
    ),
    Safeguard(
        "A payer who pays two pages buys one period",
        ((f"{BILLING}/fulfilment_rules.py", "if bought_instead and", "if False and"),),
        ("tests/orders/test_fulfilment.py::test_the_same_period_that_is_paid_twice_counts_once",),
    ),
    Safeguard(
        "Nothing is ordered while a saved card is charged",
        ((f"{BILLING}/placing.py", "if payment.is_being_charged(", "if False and bool("),),
        ("tests/orders/test_in_between.py",),
    ),
    Safeguard(
        "No trial opens what an operator has closed",
        (
            (
                f"{BILLING}/service.py",
                "if position_of(current, now) is Position.SUSPENDED:",
                "if False:",
            ),
        ),
        ("tests/http/test_subscription.py::test_no_trial_opens_what_an_operator_has_closed",),
    ),
    Safeguard(
        "What is no longer wanted is not charged",
        (
            (
                f"{PAYMENTS}/charging.py",
                "if not await self._buyers.still_wanted(session, payment.order_id):",
                "if False:",
            ),
        ),
        ("tests/payments/test_charges.py::test_what_is_no_longer_wanted_is_not_charged",),
    ),
    Safeguard(
        "What may have been charged is not written off unseen",
        (
            (
                f"{PAYMENTS}/charging.py",
                "said = await last_word(self._tools, provider, payment)",
                "said = None",
            ),
        ),
        ("tests/payments/test_charges.py",),
    ),
    Safeguard(
        "What went back without us is found",
        ((f"{PAYMENTS}/recording.py", "if payment.given_back < payment.grosze:", "if False:"),),
        ("tests/payments/test_findings.py",),
    ),
    Safeguard(
        "A card that another has taken the place of is not kept",
        (
            (
                f"{BILLING}/giving.py",
                "await self._payments.end_mandates(",
                "False and await self._payments.end_mandates(",
            ),
        ),
        ("tests/renewals/test_renewals.py::test_another_card_takes_the_place_of_the_one_before",),
    ),
    Safeguard(
        "Nobody is charged while the last charge is open",
        ((f"{BILLING}/renewing.py", "payment.state not in CAME_TO_NOTHING", "False"),),
        ("tests/renewals/test_renewals.py",),
    ),
    Safeguard(
        "Drivers are checked through the grace of a failed renewal",
        (
            (
                f"{CHECKS}/planning.py",
                "s.status IN ('active', 'expired') AND",
                "s.status = 'active' AND",
            ),
        ),
        (f"{DAILY}/test_grace.py",),
    ),
    Safeguard(
        "A body is taken as it is",
        (("platform/src/prawko/web/app.py", "        request_class=StrictRequest,\n", ""),),
        ("tests/http/test_document.py", "tests/http/test_fuzzing.py"),
    ),
)
