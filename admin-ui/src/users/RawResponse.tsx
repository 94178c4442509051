import { Box, Button } from "@mui/material"
import { useId, useState } from "react"
import { useRecordContext, useTranslate } from "react-admin"

/** The register's answer as it was received, on demand. */
export function RawResponse() {
  const [isOpen, setOpen] = useState(false)
  const translate = useTranslate()
  const record = useRecordContext()
  const id = useId()
  return (
    <>
      <Button
        size="small"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        sx={{ whiteSpace: "nowrap" }}
      >
        {translate(isOpen ? "resources.users.history.hideRaw" : "resources.users.history.showRaw")}
      </Button>
      {isOpen && (
        <Box
          component="pre"
          id={id}
          tabIndex={0}
          sx={{
            m: 0,
            p: 1,
            maxHeight: 320,
            maxWidth: { xs: "100%", md: 420 },
            overflow: "auto",
            borderRadius: 1,
            fontFamily: "ui-monospace, monospace",
            fontSize: "0.8125rem",
            backgroundColor: (theme) => theme.palette.sunken,
          }}
        >
          {JSON.stringify(record?.verificationResponse, null, 2)}
        </Box>
      )}
    </>
  )
}
