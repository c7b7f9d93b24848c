/** A path or address as it is in a request: other characters than those of ASCII that can be written are percent-encoded. */
export const encoded = (text: string): string =>
  text.toWellFormed().replace(/[^!-~]|["<>\\^`{|}]/gu, encodeURIComponent)
