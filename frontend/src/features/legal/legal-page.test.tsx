import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { render, screen, within } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { createMemoryRouter, RouterProvider } from "react-router"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import versions from "~/legal-documents/versions.json"
import type { Operator } from "~/lib/operator"
import { LegalPage } from "./legal-page"
import { type LegalDocumentName, type LegalLibrary, publishedLibrary } from "./legal-text"

const texts = {
  name: "Prawko Demo sp. z o.o.",
  address: "ul. Przykładowa 1, 00-001 Warszawa",
  registerCourt: "Sąd Rejonowy w Warszawie",
  krs: "[uzupełnij: numer KRS]",
  taxId: "9999999999",
  shareCapital: "5 000,00 zł",
  email: "kontakt@prawko.test",
  dataProtection: "Nie wyznaczyliśmy inspektora ochrony danych.",
}
const operator: Operator = {
  missing: ["krs"],
  pl: texts,
  en: { ...texts, krs: "[to be added: KRS number]", shareCapital: "PLN 5,000.00" },
}

const terms = (version: string, word: string) => ({
  version,
  title: "Regulamin",
  sections: [{ title: "Postanowienia ogólne", text: [word] }],
})
/** Two versions of the terms, and no other document. */
const twoVersions: LegalLibrary = {
  versions: { terms: ["2027-03-01", "2026-11-22"], privacy: [] },
  prerendered: { terms: terms("2027-03-01", "nowy"), privacy: terms("2027-03-01", "") },
  load: async (_, language, version) =>
    terms(version, version === "2026-11-22" ? `dawny ${language}` : `nowy ${language}`),
}

function renderPage(
  document: LegalDocumentName,
  options: { query?: string; library?: LegalLibrary } = {},
) {
  window.history.replaceState(null, "", `/${document}${options.query ?? ""}`)
  const page = <LegalPage document={document} library={options.library ?? publishedLibrary} />
  render(<RouterProvider router={createMemoryRouter([{ path: "*", element: page }])} />)
  return userEvent.setup()
}

beforeEach(() => {
  const element = document.createElement("script")
  element.id = "operator"
  element.type = "application/json"
  element.textContent = JSON.stringify(operator)
  document.head.append(element)
})

afterEach(() => {
  document.getElementById("operator")?.remove()
  window.localStorage.setItem("i18nextLng", "pl")
  window.history.replaceState(null, "", "/")
})

describe("a legal page", () => {
  it.each([
    ["terms", 13, "Regulamin"],
    ["privacy", 9, "Polityka Prywatności"],
  ] as const)(
    "has the numbered sections of %s, each linked from the contents",
    (name, count, title) => {
      renderPage(name)
      expect(screen.getByRole("heading", { level: 1, name: title })).toBeVisible()
      const contents = within(screen.getByRole("navigation", { name: "Spis treści" }))
      const links = contents.getAllByRole("link")
      expect(links).toHaveLength(count)
      for (const [i, link] of links.entries()) {
        expect(link).toHaveAttribute("href", `#s${i + 1}`)
        const section = document.getElementById(`s${i + 1}`)
        expect(section).toHaveTextContent(`${i + 1}. ${link.textContent}`)
        expect(document.getElementById(`s${i + 1}-1`)).toHaveTextContent(`${i + 1}.1.`)
      }
      expect(screen.getByText(/^Wersja z dnia 22\.11\.2026/)).toBeVisible()
    },
  )

  it("names the operator and marks what is missing", () => {
    renderPage("terms")
    const parties = document.getElementById("s1-2")
    expect(parties).toHaveTextContent("Usługodawcą jest Prawko Demo sp. z o.o. z siedzibą")
    expect(parties).toHaveTextContent("pod numerem KRS [uzupełnij: numer KRS], NIP 9999999999")
    expect([...(parties?.querySelectorAll("mark") ?? [])].map((mark) => mark.textContent)).toEqual([
      "[uzupełnij: numer KRS]",
    ])
    expect(document.body).not.toHaveTextContent(/__OPERATOR|\{\{|\]\(/)
  })

  it("links the annex and the other document", () => {
    renderPage("terms")
    const [annex] = screen.getAllByRole("link", { name: /^Umowa powierzenia przetwarzania/ })
    expect(annex).toHaveAttribute("href", "/api/legal/data-processing-agreement?lang=pl")
    expect(annex).toHaveAttribute("target", "_blank")
    const policies = screen.getAllByRole("link", { name: "Polityka Prywatności" })
    for (const link of policies) expect(link).toHaveAttribute("href", "/privacy")
  })

  it("is shown in English when that is the reader's language", async () => {
    window.localStorage.setItem("i18nextLng", "en")
    renderPage("terms")
    expect(await screen.findByRole("heading", { level: 1, name: "Terms of Service" })).toBeVisible()
    expect(screen.getByRole("article")).toHaveAttribute("lang", "en")
    expect(document.getElementById("s1-2")).toHaveTextContent("[to be added: KRS number]")
    expect(document.getElementById("s1-2")).toHaveTextContent("PLN 5,000.00")
  })

  it("changes its language by the switch, and back", async () => {
    const person = renderPage("privacy")
    await person.click(screen.getByRole("button", { name: /EN|English/ }))
    expect(await screen.findByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible()
    await person.click(screen.getByRole("button", { name: /PL|Polski/ }))
    expect(
      await screen.findByRole("heading", { level: 1, name: "Polityka Prywatności" }),
    ).toBeVisible()
  })

  it("is printed by the browser", async () => {
    const print = vi.fn()
    vi.stubGlobal("print", print)
    const person = renderPage("terms")
    await person.click(screen.getByRole("button", { name: "Drukuj" }))
    expect(print).toHaveBeenCalledOnce()
  })
})

describe("the privacy policy", () => {
  it.each(["pl", "en"] as const)("names every key of the local storage in %s", async (language) => {
    const [version = ""] = versions.privacy
    const { sections } = await publishedLibrary.load("privacy", language, version)
    const named = [...JSON.stringify(sections[7]).matchAll(/ \(([\w.-]+)\)/g)].map(([, key]) => key)
    const src = join(import.meta.dirname, "../..")
    const used = globSync("**/*.{ts,tsx}", { cwd: src })
      .filter((file) => !file.includes(".test."))
      .map((file) => readFileSync(join(src, file), "utf8"))
      .filter((code) => /\b(local|session)Storage\b/.test(code))
      // By whatever name: every constant that is a key.
      .flatMap((code) => [...code.matchAll(/\w*[kK]ey = "([^"]+)"/g)].map(([, key]) => key))
    expect(used.length).toBeGreaterThan(0)
    expect(named.sort()).toEqual(used.sort())
  })
})

describe("the versions", () => {
  it("say that the only one is the first", () => {
    renderPage("terms")
    expect(screen.getByText("To pierwsza wersja tego dokumentu.")).toBeVisible()
    expect(screen.queryByText(/To jest poprzednia wersja/)).toBeNull()
  })

  it("list the previous ones below the current text", () => {
    renderPage("terms", { library: twoVersions })
    expect(document.getElementById("s1-1")).toHaveTextContent("nowy")
    const list = within(screen.getByRole("region", { name: "Poprzednie wersje" }))
    expect(list.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/terms?version=2026-11-22",
    ])
  })

  it.each([
    ["pl", "dawny pl", "To jest poprzednia wersja tego dokumentu.", "Pokaż obowiązującą wersję"],
    ["en", "dawny en", "This is a previous version of this document.", "Show the current version"],
  ])("show a previous one at its own address, in %s", async (language, text, note, link) => {
    window.localStorage.setItem("i18nextLng", language)
    renderPage("terms", { library: twoVersions, query: "?version=2026-11-22" })
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByText(note)).toBeVisible()
    expect(screen.getByRole("link", { name: link })).toHaveAttribute("href", "/terms")
  })

  it.each(["?version=2020-01-01", "?version=../../x", "?version="])(
    "show the current one for %s",
    async (query) => {
      renderPage("terms", { library: twoVersions, query })
      expect(screen.getByText("nowy")).toBeVisible()
      expect(screen.queryByText(/To jest poprzednia wersja/)).toBeNull()
    },
  )

  it("all have a text in both languages, with the same structure", async () => {
    for (const name of ["terms", "privacy"] as const) {
      for (const version of versions[name]) {
        const polish = await publishedLibrary.load(name, "pl", version)
        const english = await publishedLibrary.load(name, "en", version)
        expect([polish.version, english.version]).toEqual([version, version])
        const shape = ({ sections }: typeof polish) =>
          sections.map(({ text }) =>
            text.map((part) => (typeof part === "string" ? 1 : part.length)),
          )
        expect(shape(english)).toEqual(shape(polish))
        const details = (text: typeof polish) =>
          [...JSON.stringify(text).matchAll(/\{\{\w+\}\}/g)].map(String).sort()
        expect(details(english)).toEqual(details(polish))
      }
      expect(publishedLibrary.prerendered[name].version).toBe(versions[name][0])
    }
  })
})
