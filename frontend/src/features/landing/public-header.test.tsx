import { screen, within } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { renderScreen } from "~/testing/render"
import { LandingPage } from "./landing-page"
import { polishTexts } from "./polish-texts"

describe("the header of a public page", () => {
  it("stays at the top and links the login and the registration", () => {
    renderScreen(<LandingPage prerendered={polishTexts} />)
    const banner = screen.getByRole("banner")
    expect(banner).toHaveClass("sticky", "top-0")
    const header = within(banner)
    const login = header.getAllByRole("link", { name: "Zaloguj się" })
    const registration = header.getAllByRole("link", { name: "Zarejestruj się" })
    for (const link of login) expect(link).toHaveAttribute("href", "/auth/login")
    for (const link of registration) expect(link).toHaveAttribute("href", "/auth/register")
  })
})
