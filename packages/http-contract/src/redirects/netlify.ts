import { wildcard, type ListedRedirect } from '@publishing-service/domain/paths'
import { encoded } from './encoded.js'

const anyAtEnd = `/${wildcard}`

/** The path and parameters of a line; null if Netlify has no such pattern. */
const sourceOf = (from: string): string | null => {
  const [path = '', query] = from.split('?')
  const source = path.endsWith(anyAtEnd) ? path.slice(0, -wildcard.length) : path
  if (source.includes('*') || from.includes('#') || (query?.includes('*') ?? false)) return null
  // It would match any text.
  if (source.includes('/:')) return null
  const parameters = (query ?? '').split('&').filter((each) => each !== '')
  return [source === path ? path : `${source}*`, ...parameters].map(encoded).join(' ')
}

const lineOf = ({ from, to, status }: ListedRedirect): string => {
  const source = sourceOf(from)
  const target = encoded(to.replaceAll('\\1', from.includes(wildcard) ? ':splat' : ''))
  return source === null
    ? `# No pattern of this host: ${encoded(from)} ${encoded(to)} ${status}`
    : `${source} ${target} ${status}`
}

/** The file `_redirects` of Netlify, which other hosts of static websites read too. It appends queries itself. */
export const netlifyFile = (redirects: readonly ListedRedirect[]): string =>
  redirects.map((each) => `${lineOf(each)}\n`).join('')
