import { expect, it } from "vitest"
import cases from "../../../tests/kit/typed_text.json"
import {
  compareNames,
  normaliseForSearch,
  normaliseTyped,
  searchWords,
  stripSeparators,
} from "./letters"

it.each(Object.entries(cases.normalised))("normalises %j", (typed, text) => {
  expect(normaliseTyped(typed)).toBe(text)
})

it.each(Object.entries(cases.compact))("takes the separators out of %j", (typed, code) => {
  expect(stripSeparators(typed)).toBe(code)
})

it.each(Object.entries(cases.found))("finds by %s the name %s", (query, name) => {
  expect(normaliseForSearch(name)).toContain(normaliseForSearch(query))
})

it.each(Object.entries(cases.words))("searches for the words of %j", (query, words) => {
  expect(searchWords(query)).toEqual(words)
})

it("orders names as the server does", () => {
  expect([...cases.ordered].reverse().sort(compareNames)).toEqual(cases.ordered)
})
