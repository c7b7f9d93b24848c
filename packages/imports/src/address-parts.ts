/** The parts of a web address. */
import { parsedAddress } from '@publishing-service/domain/markup'

export type AddressParts = {
  /** In lower case, with the port. */
  readonly host: string
  /** As it is written, but with percent-encoding where an address needs it. */
  readonly path: string
  /** With its question mark; empty without one. */
  readonly query: string
}

const parts = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?/

/** Null for what is no address of http or https. */
export const addressParts = (address: string, base?: string): AddressParts | null => {
  const [, host, path = '', query = ''] = parts.exec(parsedAddress(address, base)?.href ?? '') ?? []
  return host === undefined ? null : { host, path, query }
}

// What no path of the website has as a character (docs/behaviour/paths.md#path-history).
const notInPaths = /[\s\\?#<>"\p{Cc}]/gu

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** A text with its characters in place of their percent-encoding; as it is if that is not of UTF-8. */
export const percentDecoded = (text: string): string => decoded(text) ?? text

/** The name of the file at an address or a path. */
export const fileNameIn = (address: string): string => {
  const [path = ''] = address.split(/[?#]/, 1)
  return percentDecoded(path.split('/').at(-1) ?? '')
}

/** A path with its characters in place of their percent-encoding, where a path can have them, and without repeated slashes. */
export const decodedPath = (written: string): string => {
  const path = written.replaceAll(/\/{2,}/g, '/')
  const text = decoded(path.replaceAll(/%(?=2f|25)/gi, '%25'))
  return text?.replaceAll(notInPaths, encodeURIComponent) ?? path
}
