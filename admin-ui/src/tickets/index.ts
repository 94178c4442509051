import { MessageList } from "../messages/MessageList.tsx"

export default { list: MessageList, recordRepresentation: "subject" }
