/** The same as `jsx-runtime`, for development and tests. */

import * as react from "react/jsx-dev-runtime"
import { type Props, separateTexts } from "./separate-texts"

export type { JSX } from "react/jsx-dev-runtime"

export const { Fragment } = react

type Arguments = Parameters<typeof react.jsxDEV>

export function jsxDEV(
  type: Arguments[0],
  props: Props,
  key: Arguments[2],
  isStatic: boolean,
  ...origin: [Arguments[4]?, Arguments[5]?]
) {
  const separated = separateTexts(type, props)
  const hasList = isStatic && Array.isArray(separated.children)
  return react.jsxDEV(type, separated, key, hasList, ...origin)
}
