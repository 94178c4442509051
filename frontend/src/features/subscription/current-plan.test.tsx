import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { answering, refused } from "~/testing/answers"
import { active, none, trying } from "~/testing/people"
import { show } from "~/testing/screen"
import { clearToasts } from "~/ui/toasts"
import { CurrentPlan } from "./current-plan"
import { GraceBanner, PlanBanner } from "./plan-banner"

const cancel = "POST /api/subscription/cancel"
const resume = "POST /api/subscription/resume"
const button = (name: string) => screen.getByRole("button", { name })
const fact = (name: string) => screen.getByText(name, { selector: "dt" }).parentElement

afterEach(clearToasts)

describe("the current plan", () => {
  it("says the limit, how long it lasts, and whether it renews itself", () => {
    show(
      <CurrentPlan
        subscription={{ ...active, drivers: 4, renews: true, mandateLabel: "Visa •••• 4242" }}
      />,
    )
    expect(fact("Plan")).toHaveTextContent("do 5 kierowców4 kierowcy na liście")
    expect(fact("Pozostało")).toHaveTextContent("30 dnido 21.12.2026")
    expect(fact("Odnowienie")).toHaveTextContent(/Automatyczne.*Visa •••• 4242/)
    expect(fact("Odnowienie")).toHaveTextContent("kolejny okres: 149,00 zł netto")
  })

  it("says what the limit will be", () => {
    show(
      <CurrentPlan
        subscription={{
          ...active,
          driverLimit: 15,
          nextLimit: 5,
          nextLimitAt: active.endDate,
        }}
      />,
    )
    expect(fact("Plan")).toHaveTextContent("Od 21.12.2026: do 5 kierowców")
    expect(button("Zostaw obecny limit")).toBeVisible()
  })

  it("of a company without one has no actions", () => {
    show(<CurrentPlan subscription={none} />)
    expect(fact("Plan")).toHaveTextContent("Brak planu")
    expect(screen.queryByRole("button")).toBeNull()
  })

  it("that is a trial cannot be cancelled: it ends by itself", () => {
    show(<CurrentPlan subscription={trying} />)
    expect(fact("Plan")).toHaveTextContent("Okres próbny, do 5 kierowców")
    expect(screen.queryByRole("button")).toBeNull()
  })
})

describe("cancelling", () => {
  it("asks once more, and says until when there is access", async () => {
    const asked = answering({
      [cancel]: { body: { status: "active", cancelled: true, endsAt: active.endDate } },
    })
    const { person } = show(<CurrentPlan subscription={{ ...active, renews: true }} />)
    await person.click(button("Anuluj subskrypcję"))
    const dialog = screen.getByRole("alertdialog", { name: "Anulować subskrypcję?" })
    expect(dialog).toHaveTextContent("Dostęp pozostanie do 21.12.2026")
    expect(dialog).toHaveTextContent("Nie pobierzemy kolejnej opłaty")
    expect(asked).toEqual([])
    await person.click(within(dialog).getByRole("button", { name: "Anuluj subskrypcję" }))
    expect(await screen.findByText("Subskrypcja anulowana!")).toBeVisible()
    expect(screen.getByText("Sukces!")).toBeVisible()
    expect(screen.queryByRole("alertdialog")).toBeNull()
  })

  it("can be left alone", async () => {
    const asked = answering({})
    const { person } = show(<CurrentPlan subscription={active} />)
    await person.click(button("Anuluj subskrypcję"))
    await person.click(button("Zostaw subskrypcję"))
    expect(screen.queryByRole("alertdialog")).toBeNull()
    expect(asked).toEqual([])
  })

  it("says what failed in the dialog as well", async () => {
    answering({ [cancel]: { status: 502, body: "<h1>Bad Gateway</h1>" } })
    const { person } = show(<CurrentPlan subscription={active} />)
    await person.click(button("Anuluj subskrypcję"))
    const dialog = screen.getByRole("alertdialog")
    await person.click(within(dialog).getByRole("button", { name: "Anuluj subskrypcję" }))
    expect(await within(dialog).findByRole("alert")).toHaveTextContent(
      "Błąd podczas anulowania subskrypcji!",
    )
    expect(screen.getByText("Błąd!")).toBeVisible()
  })

  it("is shown, and can be taken back", async () => {
    const asked = answering({ [resume]: { body: active } })
    const { person } = show(<CurrentPlan subscription={{ ...active, cancelled: true }} />)
    expect(screen.getByText("Anulowana, dostęp do 21.12.2026")).toBeVisible()
    expect(screen.queryByRole("button", { name: "Anuluj subskrypcję" })).toBeNull()
    await person.click(button("Wznów subskrypcję"))
    expect(await screen.findByText("Subskrypcja wznowiona!")).toBeVisible()
    expect(asked.map(({ call }) => call)).toEqual([resume])
  })

  it("stays when resuming was refused, with the server's sentence", async () => {
    answering({ [resume]: refused(409, "nothing_to_resume", "Nie ma czego wznowić.") })
    const { person } = show(<CurrentPlan subscription={{ ...active, cancelled: true }} />)
    await person.click(button("Wznów subskrypcję"))
    await waitFor(() =>
      expect(screen.getByRole("alert")).toHaveTextContent("Nie ma czego wznowić."),
    )
  })
})

describe("the banner", () => {
  it.each([
    ["a running trial", trying, /Okres próbny: pozostało 7 dni/],
    [
      "a trial that is over",
      { ...trying, status: "expired" as const },
      /Okres próbny zakończył się 27.11.2026/,
    ],
    [
      "the grace of a renewal",
      { ...active, status: "expired" as const, graceUntil: "2026-12-24T08:00:00Z" },
      /Kierowców sprawdzamy .* do 24.12.2026, 09:00/,
    ],
    [
      "a subscription that is over",
      { ...active, status: "expired" as const, daysLeft: 0 },
      /Subskrypcja zakończyła się 21.12.2026/,
    ],
  ])("tells of %s", (_, subscription, text) => {
    show(<PlanBanner subscription={subscription} />)
    expect(document.body).toHaveTextContent(text)
  })

  it.each([
    ["while all is well", active],
    ["when an operator has closed the rest", { ...active, status: "cancelled" as const }],
  ])("is silent %s", (_, subscription) => {
    show(<PlanBanner subscription={subscription} />)
    expect(document.body).toHaveTextContent(/^$/)
  })

  it("of a failed renewal stands on other screens too, with the way to pay", () => {
    show(<GraceBanner subscription={{ ...active, graceUntil: "2026-12-24T08:00:00Z" }} />)
    expect(screen.getByRole("alert")).toHaveTextContent(/Kierowców sprawdzamy .* do 24.12.2026/)
    expect(screen.getByRole("link", { name: "Opłać subskrypcję" })).toHaveAttribute(
      "href",
      "/panel/subscription",
    )
  })

  it.each([active, undefined])("is silent on other screens without one", (subscription) => {
    show(<GraceBanner subscription={subscription} />)
    expect(document.body).toHaveTextContent(/^$/)
  })
})
