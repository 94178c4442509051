import "i18next"
import type { polish } from "~/lib/catalogues"

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation"
    resources: { translation: typeof polish }
  }
}
