"""Safeguards of the product, and the tests that fail when one is removed."""

from typing import NamedTuple

CHECKS = "platform/src/prawko/verifications"
PAYMENTS = "platform/src/prawko/payments"
BILLING = "platform/src/prawko/billing"
ACCOUNTS = "platform/src/prawko/accounts"
DAILY = "tests/verifications/daily"
RESULTS = "tests/verifications/results"
MATRIX = "tests/tenancy/test_matrix.py"
NO_FOREIGN_ROW = "test_a_session_touches_no_row_of_another_company"
POLICIES = "tenants/src/prawko_tenants/policies.py"
PHONE = "tests/accounts/test_phone.py"
ACKNOWLEDGEMENTS = "tests/drivers/test_acknowledgements.py"
RECIPIENTS = "platform/src/prawko/notifications/recipients"
RECIPIENT_TESTS = "tests/notifications/test_alert_recipients.py"
SECOND_FACTOR = "platform/src/prawko/accounts/second_factor"
TOTP_TESTS = "tests/accounts/test_second_factor.py"
CONSOLE = "platform/src/prawko/console"
CONSOLE_RIGHTS = "migrations/src/prawko_migrations/versions/0020_narrower_console.py"
ERASURE_TESTS = "tests/console/test_erasure_locks.py"
SESSION_PROOFS = "migrations/src/prawko_migrations/versions/0043_proofs_of_sessions.py"
CONSOLE_LOGIN_TESTS = "tests/console/test_console_login.py"
LOGINS = "tenants/src/prawko_tenants/logins.py"
LOGIN_TESTS = "tests/tenancy/test_logins.py"
RESTORED = "platform/src/prawko/apps/cli/restored_database.py"
DRILL = "tests/backup/test_restore.py::test_the_product_goes_on_with_a_restored_database"
MIGRATIONS = "migrations/src/prawko_migrations"
UPGRADE_TESTS = "tests/upgrades/test_migrations_under_load.py"
LIMITS = "tests/accounts/test_rate_limits.py"
BILLING_MIGRATION = "migrations/src/prawko_migrations/versions/0007_billing.py"
LYING_TESTS = "tests/faults/test_lying_plugins.py"
DATABASE_LOG = "tests/personal_data/test_database_log.py"


class Safeguard(NamedTuple):
    """A safeguard. Each of `edits`: a file, a text that occurs in it once, its replacement."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    tests: tuple[str, ...]


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
                (
                    "AND (i.lease_until IS NULL OR i.lease_until <= :system_now"
                    " OR i.lease_until > :max_lease_until)"
                ),
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
        (("platform/src/prawko/kit/work/lease.py", ".where(*is_due, is_free)", ".where(*is_due)"),),
        ("tests/faults/test_deliveries.py::test_concurrent_processes_send_no_message_twice",),
    ),
    Safeguard(
        "A sender that lost its lease records nothing (fence)",
        (
            (
                "platform/src/prawko/kit/work/lease.py",
                ".where(model.id == row.id, model.fence == row.fence)",
                ".where(model.id == row.id)",
            ),
        ),
        ("tests/faults/test_deliveries.py::test_a_sender_that_lost_its_lease_changes_nothing",),
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
        "The newest query is decided by the system clock",
        (
            (
                f"{CHECKS}/results_writer.py",
                '"asked_at_system": result.sent_query.asked_at_system',
                '"asked_at_system": result.sent_query.asked_at',
            ),
            (
                f"{CHECKS}/decision.py",
                "newest_asked_at > query.asked_at_system",
                "newest_asked_at > query.asked_at",
            ),
        ),
        (f"{RESULTS}/test_result_writer.py",),
    ),
    Safeguard(
        "A pause holds the changes of an incomplete run",
        (
            (
                f"{CHECKS}/daily/run_end.py",
                "if await has_paused_items(context.database, day, now):",
                "if False:",
            ),
        ),
        (
            "tests/verifications/mass_change/test_mass_change_review.py::test_the_changes_of_a_resumed_run_are_judged_together",
        ),
    ),
    Safeguard(
        "No transaction is open while the register is queried",
        (
            (
                f"{CHECKS}/manual_check.py",
                "        answer = await self._query_register(access, sent_query)\n",
                """\
        async with self._context.database.system() as session:
            await session.connection()
            answer = await self._query_register(access, sent_query)
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
                "platform/src/prawko/apps/web/dependencies.py",
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
                "platform/src/prawko/accounts/acts/operator_acts.py",
                "            await ensure_session_active(session, operator)\n",
                "",
            ),
        ),
        ("tests/console/test_operator_acts.py::test_an_act_of_a_revoked_session_does_not_happen",),
    ),
    Safeguard(
        "An operator's act that is not recorded does not happen",
        (
            (
                "platform/src/prawko/accounts/acts/operator_acts.py",
                "            if self._count == 0:",
                "            if False:",
            ),
        ),
        ("tests/console/test_operator_acts.py::test_an_act_that_is_not_recorded_does_not_happen",),
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
        ("tests/console/test_operator_acts.py::test_not_even_the_owner_changes_a_row",),
    ),
    Safeguard(
        "The console's wide sessions are read-only",
        (
            (
                "tenants/src/prawko_tenants/engine.py",
                "self._operator, read_only=True",
                "self._operator, read_only=False",
            ),
        ),
        ("tests/console/test_operator_acts.py::test_the_consoles_wide_session_writes_nothing",),
    ),
    Safeguard(
        "Phone codes are sent half a minute apart, also concurrently",
        (
            (
                f"{ACCOUNTS}/phone_verification.py",
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
        "Nothing is ordered while a mandate is charged",
        ((f"{BILLING}/checkout.py", "if payment.is_being_charged(", "if False and bool("),),
        ("tests/billing/orders/test_crash_recovery.py",),
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
        "No charge is made while the last one is open",
        (
            (
                f"{BILLING}/renewal_service.py",
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
        "No code of an authenticator app is accepted twice",
        ((f"{SECOND_FACTOR}/repository.py", "user_id == user_id, is_new)", "user_id == user_id)"),),
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
                f"{SECOND_FACTOR}/verification.py",
                "        await context.throttle.hit(limit, subject)\n",
                "        pass\n",
            ),
        ),
        (f"{TOTP_TESTS}::test_tries_are_limited_and_recorded",),
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
        "An erasure of a company waits for its rows before the log's lock",
        (
            (
                f"{CONSOLE}/companies.py",
                ("            try:\n                people = await erase_company_rows(session)\n"),
                (
                    "            await actions.record(AdminActionType.COMPANY_ERASED, "
                    "tenant_id=tenant_id)\n"
                    "            try:\n"
                    "                people = await erase_company_rows(session)\n"
                ),
            ),
        ),
        (f"{ERASURE_TESTS}::test_no_other_act_waits_for_an_erasure_that_waits[company-driver]",),
    ),
    Safeguard(
        "An erasure waits for its people's sessions before the log's lock",
        (
            (
                f"{CONSOLE}/users.py",
                "            await LoginSessionRepository(session).lock_all(people)\n",
                "",
            ),
        ),
        (
            (
                f"{ERASURE_TESTS}"
                "::test_no_other_act_waits_for_the_erasure_of_an_operator_who_impersonates"
            ),
        ),
    ),
    Safeguard(
        "A member leaves the company before the log's lock",
        (
            (
                "platform/src/prawko/personal_data/erasure.py",
                "    await session.execute(select(func.remove_member(user_id)))\n",
                "",
            ),
        ),
        (f"{ERASURE_TESTS}::test_no_other_act_waits_for_an_erasure_that_waits[colleague-driver]",),
    ),
    Safeguard(
        "Operators who erase each other wait for one another",
        (
            (
                "platform/src/prawko/accounts/acts/operator_acts.py",
                (
                    "            await accounts.lock_users([*self._operator_ids, "
                    "*erased], to_delete=True)\n"
                ),
                "",
            ),
        ),
        (f"{ERASURE_TESTS}::test_operators_who_erase_each_others_companies_wait_for_one_another",),
    ),
    Safeguard(
        "The console's login adds no session in an operator's name",
        (
            (
                SESSION_PROOFS,
                "p.id = person AND NOT p.is_admin",
                "p.id = person",
            ),
        ),
        (f"{CONSOLE_LOGIN_TESTS}::test_any_other_impersonation_is_refused",),
    ),
    Safeguard(
        "The console's login adds no session of its own",
        (
            (
                CONSOLE_RIGHTS,
                '        f"REVOKE INSERT ON login_session FROM {to.operator}",\n',
                "",
            ),
        ),
        (f"{CONSOLE_LOGIN_TESTS}::test_no_session_is_made_or_prolonged",),
    ),
    Safeguard(
        "A revoked session stays revoked",
        (
            (
                SESSION_PROOFS,
                "WHEN (OLD.revoked_at IS NOT NULL)",
                "WHEN (false)",
            ),
        ),
        (f"{CONSOLE_LOGIN_TESTS}::test_a_revoked_session_stays_revoked",),
    ),
    Safeguard(
        "The console's login deletes no audit event",
        (
            (
                CONSOLE_RIGHTS,
                '        f"REVOKE DELETE ON user_activity FROM {to.operator}",\n',
                "",
            ),
        ),
        (f"{CONSOLE_LOGIN_TESTS}::test_the_log_is_not_lessened",),
    ),
    Safeguard(
        "Windows of rate limits slide",
        (
            (
                "platform/src/prawko/kit/rate_limit.py",
                '"since": now - limit.window',
                '"since": now - limit.window / 2',
            ),
        ),
        (f"{LIMITS}::test_no_stretch_as_long_as_the_window_lets_more_through_than_the_limit",),
    ),
    Safeguard(
        "Partitions are by UTC in a session of any zone",
        (
            (
                f"{MIGRATIONS}/versions/0029_utc_partitions.py",
                "ALTER FUNCTION ensure_day(date) SET timezone = 'UTC'\n\n",
                "",
            ),
        ),
        ("tests/tenancy/test_partitions.py::test_how_far_a_day_is_away_is_counted_in_utc",),
    ),
    Safeguard(
        "An erasure that meets a write is made again",
        (
            (
                "platform/src/prawko/personal_data/erasure.py",
                "should_retry=is_conflict",
                "should_retry=lambda _: False",
            ),
        ),
        (f"{ERASURE_TESTS}::test_an_erasure_and_a_write_that_wait_for_each_other_both_succeed",),
    ),
    Safeguard(
        "A lease far ahead is not believed",
        (
            (
                "platform/src/prawko/kit/work/lease.py",
                "        model.lease_until > now + (longest or lease) + MAX_CLOCK_SKEW,\n",
                "",
            ),
        ),
        ("tests/kit/test_lease.py",),
    ),
    Safeguard(
        "A renewal takes back no lost lease",
        (
            (
                f"{CHECKS}/daily/repository.py",
                "AND i.fence = t.fence AND i.state = 'due' AND i.lease_until IS NOT NULL",
                "AND i.state = 'due'",
            ),
        ),
        (f"{DAILY}/test_leases.py",),
    ),
    Safeguard(
        "Provisioning leaves another installation's logins alone",
        ((LOGINS, "    if other is not None:\n", "    if False:\n"),),
        (f"{LOGIN_TESTS}::test_another_database_is_refused_the_logins_of_the_first",),
    ),
    Safeguard(
        "A password that processes still use is not changed",
        ((LOGINS, "if overlap and await _stays", "if False and await _stays"),),
        (f"{LOGIN_TESTS}::test_a_password_that_processes_still_use_is_not_changed",),
    ),
    Safeguard(
        "A restore repeats no invoice number",
        ((RESTORED, "await _raise_series(session, series, year, serial)", "pass"),),
        (DRILL,),
    ),
    Safeguard(
        "A migration waits for a lock for a second at most",
        ((f"{MIGRATIONS}/env.py", "lock_timeout = '1s'", "lock_timeout = '60s'"),),
        (f"{UPGRADE_TESTS}::test_beside_a_dump_a_migration_waits_in_short_tries",),
    ),
    Safeguard(
        "The panel's login deletes no account, membership or company",
        (
            (
                "migrations/src/prawko_migrations/versions/0022_used_rights.py",
                '        f"REVOKE DELETE ON tenant, user_account, membership FROM {to.app}",\n',
                "",
            ),
        ),
        (("tests/tenancy/test_activity_log.py::test_no_statement_of_the_panel_lessens_it"),),
    ),
    Safeguard(
        "The worker's login reads no password hash",
        (
            (
                "migrations/src/prawko_migrations/versions/0022_used_rights.py",
                'f"REVOKE SELECT ON user_account FROM {to.worker}",',
                "",
            ),
        ),
        (
            (
                "tests/tenancy/test_public_rights.py"
                "::test_what_signs_people_in_is_read_by_the_panel_alone"
            ),
        ),
    ),
    Safeguard(
        "A session revoked meanwhile rolls a write to a global table back",
        (
            (
                "platform/src/prawko/apps/web/dependencies.py",
                "            if identity is not None and request.method not in SAFE_METHODS:",
                "            if identity is None and request.method not in SAFE_METHODS:",
            ),
        ),
        (
            (
                "tests/web/test_revoked_sessions.py"
                "::test_a_session_revoked_on_the_way_changes_nothing[sendContactMessage]"
            ),
        ),
    ),
    Safeguard(
        "A revoked session uses up no code of the second factor",
        (
            (
                "platform/src/prawko/accounts/second_factor/service.py",
                "await ensure_session_active(session, identity)  # before a code is used up",
                "pass",
            ),
        ),
        (
            (
                "tests/web/test_revoked_sessions.py"
                "::test_a_session_revoked_on_the_way_changes_nothing[disableSecondFactor]"
            ),
        ),
    ),
    Safeguard(
        "The panel's login inserts no session of an operator",
        (
            (
                "migrations/src/prawko_migrations/versions/0023_operator_proofs.py",
                "    FOR EACH ROW EXECUTE FUNCTION refuse_operator_session()",
                "    FOR EACH ROW WHEN (false) EXECUTE FUNCTION refuse_operator_session()",
            ),
        ),
        (
            (
                "tests/accounts/test_operator_proofs.py"
                "::test_the_panels_login_inserts_no_session_of_an_operator"
            ),
        ),
    ),
    Safeguard(
        "The panel's login changes no operator's password or address",
        (
            (
                "migrations/src/prawko_migrations/versions/0023_operator_proofs.py",
                "WHEN (OLD.is_admin) EXECUTE",
                "WHEN (false) EXECUTE",
            ),
        ),
        (("tests/accounts/test_operator_proofs.py::test_the_panels_login_changes_no_operator"),),
    ),
    Safeguard(
        "An operator's session is proved by the token, not by its hash",
        (
            (
                "migrations/src/prawko_migrations/versions/0054_held_sessions.py",
                "s.token_hash = sha256(convert_to(present_token, 'UTF8'))",
                "encode(s.token_hash, 'hex') = present_token",
            ),
        ),
        (("tests/accounts/test_operator_proofs.py::test_without_a_proof_no_session_is_opened"),),
    ),
    Safeguard(
        "No login stores large objects or keeps locks",
        (
            (
                "tenants/src/prawko_tenants/public_rights.py",
                "        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', called);\n",
                "",
            ),
        ),
        (("tests/tenancy/test_public_rights.py::test_no_login_stores_objects_or_keeps_locks"),),
    ),
    Safeguard(
        "The panel sees members and activity of the bound company alone",
        (
            (
                "tenants/src/prawko_tenants/policies.py",
                'rows = f"{NO_TENANT} OR tenant_id = {CURRENT_TENANT}"',
                'rows = "true"',
            ),
        ),
        (
            (
                "tests/tenancy/test_member_rows.py"
                "::test_a_session_of_a_company_sees_its_members_alone"
            ),
        ),
    ),
    Safeguard(
        "A message that was handed over is not sent again when it could not be recorded",
        (
            (
                "platform/src/prawko/kit/deliveries/channel_sender.py",
                "            elif self._results.is_handed_over(row):",
                "            elif False:",
            ),
        ),
        (
            (
                f"{LYING_TESTS}"
                "::test_what_was_handed_over_is_not_sent_again_when_it_could_not_be_recorded"
            ),
        ),
    ),
    Safeguard(
        "Another carrier tries only what was surely not taken",
        (
            (
                "platform/src/prawko/kit/deliveries/delivery_results.py",
                "if not (isinstance(error, DeliveryError) and error.not_taken):",
                "if not isinstance(error, DeliveryError):",
            ),
        ),
        (
            "tests/deliveries/test_carrier_choice.py::test_what_the_first_may_have_is_not_given_to_the_second",
        ),
    ),
    Safeguard(
        "The time of a status is that of the check that brought it",
        (
            (
                "migrations/src/prawko_migrations/versions/0030_acknowledgements.py",
                "        NEW.status_since := NEW.verified_at;\n",
                "        NULL;\n",
            ),
        ),
        (f"{ACKNOWLEDGEMENTS}::test_a_withholding_counts_from_the_check_that_brought_it",),
    ),
    Safeguard(
        "Of two members who leave the alerts at once one stays",
        (
            (
                f"{RECIPIENTS}/service.py",
                "        await self._recipients.lock_company()\n        members, addresses",
                "        members, addresses",
            ),
        ),
        (f"{RECIPIENT_TESTS}::test_of_two_members_who_leave_at_once_one_stays",),
    ),
    Safeguard(
        "A request holds one connection at a time",
        (
            (
                f"{RECIPIENTS}/service.py",
                "        await self._count_invitation(address)\n        await self._rec",
                "        await self._rec",
            ),
            (
                f"{RECIPIENTS}/service.py",
                "raise RecipientLimitError(limit=MAX_RECIPIENTS)\n",
                "raise RecipientLimitError\n        await self._count_invitation(address)\n",
            ),
        ),
        (
            "tests/web/test_revoked_sessions.py::test_a_session_revoked_on_the_way_changes_nothing[addAlertRecipient]",
        ),
    ),
    Safeguard(
        "A check in flight is judged by what is needed when it is recorded",
        (
            (
                "platform/src/prawko/verifications/daily/recorder.py",
                "d.needed_categories, a.id AS answer_id",
                "CAST('{}' AS text[]) AS needed_categories, a.id AS answer_id",
            ),
        ),
        (
            (
                "tests/verifications/results/test_needed_categories.py"
                "::test_a_check_in_flight_is_judged_by_what_is_needed_when_it_is_recorded"
            ),
        ),
    ),
    Safeguard(
        "PostgreSQL logs no parameters of statements",
        (
            (
                LOGINS,
                '    yield Step(f"ALTER DATABASE {name} SET log_parameter_max_length = 0")\n',
                "",
            ),
        ),
        (f"{DATABASE_LOG}::test_statements_are_logged_without_what_they_are_asked_with",),
    ),
    Safeguard(
        "A worker at work leaves a run that is superseded",
        (
            (
                f"{CHECKS}/daily/repository.py",
                "WHERE day > :day AND day <= :today AND started_at IS NOT NULL)",
                "WHERE day > :day AND day <= :today AND false)",
            ),
        ),
        (f"{DAILY}/test_worker.py::test_a_worker_at_work_leaves_a_run_that_is_superseded",),
    ),
)
