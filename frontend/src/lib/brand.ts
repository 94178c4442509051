/** The product's name on screens; VITE_BRAND overrides it. */
export const brand: string = import.meta.env.VITE_BRAND || "Prawko"

/**
 * The contact address on public pages and in the plan selection: OPERATOR_CONTACT_EMAIL of the
 * server, which replaces the placeholder of the build.
 */
export const contactEmail: string =
  typeof document === "undefined"
    ? "__CONTACT_EMAIL__"
    : (document.querySelector<HTMLMetaElement>("meta[name=contact]")?.content ?? "")

/**
 * Stands for the site's public address in the prerendered pages, sitemap.xml and robots.txt: the
 * address is configuration of the server, which fills it in when it loads the files.
 */
export const siteUrlPlaceholder = "__SITE_URL__"
