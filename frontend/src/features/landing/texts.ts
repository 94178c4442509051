import type { Language } from "~/lib/language"
import type landing from "~/locales/pl/landing.json"
import type { ShellTexts } from "~/ui/public-menu"

/** The file that operators replace; `notice` says that the texts are samples. */
type Opinions = { notice?: string; items: { text: string; name: string; role: string }[] }

/** The texts of the landing page in one language. Each language is a module of its own. */
export type LandingTexts = typeof landing & {
  language: Language
  shell: ShellTexts
  opinions: Opinions
}
