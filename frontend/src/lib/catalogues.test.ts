import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import enLanding from "~/locales/en/landing.json"
import enLegal from "~/locales/en/legal.json"
import enPublic from "~/locales/en/public.json"
import enTestimonials from "~/locales/en/testimonials.json"
import plLanding from "~/locales/pl/landing.json"
import plLegal from "~/locales/pl/legal.json"
import plPublic from "~/locales/pl/public.json"
import plTestimonials from "~/locales/pl/testimonials.json"
import { catalogue as enPanel } from "./english-catalogue"
import { catalogue as plPanel } from "./polish-catalogue"

const polish = {
  ...plPanel,
  landing: plLanding,
  legal: plLegal,
  public: plPublic,
  testimonials: plTestimonials,
}
const english = {
  ...enPanel,
  landing: enLanding,
  legal: enLegal,
  public: enPublic,
  testimonials: enTestimonials,
}

const plural = /_(zero|one|two|few|many|other)$/

function texts(catalogue: object, path = ""): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : texts(value, `${path}${key}.`),
  )
}

const keys = (catalogue: object) => texts(catalogue).map(([key]) => key)
const singular = (catalogue: object) =>
  new Set(keys(catalogue).map((key) => key.replace(plural, "")))

function formsOf(catalogue: object): Map<string, Set<string>> {
  const forms = new Map<string, Set<string>>()
  for (const key of keys(catalogue)) {
    const form = plural.exec(key)?.[1]
    if (!form) continue
    const base = key.replace(plural, "")
    forms.set(base, (forms.get(base) ?? new Set()).add(form))
  }
  return forms
}

const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}|<(\w+)>/g)].map(String).sort()

describe("the message catalogues", () => {
  it("have the same keys", () => {
    expect([...singular(english)].sort()).toEqual([...singular(polish)].sort())
  })

  it("have the same files", () => {
    const files = (language: string) =>
      readdirSync(join(import.meta.dirname, "../locales", language)).sort()
    expect(files("en")).toEqual(files("pl"))
    expect(files("pl")).toEqual(
      Object.keys(polish)
        .sort()
        .map((name) => `${name}.json`),
    )
  })

  it.each([
    ["pl", polish],
    ["en", english],
  ])("have all plural forms of %s", (language, catalogue) => {
    const needed = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort()
    for (const [key, forms] of formsOf(catalogue))
      expect([key, [...forms].sort()]).toEqual([key, needed])
  })

  it("have the same parameters in every text", () => {
    const inEnglish = new Map(texts(english))
    for (const [key, text] of texts(polish)) {
      const twin = inEnglish.get(key) ?? inEnglish.get(key.replace(plural, "_other")) ?? ""
      expect([key, parameters(twin)]).toEqual([key, parameters(text)])
    }
  })

  it("have no empty text", () => {
    for (const catalogue of [polish, english]) {
      expect(texts(catalogue).filter(([, text]) => text.trim() === "")).toEqual([])
    }
  })

  it("have ten questions and three testimonials in both languages", () => {
    for (const { landing, testimonials } of [polish, english]) {
      expect(landing.faq.questions).toHaveLength(10)
      expect(testimonials.items).toHaveLength(3)
    }
  })
})
