import { Box } from "@mui/material"
import { useRecordContext } from "react-admin"
import { Word } from "../common/Word.tsx"

/** Under which reference money came or went, and through whom. */
export function ReferenceAndProvider() {
  const record = useRecordContext<{ id: string; reference: string }>()
  return (
    <>
      <Box sx={{ overflowWrap: "break-word" }}>{record?.reference}</Box>
      <Box sx={{ color: "text.secondary", typography: "caption" }}>
        <Word kind="provider" source="provider" />
      </Box>
    </>
  )
}
