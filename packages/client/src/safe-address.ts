import { linkSchemes } from './vocabulary.js'

/**
 * Whether an address can be a link of a page: http, https, mailto, tel, or a path, query or fragment of the website. It runs
 * no script, also where browsers remove characters from an address before they read its scheme.
 */
export const isSafeAddress = (address: string): boolean => {
  for (const character of address)
    if (character <= ' ' || character === '\\' || character === '\u007f') return false
  if (address.startsWith('//')) return false
  const [first = ''] = address.split('/', 1)
  const scheme = first.slice(0, first.indexOf(':') + 1).toLowerCase()
  return (
    scheme === '' ||
    linkSchemes.includes(scheme.slice(0, -1)) ||
    // A colon in a query or a fragment ends no scheme.
    scheme.includes('?') ||
    scheme.includes('#')
  )
}

/** Whether all addresses of a `srcset` are safe. */
export const areSafeImages = (candidates: string): boolean =>
  candidates.split(',').every((candidate) => isSafeAddress(candidate.trim().split(' ', 1)[0] ?? ''))
