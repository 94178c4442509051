"""The main journeys of visitors and users again, in a browser that translates the pages."""

import pytest
import test_account
import test_driver_import
import test_drivers_panel
import test_landing_page
import test_languages
import test_main_outcome
import test_notification_settings
import test_payments
from page_pool import REPORT_CSP_VIOLATIONS
from translation import TRANSLATE_PAGE

company, drivers = test_notification_settings.company, test_drivers_panel.drivers


@pytest.fixture(scope="module")
def scripts() -> list[str]:
    return [REPORT_CSP_VIOLATIONS, TRANSLATE_PAGE]


test_a_wrong_password_is_refused = test_languages.test_the_login_is_in_english
test_a_new_user_registers_and_sees_the_outcomes = (
    test_main_outcome.test_a_new_user_registers_and_is_notified_of_a_withheld_licence_once
)
test_a_forgotten_password_is_replaced = test_account.test_a_password_reset_link_works_once
test_a_visitor_writes_to_the_operators = (
    test_landing_page.test_a_visitors_message_reaches_the_operators
)
test_an_incomplete_driver_is_refused = (
    test_drivers_panel.test_the_driver_form_shows_missing_fields_and_the_number_format
)
test_a_driver_is_edited = test_drivers_panel.test_a_driver_is_edited
test_a_driver_is_checked = (
    test_drivers_panel.test_a_manual_check_succeeds_and_appears_in_the_history
)
test_drivers_are_imported = (
    test_driver_import.test_pasted_rows_are_previewed_and_the_good_ones_added
)
test_a_phone_is_verified_and_settings_are_changed = (
    test_notification_settings.test_a_user_gets_sms_manages_notifications_and_contacts_support
)
test_a_plan_is_ordered = test_payments.test_a_blik_code_is_entered_on_the_order_form
