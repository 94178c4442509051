/** React's JSX runtime, with texts in elements of their own; tsconfig.json names this folder. */

import type { ElementType, Key, ReactElement } from "react"
import * as react from "react/jsx-runtime"
import { type Props, separateTexts } from "./separate-texts"

export type { JSX } from "react/jsx-runtime"

export const { Fragment } = react

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsx(type, separateTexts(type, props), key)
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  const separated = separateTexts(type, props)
  const create = Array.isArray(separated.children) ? react.jsxs : react.jsx
  return create(type, separated, key)
}
