import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined"
import { Box, Button, Typography } from "@mui/material"
import { useRef } from "react"
import { useTranslate } from "react-admin"

type FileChoiceProps = {
  name: string | undefined
  isBusy: boolean
  onChoose: (file: File) => void
}

export function FileChoice({ name, isBusy, onChoose }: FileChoiceProps) {
  const translate = useTranslate()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
      <Button
        variant="contained"
        startIcon={<UploadFileOutlined />}
        loading={isBusy}
        onClick={() => input.current?.click()}
      >
        {translate("console.statements.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onChoose(file)
          event.target.value = "" // so that the same file can be chosen again
        }}
      />
      {name && <Typography sx={{ overflowWrap: "anywhere" }}>{name}</Typography>}
    </Box>
  )
}
