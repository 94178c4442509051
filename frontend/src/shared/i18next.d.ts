import "i18next"
import type { polish } from "~/shared/catalogues"

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof polish }
  }
}
