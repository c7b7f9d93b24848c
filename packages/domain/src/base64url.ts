/** Text as base64url without padding (RFC 4648): its characters need no escape in an address, however often it is escaped. */

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A text in base64url, as a regular expression. */
export const base64urlPattern = '^[A-Za-z0-9_-]+$'
const encoded = new RegExp(base64urlPattern)

/** The text in UTF-8, with a character for each byte. Most texts are ASCII, which is the same. */
const bytesOf = (text: string): string =>
  text.replace(/[\u0080-\uffff]+/g, (part) => String.fromCharCode(...encoder.encode(part)))

export const toBase64url = (text: string): string =>
  btoa(bytesOf(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** The text; null if it is none in base64url. */
export const fromBase64url = (text: string): string | null => {
  if (!encoded.test(text)) return null
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return null
  }
}
