/**
 * A text as lists order it: without case, accents and compatibility differences, so that «Éclair» stands beside
 * «eclair». Cut at 200 characters, which keeps index entries small.
 */
export const fold = (text: string): string =>
  text
    .slice(0, 400)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .slice(0, 200)
    .toWellFormed()
