import { Alert } from "@mui/material"
import { useTranslate } from "react-admin"
import { useFormat } from "../common/format.ts"
import { Loaded } from "../common/Loaded.tsx"
import { useRead } from "../common/useRead.ts"

type Verification = { checkedAt: string | null; rows: number; brokenAt: number | string | null }

/** Whether the hash chain of the log was whole when it was last verified. */
export function ChainVerification() {
  const translate = useTranslate()
  const format = useFormat()
  const verification = useRead<Verification>("actions/verification")
  return (
    <Loaded query={verification} height={52}>
      {({ checkedAt, rows, brokenAt }) => {
        if (!checkedAt) {
          return <Alert severity="info">{translate("console.chain.unverified")}</Alert>
        }
        const values = { time: format.dateTime(checkedAt), smart_count: rows, row: brokenAt }
        return brokenAt === null ? (
          <Alert severity="success">{translate("console.chain.whole", values)}</Alert>
        ) : (
          <Alert severity="error">{translate("console.chain.broken", values)}</Alert>
        )
      }}
    </Loaded>
  )
}
