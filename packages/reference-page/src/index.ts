/** The folder of the files that the service sends below `/docs`: a page for each name, and `assets/{version}/`. */
export const pagesDirectory = new URL('./web/', import.meta.url)
