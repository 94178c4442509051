/** The product's name on screens; VITE_BRAND overrides it. */
export const brand: string = import.meta.env.VITE_BRAND || "Prawko"
