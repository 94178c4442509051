/** The product's name on screens; a build for somebody else sets VITE_BRAND. */
export const brand: string = import.meta.env.VITE_BRAND || "Prawko"

/** Where people reach us before they are customers, and about their plan; VITE_CONTACT sets it. */
export const contactEmail: string = import.meta.env.VITE_CONTACT || "kontakt@prawko.test"
