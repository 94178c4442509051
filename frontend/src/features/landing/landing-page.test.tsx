import { screen, within } from "@testing-library/react"
import { afterEach, describe, expect, it } from "vitest"
import { formatAmount, formatShortAmount } from "~/lib/money"
import priceTable from "~/lib/price-table.json"
import { renderScreen } from "~/testing/render"
import { englishTexts } from "./english-texts"
import { LandingPage } from "./landing-page"
import { polishTexts } from "./polish-texts"

const orderableRows = priceTable.filter(({ driverLimit }) => driverLimit % 5 === 0)
const limitInput = () => screen.getByLabelText("Ilu masz kierowców?")
const section = () => screen.getByRole("region", { name: /^Cennik: od 149/ })
const plainText = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ")
const prices = () =>
  within(section())
    .getAllByRole("definition")
    .map((amount) => plainText(amount.textContent))
const announcement = () => plainText(within(section()).getByRole("status").textContent)

afterEach(() => window.localStorage.setItem("i18nextLng", "pl"))

describe("the prices on the landing page", () => {
  it("are the target of the links in header, hero and footer", () => {
    renderScreen(<LandingPage prerendered={polishTexts} />)
    const links = screen.getAllByRole("link", { name: /^Cennik$|149/ })
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "#pricing",
      "#pricing",
      "#pricing",
    ])
    expect(section()).toHaveAttribute("id", "pricing")
    expect(within(section()).getByRole("link", { name: /7 dni/ })).toHaveAttribute(
      "href",
      "/auth/register?drivers=5",
    )
    expect(plainText(section().textContent)).toContain(
      "59 kolejnych piątek po 50 zł, razem 3 099 zł netto",
    )
  })

  it.each(orderableRows)(
    "are the server's: $driverLimit drivers",
    async ({ driverLimit, ...price }) => {
      const { person } = renderScreen(<LandingPage prerendered={polishTexts} />)
      await person.clear(limitInput())
      await person.type(limitInput(), String(driverLimit))
      const { net, vat, gross } = price
      expect(prices()).toEqual(
        [`${formatShortAmount(net)}netto`, formatAmount(vat), formatAmount(gross)].map(plainText),
      )
      expect(announcement()).toContain(plainText(formatAmount(gross)))
    },
  )

  it.each([
    ["4", "5", undefined],
    ["0", "0", "Minimum 5 kierowców"],
    ["10001", "10005", /Maksimum 10.000 kierowców\. Masz ich więcej\? Napisz do nas: .+@/],
  ])("for %s drivers: %s, %s", async (typed, becomes, sentence) => {
    const { person } = renderScreen(<LandingPage prerendered={polishTexts} />)
    await person.clear(limitInput())
    await person.type(limitInput(), `${typed}{Enter}`)
    expect(limitInput()).toHaveValue(becomes)
    if (!sentence) return expect(prices()[2]).toBe("183,27 zł")
    expect(limitInput()).toBeInvalid()
    expect(within(section()).getByRole("link", { name: /7 dni/ })).toHaveAttribute(
      "href",
      "/auth/register",
    )
    expect(section()).toHaveTextContent(sentence)
    const links = section().querySelectorAll("a[href^='mailto:']")
    expect(links).toHaveLength(becomes === "10005" ? 1 : 0)
    expect(prices()).toEqual(["–netto", "–", "–"])
    expect(announcement()).toBe("")
  })

  it("are shown in English", async () => {
    const { person } = renderScreen(<LandingPage prerendered={englishTexts} fixedLanguage="en" />)
    const english = screen.getByRole("region", { name: /^Pricing: from 149/ })
    await person.click(within(english).getByRole("button", { name: "More drivers" }))
    expect(plainText(english.textContent)).toContain("30 days, up to 10 drivers199 złnet")
    const number = within(english).getByLabelText("How many drivers do you have?")
    await person.clear(number)
    await person.type(number, "0{Enter}")
    expect(within(english).getByText("Minimum 5 drivers")).toBeVisible()
  })
})
