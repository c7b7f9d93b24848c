/** Texts of ASCII characters as bytes, and back. */
export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0))

export const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** The whole text of a body that comes in chunks. */
export const textFrom = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += textOf(chunk)
  return text
}
