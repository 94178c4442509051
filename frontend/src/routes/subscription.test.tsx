import { screen } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { answering } from "~/testing/answers"
import { active, anna, none } from "~/testing/people"
import { show } from "~/testing/screen"
import Subscription from "./subscription"

const ended = {
  ...none,
  status: "expired" as const,
  isTrial: true,
  trial: {
    startDate: "2026-11-01T08:00:00Z",
    endDate: "2026-11-08T08:00:00Z",
    daysLeft: 0,
    ended: true,
  },
}

describe("the subscription page", () => {
  it("shows the way on when the trial has ended: whom to write to, and what is kept", async () => {
    answering({ "GET /api/subscription": { body: ended } })
    show(<Subscription />, { user: anna })
    expect(await screen.findByRole("heading", { name: "Wybierz plan" })).toBeVisible()
    expect(screen.getByText(/Planu nie można jeszcze zamówić w panelu/)).toBeVisible()
    expect(screen.getByText(/zostają na Twoim koncie/)).toBeVisible()
    expect(screen.getByRole("link", { name: "Napisz do nas" })).toHaveAttribute(
      "href",
      "mailto:kontakt@prawko.test?subject=Wyb%C3%B3r%20planu",
    )
    expect(screen.getByRole("link", { name: "kontakt@prawko.test" })).toBeVisible()
  })

  it("shows it beside the trial, too, and to whoever wants another plan", async () => {
    for (const body of [none, active]) {
      answering({ "GET /api/subscription": { body } })
      show(<Subscription />, { user: anna })
      expect(
        (await screen.findAllByRole("link", { name: "Napisz do nas" })).length,
      ).toBeGreaterThan(0)
    }
  })
})
