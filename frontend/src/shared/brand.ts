/** The product's name on screens; a build for somebody else sets VITE_BRAND. */
export const brand: string = import.meta.env.VITE_BRAND || "Prawko"
