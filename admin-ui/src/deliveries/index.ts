import { DeliveryList } from "./DeliveryList.tsx"

export default { list: DeliveryList, recordRepresentation: "companyName" }
