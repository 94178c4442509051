import { cleanup, screen, waitFor } from "@testing-library/react"
import { afterEach, describe, expect, it, vi } from "vitest"
import { documentTone, resultTone } from "~/entities/driver/may-drive"
import {
  activeSubscription,
  anna,
  driver,
  expired,
  notFound,
  unusual,
  verified,
  withheld,
} from "~/testing/fixtures"
import { mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import Driver from "./driver"
import DriverList from "./driver-list"
import Overview from "./overview"

const over = (kategoria: string) => ({ kategoria, dataWaznosci: "2026-11-20" })
const stale = { staleSince: "2026-11-18T05:00:00Z" }
const withB = verified({ issuingAuthority: null })

/** Every reason for which a driver may not drive, or for which nobody knows. */
const states = {
  "a withheld document": driver("Jan", "Lis", withheld),
  "a withdrawn document": driver("Jan", "Lis", { ...withheld, documentStatus: "Cofnięty" }),
  "an expired document": driver("Jan", "Lis", expired),
  "a document over since midnight": driver("Jan", "Lis", verified({ expiryDate: "2026-11-20" })),
  "every category over": driver("Jan", "Lis", verified({ categories: [over("B"), over("C")] })),
  "a missing needed category": driver("Jan", "Lis", withB, { neededCategories: ["C"] }),
  "a needed category that is over": driver(
    "Jan",
    "Lis",
    verified({ categories: [over("C"), { kategoria: "B", dataWaznosci: null }] }),
    { neededCategories: ["C"] },
  ),
  "an unusual state": driver("Jan", "Lis", unusual),
  "an unknown number": driver("Jan", "Lis", notFound),
  "a stale result": driver("Jan", "Lis", verified(), stale),
  "no result yet": driver("Jan", "Lis"),
}
const places = { dashboard: <Overview />, list: <DriverList />, page: <Driver /> }
const cases = Object.entries(states).flatMap(([state, one]) =>
  Object.entries(places).map(([place, screen]) => ({ state, one, place, screen })),
)

async function renderWith(one: (typeof states)["a withheld document"], place: React.ReactElement) {
  vi.setSystemTime(Date.parse("2026-11-21T12:00:00+01:00"))
  const path = `/api/drivers/${one.id}`
  const change = { ...one.verifications[0], firstVerifiedAt: "2026-11-20T05:04:00Z", checks: 1 }
  mockServer({
    "GET /api/drivers": { body: [one] },
    "GET /api/subscription": { body: activeSubscription },
    "GET /api/checks/summary": {
      body: { oldestVerifiedAt: "2026-11-20T05:04:00Z", staleCount: 0, checkingStopped: false },
    },
    "GET /api/notifications": { body: [] },
    [`GET ${path}`]: { body: one },
    [`GET ${path}/changes`]: { body: one.verifications.length ? [change] : [] },
    [`GET ${path}/days`]: { body: [] },
    [`GET ${path}/notices`]: { body: [] },
  })
  renderScreen(place, { user: anna, path: `/here/${one.id}` })
  await screen.findAllByText(/^(Lis|Jan Lis|Liczba kierowców)$/)
  await waitFor(() => expect(screen.queryByRole("status", { name: /Wczytywanie/ })).toBeNull())
}

/** What is green on the screen, but for the figure of withheld drivers, of which there are none. */
const greens = () =>
  [...document.querySelectorAll("[class]")].filter(
    (element) =>
      /(^|\s)(bg|text|fill|border|stroke)-valid/.test(element.getAttribute("class") ?? "") &&
      !element.closest("[data-variant]"),
  )

afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe("who may not drive", () => {
  it.each(cases)("is green nowhere: $state, $place", async ({ one, screen: place }) => {
    await renderWith(one, place)
    expect(greens()).toEqual([])
  })

  it("differs from who may, which is green", async () => {
    await renderWith(driver("Jan", "Lis", verified()), <DriverList />)
    expect(greens()).not.toEqual([])
  })
})

describe("the badge of a document", () => {
  it.each([
    ["Wydany", "yes", "valid"],
    ["Wydany", "check", "neutral"],
    ["Wydany", "no", "caution"],
    ["Zatrzymany", "no", "withheld"],
    ["Cofnięty", "no", "caution"],
    ["Utracony", "check", "caution"],
    ["wydany", "check", "caution"],
    [null, "check", "neutral"],
    ["", "check", "neutral"],
  ] as const)("of the text %s and the answer %s is %s", (state, answer, tone) => {
    expect(documentTone(state, answer)).toBe(tone)
  })
})

describe("the toast of a result", () => {
  it.each([
    ["valid", "yes", "plain"],
    ["valid", "no", "notice"],
    ["valid", "check", "notice"],
    ["not_found", "check", "notice"],
    ["attention", "check", "notice"],
    ["invalid", "no", "error"],
  ] as const)("%s and the answer %s is %s", (status, answer, tone) => {
    expect(resultTone(status, answer)).toBe(tone)
  })
})
