import DoneAllOutlined from "@mui/icons-material/DoneAllOutlined"
import RedoOutlined from "@mui/icons-material/RedoOutlined"
import ReplyOutlined from "@mui/icons-material/ReplyOutlined"
import { Box } from "@mui/material"
import { maxLength, required, TextInput, useRecordContext, useResourceContext } from "react-admin"
import { ActButton } from "../common/ActButton.tsx"
import { Loaded } from "../common/Loaded.tsx"
import { RowActions } from "../common/RowActions.tsx"
import { useRead } from "../common/useRead.ts"
import type { Message, WholeMessage } from "./Message.ts"

const answerRules = [required(), maxLength(5000)]

export function MessageActions() {
  const message = useRecordContext<Message>()
  if (!message) return null
  return (
    <RowActions>
      <ActButton act="answer" icon={<ReplyOutlined fontSize="small" />} iconOnly withReason={false}>
        <MessageText id={message.id} />
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

function MessageText({ id }: { id: string }) {
  const resource = useResourceContext() ?? ""
  const message = useRead<WholeMessage>(`${resource}/${id}`)
  return (
    <Loaded query={message}>
      {({ message: text }) => (
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
          {text}
        </Box>
      )}
    </Loaded>
  )
}
