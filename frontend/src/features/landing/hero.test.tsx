import { screen, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { renderScreen } from "~/testing/render"
import { englishTexts } from "./english-texts"
import { Hero } from "./hero"
import { polishTexts } from "./polish-texts"

describe("the hero", () => {
  it.each([
    ["Polish", polishTexts, /^7 dni za darmo.*bez zobowiązań/],
    ["English", englishTexts, /^7 days for free.*no commitment/],
  ])("offers seven days free and without commitment, in %s", (_, texts, offer) => {
    renderScreen(<Hero texts={texts} />)
    const lead = screen.getByText(offer)
    expect(lead).toBeVisible()
    const column = within(lead.closest("div") as HTMLElement)
    expect(column.getByRole("heading", { level: 1, name: texts.title })).toBeVisible()
    expect(column.getByRole("link", { name: texts.register })).toHaveAttribute(
      "href",
      "/auth/register",
    )
  })
})
