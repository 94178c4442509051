import { PaymentList } from "./PaymentList.tsx"

export default { list: PaymentList, recordRepresentation: "reference" }
