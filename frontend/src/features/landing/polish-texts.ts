import landing from "~/locales/pl/landing.json"
import shell from "~/locales/pl/public.json"
import opinions from "~/locales/pl/testimonials.json"
import type { LandingTexts } from "./texts"

export const polishTexts: LandingTexts = { ...landing, language: "pl", shell, opinions }
