import { useEffect } from "react"
import { pageContainerId } from "./page-container"

/** `/demo` in development: built, it is a page of its own, for users as well as for visitors. */
export default function Sample() {
  useEffect(() => void import("./sample-entry"), [])
  return <div id={pageContainerId} />
}
