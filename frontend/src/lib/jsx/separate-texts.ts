/**
 * Keeps each text of a page in an element of its own, for browsers that translate pages.
 *
 * Such a browser replaces text nodes, and React keeps the old ones: inserting before one or removing
 * it fails, and a change of it is not shown. Where a text is an element's only child, React sets
 * `textContent`, which replaces the translation, too (docs/decisions/0043-translated-pages.md).
 */

import { jsx } from "react/jsx-runtime"

export type Props = { children?: unknown }

const isEmpty = (child: unknown) => child == null || typeof child === "boolean" || child === ""
const isText = (child: unknown) =>
  (typeof child === "string" && child !== "") || typeof child === "number"

/** The properties of an element, with a span around each text that has siblings. */
export function separateTexts(type: unknown, props: Props): Props {
  const { children } = props
  const isFragment = typeof type === "symbol" // whose children are its parent's
  if (!isFragment && !Array.isArray(children)) return props
  const list = Array.isArray(children) ? children : [children]
  if (!isFragment && list.every((child) => isText(child) || isEmpty(child))) {
    const texts = list.filter(isText)
    return texts.length === 0 || children === texts[0]
      ? props
      : { ...props, children: texts.join("") }
  }
  const wrapped = wrapTexts(list)
  if (wrapped === list) return props
  return { ...props, children: Array.isArray(children) ? wrapped : wrapped[0] }
}

/** The children with each run of texts in a span; the same array where there are none. */
function wrapTexts(children: readonly unknown[]): readonly unknown[] {
  const wrapped = [...children]
  let first = -1 // of the present run
  let text = ""
  for (const [at, child] of children.entries()) {
    if (isEmpty(child)) continue
    if (!isText(child)) {
      first = -1
      if (Array.isArray(child)) wrapped[at] = wrapTexts(child)
      continue
    }
    text = first < 0 ? `${child}` : text + child
    if (first < 0) first = at
    wrapped[at] = null
    wrapped[first] = wrapText(text, `text-${first}`)
  }
  return wrapped.every((child, at) => child === children[at]) ? children : wrapped
}

/** The text in a span, between its blanks: they are not translated, and separate it from its siblings. */
function wrapText(text: string, key: string): unknown {
  const words = text.trim()
  if (words === "") return text
  const [before, after] = text.split(words, 2)
  return [before, jsx("span", { children: words }, key), after]
}
