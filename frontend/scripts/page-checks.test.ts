import { expect, it } from "vitest"
import { landingPageProblems } from "./page-checks"

const texts = {
  title: "Prawa jazdy",
  faq: { questions: [{ question: "Ile?", answer: "Od {{net}} netto w miesiącu." }] },
  about: { intro: "Tekst & reszta.", paragraphs: ["Akapit."] },
}
const graph = ["Organization", "Product", "FAQPage"].map((type) => ({ "@type": type }))
const complete = `<!DOCTYPE html><html lang="pl"><head>
<link rel="canonical" href="__SITE_URL__/"/>
<link rel="alternate" hrefLang="pl" href="__SITE_URL__/"/>
<link rel="alternate" hrefLang="en" href="__SITE_URL__/en"/>
<link rel="alternate" hrefLang="x-default" href="__SITE_URL__/"/>
<meta property="og:image" content="__SITE_URL__/og-pl.png"/>
<script type="application/ld+json">${JSON.stringify({ "@graph": graph })}</script></head>
<body><h1>Prawa jazdy</h1><h3>Ile?</h3><p>Od 149 zł netto w miesiącu.</p>
<p>Tekst &amp; reszta.</p><p hidden="">Akapit.</p></body></html>`
const check = (html: string) => landingPageProblems(html, { language: "pl", path: "/", texts })

it("finds nothing missing in a complete page", () => {
  expect(check(complete)).toEqual([])
})

it.each([
  ['<html lang="pl">', "no language"],
  ['<link rel="canonical" href="__SITE_URL__/"/>', "no canonical address"],
  ['<link rel="alternate" hrefLang="en" href="__SITE_URL__/en"/>', "no alternate"],
  ["og-pl.png", "no picture"],
  ["Ile?", "no text"],
  ["Akapit.", "no text"],
  ['{"@type":"FAQPage"}', "no structured data of the type"],
])("reports a page without %s", (part, problem) => {
  expect(check(complete.replace(part, "")).join()).toContain(problem)
})
