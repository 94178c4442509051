import CheckOutlined from "@mui/icons-material/CheckOutlined"
import UndoOutlined from "@mui/icons-material/UndoOutlined"
import { maxLength, required, TextInput, useRecordContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { parseZloty, toZloty } from "../common/format.ts"
import { RowActions } from "../common/RowActions.tsx"
import type { Discrepancy } from "./Discrepancy.ts"

const noteRules = [required(), maxLength(500)]
const amountRules = [
  required(),
  (amount: string) => (parseZloty(amount) ? undefined : "console.invalidAmount"),
]

export function DiscrepancyActions() {
  const discrepancy = useRecordContext<Discrepancy>()
  if (!discrepancy || discrepancy.resolvedAt) return null
  const refundable = discrepancy.amountGrosze - (discrepancy.refundedGrosze ?? 0)
  return (
    <RowActions>
      <ActButton
        act="resolve"
        icon={<CheckOutlined fontSize="small" />}
        iconOnly
        withReason={false}
        toBody={({ note }) => ({ note, reason: note })}
      >
        <TextInput source="note" fullWidth multiline minRows={2} validate={noteRules} />
      </ActButton>
      {discrepancy.refundable && (
        <ActButton
          act="refund"
          icon={<UndoOutlined fontSize="small" />}
          iconOnly
          danger
          defaultValues={{ amount: toZloty(refundable) }}
          toBody={({ amount, reason }) => ({ amountGrosze: parseZloty(String(amount)), reason })}
        >
          <TextInput source="amount" validate={amountRules} inputMode="decimal" />
        </ActButton>
      )}
    </RowActions>
  )
}
