import { act } from "@testing-library/react"
import { hydrateRoot, type Root } from "react-dom/client"
import { afterEach, describe, expect, it, vi } from "vitest"
import { pageContainer } from "./page-container"
import { renderPublicDocument } from "./public-document"
import { publicPages } from "./public-pages"

const assets = { script: "/assets/a.js", preloads: ["/assets/b.js"], styles: ["/assets/c.css"] }
const paths = Object.keys(publicPages)
let root: Root | undefined

async function renderPage(path: string) {
  const page = await publicPages[path]?.()
  if (!page) throw new Error(`no page at ${path}`)
  return { page, html: renderPublicDocument(page, assets) }
}

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html")

afterEach(() => {
  act(() => root?.unmount())
  root = undefined
  document.body.replaceChildren()
  window.localStorage.setItem("i18nextLng", "pl")
})

describe("a prerendered page", () => {
  it.each([
    ["/", "pl", /^Prawko – Codzienna kontrola/],
    ["/en", "en", /^Prawko – A daily check/],
    ["/terms", "pl", /^Regulamin/],
    ["/privacy", "pl", /^Polityka Prywatności/],
    ["/demo", "pl", /^Prawko$/],
  ])("at %s has its language (%s) and one title, in the head", async (path, language, title) => {
    const { html } = await renderPage(path)
    const { documentElement, head, body } = parse(html)
    expect(documentElement.lang).toBe(language)
    expect([...head.querySelectorAll("title")].map((one) => one.textContent)).toEqual([
      expect.stringMatching(title),
    ])
    expect(body.querySelector("title, meta, link")).toBeNull()
    expect(head.querySelector("script[type=module]")?.getAttribute("src")).toBe("/assets/a.js")
  })

  it.each(paths.filter((path) => path !== "/demo"))(
    "at %s is hydrated without a mismatch, and shows the year of its reader",
    async (path) => {
      vi.useFakeTimers({ now: new Date("2030-12-31"), toFake: ["Date"] })
      const { page, html } = await renderPage(path)
      expect(html).toContain("2030")
      vi.setSystemTime(new Date("2031-01-01"))

      document.body.innerHTML = parse(html).body.innerHTML
      window.localStorage.setItem("i18nextLng", page.language)
      const errors: unknown[] = []
      await act(async () => {
        root = hydrateRoot(pageContainer(), page.content, {
          onRecoverableError: (error) => errors.push(error),
        })
      })

      expect(errors).toEqual([])
      const year = document.querySelector("footer p")
      expect(year).toHaveTextContent("© 2031 Prawko")
    },
  )
})
