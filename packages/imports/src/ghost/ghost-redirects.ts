/** Redirects of a website of Ghost, from the parsed `redirects.json` or `redirects.yaml`. */
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { isJsonObject } from '@publishing-service/domain/json'
import { derivedUuid } from '../derived-uuid.js'

type Listed = { readonly from: string; readonly to: string; readonly permanent: boolean }

/** A list of JSON has objects; YAML has a map of paths below `301` and below `302`. */
const listedIn = (value: unknown): readonly Listed[] => {
  if (Array.isArray(value))
    return value.flatMap((each: unknown) => {
      const { from, to, permanent } = isJsonObject(each) ? each : {}
      return typeof from === 'string' && typeof to === 'string'
        ? [{ from, to, permanent: permanent === true }]
        : []
    })
  if (!isJsonObject(value)) return []
  return ['301', '302'].flatMap((status) => {
    const paths = value[status]
    return Object.entries(isJsonObject(paths) ? paths : {}).flatMap(([from, to]) =>
      typeof to === 'string' ? [{ from, to, permanent: status === '301' }] : [],
    )
  })
}

/** A regular expression that matches one path, or all that begin or end with a text, as a pattern; null for others. */
const patternOf = (from: string): string | null => {
  const plain = from
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\\([/.-])/g, '$1')
    .replace(/\/\?$/, '/')
    .replace(/\(\.\*\)|\.\*/, '**')
  const path = plain.startsWith('/') ? plain : `/${plain}`
  return /[()[\]{}+?|\\^$]|\*(?!\*)(?<!\*\*)/.test(path) ? null : path
}

export const redirectRecords = (value: unknown, site: string): readonly ImportRecord[] =>
  listedIn(value).map(({ from, to, permanent }, index) => {
    const origin = { source: `redirect ${index + 1}`, title: from, line: null }
    const pattern = patternOf(from)
    const template = to.replaceAll(/\$1/g, String.raw`\1`)
    if (pattern === null || /\$\d/.test(template))
      return importRecord({
        origin,
        notes: [fileNote('redirect', `this regular expression is no pattern here; it leads to ${to}`)],
      })
    const object = importedObject({
      collection: 'redirects',
      id: derivedUuid(site, 'redirect', from),
      attributes: { pattern, template, permanent, ord: (index + 1) * 10 },
    })
    return importRecord({ origin, object })
  })
