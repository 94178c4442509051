import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined"
import { Box, Button, Typography } from "@mui/material"
import { useTranslate } from "react-admin"

type FileChoiceProps = {
  name: string | undefined
  isBusy: boolean
  onChoose: (file: File) => void
}

export function FileChoice({ name, isBusy, onChoose }: FileChoiceProps) {
  const translate = useTranslate()
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
      <Button
        component="label"
        variant="contained"
        startIcon={<UploadFileOutlined />}
        loading={isBusy}
        sx={{ "&:focus-within": { outline: 3, outlineOffset: 2 } }}
      >
        {translate("console.statements.choose")}
        <input
          type="file"
          className="visually-hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) onChoose(file)
            event.target.value = "" // so that the same file can be chosen again
          }}
        />
      </Button>
      {name && <Typography sx={{ overflowWrap: "anywhere" }}>{name}</Typography>}
    </Box>
  )
}
