/** The address of a page of the website, from the setting `website_url` and a public path. */
export const pageAddress = (website: string, path: string): string => `${website.replace(/\/+$/, '')}${path}`
