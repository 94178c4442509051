/** The product's name on screens; VITE_BRAND overrides it. */
export const brand: string = import.meta.env.VITE_BRAND || "Prawko"

/** The contact address on public pages and in the plan selection; VITE_CONTACT overrides it. */
export const contactEmail: string = import.meta.env.VITE_CONTACT || "kontakt@prawko.test"
