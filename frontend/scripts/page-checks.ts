/** What the prerendered landing page must carry for search engines and for visitors without scripts. */

type LandingTexts = {
  title: string
  faq: { questions: { question: string; answer: string }[] }
  about: { intro: string; paragraphs: string[] }
}

type LandingCheck = { language: "pl" | "en"; path: string; texts: LandingTexts }

/** The page's lack of anything that it must carry, each as a sentence; empty if it is complete. */
export function landingPageProblems(html: string, { language, path, texts }: LandingCheck) {
  const problems: string[] = []
  const expectText = (what: string, text: string) => {
    if (!html.includes(text)) problems.push(`no ${what}: ${text}`)
  }

  expectText("language", `<html lang="${language}"`)
  expectText("canonical address", `<link rel="canonical" href="__SITE_URL__${path}"/>`)
  for (const [tag, target] of [
    ["pl", "/"],
    ["en", "/en"],
    ["x-default", "/"],
  ]) {
    expectText(
      "alternate",
      `<link rel="alternate" hrefLang="${tag}" href="__SITE_URL__${target}"/>`,
    )
  }
  expectText("picture", `<meta property="og:image" content="__SITE_URL__/og-${language}.png"/>`)

  const visible = plainText(html)
  const { questions } = texts.faq
  for (const text of [
    texts.title,
    texts.about.intro,
    ...texts.about.paragraphs,
    ...questions.flatMap(({ question, answer }) => [question, ...answer.split(/\{\{\w+\}\}/)]),
  ]) {
    if (!visible.includes(plainText(text))) problems.push(`no text: ${text}`)
  }

  const types = structuredDataTypes(html)
  for (const type of ["Organization", "Product", "FAQPage"]) {
    if (!types.includes(type)) problems.push(`no structured data of the type ${type}`)
  }
  return problems
}

function structuredDataTypes(html: string): string[] {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1]
  if (!json) return []
  try {
    const { "@graph": graph } = JSON.parse(json) as { "@graph": { "@type": string }[] }
    return graph.map((node) => node["@type"])
  } catch {
    return []
  }
}

const entities: Record<string, string> = {
  "&amp;": "&",
  "&#x27;": "'",
  "&quot;": '"',
  "&lt;": "<",
  "&gt;": ">",
}

/** The text of the elements, with plain blanks, outside scripts. */
function plainText(html: string): string {
  return html
    .replace(/<script\b.*?<\/script>/gs, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim()
}
