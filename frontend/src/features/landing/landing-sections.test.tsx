import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { LegalPage } from "~/features/legal/legal-page"
import { SignedInContext } from "~/lib/signed-in-context"
import { renderScreen } from "~/testing/render"
import { englishTexts } from "./english-texts"
import { LandingPage } from "./landing-page"
import { polishTexts } from "./polish-texts"

const renderPolish = () => renderScreen(<LandingPage prerendered={polishTexts} />)
const hrefs = (links: HTMLElement[]) => links.map((link) => link.getAttribute("href"))
const anchors = ["#features", "#pricing", "#testimonials", "#faq", "#contact"]

afterEach(() => {
  vi.useRealTimers()
  window.localStorage.setItem("i18nextLng", "pl")
})

describe("the header", () => {
  it("offers a user the panel instead of the login", () => {
    renderScreen(
      <SignedInContext value={true}>
        <LegalPage document="privacy" />
      </SignedInContext>,
    )
    const header = within(screen.getByRole("banner"))
    expect(header.getByRole("link", { name: "Przejdź do panelu" })).toHaveAttribute(
      "href",
      "/panel",
    )
    expect(header.queryByRole("link", { name: "Zaloguj się" })).toBeNull()
    expect(header.queryByRole("link", { name: "Zarejestruj się" })).toBeNull()
  })
})

describe("the menu of narrow windows", () => {
  // jsdom has no modal dialogs; the browser's own behaviour is tested by the journeys.
  beforeEach(() => {
    HTMLDialogElement.prototype.showModal = function showModal() {
      this.open = true
    }
    HTMLDialogElement.prototype.close = function close() {
      this.open = false
    }
  })

  async function openMenu() {
    const { person } = renderPolish()
    await person.click(screen.getByRole("button", { name: "Otwórz menu" }))
    return { person, menu: screen.getByRole("dialog", { name: "Menu" }) }
  }

  it("has the sections, the login and the registration", async () => {
    const { menu } = await openMenu()
    expect(hrefs(within(menu).getAllByRole("link"))).toEqual([
      ...anchors,
      "/auth/login",
      "/auth/register",
    ])
  })

  it("closes by its button, by a link, and by a click beside it", async () => {
    const { person, menu } = await openMenu()
    const open = screen.getByRole("button", { name: "Otwórz menu" })
    await person.click(within(menu).getByRole("button", { name: "Zamknij menu" }))
    expect(menu).not.toHaveAttribute("open")
    await person.click(open)
    await person.click(within(menu).getByRole("link", { name: "FAQ" }))
    expect(menu).not.toHaveAttribute("open")
    await person.click(open)
    await person.click(within(menu).getByRole("navigation"))
    expect(menu).toHaveAttribute("open")
    await person.click(menu)
    expect(menu).not.toHaveAttribute("open")
  })
})

describe("the sections", () => {
  it("are the reasons, the features, three sample testimonials and ten questions", () => {
    renderPolish()
    const titles = (name: string | RegExp) =>
      within(screen.getByRole("region", { name }))
        .getAllByRole("heading", { level: 3 })
        .map((heading) => heading.textContent)
    expect(titles(/^Kierowca rzadko/)).toEqual([
      "Wypadki i odpowiedzialność",
      "Utrata reputacji",
      "Koszty prawne",
    ])
    expect(titles("Co dostajesz")).toEqual([
      "Codzienna weryfikacja",
      "Panel zarządzania",
      "Powiadomienia SMS i e-mail",
      "Automatyczna weryfikacja",
    ])
    expect(titles(/^Skąd mamy dane/)).toHaveLength(3)
    expect(titles("Częste pytania")).toHaveLength(10)
    const opinions = within(screen.getByRole("region", { name: /^Opinie/ }))
    expect(opinions.getAllByRole("figure")).toHaveLength(3)
    expect(opinions.getByText("Teksty przykładowe")).toBeVisible()
  })

  it("call the testimonials samples only as long as they are", () => {
    const opinions = { items: polishTexts.opinions.items }
    renderScreen(<LandingPage prerendered={{ ...polishTexts, opinions }} />)
    expect(screen.getByRole("heading", { level: 2, name: "Opinie" })).toBeVisible()
  })

  it("answer a question when it is opened, and name the register and the time of the check", async () => {
    const { person } = renderPolish()
    const answer = screen.getByText(/Codziennie o 6:10/)
    expect(answer).not.toBeVisible()
    await person.click(screen.getByText("O której godzinie sprawdzacie uprawnienia?"))
    expect(answer).toBeVisible()
    expect(screen.getByText(/Centralnej Ewidencji Kierowców \(CEK\).*CEPiK/)).toBeInTheDocument()
    expect(screen.getByText(/do 5 kierowców płacisz 149 zł netto za 30 dni/i)).toBeInTheDocument()
  })

  it("fold the longer text, which is in the page all the same", async () => {
    const { person } = renderPolish()
    const last = screen.getByText(/^Prawo jazdy traci też ważność/)
    expect(last).not.toBeVisible()
    await person.click(screen.getByRole("button", { name: "Czytaj więcej", expanded: false }))
    expect(last).toBeVisible()
    await person.click(screen.getByRole("button", { name: "Zwiń", expanded: true }))
    expect(last).not.toBeVisible()
  })

  it("choose a popular plan by one click", async () => {
    const { person } = renderPolish()
    const plans = within(screen.getByRole("group", { name: "Popularne plany" }))
    expect(plans.getByRole("button", { pressed: true })).toHaveTextContent("do 5")
    await person.click(plans.getByRole("button", { name: "do 50" }))
    expect(screen.getByLabelText("Ilu masz kierowców?")).toHaveValue("50")
    expect(plans.getByRole("button", { pressed: true })).toHaveTextContent("do 50")
    expect(plans.getByRole("link", { name: "bez limitu" })).toHaveAttribute("href", "#contact")
  })

  it("name the plans of the English catalogue", () => {
    renderScreen(<LandingPage prerendered={englishTexts} fixedLanguage="en" />)
    const plans = screen.getByRole("group", { name: "Popular plans" })
    expect(plans).toHaveTextContent("up to 5up to 10up to 20up to 50unlimited")
  })
})

describe("the footer", () => {
  it("has the legal pages, the contact address and today's year, whatever the build's", () => {
    vi.useFakeTimers({ now: new Date("2031-06-01"), toFake: ["Date"] })
    renderPolish()
    const footer = within(screen.getByRole("contentinfo"))
    expect(footer.getByText("©").closest("p")).toHaveTextContent("© 2031 Prawko")
    expect(footer.getByRole("link", { name: /@/ })).toHaveAttribute(
      "href",
      expect.stringMatching(/^mailto:/),
    )
    expect(footer.getByRole("link", { name: "Regulamin" })).toHaveAttribute("href", "/terms")
    expect(footer.getByRole("link", { name: "Polityka Prywatności" })).toHaveAttribute(
      "href",
      "/privacy",
    )
  })
})

describe("the language", () => {
  const heading = (language: "pl" | "en") =>
    screen.findByRole("heading", {
      level: 1,
      name: (language === "en" ? englishTexts : polishTexts).title,
    })

  it("becomes the visitor's after hydration, and names the page in it", async () => {
    window.localStorage.setItem("i18nextLng", "en")
    renderPolish()
    expect(await heading("en")).toBeVisible()
    await waitFor(() => expect(document.documentElement.lang).toBe("en"))
    expect(document.title).toBe(`Prawko – ${englishTexts.title}`)
  })

  it("stays the page's own on /en, whatever the visitor's", async () => {
    renderScreen(<LandingPage prerendered={englishTexts} fixedLanguage="en" />)
    expect(await heading("en")).toBeVisible()
    expect(document.documentElement.lang).toBe("en")
    expect(window.localStorage.getItem("i18nextLng")).toBe("pl")
  })

  it("is switched by links, and the choice is stored", async () => {
    const { person } = renderPolish()
    const switches = within(screen.getByRole("group", { name: "Język" }))
    const english = switches.getByRole("link", { name: "EN – English" })
    expect(english).toHaveAttribute("href", "/en")
    expect(english).toHaveAttribute("hreflang", "en")
    const polish = switches.getByRole("link", { name: "PL – Polski" })
    expect(polish).toHaveAttribute("href", "/")
    expect(polish).toHaveAttribute("aria-current", "true")
    english.addEventListener("click", (event) => event.preventDefault())
    await person.click(english)
    expect(window.localStorage.getItem("i18nextLng")).toBe("en")
  })

  it("loads its texts where the build did not render the page", async () => {
    renderScreen(<LandingPage isFallback />)
    expect(screen.queryByRole("heading", { level: 1 })).toBeNull()
    expect(await heading("pl")).toBeVisible()
  })
})
