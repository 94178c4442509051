import { RefundList } from "./RefundList.tsx"

export default { list: RefundList }
