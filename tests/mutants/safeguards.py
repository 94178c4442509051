"""Safeguards of the product, and the tests that fail when one is removed."""

from typing import NamedTuple

from prawko_tenants.policies import (
    CONTROL_TABLES,
    CROSS_TENANT_POLICIES,
    TENANT_TABLES,
    CrossTenantPolicy,
)

CHECKS = "platform/src/prawko/verifications"
PAYMENTS = "platform/src/prawko/payments"
BILLING = "platform/src/prawko/billing"
ACCOUNTS = "platform/src/prawko/accounts"
NOTICES = "platform/src/prawko/notifications"
DAILY = "tests/verifications/daily"
RESULTS = "tests/verifications/results"
MATRIX = "tests/tenancy/test_matrix.py"
NO_FOREIGN_ROW = "test_a_session_touches_no_row_of_another_company"
POLICIES = "tenants/src/prawko_tenants/policies.py"
OWN_ROWS = 'f"{column} = {CURRENT_TENANT}"'
PHONE = "tests/accounts/test_phone.py"
IMPERSONATION = "tests/console/test_impersonation.py"
ACCEPTANCES = "tests/accounts/test_legal_acceptances.py"
SECOND_FACTOR = "platform/src/prawko/accounts/second_factor"
TOTP_TESTS = "tests/accounts/test_second_factor.py"
OPERATOR_SESSIONS = "tests/accounts/test_operator_sessions.py"
INCIDENTS = "platform/src/prawko/incidents"
INCIDENT_TESTS = "tests/incidents/test_incidents.py"
CHAIN_TESTS = "tests/console/test_chain_verification.py"
REPORTS = "tests/deliveries/test_delivery_reports.py"
FIRST_MIGRATION = "migrations/src/prawko_migrations/versions/0002_accounts.py"
BILLING_MIGRATION = "migrations/src/prawko_migrations/versions/0007_billing.py"


class Safeguard(NamedTuple):
    """A safeguard. Each of `edits`: a file, a text that occurs in it once, its replacement."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    tests: tuple[str, ...]


def without_policy(table: str) -> Safeguard:
    """Remove the tenant isolation of one table."""
    own, everybody = "({column} = {CURRENT_TENANT})", f'({{"true" if table == "{table}" else OWN}})'
    return Safeguard(
        f"Tenant isolation of {table} (policy)",
        tuple(
            (POLICIES, f"{clause} {own}", f"{clause} {everybody.replace('OWN', OWN_ROWS)}")
            for clause in ("USING", "WITH CHECK")
        ),
        (f"{MATRIX}::{NO_FOREIGN_ROW}[app-{table}-SELECT-foreign]",),
    )


def widened_policy(policy: CrossTenantPolicy) -> Safeguard:
    """Give a cross-tenant policy to the panel's role."""
    old_text = f'CrossTenantPolicy("{policy.table}", "{policy.name}", '
    return Safeguard(
        f"Cross-tenant rows of {policy.table} for the {policy.role} only ({policy.name})",
        ((POLICIES, f'{old_text}"{policy.role}"', f'{old_text}"app"'),),
        (f"{MATRIX}::{NO_FOREIGN_ROW}[app-{policy.table}-SELECT-foreign]",),
    )


SAFEGUARDS = (
    Safeguard(
        "One check item per driver and day (unique key)",
        (
            (
                f"{CHECKS}/daily/planning.py",
                "AND t.document_version = w.document_version",
                "AND false",
            ),
            (
                f"{CHECKS}/daily/planning.py",
                "WHERE i.document_version <> excluded.document_version",
                "WHERE true",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "A leased item is not leased again",
        (
            (
                f"{CHECKS}/daily/repository.py",
                "AND (i.lease_until IS NULL OR i.lease_until <= :system_now)",
                "",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "A worker that lost its lease writes nothing (fence)",
        (
            (
                f"{CHECKS}/daily/recorder.py",
                "AND i.driver_id = t.driver_id AND i.fence = t.fence AND",
                "AND i.driver_id = t.driver_id AND",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "A leased message is not claimed again",
        (("platform/src/prawko/base/lease.py", ".where(*is_due, is_free)", ".where(*is_due)"),),
        ("tests/faults/test_deliveries.py::test_concurrent_processes_send_no_message_twice",),
    ),
    Safeguard(
        "A sender that lost its lease records nothing (fence)",
        (
            (
                "platform/src/prawko/base/lease.py",
                ".where(model.id == row.id, model.fence == row.fence)",
                ".where(model.id == row.id)",
            ),
        ),
        ("tests/faults/test_deliveries.py::test_whoever_lost_its_lease_changes_nothing",),
    ),
    Safeguard(
        "A completed item is not recorded again",
        (
            (
                f"{CHECKS}/daily/recorder.py",
                "AND i.fence = t.fence AND i.state = 'due'\n      JOIN",
                "AND i.fence = t.fence\n      JOIN",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "An answer counts for the present document version only (run)",
        (
            (
                f"{CHECKS}/daily/recorder.py",
                "if not one.is_outdated",
                "if True",
            ),
        ),
        (f"{RESULTS}/test_answer_decision.py",),
    ),
    Safeguard(
        "The newest query wins",
        (
            (
                f"{CHECKS}/results/decision.py",
                "newest_asked_at=driver.asked_at_system",
                "newest_asked_at=None",
            ),
        ),
        (f"{RESULTS}/test_answer_decision.py",),
    ),
    Safeguard(
        "The newest query is decided by the system clock",
        (
            (
                f"{CHECKS}/results/writer.py",
                '"asked_at_system": result.sent_query.asked_at_system',
                '"asked_at_system": result.sent_query.asked_at',
            ),
            (
                f"{CHECKS}/results/decision.py",
                "newest_asked_at > query.asked_at_system",
                "newest_asked_at > query.asked_at",
            ),
        ),
        (f"{RESULTS}/test_result_writer.py",),
    ),
    Safeguard(
        "An answer for another serial number is invalid (platform)",
        ((f"{CHECKS}/register/client.py", "answer.number != query.number", "False"),),
        (f"{RESULTS}/test_answer_decision.py",),
    ),
    Safeguard(
        "An answer for another serial number is invalid (adapters)",
        (
            (
                "platform/src/prawko/hooks/licence_document.py",
                "if number and number != expected_number:",
                "if False:",
            ),
        ),
        ("tests/plugins/register_adapters/test_register_document.py",),
    ),
    Safeguard(
        "Strict decoding: a state of another type is invalid",
        (
            (
                "platform/src/prawko/hooks/licence_document.py",
                "    kod: str | None = None\n    wartosc: str | None = None\n    wartosc_opisowa",
                "    kod: Any = None\n    wartosc: Any = None\n    wartosc_opisowa",
            ),
        ),
        ("tests/plugins/register_adapters/test_register_document.py",),
    ),
    Safeguard(
        "Strict decoding: an answer without a state is invalid",
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
        "A missing document counts an hour later (R11)",
        (
            (
                f"{CHECKS}/results/decision.py",
                "if went_missing(previous_status, outcome) and (",
                "if False and (",
            ),
        ),
        (f"{RESULTS}/test_answer_decision.py",),
    ),
    Safeguard(
        "A mass change waits for a review",
        (
            (
                f"{CHECKS}/mass_change/review.py",
                "return is_mass_change(",
                "return False and is_mass_change(",
            ),
        ),
        ("tests/verifications/mass_change/test_mass_change_review.py",),
    ),
    Safeguard(
        "A pause is not ended by answers in flight",
        (
            (
                f"{CHECKS}/register/circuit_breaker.py",
                "if state.paused_until is None or state.paused_until <= now:\n        return reset",
                "if True:\n        return reset",
            ),
        ),
        ("tests/verifications/register/test_rate_limit_policy.py",),
    ),
    Safeguard(
        "No transaction is open while the register is queried",
        (
            (
                f"{CHECKS}/manual/service.py",
                "        answer = await self._query_register(sent_query.query)\n",
                """\
        async with self._context.database.system() as session:
            await session.connection()
            answer = await self._query_register(sent_query.query)
""",
            ),
        ),
        ("tests/verifications/manual/test_manual_check.py",),
    ),
    Safeguard(
        "Tenant isolation of reads (USING)",
        (
            (
                POLICIES,
                "USING ({column} = {CURRENT_TENANT})",
                "USING (true)",
            ),
        ),
        (MATRIX,),
    ),
    Safeguard(
        "Tenant isolation of writes (WITH CHECK)",
        (
            (
                POLICIES,
                "WITH CHECK ({column} = {CURRENT_TENANT})",
                "WITH CHECK (true)",
            ),
        ),
        (MATRIX,),
    ),
    Safeguard(
        "Row-level security binds the owner (FORCE)",
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
    *(widened_policy(policy) for policy in CROSS_TENANT_POLICIES if policy.role != "operator"),
    Safeguard(
        "The console's sessions of one company see no other",
        ((POLICIES, "coalesce(current_setting('app.tenant_id', true), '') = ''", "true"),),
        (f"{MATRIX}::{NO_FOREIGN_ROW}[operator-subscription-SELECT-foreign]",),
    ),
    Safeguard(
        "Row-level security of partitions (FORCE)",
        (
            (
                "migrations/src/prawko_migrations/versions/0011_verifications.py",
                "    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', month);\n",
                "",
            ),
        ),
        ("tests/tenancy/test_catalog.py", "tests/tenancy/test_partitions.py"),
    ),
    Safeguard(
        "Concurrent adds respect the driver limit",
        (
            (
                "platform/src/prawko/drivers/service.py",
                "        await self._drivers.lock_company()\n",
                "",
            ),
        ),
        ("tests/drivers/test_driver_concurrency.py",),
    ),
    Safeguard(
        "A session revoked meanwhile rolls the write back",
        (
            (
                "platform/src/prawko/web/dependencies.py",
                "session\n            if request.method not in SAFE_METHODS:\n",
                "session\n            if False:\n",
            ),
        ),
        ("tests/web/test_transactions.py",),
    ),
    Safeguard(
        "An operator's act of a revoked session does not happen",
        (
            (
                "platform/src/prawko/console/action_log.py",
                "        await ensure_session_active(session, self._identity)\n",
                "",
            ),
        ),
        ("tests/console/test_action_log.py::test_an_act_of_a_revoked_session_does_not_happen",),
    ),
    Safeguard(
        "An operator's act that is not recorded does not happen",
        (
            (
                "platform/src/prawko/console/action_log.py",
                "            if self._count == 0:",
                "            if False:",
            ),
        ),
        ("tests/console/test_action_log.py::test_an_act_that_is_not_recorded_does_not_happen",),
    ),
    Safeguard(
        "The log of operators' acts is append-only",
        (
            (
                "migrations/src/prawko_migrations/versions/0014_console.py",
                "BEFORE UPDATE OR DELETE ON admin_action",
                "BEFORE UPDATE OF id ON admin_action",
            ),
        ),
        ("tests/console/test_action_log.py::test_not_even_the_owner_changes_a_row",),
    ),
    Safeguard(
        "An impersonation is refused what is the customer's own",
        (
            (
                f"{ACCOUNTS}/guards.py",
                'if connection.scope["user"].impersonator_id is not None:',
                "if False:",
            ),
        ),
        (f"{IMPERSONATION}::test_what_is_the_customers_own_is_refused",),
    ),
    Safeguard(
        "Every call of an impersonation but reads is recorded",
        (
            (
                "platform/src/prawko/web/app.py",
                "            DefineMiddleware(ImpersonationLog, context=context),\n",
                "",
            ),
        ),
        (f"{IMPERSONATION}::test_every_write_is_recorded_with_both_ids",),
    ),
    Safeguard(
        "Nobody logs in as an operator",
        (
            (
                "platform/src/prawko/console/users/service.py",
                "            if locked[2] or user.id == operator.user_id:",
                "            if user.id == operator.user_id:",
            ),
        ),
        (f"{IMPERSONATION}::test_nobody_becomes_an_operator_or_oneself",),
    ),
    Safeguard(
        "Ending an operator's sessions ends the one in another name",
        (
            (
                f"{ACCOUNTS}/login_sessions.py",
                "or_(LoginSession.user_id == user_id, LoginSession.impersonator_id == user_id)",
                "LoginSession.user_id == user_id",
            ),
        ),
        (f"{IMPERSONATION}::test_ending_the_operators_sessions_ends_the_one_in_another_name",),
    ),
    Safeguard(
        "The console's wide sessions are read-only",
        (
            (
                "tenants/src/prawko_tenants/engine.py",
                'info={"read_only": True}',
                'info={"read_only": False}',
            ),
        ),
        ("tests/console/test_action_log.py::test_the_consoles_wide_session_writes_nothing",),
    ),
    Safeguard(
        "Who is no operator learns nothing of the console's calls and files",
        (
            (
                "platform/src/prawko/web/operator_gate.py",
                '            require_operator(scope["user"])\n',
                "",
            ),
        ),
        ("tests/console/test_console_site.py::test_everybody_else_is_sent_to_the_login",),
    ),
    Safeguard(
        "No SMS is sent to an unverified phone",
        (
            (
                f"{NOTICES}/delivery_feedback.py",
                "        if due.medium is not Medium.SMS:\n",
                "        if due:\n",
            ),
        ),
        (f"{PHONE}::test_no_rendered_sms_is_sent_to_an_unverified_phone",),
    ),
    Safeguard(
        "No SMS is rendered for an unverified phone",
        (
            (
                f"{NOTICES}/renderer.py",
                "if medium is Medium.SMS and row.sms_on and row.phone_verified",
                "if medium is Medium.SMS and row.sms_on",
            ),
            (
                f"{NOTICES}/delivery_feedback.py",
                "        if due.medium is not Medium.SMS:\n",
                "        if due:\n",
            ),
        ),
        (f"{PHONE}::test_no_enqueued_sms_is_rendered_for_an_unverified_phone",),
    ),
    Safeguard(
        "A changed phone number is unverified",
        (
            (
                f"{ACCOUNTS}/repository.py",
                "phone_number=number, phone_verified=False,",
                "phone_number=number,",
            ),
        ),
        (PHONE,),
    ),
    Safeguard(
        "A phone code is bound to its number",
        (
            (
                f"{ACCOUNTS}/repository.py",
                "user_id, UserAccount.phone_number == number, phone_verified=True",
                "user_id, phone_verified=True",
            ),
        ),
        (f"{PHONE}::test_a_code_verifies_only_the_number_it_was_sent_to",),
    ),
    Safeguard(
        "A phone code allows five tries",
        (
            (
                f"{ACCOUNTS}/one_time_codes.py",
                "code.tries <= purpose.max_tries",
                "code.tries <= 999",
            ),
        ),
        (PHONE,),
    ),
    Safeguard(
        "Phone codes are sent half a minute apart, also concurrently",
        (
            (
                f"{ACCOUNTS}/phone/verification.py",
                (
                    "            await accounts.lock_user(identity.user_id)\n"
                    "            await self._ensure_resend_allowed(session, identity.user_id)\n"
                ),
                "",
            ),
        ),
        (f"{PHONE}::test_ten_concurrent_requests_send_one_code",),
    ),
    Safeguard(
        "SMS codes have a global limit",
        (
            (
                f"{ACCOUNTS}/phone/rate_limits.py",
                "            (self._global, GLOBAL_SUBJECT),\n",
                "",
            ),
        ),
        (PHONE,),
    ),
    Safeguard(
        "Wrong phone codes do not fill the audit log",
        ((f"{ACCOUNTS}/one_time_codes.py", "        if is_counted:\n", "        if code:\n"),),
        (f"{PHONE}::test_guessed_phone_codes_are_recorded_only_up_to_the_limit",),
    ),
    Safeguard(
        "A blocked notice is sent once more, and no oftener",
        ((f"{NOTICES}/delivery_feedback.py", " or due.key.startswith(RESEND_PREFIX):", ":"),),
        (f"{REPORTS}::test_a_second_block_causes_one_notice_a_day_and_no_suppression",),
    ),
    Safeguard(
        "A blocked reset link is not sent again",
        ((f"{NOTICES}/delivery_feedback.py", "due.kind != NOTICE_MAIL or ", ""),),
        (f"{REPORTS}::test_a_blocked_reset_link_is_reported_and_not_retried",),
    ),
    Safeguard(
        "An amount that does not match activates nothing",
        (
            (
                f"{PAYMENTS}/state_machine.py",
                "if provider_payment.money.grosze != expected.grosze:",
                "if False:",
            ),
        ),
        (
            "tests/payments/test_webhook_processing.py::test_another_amount_is_reported_and_fulfils_nothing",
        ),
    ),
    Safeguard(
        "Paying twice buys one period",
        ((f"{BILLING}/fulfilment/rules.py", "if replaced_by_paid and", "if False and"),),
        ("tests/billing/orders/test_fulfilment.py::test_a_period_paid_twice_counts_once",),
    ),
    Safeguard(
        "Nothing is ordered while a mandate is charged",
        ((f"{BILLING}/orders/checkout.py", "if payment.is_being_charged(", "if False and bool("),),
        ("tests/billing/orders/test_crash_recovery.py",),
    ),
    Safeguard(
        "No trial reopens what an operator has closed",
        (
            (
                f"{BILLING}/subscription/trial.py",
                "if lifecycle_of(current, now) is Lifecycle.SUSPENDED:",
                "if False:",
            ),
        ),
        (
            "tests/billing/subscription/test_subscription.py::test_no_trial_reopens_a_subscription_closed_by_an_operator",
        ),
    ),
    Safeguard(
        "An order that is no longer chargeable is not charged",
        (
            (
                f"{PAYMENTS}/mandate_charges.py",
                "if not await get_order_handler(context).is_chargeable(session, payment.order_id):",
                "if False:",
            ),
        ),
        (
            "tests/payments/test_mandate_charges.py::test_an_order_that_is_no_longer_wanted_is_not_charged",
        ),
    ),
    Safeguard(
        "A charge of unknown result is queried before it is abandoned",
        (
            (
                f"{PAYMENTS}/mandate_charges.py",
                "status = await fetch_final_status(context, provider, payment)",
                "status = None",
            ),
        ),
        ("tests/payments/test_mandate_charges.py",),
    ),
    Safeguard(
        "A refund made elsewhere is a discrepancy",
        (
            (
                f"{PAYMENTS}/refunds.py",
                "if payment.refunded_grosze < payment.grosze:",
                "if False:",
            ),
        ),
        ("tests/payments/test_discrepancies.py",),
    ),
    Safeguard(
        "A replaced card's token is deleted",
        (
            (
                f"{BILLING}/fulfilment/activation.py",
                "await self._payments.end_other_mandates(",
                "False and await self._payments.end_other_mandates(",
            ),
        ),
        ("tests/billing/renewals/test_renewals.py::test_a_new_mandate_replaces_the_one_before",),
    ),
    Safeguard(
        "No charge is made while the last one is open",
        (
            (
                f"{BILLING}/renewals/service.py",
                "payment.state not in FAILED_PAYMENT_STATES",
                "False",
            ),
        ),
        ("tests/billing/renewals/test_renewals.py",),
    ),
    Safeguard(
        "Drivers are monitored in the grace period",
        (
            (
                BILLING_MIGRATION,
                "CASE WHEN status IN ('active', 'expired')",
                "CASE WHEN status = 'active'",
            ),
        ),
        (f"{DAILY}/test_grace_period.py",),
    ),
    Safeguard(
        "Signing up records what is accepted",
        (
            (
                f"{ACCOUNTS}/registration.py",
                "user_id, current_documents(), client_info.ip, sign_up.now",
                "user_id, (), client_info.ip, sign_up.now",
            ),
        ),
        (f"{ACCEPTANCES}::test_signing_up_accepts_all_documents_with_time_and_ip_address",),
    ),
    Safeguard(
        "One person's acceptance is nobody else's",
        (
            (
                f"{ACCOUNTS}/legal_acceptances.py",
                "            LegalAcceptance.user_id == user_id\n",
                "            LegalAcceptance.user_id.is_not(None)\n",
            ),
        ),
        (f"{ACCEPTANCES}::test_a_new_version_is_asked_of_each_person_and_accepted_by_each",),
    ),
    Safeguard(
        "Only current versions are accepted",
        (
            (
                f"{ACCOUNTS}/legal_acceptances.py",
                "if not accepted <= set(current_documents()):",
                "if False:",
            ),
        ),
        (f"{ACCEPTANCES}::test_only_current_versions_can_be_accepted",),
    ),
    Safeguard(
        "The operator's details are escaped in pages",
        (
            (
                "platform/src/prawko/legal/operator_details.py",
                "html.escape(detail.text)",
                "detail.text",
            ),
        ),
        ("tests/web/test_static_site.py::test_the_operators_details_are_escaped",),
    ),
    Safeguard(
        "The operator's details are escaped in scripts",
        (
            (
                "platform/src/prawko/legal/operator_details.py",
                r'text.replace("<", r"\u003c")',
                "text",
            ),
        ),
        ("tests/web/test_static_site.py::test_the_operators_details_are_escaped",),
    ),
    Safeguard(
        "Request bodies are decoded strictly",
        (("platform/src/prawko/web/app.py", "        request_class=StrictRequest,\n", ""),),
        ("tests/web/test_openapi.py", "tests/web/test_fuzzing.py"),
    ),
    Safeguard(
        "A sign-in that waits for its second factor opens nothing",
        ((f"{ACCOUNTS}/authentication.py", " AND NOT s.second_factor_pending", ""),),
        (f"{TOTP_TESTS}::test_the_password_alone_opens_nothing",),
    ),
    Safeguard(
        "A password is not enough where a second factor is on",
        (
            (
                f"{ACCOUNTS}/login.py",
                "if not await SecondFactorRepository(session).is_enabled(account.id):",
                "if True:",
            ),
        ),
        (f"{TOTP_TESTS}::test_the_password_alone_opens_nothing",),
    ),
    Safeguard(
        "No code of an authenticator app is accepted twice",
        ((f"{SECOND_FACTOR}/repository.py", ", SecondFactor.last_step < step)", ")"),),
        (f"{TOTP_TESTS}::test_no_code_is_accepted_twice",),
    ),
    Safeguard(
        "No recovery code is accepted twice",
        (
            (
                f"{SECOND_FACTOR}/repository.py",
                "code_hash == code_hash,\n                RecoveryCode.used_at.is_(None),\n",
                "code_hash == code_hash,\n",
            ),
        ),
        (f"{TOTP_TESTS}::test_a_recovery_code_works_once",),
    ),
    Safeguard(
        "Codes of the second factor are counted before they are compared",
        (
            (
                f"{SECOND_FACTOR}/login.py",
                "        await self._throttle.hit(rate_limits.SECOND_FACTOR_CODES, subject)\n",
                "",
            ),
        ),
        (f"{TOTP_TESTS}::test_tries_are_limited_and_recorded",),
    ),
    Safeguard(
        "The second factor is switched off with the password only",
        (
            (
                f"{SECOND_FACTOR}/service.py",
                "        if method is None:\n            raise",
                "        if False:\n            raise",
            ),
        ),
        (f"{TOTP_TESTS}::test_switching_off_takes_password_and_code",),
    ),
    Safeguard(
        "A password change does not forget the second factor",
        (
            (
                f"{ACCOUNTS}/passwords/change.py",
                "second_factor_at=identity.second_factor_at",
                "second_factor_at=None",
            ),
        ),
        (f"{TOTP_TESTS}::test_changing_the_password_keeps_the_confirmed_session",),
    ),
    Safeguard(
        "Operators need a second factor",
        ((f"{ACCOUNTS}/guards.py", "if identity.needs_second_factor:", "if False:"),),
        (f"{OPERATOR_SESSIONS}::test_an_operator_without_a_second_factor_has_to_set_one_up",),
    ),
    Safeguard(
        "Operators' sessions are shorter",
        (
            (
                f"{ACCOUNTS}/authentication.py",
                "OR COALESCE(s.signed_in_at, s.created_at) > $4 AND s.last_seen_at > $5)",
                "OR $4::timestamptz < $5::timestamptz)",
            ),
        ),
        (f"{OPERATOR_SESSIONS}",),
    ),
    Safeguard(
        "Operators cannot delete one another at the same time",
        (
            (
                f"{ACCOUNTS}/operators.py",
                "select(func.pg_advisory_xact_lock(_LAST_OPERATOR_LOCK))",
                "select(1)",
            ),
        ),
        ("tests/cli/test_operator_commands.py::test_two_operators_cannot_delete_each_other",),
    ),
    Safeguard(
        "The last operator stays",
        ((f"{ACCOUNTS}/operators.py", "        raise LastOperatorError\n", "        return\n"),),
        ("tests/cli/test_operator_commands.py::test_the_last_operator_is_not_erased",),
    ),
    Safeguard(
        "What comes back within ten minutes is no new incident",
        (
            (
                f"{INCIDENTS}/service.py",
                "    if await incidents.reopen(kind, key, detail, now - REOPENING_PERIOD):",
                "    if await incidents.reopen(kind, key, detail, now):",
            ),
        ),
        (f"{INCIDENT_TESTS}::test_what_comes_back_within_ten_minutes_is_the_same_incident",),
    ),
    Safeguard(
        "An end is mailed when nothing came back for ten minutes",
        (
            (
                f"{INCIDENTS}/service.py",
                "mark_ends_reported(now - REOPENING_PERIOD, now)",
                "mark_ends_reported(now, now)",
            ),
        ),
        (f"{INCIDENT_TESTS}::test_what_comes_back_within_ten_minutes_is_the_same_incident",),
    ),
    Safeguard(
        "A changed row breaks the chain of operators' acts",
        (
            (
                "platform/src/prawko/console/chain_verification.py",
                "if not is_next or link.hash != link.computed_hash:",
                "if not is_next:",
            ),
        ),
        (f"{CHAIN_TESTS}::test_a_row_changed_by_the_owner_is_an_incident",),
    ),
    Safeguard(
        "A cut off end of the chain is found",
        (
            (
                "platform/src/prawko/console/chain_verification.py",
                "head.sequence + 1 if head.sequence < known.sequence else None",
                "None",
            ),
        ),
        (f"{CHAIN_TESTS}::test_a_row_changed_by_the_owner_is_an_incident",),
    ),
)
