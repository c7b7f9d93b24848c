/**
 * Which addresses markup may contain: http, https, mailto, tel, or a path. The rules are stricter than those of browsers,
 * so that an address cannot run a script or lead to a host that is not visible in it.
 */
import { E, type Either } from '../fp.js'
import { addressFlaw } from '../value/parsed-address.js'
import { dangerousSchemes, linkSchemes } from './body-schema.js'

// Browsers remove tabs and line breaks in an address and spaces around it, and read \ as /.
const unsafe = /[\s\p{Cc}\\]/u
const schemed = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s
// The host must not be empty.
const webRest = /^\/\/(?:[^/?#@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/?#@:[\]]+)(?::[0-9]*)?(?:[/?#]|$)/

/**
 * What is accepted instead of an invalid address; null if the address is valid. `address` is the value of the attribute
 * with resolved references.
 *
 * Valid are `http://host…`, `https://host…` (with a port, without a user name), `mailto:…`, `tel:…`, a path with or without a
 * leading `/`, `?query` and `#fragment`. Invalid are any other scheme, `//host` (its scheme depends on the page), an
 * empty address, white space, control characters, the backslash, and a path whose first segment contains a colon,
 * because it could be read as a scheme.
 */
export const linkFault = (address: string): string | null => {
  if (address === '') return 'an address that is not empty'
  if (unsafe.test(address)) {
    return 'an address without white space, control characters and backslashes (a space is written %20)'
  }
  const [, scheme, rest = ''] = schemed.exec(address) ?? []
  if (scheme !== undefined) {
    const name = scheme.toLowerCase()
    if (!linkSchemes.includes(name)) {
      return `an address that starts with ${linkSchemes.map((each) => `${each}:`).join(', ')}, or a path`
    }
    if (name === 'http' || name === 'https') {
      if (!webRest.test(rest)) return `an address that names its host, such as ${name}://example.org/`
      const flaw = addressFlaw(address)
      return flaw === null ? null : `an address ${flaw}`
    }
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

/** Where the address of an image is in the value of `srcset`. */
type ImageCandidate = { readonly from: number; readonly to: number }

/** The addresses of `srcset`, or what is accepted: each must be valid and may have a width or a density. */
export const imageCandidates = (value: string): Either<string, readonly ImageCandidate[]> => {
  const found: ImageCandidate[] = []
  let index = matchAt(spaceOrComma, value, 0).length
  while (index < value.length) {
    const piece = matchAt(noSpace, value, index)
    let end = piece.length
    while (piece[end - 1] === ',') end -= 1
    const right = linkFault(piece.slice(0, end))
    if (right !== null) return E.left(right)
    found.push({ from: index, to: index + end })
    index += piece.length
    if (end === piece.length) {
      const rest = matchAt(noComma, value, index)
      if (!descriptor.test(rest))
        return E.left('a width such as 480w or a density such as 2x after the address')
      index += rest.length
    }
    index += matchAt(spaceOrComma, value, index).length
  }
  return found.length === 0 ? E.left('at least one address of an image') : E.right(found)
}

/** The reason if a value starts with a dangerous scheme, even with white space or control characters in it; else null. */
export const schemeDanger = (value: string): string | null => {
  const start = value.slice(0, 1000).replaceAll(/[\s\p{Cc}]/gu, '')
  const scheme = start.slice(0, Math.max(start.indexOf(':'), 0)).toLowerCase()
  return Object.hasOwn(dangerousSchemes, scheme) ? (dangerousSchemes[scheme] ?? null) : null
}
