import landing from "~/locales/en/landing.json"
import shell from "~/locales/en/public.json"
import opinions from "~/locales/en/testimonials.json"
import type { LandingTexts } from "./texts"

export const englishTexts: LandingTexts = { ...landing, language: "en", shell, opinions }
