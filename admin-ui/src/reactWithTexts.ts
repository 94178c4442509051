/** React, with texts in elements of their own: for react-admin, which uses no JSX runtime. */

import type { ElementType, ReactNode } from "react"
import * as react from "react"
import { separateTexts } from "../../frontend/src/lib/jsx/separate-texts.ts"

// @ts-expect-error: the types declare one object, the module exports its properties by name
// biome-ignore lint/performance/noBarrelFile: it takes the place of the module
export * from "react"
export { default } from "react"

export function createElement(type: ElementType, props: object | null, ...children: ReactNode[]) {
  const list = children.length === 1 ? children[0] : children
  const separated = separateTexts(type, { children: list }).children as ReactNode
  const isList = children.length > 1 && Array.isArray(separated)
  if (children.length === 0) return react.createElement(type, props)
  return react.createElement(type, props, ...(isList ? separated : [separated]))
}
