/**
 * Stands for the site's public address in the prerendered pages, sitemap.xml and robots.txt: the
 * address is configuration of the server, which fills it in when it loads the files.
 */
export const siteUrlPlaceholder = "__SITE_URL__"
