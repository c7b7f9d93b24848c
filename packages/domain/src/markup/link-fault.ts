/**
 * Which addresses markup may contain: http, https, mailto, tel, or a path. Stricter than browsers, so that no reading
 * of the same text runs a script or leads to a host that the author does not see.
 */
import { dangerousSchemes, linkSchemes } from './body-schema.js'

// Browsers remove tabs and line breaks anywhere in an address and blanks around it, and read \ as /.
const unsafe = /[\s\p{Cc}\\]/u
const schemed = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s
// The host is never empty; a user, a password and a port are accepted.
const webRest = /^\/\/(?:[^/?#@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/?#@:[\]]+)(?::[0-9]*)?(?:[/?#]|$)/

/**
 * What would be right in place of an address that is not legal; null where it is. `address` is the attribute's value
 * with its references resolved.
 *
 * Legal are `http://host…`, `https://host…` (with credentials and port), `mailto:…`, `tel:…`, a path with or without a
 * leading `/`, `?query` and `#fragment`. Not legal are any other scheme, `//host` (it is no path, and its scheme would
 * depend on the page), an empty address, white space, control characters, the backslash, and a path whose first
 * segment contains a colon, since it could be taken for a scheme.
 */
export const linkFault = (address: string): string | null => {
  if (address === '') return 'an address that is not empty'
  if (unsafe.test(address)) {
    return 'an address without white space, control characters and backslashes (a blank is written %20)'
  }
  const [, scheme, rest = ''] = schemed.exec(address) ?? []
  if (scheme !== undefined) {
    const name = scheme.toLowerCase()
    if (!linkSchemes.includes(name)) {
      return `an address that starts with ${linkSchemes.map((each) => `${each}:`).join(', ')}, or a path`
    }
    const web = name === 'http' || name === 'https'
    if (web && !webRest.test(rest)) return `an address that names its host, such as ${name}://example.org/`
    return rest === '' ? `an address that continues after ${name}:` : null
  }
  if (address.startsWith('//'))
    return 'an address with its scheme, such as https://example.org/, or a path that starts with one /'
  return /^[^/?#]*:/.test(address) ? 'a path whose first part contains no colon (put ./ before it)' : null
}

const spaceOrComma = /[ \t\r\n\f,]*/y
const noSpace = /[^ \t\r\n\f]+/y
const noComma = /[^,]*/y
const descriptor =
  /^[ \t\r\n\f]*(?:[0-9]{1,9}w(?:[ \t\r\n\f]+[0-9]{1,9}h)?|[0-9]{0,9}\.?[0-9]{1,9}x)?[ \t\r\n\f]*$/

const matchAt = (pattern: RegExp, text: string, index: number): string => {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

/** The same of `srcset`: each of its addresses is legal, and has a width, a density or nothing. */
export const imageCandidatesFault = (value: string): string | null => {
  let count = 0
  let index = matchAt(spaceOrComma, value, 0).length
  while (index < value.length) {
    const piece = matchAt(noSpace, value, index)
    let end = piece.length
    while (piece[end - 1] === ',') end -= 1
    const right = linkFault(piece.slice(0, end))
    if (right !== null) return right
    index += piece.length
    if (end === piece.length) {
      const rest = matchAt(noComma, value, index)
      if (!descriptor.test(rest)) return 'a width such as 480w or a density such as 2x after the address'
      index += rest.length
    }
    index += matchAt(spaceOrComma, value, index).length
    count += 1
  }
  return count === 0 ? 'at least one address of an image' : null
}

/** What a value is that starts with a dangerous scheme, however it is disguised; null where it does not. */
export const schemeDanger = (value: string): string | null => {
  const start = value.slice(0, 1000).replaceAll(/[\s\p{Cc}]/gu, '')
  const scheme = start.slice(0, Math.max(start.indexOf(':'), 0)).toLowerCase()
  return Object.hasOwn(dangerousSchemes, scheme) ? (dangerousSchemes[scheme] ?? null) : null
}
