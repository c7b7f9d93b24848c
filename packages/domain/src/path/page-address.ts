/**
 * The address of a page of the website, from the setting `website_url` and a public path. In a module of its own, so that a
 * browser does not load what public paths are made with.
 */
export const pageAddress = (website: string, path: string): string => `${website.replace(/\/+$/, '')}${path}`
