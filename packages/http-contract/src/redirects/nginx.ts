import { comparedText, wildcard, type ListedRedirect } from '@publishing-service/domain/paths'
import { encoded } from './encoded.js'

/** Characters of a key that a bucket has room for in addition to its own. */
const bucketOverhead = 64

const powerOfTwo = (least: number, number: number): number =>
  Math.max(least, 2 ** Math.ceil(Math.log2(Math.max(1, number))))

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\]^]/g, '\\$&')

// In a value, a dollar sign is the start of a variable.
const target = (text: string): string => encoded(text).replaceAll('$', '%24')

const rest = '$publishing_rest'

/** A letter in lower and upper case, as far as paths are compared without regard to it; nginx compares those of ASCII so. */
const casesOf = (letter: string): readonly string[] =>
  letter <= '~'
    ? [letter]
    : [...new Set([letter, letter.toUpperCase()])].filter((each) => comparedText(each) === letter)

/** A part of a path as an expression that matches it without regard to letter case. */
const expressionOf = (text: string): string =>
  Array.from(comparedText(text), (letter) => {
    const [first = '', ...others] = casesOf(letter).map((each) => escaped(encoded(each)))
    return others.length === 0 ? first : `(?:${[first, ...others].join('|')})`
  }).join('')

/** `**` as a group. If it is where a path starts, slashes are left out: with two, it is the address of another host. */
const patternOf = (from: string, to: string): string => {
  const [start = '', end = ''] = from.split(wildcard).map(expressionOf)
  const slashes = to.startsWith('/\\1') ? '/*' : ''
  return `"~*^${start}${slashes}(?<publishing_rest>.*)${end}${end === '' || end.endsWith('/') ? '' : '/?'}$"`
}

/** The keys of a path, with and without a slash at its end. */
const keysOf = (from: string): readonly string[] => {
  const hasQuery = from.includes('?')
  if (Array.from(comparedText(from)).some((letter) => casesOf(letter).length > 1))
    return [`"~*^${hasQuery ? expressionOf(from) : `${expressionOf(from.replace(/\/+$/, ''))}/?`}$"`]
  const path = encoded(from)
  const keys = hasQuery ? [path] : [`${path.replace(/\/+$/, '')}/`, path.replace(/(?<!^)\/+$/, '')]
  return [...new Set(keys)].map((key) => `"${key}"`)
}

type Line = { readonly key: string; readonly line: string }

const linesOf = ({ from, to, status, keepsQuery }: ListedRedirect): readonly Line[] => {
  const hasWildcard = from.includes(wildcard)
  const parts = to.split('\\1').map(target)
  const value = `"${status} ${parts.join(hasWildcard ? rest : '')}${keepsQuery ? '$is_args$args' : ''}"`
  const keys = hasWildcard ? [patternOf(from, to)] : keysOf(from)
  return keys.map((key) => ({ key, line: `  ${key} ${value};` }))
}

const usage = `# Redirects for nginx. Include this file in the context http, and use it where no file is found:
#
#   location / { try_files $uri $uri/ @redirects; }
#   location @redirects {
#     if ($publishing_redirect ~ "^301 (.+)$") { return 301 $1; }
#     if ($publishing_redirect ~ "^302 (.+)$") { return 302 $1; }
#     return 404;
#   }
`

/**
 * Maps of nginx from the requested path, without and with its query, to status and target. The path is that of the request as
 * it was sent: in a decoded one, a line break would be the start of another header.
 */
export const nginxFile = (redirects: readonly ListedRedirect[]): string => {
  const isOfQuery = ({ from }: ListedRedirect): boolean => from.includes('?')
  const ofPaths = redirects.filter((each) => !isOfQuery(each)).flatMap(linesOf)
  const ofQueries = redirects.filter(isOfQuery).flatMap(linesOf)
  const longest = [...ofPaths, ...ofQueries].reduce((most, { key }) => Math.max(most, key.length), 0)
  return [
    `${usage}map_hash_max_size ${powerOfTwo(2048, 2 * (ofPaths.length + ofQueries.length))};`,
    `map_hash_bucket_size ${powerOfTwo(128, longest + bucketOverhead)};`,
    'map $request_uri $publishing_path {',
    '  "~^(?<publishing_requested>[^?]*)" $publishing_requested;',
    '}',
    'map $publishing_path $publishing_path_redirect {',
    ...ofPaths.map(({ line }) => line),
    '}',
    'map $request_uri $publishing_redirect {',
    '  default $publishing_path_redirect;',
    ...ofQueries.map(({ line }) => line),
    '}',
    '',
  ].join('\n')
}
