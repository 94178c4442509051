import { Box } from "@mui/material"
import { Code } from "../common/Code.tsx"
import { Word } from "../common/Word.tsx"

/** The reference and the provider of a payment or a refund. */
export function ReferenceAndProvider() {
  return (
    <>
      <Code source="reference" />
      <Box sx={{ color: "text.secondary", typography: "caption" }}>
        <Word kind="provider" source="provider" />
      </Box>
    </>
  )
}
