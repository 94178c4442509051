import DoneAllOutlined from "@mui/icons-material/DoneAllOutlined"
import RedoOutlined from "@mui/icons-material/RedoOutlined"
import ReplyOutlined from "@mui/icons-material/ReplyOutlined"
import { Box } from "@mui/material"
import { maxLength, required, TextInput, useRecordContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { RowActions } from "../common/RowActions.tsx"
import type { Message } from "./Message.ts"

const answerRules = [required(), maxLength(5000)]

export function MessageActions() {
  const message = useRecordContext<Message>()
  if (!message) return null
  return (
    <RowActions>
      <ActButton act="answer" icon={<ReplyOutlined fontSize="small" />} iconOnly withReason={false}>
        <WholeMessage message={message} />
        <TextInput source="text" fullWidth multiline minRows={5} validate={answerRules} />
      </ActButton>
      {message.state === "closed" ? (
        <ActButton act="reopen" icon={<RedoOutlined fontSize="small" />} iconOnly />
      ) : (
        <ActButton act="close" icon={<DoneAllOutlined fontSize="small" />} iconOnly />
      )}
    </RowActions>
  )
}

function WholeMessage({ message }: { message: Message }) {
  return (
    <Box
      component="blockquote"
      sx={{
        m: 0,
        mb: 2,
        p: 1.5,
        borderRadius: 1,
        backgroundColor: (theme) => theme.palette.sunken,
        typography: "body2",
        whiteSpace: "pre-wrap",
        overflowWrap: "anywhere",
      }}
    >
      {message.message}
    </Box>
  )
}
