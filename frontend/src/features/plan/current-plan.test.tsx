import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { clearToasts } from "~/lib/toasts"
import { activeSubscription, noSubscription, trialSubscription } from "~/testing/fixtures"
import { errorResponse, mockServer } from "~/testing/mock-server"
import { renderScreen } from "~/testing/render"
import { CurrentPlan } from "./current-plan"
import { PlanBanner, RenewalBanner } from "./plan-banner"

const cancel = "POST /api/subscription/cancel"
const resume = "POST /api/subscription/resume"
const button = (name: string) => screen.getByRole("button", { name })
const factRow = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement

afterEach(clearToasts)

describe("the current plan", () => {
  it("shows the limit, the remaining days, and the renewal", () => {
    renderScreen(
      <CurrentPlan
        subscription={{
          ...activeSubscription,
          drivers: 4,
          renews: true,
          mandateLabel: "Visa •••• 4242",
        }}
      />,
    )
    expect(factRow("Plan")).toHaveTextContent("do 5 kierowców4 kierowcy na liście")
    expect(factRow("Pozostało")).toHaveTextContent("30 dnido 21.12.2026")
    expect(factRow("Odnowienie")).toHaveTextContent(/Automatyczne.*Visa •••• 4242/)
    expect(factRow("Odnowienie")).toHaveTextContent("kolejny okres: 149,00 zł netto")
  })

  it("shows the scheduled limit", () => {
    renderScreen(
      <CurrentPlan
        subscription={{
          ...activeSubscription,
          driverLimit: 15,
          nextLimit: 5,
          nextLimitAt: activeSubscription.endDate,
        }}
      />,
    )
    expect(factRow("Plan")).toHaveTextContent("Od 21.12.2026: do 5 kierowców")
    expect(button("Zostaw obecny limit")).toBeVisible()
  })

  it("of a company without one has no actions", () => {
    renderScreen(<CurrentPlan subscription={noSubscription} />)
    expect(factRow("Plan")).toHaveTextContent("Brak planu")
    expect(screen.queryByRole("button")).toBeNull()
  })

  it("that is a trial cannot be cancelled: it ends by itself", () => {
    renderScreen(<CurrentPlan subscription={trialSubscription} />)
    expect(factRow("Plan")).toHaveTextContent("Okres próbny, do 5 kierowców")
    expect(screen.queryByRole("button")).toBeNull()
  })
})

describe("a refused renewal", () => {
  const refused = {
    ...activeSubscription,
    renews: true,
    mandateLabel: "Visa •••• 4242",
    refusedRenewal: { triedAt: "2026-12-20T08:01:00Z", nextTryAt: "2026-12-20T14:01:00Z" },
  }

  it("is shown with the next try on the subscription page", () => {
    renderScreen(
      <>
        <PlanBanner subscription={refused} />
        <CurrentPlan subscription={refused} />
      </>,
    )
    const banner = screen.getByRole("status")
    expect(banner).toHaveTextContent("Opłata za odnowienie została odrzucona")
    expect(banner).toHaveTextContent("Próba z 20.12.2026, 09:01 (Visa •••• 4242) nie powiodła się.")
    expect(banner).toHaveTextContent("Następna próba: 20.12.2026, 15:01.")
    expect(banner).toHaveTextContent("panel zostanie zamknięty 21.12.2026, 09:00")
    expect(factRow("Odnowienie")).toHaveTextContent("opłata odrzucona 20.12.2026, 09:01")
  })

  it("is shown on other screens, also when no try is left, with a link to pay", () => {
    const last = { ...refused, refusedRenewal: { ...refused.refusedRenewal, nextTryAt: null } }
    renderScreen(<RenewalBanner subscription={last} />)
    expect(screen.getByRole("status")).toHaveTextContent("Kolejnych prób nie będzie.")
    expect(screen.getByRole("link", { name: "Opłać subskrypcję" })).toBeVisible()
  })
})

describe("cancelling", () => {
  it("asks for confirmation, and shows the end of access", async () => {
    const requests = mockServer({
      [cancel]: { body: { status: "active", cancelled: true, endsAt: activeSubscription.endDate } },
    })
    const { person } = renderScreen(
      <CurrentPlan subscription={{ ...activeSubscription, renews: true }} />,
    )
    await person.click(button("Anuluj subskrypcję"))
    const dialog = screen.getByRole("alertdialog", { name: "Anulować subskrypcję?" })
    expect(dialog).toHaveTextContent("Dostęp pozostanie do 21.12.2026")
    expect(dialog).toHaveTextContent("Nie pobierzemy kolejnej opłaty")
    expect(requests).toEqual([])
    await person.click(within(dialog).getByRole("button", { name: "Anuluj subskrypcję" }))
    expect(await screen.findByText("Subskrypcja anulowana!")).toBeVisible()
    expect(screen.getByText("Sukces!")).toBeVisible()
    expect(screen.queryByRole("alertdialog")).toBeNull()
  })

  it("can be aborted", async () => {
    const requests = mockServer({})
    const { person } = renderScreen(<CurrentPlan subscription={activeSubscription} />)
    await person.click(button("Anuluj subskrypcję"))
    await person.click(button("Zostaw subskrypcję"))
    expect(screen.queryByRole("alertdialog")).toBeNull()
    expect(requests).toEqual([])
  })

  it("reports a failure in the dialog as well", async () => {
    mockServer({ [cancel]: { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = renderScreen(<CurrentPlan subscription={activeSubscription} />)
    await person.click(button("Anuluj subskrypcję"))
    const dialog = screen.getByRole("alertdialog")
    await person.click(within(dialog).getByRole("button", { name: "Anuluj subskrypcję" }))
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "Błąd podczas anulowania subskrypcji!",
    )
    expect(screen.getByText("Błąd!")).toBeVisible()
  })

  it("is shown, and can be undone", async () => {
    const requests = mockServer({ [resume]: { body: activeSubscription } })
    const { person } = renderScreen(
      <CurrentPlan subscription={{ ...activeSubscription, cancelled: true }} />,
    )
    expect(screen.getByText("Anulowana, dostęp do 21.12.2026")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Anuluj subskrypcję" })).toBeNull()
    await person.click(button("Wznów subskrypcję"))
    expect(await screen.findByText("Subskrypcja wznowiona!")).toBeVisible()
    expect(requests.map(({ endpoint }) => endpoint)).toEqual([resume])
  })

  it("stays when resuming was rejected, with the server's message", async () => {
    mockServer({ [resume]: errorResponse(409, "nothing_to_resume", "Nie ma czego wznowić.") })
    const { person } = renderScreen(
      <CurrentPlan subscription={{ ...activeSubscription, cancelled: true }} />,
    )
    await person.click(button("Wznów subskrypcję"))
    await waitFor(() =>
      expect(screen.getByRole("alert")).toHaveTextContent("Nie ma czego wznowić."),
    )
  })
})

describe("the banner", () => {
  it.each([
    ["a running trial", trialSubscription, /Okres próbny: pozostało 7 dni/],
    [
      "a trial that is over",
      { ...trialSubscription, status: "expired" as const },
      /Okres próbny zakończył się 27.11.2026/,
    ],
    [
      "the grace of a renewal",
      { ...activeSubscription, status: "expired" as const, graceUntil: "2026-12-24T08:00:00Z" },
      /Kierowców sprawdzamy .* do 24.12.2026, 09:00/,
    ],
    [
      "a subscription that is over",
      { ...activeSubscription, status: "expired" as const, daysLeft: 0 },
      /Subskrypcja zakończyła się 21.12.2026/,
    ],
  ])("reports %s", (_, subscription, text) => {
    renderScreen(<PlanBanner subscription={subscription} />)
    expect(document.body).toHaveTextContent(text)
  })

  it.each([
    ["while all is well", activeSubscription],
    [
      "when an operator has closed the rest",
      { ...activeSubscription, status: "cancelled" as const },
    ],
  ])("is absent %s", (_, subscription) => {
    renderScreen(<PlanBanner subscription={subscription} />)
    expect(document.body).toHaveTextContent(/^$/)
  })

  it("of a failed renewal is shown on other screens too, with a link to pay", () => {
    renderScreen(
      <RenewalBanner
        subscription={{ ...activeSubscription, graceUntil: "2026-12-24T08:00:00Z" }}
      />,
    )
    expect(screen.getByRole("alert")).toHaveTextContent(/Kierowców sprawdzamy .* do 24.12.2026/)
    expect(screen.getByRole("link", { name: "Opłać subskrypcję" })).toHaveAttribute(
      "href",
      "/panel/subscription",
    )
  })

  it.each([
    [2, true],
    [3, false],
  ])("of a trial with %i days left is shown on other screens: %s", (daysLeft, shown) => {
    const trial = trialSubscription.trial && { ...trialSubscription.trial, daysLeft }
    renderScreen(<RenewalBanner subscription={{ ...trialSubscription, drivers: 7, trial }} />)
    expect(screen.queryAllByRole("link", { name: "Wybierz plan" })).toHaveLength(shown ? 1 : 0)
    if (shown) {
      expect(screen.getByRole("status")).toHaveTextContent(/plan do 10 kierowców kosztuje 199,00/)
    }
  })

  it.each([activeSubscription, undefined])(
    "is absent on other screens otherwise",
    (subscription) => {
      renderScreen(<RenewalBanner subscription={subscription} />)
      expect(document.body).toHaveTextContent(/^$/)
    },
  )
})
