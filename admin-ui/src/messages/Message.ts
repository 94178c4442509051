/** A support ticket of a customer, or a message from the contact form. */
export type Message = {
  id: string
  createdAt: string
  sender: string | null
  email: string
  companyName: string | null
  subject: string | null
  state: "open" | "answered" | "closed"
  probableSpam: boolean
  answeredAt: string | null
  closedAt: string | null
}

/** With its text, which lists do not carry. */
export type WholeMessage = Message & { message: string }
