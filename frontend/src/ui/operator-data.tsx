import { operatorElementId, operatorJson } from "~/lib/operator"

/** The operator's details as data of the page; the server fills them in. */
export function OperatorData() {
  return (
    <script
      type="application/json"
      id={operatorElementId}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON that the server has escaped
      dangerouslySetInnerHTML={{ __html: operatorJson() }}
    />
  )
}
