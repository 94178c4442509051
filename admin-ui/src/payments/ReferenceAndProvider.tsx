import { Box } from "@mui/material"
import { Code } from "../common/Code.tsx"
import { Word } from "../common/Word.tsx"

/** Under which reference money came or went, and through whom. */
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
