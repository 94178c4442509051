import { Box } from "@mui/material"
import { codeFont } from "../theme.ts"
import { Text } from "./Text.tsx"

/** A code of the record, in the font of codes. */
export const Code = ({ source }: { source?: string }) => (
  <Box component="span" sx={{ fontFamily: codeFont, overflowWrap: "break-word" }}>
    <Text source={source} />
  </Box>
)
