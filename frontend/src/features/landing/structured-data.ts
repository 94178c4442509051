import { brand, contactEmail, siteUrlPlaceholder } from "~/lib/brand"
import { interpolatePrices, lowestNetPrice } from "./prices"
import type { LandingTexts } from "./texts"

const organizationId = `${siteUrlPlaceholder}/#organization`
const zloty = (grosze: number) => (grosze / 100).toFixed(2)

/** The landing page in the vocabulary of schema.org: the organization, the product, the FAQ. */
export function structuredData(texts: LandingTexts, url: string): object {
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Organization",
        "@id": organizationId,
        name: brand,
        url: `${siteUrlPlaceholder}/`,
        logo: `${siteUrlPlaceholder}/favicon.svg`,
        email: contactEmail,
      },
      {
        "@type": "Product",
        name: brand,
        description: texts.description,
        url,
        image: `${siteUrlPlaceholder}/og-${texts.language}.png`,
        brand: { "@type": "Brand", name: brand },
        offers: {
          "@type": "Offer",
          url: `${url}#pricing`,
          price: zloty(lowestNetPrice),
          priceCurrency: "PLN",
          availability: "https://schema.org/InStock",
          seller: { "@id": organizationId },
          priceSpecification: {
            "@type": "UnitPriceSpecification",
            price: zloty(lowestNetPrice),
            priceCurrency: "PLN",
            valueAddedTaxIncluded: false,
            referenceQuantity: { "@type": "QuantitativeValue", value: 30, unitCode: "DAY" },
          },
        },
      },
      {
        "@type": "FAQPage",
        inLanguage: texts.language,
        mainEntity: texts.faq.questions.map(({ question, answer }) => ({
          "@type": "Question",
          name: question,
          acceptedAnswer: { "@type": "Answer", text: interpolatePrices(answer) },
        })),
      },
    ],
  }
}
