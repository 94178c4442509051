"""No screen jumps while it loads, moves the logo or shows a zero as none."""

import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from subscription_screens import GRACE

WIDE, PHONE = 1280, 390
PANEL, DRIVERS = "/panel", "/panel/drivers"
SUBSCRIPTION_ROUTE = "**/api/subscription"
SUM_SHIFTS = """() => new Promise((resolve) => {
  let sum = 0
  const add = (entries) => { for (const { value } of entries) sum += value }
  const observer = new PerformanceObserver((list) => add(list.getEntries()))
  observer.observe({ type: "layout-shift", buffered: true })
  setTimeout(() => { add(observer.takeRecords()); resolve(sum) }, 300)
})"""
MAX_SHIFT = 0.02


def locate_logo(page: Page, path: str) -> dict[str, float]:
    """Return the place of the visible logo."""
    page.goto(path)
    page.get_by_role("heading", level=1).wait_for()
    box = page.locator("svg[viewBox='0 0 28 20']").locator("visible=true").first.bounding_box()
    assert box
    return {axis: round(box[axis], 1) for axis in ("x", "y")}


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_logo_does_not_move_on_the_way_in(open_page, product, width) -> None:
    visitor = open_page(width=width)
    unverified = open_page(width=width, company=product.register_company("znak"))
    customer = open_page(width=width, company=product.log_in_demo_company())

    landing = locate_logo(visitor, "/")
    login = locate_logo(visitor, "/auth/login")
    verification = locate_logo(unverified, "/auth/verify-email")
    panel = locate_logo(customer, PANEL)

    assert landing["y"] == login["y"] == verification["y"] == panel["y"]
    assert login["x"] == verification["x"]
    # The landing page is centred where it is wide; on a phone the panel's menu is before the logo.
    assert login["x"] == (panel if width == WIDE else landing)["x"]


@pytest.mark.parametrize(("path", "last"), [(PANEL, "main section"), (DRIVERS, "tbody tr")])
def test_a_banner_that_is_late_moves_nothing(open_page, product, path, last) -> None:
    def answer_late(route: Route) -> None:
        response = route.fetch()
        time.sleep(0.5)
        route.fulfill(response=response, json={**response.json(), **GRACE})

    page = open_page(width=PHONE, company=product.log_in_demo_company())
    page.route(SUBSCRIPTION_ROUTE, answer_late)
    page.goto(path)
    expect(page.locator(last).first).to_be_visible()
    expect(page.get_by_role("alert").first).to_be_visible()

    assert page.evaluate(SUM_SHIFTS) < MAX_SHIFT


def list_fonts(page: Page, element: Locator) -> set[str]:
    """Return the names of the fonts with which the browser draws the element's text."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("DOM.enable")
    devtools.send("CSS.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    element.evaluate("(node) => node.setAttribute('data-fonts', '')")
    node = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "[data-fonts]"})
    fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]
    element.evaluate("(node) => node.removeAttribute('data-fonts')")
    devtools.detach()
    return {font["familyName"] for font in fonts}


def test_a_zero_has_a_slash_in_licence_numbers_alone(open_page, product) -> None:
    page = open_page(company=product.log_in_demo_company())
    page.goto(DRIVERS)
    row = page.get_by_role("row").filter(has_text="LN284309")
    expect(row).to_be_visible()

    number, checked = row.get_by_role("cell", name="LN284309"), row.locator("time").last
    assert list_fonts(page, number) == {"Atkinson Hyperlegible Next"}
    assert list_fonts(page, checked) == {"Atkinson Hyperlegible Next", "Prawko Plain Zero"}


def test_the_console_has_the_zero_of_the_panel(open_page, product) -> None:
    page = open_page(company=product.log_in_operator())
    page.goto("/admin/users")
    registered = page.locator("tbody time").first
    expect(registered).to_be_visible()
    assert list_fonts(page, registered) == {"Atkinson Hyperlegible Next", "Prawko Plain Zero"}


def test_a_code_of_the_console_has_a_slashed_zero(open_page, product) -> None:
    page = open_page(company=product.log_in_operator())
    payments = [{
        "id": "01a1f000-0000-7000-8000-000000000001", "reference": "0B4P30V4RMAB",
        "companyName": "Acme", "gross": 30600, "currency": "PLN", "state": "paid",
        "method": "blik", "provider": "sandbox", "createdAt": "2026-11-20T08:00:00Z",
    }]  # fmt: skip
    page.route(
        "**/api/admin/payments?*",
        lambda route: route.fulfill(json=payments, headers={"Content-Range": "payments 0-0/1"}),
    )
    page.goto("/admin/payments")
    code = page.get_by_text("0B4P30V4RMAB", exact=True)
    expect(code).to_be_visible()
    assert list_fonts(page, code) == {"Atkinson Hyperlegible Next"}


# What forced colours leave of a background that says "a button", "chosen" or "on".
FORCED = """() => {
  const shown = (selector) => [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility())
  const style = (element, part) => getComputedStyle(element, part)
  const name = (element) => element.textContent || element.ariaLabel || element.id
  const boxless = shown("button[type=submit], .MuiButton-contained")
    .filter((button) => style(button).borderTopStyle === "none")
  const thumbless = shown("[role=switch]")
    .filter((one) => style(one, "::before").backgroundColor === style(one).backgroundColor)
  const ground = style(document.body).backgroundColor
  const chosen = "[aria-current=page], [aria-pressed=true], label:has(> input.absolute:checked)"
  const unmarked = shown(`${chosen}, .RaMenuItemLink-active`)
    .filter((one) => [ground, "rgba(0, 0, 0, 0)"].includes(style(one).backgroundColor))
  return [...boxless, ...thumbless, ...unmarked].map(name)
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/panel/notifications", "/panel/drivers", "/panel/account", "/", "/admin/users"]
)
def test_forced_colours_leave_buttons_their_box_and_the_choice_its_mark(
    open_page, product, path, scheme
) -> None:
    is_console = path.startswith("/admin")
    customer = product.log_in_operator() if is_console else product.log_in_demo_company()
    page = open_page(company=None if path == "/" else customer, reusable=False)
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    page.goto(path)
    page.get_by_role("heading", level=1).wait_for()
    if path == "/panel/notifications":
        expect(page.get_by_role("switch", name="Powiadomienia e-mail")).to_be_checked()

    assert page.evaluate(FORCED) == []
