import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { DriverOut, MemberAlertsOut, SubscriptionOut, UserOut } from "~/api/types.gen"
import { queryClient } from "~/lib/query-client"
import {
  activeSubscription,
  anna,
  driver,
  noSubscription,
  notFound,
  verified,
  withheld,
} from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { FirstCheck } from "./first-check"
import { FirstSteps } from "./first-steps"

const own: MemberAlertsOut = {
  ...{ email: anna.email, isSelf: true, emailEnabled: true, emailProblem: null },
  ...{ smsEnabled: false, phoneNumber: null, phoneVerified: false },
  ...{ groups: ["status"], smsHours: null, monthlySummary: true },
}
const withSms = { phoneVerified: true, smsEnabled: true }
const mockAlerts = (changes: Partial<MemberAlertsOut> = {}) =>
  mockServer({ "GET /api/alert-recipients": { body: { members: [{ ...own, ...changes }] } } })
const over = driver("Ola", "Kot", verified(), { overLimit: true })
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const newcomer: UserOut = { ...anna, createdAt: daysAgo(0) }
/** A company whose first period began that many days ago, without a trial. */
const since = (days: number): SubscriptionOut => ({
  ...activeSubscription,
  monitoredSince: daysAgo(days),
})
const abort = new DOMException("", "AbortError")
const checked = driver("Jan", "Nowak", verified())
const waiting = driver("Ewa", "Lis")
const steps = () => screen.queryByRole("heading", { name: "Na dobry początek" })
const done = () =>
  screen
    .queryAllByRole("listitem")
    .filter(({ textContent }) => textContent?.endsWith("– gotowe"))
    .map(({ textContent }) => textContent?.split(" – ")[0])

describe("the first steps", () => {
  it.each<[string, DriverOut[], SubscriptionOut, Partial<MemberAlertsOut>, string[] | null]>([
    ["of a newcomer", [], noSubscription, {}, []],
    ["in a trial", [], since(3), {}, ["Dane firmy (NIP)"]],
    [
      "on a paid plan, with a verified phone while SMS stay off",
      [checked],
      activeSubscription,
      { phoneVerified: true },
      ["Dane firmy (NIP)", "Dodaj kierowców", "Pierwsze sprawdzenie: 1 z 1"],
    ],
    [
      "with SMS on for a changed number that is not verified",
      [checked, waiting],
      since(3),
      { smsEnabled: true },
      ["Dane firmy (NIP)", "Dodaj kierowców"],
    ],
    [
      "while drivers wait for their first check",
      [checked, waiting],
      since(3),
      withSms,
      ["Dane firmy (NIP)", "Dodaj kierowców", "Telefon i alerty SMS"],
    ],
    [
      "with SMS on while the drivers' status is not chosen",
      [checked],
      since(3),
      { ...withSms, groups: ["billing"] },
      ["Dane firmy (NIP)", "Dodaj kierowców", "Pierwsze sprawdzenie: 1 z 1"],
    ],
    ["are over when all are done", [checked], activeSubscription, withSms, null],
    ["are over after a week, whoever is added then", [checked, waiting], since(8), {}, null],
    ["of a company without drivers stay", [], since(8), {}, ["Dane firmy (NIP)"]],
  ])("%s", async (_, drivers, subscription, changes, expected) => {
    mockAlerts(changes)
    renderScreen(<FirstSteps drivers={drivers} subscription={subscription} />, { user: newcomer })
    if (expected) expect(await screen.findByText("Na dobry początek")).toBeVisible()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(steps() !== null).toBe(expected !== null)
    expect(done()).toEqual(expected ?? [])
  })

  it("lead to the page of each, and show the progress of the first check", async () => {
    mockAlerts()
    renderScreen(<FirstSteps drivers={[checked, waiting]} subscription={since(0)} />, {
      user: anna,
    })
    const links = await screen.findAllByRole("link")
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Telefon i alerty SMS", "/panel/notifications#phone"],
      ["Pierwsze sprawdzenie: 1 z 2", "/panel?firstCheck"],
    ])
  })

  it("say that the first check waits for drivers, without a link to it", async () => {
    mockAlerts()
    renderScreen(<FirstSteps drivers={[]} subscription={since(0)} />, { user: anna })
    expect(await screen.findByText("Pierwsze sprawdzenie czeka na kierowców")).toBeVisible()
    expect(screen.queryByRole("link", { name: /^Pierwsze/ })).toBeNull()
  })
})

describe("the first check", () => {
  const fleet = [checked, driver("Adam", "Nieznany", notFound), driver("Ola", "Lis", withheld)]
  const renderCheck = (
    drivers: DriverOut[],
    path = "/here?firstCheck",
    user = anna,
    subscription = since(30),
  ) => renderScreen(<FirstCheck drivers={drivers} subscription={subscription} />, { user, path })

  it("shows its progress while drivers wait", () => {
    renderCheck([...fleet, waiting])
    expect(
      screen.getByRole("progressbar", { name: "Pierwsze sprawdzenie: 3 z 4" }),
    ).toHaveAttribute("value", "3")
  })

  it("takes the focus where a link of the panel leads to it", async () => {
    mockAlerts()
    const { router } = renderCheck(fleet, "/here", newcomer, since(0))
    const title = screen.getByRole("heading", { name: "Pierwsze sprawdzenie zakończone" })
    expect(title).not.toHaveFocus()
    await router.navigate("/here?firstCheck")
    await waitFor(() => expect(title).toHaveFocus())
  })

  it("says which details to correct and what follows", async () => {
    mockAlerts()
    renderCheck(fleet)
    const promise = /^Od jutra .* napiszemy na adres anna@acme.test\.$/
    expect(await screen.findByText(promise)).toBeVisible()
    const links = screen.getAllByRole("link")
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Adam Nieznany", `/panel/drivers/${fleet[1]?.id}`],
    ])
  })

  it.each<[string, DriverOut[], SubscriptionOut, Partial<MemberAlertsOut>]>([
    ["mails are off", fleet, since(30), { emailEnabled: false }],
    ["the address refuses mails", fleet, since(30), { emailProblem: "bounced" }],
    ["the drivers' status is not chosen", fleet, since(30), { groups: ["billing"] }],
    ["no plan is active", fleet, noSubscription, {}],
    ["a driver is over the limit", [checked, over], since(30), {}],
  ])("promises no check and no alert when %s", async (_, drivers, subscription, changes) => {
    mockAlerts({ ...withSms, ...changes })
    renderCheck(drivers, "/here?firstCheck", anna, subscription)
    expect(screen.queryByRole("link", { name: /^Sprawdź, kto/ })).toBeNull() // not known yet
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.getByText("Pierwsze sprawdzenie zakończone")).toBeVisible()
    expect(screen.queryByText(/Od jutra/)).toBeNull()
    const link = screen.getByRole("link", { name: /^Sprawdź, kto i jak/ })
    expect(link).toHaveAttribute("href", "/panel/notifications")
  })

  it("has the confirmation of all drivers as PDF, and the printer", async () => {
    const print = vi.spyOn(window, "print").mockImplementation(() => {})
    const requests = mockServer({
      "GET /api/company/confirmation": { body: "%PDF" },
      "GET /api/alert-recipients": { body: { members: [own] } },
    })
    const { person } = renderCheck(fleet)
    await person.click(screen.getByRole("button", { name: "Pobierz PDF dla firmy" }))
    await person.click(screen.getByRole("button", { name: "Drukuj" }))
    expect(requests.map(({ endpoint }) => endpoint)).toContain("GET /api/company/confirmation")
    expect(print).toHaveBeenCalledOnce()
    expect(screen.queryByRole("button", { name: "Wyślij PDF" })).toBeNull()
  })

  it.each([
    ["by the user's program", () => Promise.resolve(), 0],
    ["not at all when the user stops it", () => Promise.reject(abort), 0],
    ["as a download when the browser waited too long", () => Promise.reject(new Error()), 1],
  ])("sends the PDF %s", async (_, answer, saved) => {
    const share = vi.fn<Navigator["share"]>(answer)
    Object.assign(navigator, { canShare: () => true, share })
    const save = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {})
    mockServer({
      "GET /api/company/confirmation": { body: "%PDF" },
      "GET /api/alert-recipients": { body: { members: [own] } },
    })
    const { person } = renderCheck(fleet)
    await person.click(screen.getByRole("button", { name: "Wyślij PDF" }))
    await waitFor(() => expect(share).toHaveBeenCalledOnce())
    expect(share.mock.calls[0]?.[0]?.files?.[0]?.name).toMatch(/\.pdf$/)
    await waitFor(() => expect(save).toHaveBeenCalledTimes(saved))
    Object.assign(navigator, { canShare: undefined, share: undefined })
  })

  it.each([
    ["a company of today", since(0), "/here", true],
    ["an older company, for a new colleague", since(30), "/here", false],
    ["an older company, at its address", since(30), "/here?firstCheck", true],
  ])("of %s", (_, subscription, path, isShown) => {
    mockAlerts()
    renderCheck(fleet, path, newcomer, subscription)
    expect(screen.queryByText("Pierwsze sprawdzenie zakończone") !== null).toBe(isShown)
  })
})
