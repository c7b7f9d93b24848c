/** Invariants of a publication: its lists, references, public paths and blobs agree. */
import { isJsonObject, type Json } from '@publishing-service/domain/json'
import { walkRows } from './written-objects.js'
import { asciiWords } from '../harness/ascii-words.js'
import type { Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'
import { fresh } from './family.js'

type Row = readonly Json[]

/** The attributes to read and the orders to list, by collection. */
const lists: Readonly<Record<string, { readonly fields: string; readonly orders: readonly string[] }>> = {
  content: {
    fields: 'uuid,urlname,section_uuid,perma_url_path,state,teaser_image_uuid',
    orders: ['title', 'urlname', 'created', 'modified.desc', 'issued'],
  },
  sections: { fields: 'uuid,urlname,parent_uuid', orders: ['title', 'urlname', 'ord'] },
  files: {
    fields: 'uuid,download_url,byte_size',
    orders: ['title', 'filename', 'created', 'modified.desc', 'byte_size'],
  },
  tags: { fields: 'uuid,urlname', orders: ['title', 'urlname', 'created', 'modified.desc'] },
}

/** Findings for values that occur more than once. */
const findDuplicates = (what: string, values: readonly string[]): readonly string[] =>
  [...new Set(values.filter((value, index) => values.indexOf(value) !== index))].map(
    (value) => `${what} ${value} occurs more than once`,
  )

/** The path of a section from the top; null if it has a cycle or a parent that does not exist. */
const sectionPath = (sections: ReadonlyMap<string, Row>, id: Json): string | null => {
  let path = ''
  const seen = new Set<string>()
  for (let current = id; typeof current === 'string';) {
    const row = sections.get(current)
    if (row === undefined || seen.has(current)) return null
    seen.add(current)
    path = `${String(row[1])}/${path}`
    current = row[2] ?? null
  }
  return path
}

/** How much is read. */
export type Extent = {
  /** The orders in which a collection is listed. */
  readonly orders: (all: readonly string[]) => readonly string[]
  /** Words of titles that are searched in each collection, and objects whose versions are read. */
  readonly some: number
}

/** All orders. */
export const thorough: Extent = { orders: (all) => all, some: 20 }

/** Findings for objects that a word of their title does not find. */
const findUnsearchable = async (
  api: Api,
  collection: string,
  searchedWords: number,
): Promise<readonly string[]> => {
  const titled = await walkRows(api, collection, 'title', 'uuid,title')
  const words = new Set(titled.flatMap(([, title]) => asciiWords(title)))
  const findings: string[] = []
  for (const word of [...words].slice(-searchedWords)) {
    const rows = await walkRows(api, collection, 'title', `uuid&q="${word}"`)
    const found = new Set(rows.map(([id]) => id))
    for (const [id, title] of titled)
      if (asciiWords(title).includes(word) && !found.has(id))
        findings.push(`${collection} ${String(id)} is not found by «${word}»`)
  }
  return findings
}

/**
 * Findings for objects with two records of one version: one is of a change that was not made. Each version of a tag has
 * one, because the service itself writes no tags.
 */
const findWrongVersions = async (
  api: Api,
  collection: string,
  objects: readonly Row[],
): Promise<readonly string[]> => {
  const findings: string[] = []
  for (const [id] of objects) {
    const { items } = (await api.get(`/${collection}/${String(id)}/versions`, fresh)).object
    const numbers = Array.isArray(items)
      ? items.flatMap((each) => (isJsonObject(each) ? [Number(each['version'])] : []))
      : []
    const what = `${collection} ${String(id)}: version`
    findings.push(...findDuplicates(what, numbers.map(String)))
    for (const [index, number] of numbers.entries())
      if (collection === 'tags' && index > 0 && number !== Number(numbers[index - 1]) - 1)
        findings.push(`${what} ${number + 1} has no record`)
  }
  return findings
}

/** Reads all lists and files and returns what is inconsistent. `expected` contains the ids of existing objects. */
export const findInconsistencies = async (
  api: Api,
  expected: Readonly<Record<string, readonly string[]>>,
  extent: Extent,
): Promise<readonly string[]> => {
  const findings: string[] = []
  const rows: Record<string, readonly Row[]> = {}
  for (const [collection, { fields, orders }] of Object.entries(lists))
    for (const order of extent.orders(orders)) {
      const list = await walkRows(api, collection, order, fields)
      const where = `${collection} by ${order}:`
      const ids = list.map(([id]) => String(id))
      const [listed, known] = [new Set(ids), new Set(expected[collection])]
      findings.push(
        ...findDuplicates(where, ids),
        ...[...known].filter((id) => !listed.has(id)).map((id) => `${where} ${id} is missing`),
        ...ids.filter((id) => !known.has(id)).map((id) => `${where} ${id} should not exist`),
      )
      rows[collection] = list
    }
  for (const collection of ['content', 'files', 'tags'])
    findings.push(...(await findUnsearchable(api, collection, extent.some)))
  const { content = [], sections = [], files = [], tags = [] } = rows
  for (const [collection, objects] of Object.entries({ content, sections, files, tags }))
    findings.push(...(await findWrongVersions(api, collection, objects.slice(-extent.some))))
  const byId = (list: readonly Row[]): ReadonlyMap<string, Row> =>
    new Map(list.map((row) => [String(row[0]), row]))
  const [sectionsById, filesById] = [byId(sections), byId(files)]

  for (const [id] of sections)
    if (sectionPath(sectionsById, id ?? null) === null)
      findings.push(`section ${String(id)}: a cycle, or a parent that does not exist`)
  for (const [id, urlname, section = null, path] of content) {
    const parent = sectionPath(sectionsById, section)
    if (path !== `/${String(parent)}${String(urlname)}/`)
      findings.push(
        `content ${String(id)}: path ${String(path)} in section ${String(section)} /${String(parent)}`,
      )
  }
  const published = content.filter(([, , , , state]) => state === 'published')
  findings.push(
    ...findDuplicates(
      'the section',
      sections.map(([, urlname, parent]) => `${String(parent)}/${String(urlname)}`),
    ),
    ...findDuplicates(
      'the published path',
      published.map(([, , , path]) => String(path)),
    ),
    ...findDuplicates(
      'the tag',
      tags.map(([, urlname]) => String(urlname)),
    ),
  )
  for (const image of content.map((row) => row[5]))
    if (typeof image === 'string' && typeof filesById.get(image)?.[1] !== 'string')
      findings.push(`the image ${image} has no data`)
  for (const [id, address, size] of files) {
    if (typeof address !== 'string') continue
    const { status, bytes } = await api.get(pathBelow(address), fresh)
    if (status !== 200 || bytes.length !== size)
      findings.push(`file ${String(id)}: status ${status}, ${bytes.length} of ${String(size)} bytes`)
  }
  return findings.map((text) => `inconsistent: ${text}`)
}
