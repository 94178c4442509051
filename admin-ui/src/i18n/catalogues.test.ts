import englishMessages from "ra-language-english"
import { expect, test } from "vitest"
import { menu } from "../layout/menu.tsx"
import { english } from "./en/index.ts"
import { polish } from "./pl/index.ts"

type Messages = { [key: string]: string | Messages }

const entries = (messages: object, path = ""): [string, string][] =>
  Object.entries(messages as Messages).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : entries(value, `${path}${key}.`),
  )
const keys = (messages: object) => entries(messages).map(([key]) => key)
const placeholders = (text: string) => [...new Set(text.match(/%\{\w+\}/g))].sort()

const polishTexts = new Map(entries(polish))
const englishTexts = new Map(entries(english))

test("both catalogues have the same keys", () => {
  expect(keys(polish).sort()).toEqual(keys(english).sort())
})

test("the Polish catalogue has all texts of react-admin", () => {
  const own = new Set(keys(polish.ra))
  expect(keys(englishMessages.ra).filter((key) => !own.has(key))).toEqual([])
})

test("only the texts of acts that need none are empty", () => {
  const empty = [...polishTexts, ...englishTexts].filter(([, text]) => text === "")
  expect(empty.filter(([key]) => !/\.acts\.\w+\.text$/.test(key))).toEqual([])
})

test("the console's texts have the same placeholders in both languages", () => {
  const differing = [...polishTexts].filter(
    ([key, text]) =>
      !key.startsWith("ra.") &&
      placeholders(text).join() !== placeholders(englishTexts.get(key) ?? "").join(),
  )
  expect(differing).toEqual([])
})

test("a Polish text that counts has its three forms, an English one its two", () => {
  const wrong = [
    ...[...polishTexts].filter(([, text]) => ![1, 3].includes(text.split("||||").length)),
    ...[...englishTexts].filter(([, text]) => text.split("||||").length > 2),
  ]
  expect(wrong).toEqual([])
})

test("every act has its texts", () => {
  const acts = Object.values(polish.resources).flatMap((resource) =>
    "acts" in resource ? Object.values(resource.acts as object) : [],
  )
  for (const act of acts) {
    expect(Object.keys(act).sort()).toEqual(["confirm", "done", "label", "text", "title"])
  }
})

test("every entry of the menu has a name", () => {
  const labels = menu.flatMap((group) => [group.label, ...group.entries.map((one) => one.label)])
  expect(labels.filter((label) => !polishTexts.has(label))).toEqual([])
})
