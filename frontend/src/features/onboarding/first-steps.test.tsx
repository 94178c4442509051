import { screen } from "@testing-library/react"
import { describe, expect, it, vi } from "vitest"
import type { DriverOut, SubscriptionOut, UserOut } from "~/api/types.gen"
import {
  activeSubscription,
  anna,
  driver,
  noSubscription,
  notFound,
  trialSubscription,
  verified,
  withheld,
} from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { FirstCheck } from "./first-check"
import { FirstSteps } from "./first-steps"

const withSms = { phoneVerified: true, smsNotificationsEnabled: true }
const checked = driver("Jan", "Nowak", verified())
const waiting = driver("Ewa", "Lis")
const steps = () => screen.queryByRole("heading", { name: "Na dobry początek" })
const done = () =>
  screen
    .queryAllByRole("listitem")
    .filter(({ textContent }) => textContent?.endsWith("– gotowe"))
    .map(({ textContent }) => textContent?.split(" – ")[0])

describe("the first steps", () => {
  it.each<[string, DriverOut[], SubscriptionOut, Partial<UserOut>, string[] | null]>([
    ["of a newcomer", [], noSubscription, {}, []],
    ["in a trial", [], trialSubscription, {}, ["Dane firmy (NIP)"]],
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
      trialSubscription,
      { smsNotificationsEnabled: true },
      ["Dane firmy (NIP)", "Dodaj kierowców"],
    ],
    [
      "while drivers wait for their first check",
      [checked, waiting],
      trialSubscription,
      withSms,
      ["Dane firmy (NIP)", "Dodaj kierowców", "Telefon i alerty SMS"],
    ],
    ["are over when all are done", [checked], activeSubscription, withSms, null],
  ])("%s", async (_, drivers, subscription, changes, expected) => {
    renderScreen(<FirstSteps drivers={drivers} subscription={subscription} />, {
      user: { ...anna, ...changes },
    })
    expect(steps() !== null).toBe(expected !== null)
    expect(done()).toEqual(expected ?? [])
  })

  it("lead to the page of each, and show the progress of the first check", () => {
    renderScreen(<FirstSteps drivers={[checked, waiting]} subscription={trialSubscription} />, {
      user: anna,
    })
    const links = screen.getAllByRole("link")
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Telefon i alerty SMS", "/panel/notifications#phone"],
      ["Pierwsze sprawdzenie: 1 z 2", "/panel?firstCheck"],
    ])
  })
})

describe("the first check", () => {
  const fleet = [checked, driver("Adam", "Nieznany", notFound), driver("Ola", "Lis", withheld)]
  const renderCheck = (drivers: DriverOut[], path = "/here?firstCheck", user = anna) =>
    renderScreen(<FirstCheck drivers={drivers} />, { user, path })

  it("shows its progress while drivers wait", () => {
    renderCheck([...fleet, waiting])
    expect(
      screen.getByRole("progressbar", { name: "Pierwsze sprawdzenie: 3 z 4" }),
    ).toHaveAttribute("value", "3")
  })

  it("says which details to correct and what follows", () => {
    renderCheck(fleet)
    const links = screen.getAllByRole("link")
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Adam Nieznany", `/panel/drivers/${fleet[1]?.id}`],
    ])
    expect(screen.getByText(/^Od jutra .* napiszemy na adres anna@acme.test\.$/)).toBeVisible()
  })

  it("has the confirmation of all drivers as PDF, and the printer", async () => {
    const print = vi.spyOn(window, "print").mockImplementation(() => {})
    const requests = mockServer({ "GET /api/company/confirmation": { body: "%PDF" } })
    const { person } = renderCheck(fleet)
    await person.click(screen.getByRole("button", { name: "Pobierz PDF dla firmy" }))
    await person.click(screen.getByRole("button", { name: "Drukuj" }))
    expect(requests.map(({ endpoint }) => endpoint)).toEqual(["GET /api/company/confirmation"])
    expect(print).toHaveBeenCalledOnce()
  })

  it.each([
    ["an account of today", new Date().toISOString(), "/here", true],
    ["an older account", anna.createdAt, "/here", false],
    ["an older account, at its address", anna.createdAt, "/here?firstCheck", true],
  ])("of %s", (_, createdAt, path, isShown) => {
    renderCheck(fleet, path, { ...anna, createdAt })
    expect(screen.queryByText("Pierwsze sprawdzenie zakończone") !== null).toBe(isShown)
  })
})
