import { Box, Typography } from "@mui/material"
import { useTranslate } from "react-admin"
import { Figure, Figures } from "../common/Figure.tsx"
import { useFormat } from "../common/format.ts"
import { Loaded } from "../common/Loaded.tsx"
import { Panel } from "../common/Panel.tsx"
import { useRead } from "../common/useRead.ts"
import { Word } from "../common/Word.tsx"

export type Summary = {
  waiting: number
  failed: number
  undelivered: number
  byReason: { medium: string; reason: string; count: number }[]
  oldestWaitingAt: string | null
}

/** How many messages wait or have failed, by channel and reason. */
export function DeliverySummary() {
  const translate = useTranslate()
  const format = useFormat()
  const summary = useRead<Summary>("deliveries/summary", { live: true })
  return (
    <Panel title={translate("console.deliveries.title")}>
      <Loaded query={summary} height={64}>
        {({ waiting, failed, undelivered, byReason, oldestWaitingAt }) => (
          <>
            <Figures>
              <Figure
                label={translate("console.deliveries.waiting")}
                value={format.number(waiting)}
                note={
                  oldestWaitingAt &&
                  translate("console.deliveries.oldest", { age: format.age(oldestWaitingAt) })
                }
              />
              <Figure
                label={translate("console.deliveries.failed")}
                value={format.number(failed)}
                tone={failed > 0 ? "withheld" : undefined}
              />
              <Figure
                label={translate("console.deliveries.undelivered")}
                value={format.number(undelivered)}
                tone={undelivered > 0 ? "caution" : undefined}
              />
            </Figures>
            {byReason.length > 0 && (
              <Box sx={{ mt: 1.5 }}>
                <Typography variant="body2" sx={{ fontWeight: 600 }}>
                  {translate("console.deliveries.reasons")}
                </Typography>
                <Box component="ul" sx={{ m: 0, pl: 2.5, typography: "body2" }}>
                  {byReason.map(({ medium, reason, count }) => (
                    <li key={`${medium}-${reason}`}>
                      <Word kind="medium" value={medium} />,{" "}
                      <Word kind="deliveryReason" value={reason} />: {format.number(count)}
                    </li>
                  ))}
                </Box>
              </Box>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
