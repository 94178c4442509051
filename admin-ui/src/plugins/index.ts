import { PluginList } from "./PluginList.tsx"

export default { list: PluginList, recordRepresentation: "name" }
