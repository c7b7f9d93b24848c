/**
 * The sort key of a text: without case, accents and compatibility differences, so that «Éclair» is next to «eclair».
 * Truncated to 200 characters to keep index entries small.
 */
export const fold = (text: string): string =>
  text
    .slice(0, 400)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .slice(0, 200)
    .toWellFormed()
