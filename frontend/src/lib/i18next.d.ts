import "i18next"
import type { catalogue } from "./polish-catalogue"

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof catalogue }
  }
}
