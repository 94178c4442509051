"""The main journeys of operators again, in a browser that translates the console."""

import pytest
import test_console
import test_console_operations
from page_pool import REPORT_CSP_VIOLATIONS
from translation import TRANSLATE_PAGE

page = test_console.page


@pytest.fixture(scope="module")
def scripts() -> list[str]:
    return [REPORT_CSP_VIOLATIONS, TRANSLATE_PAGE]


test_users_are_sorted_and_paged = test_console.test_users_are_sorted_and_paged
test_an_act_asks_for_its_reason = test_console.test_an_act_needs_a_reason
test_a_company_is_suspended = test_console_operations.test_a_company_is_suspended_and_resumed
test_an_operator_works_as_a_customer = test_console.test_an_operator_works_as_a_customer_and_returns
