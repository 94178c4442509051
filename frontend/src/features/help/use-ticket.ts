import { useMutation } from "@tanstack/react-query"
import { sendTicketMutation } from "~/api/@tanstack/react-query.gen"

export function useSendTicket() {
  return useMutation(sendTicketMutation())
}
