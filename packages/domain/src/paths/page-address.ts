/** Apart from the other rules of paths, because browsers load it without them. */

/** The address of a page of the website, from the setting `website_url` and a public path. */
export const pageAddress = (website: string, path: string): string => `${website.replace(/\/+$/, '')}${path}`
