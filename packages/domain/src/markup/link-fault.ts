/**
 * Which addresses a link may lead to: http, https, mailto, tel or a path (decisions §7). Strict where a browser
 * is lenient, so that no reading of the same text runs a script or leads to a host that the author doesn't see.
 */
import { linkSchemes } from './body-schema.js'

// Browsers drop tabs and line breaks anywhere in an address and blanks round it, and read \ as /.
const unsafe = /[\s\p{Cc}\\]/u
const schemed = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s
// The host is never empty; a user, a password and a port may stand beside it.
const webRest = /^\/\/(?:[^/?#@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^/?#@:[\]]+)(?::[0-9]*)?(?:[/?#]|$)/

/**
 * What would be right in place of an address that isn't legal; null where it is. `address` is the attribute's value
 * with its references resolved.
 *
 * Legal are `http://host…`, `https://host…` (credentials and port included), `mailto:…`, `tel:…`, a path with or
 * without a leading `/`, `?query` and `#fragment`. Not legal are any other scheme, `//host` (it is no path, and its
 * scheme would depend on the page), an empty address, white space, control characters and the backslash, and a path
 * whose first segment holds a colon, since that is not told from a scheme.
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
    return rest === '' ? `an address that goes on after ${name}:` : null
  }
  if (address.startsWith('//'))
    return 'an address with its scheme, such as https://example.org/, or a path that starts with one /'
  return /^[^/?#]*:/.test(address) ? 'a path whose first part holds no colon (put ./ before it)' : null
}
