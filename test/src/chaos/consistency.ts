/** What holds for a publication at rest, whatever was written to it: its lists, references and public paths agree. */
import type { Json } from '@publishing-service/domain'
import { expectOk, rowsOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'

const orders: Readonly<Record<string, readonly string[]>> = {
  content: ['title', 'urlname', 'created', 'modified.desc', 'issued'],
  sections: ['title', 'urlname', 'ord'],
  locations: ['title', 'urlname', 'sort_title', 'created', 'modified.desc'],
  files: ['title', 'filename', 'created', 'modified.desc', 'byte_size'],
  tags: ['title', 'urlname', 'created', 'modified.desc'],
}

const fields: Readonly<Record<string, string>> = {
  content: 'uuid,urlname,section_uuid,perma_url_path,content_type,state,teaser_image_uuid',
  sections: 'uuid,urlname,parent_uuid',
  locations: 'uuid,urlname,coupon_img_uuid',
  files: 'uuid,download_url,byte_size',
  tags: 'uuid,urlname',
}

type Row = readonly Json[]

const rowsIn = async (api: Api, collection: string, order: string): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const query = `fields=${fields[collection] ?? 'uuid'}&rpp=100&order=${order}&page=${page}`
    const answer = expectOk(await api.get(`/${collection}?${query}`, { 'Cache-Control': 'no-cache' }))
    rows.push(...rowsOf(answer))
    if (answer.object['next'] === undefined) return rows
  }
}

const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]

/** The urlnames from the top down to a section; null where they never end or a parent is missing. */
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

const listFaults = (
  collection: string,
  order: string,
  rows: readonly Row[],
  expected: ReadonlySet<string>,
): readonly string[] => {
  const ids = rows.map(([id]) => String(id))
  const listed = new Set(ids)
  const where = `${collection} by ${order}`
  return [
    ...repeated(ids).map((id) => `${where}: ${id} twice`),
    ...[...expected].filter((id) => !listed.has(id)).map((id) => `${where}: ${id} is missing`),
    ...ids.filter((id) => !expected.has(id)).map((id) => `${where}: ${id} does not exist`),
  ]
}

/** What disagrees, one text each; `expected` names the objects that exist, by collection. */
export const findInconsistencies = async (
  api: Api,
  expected: ReadonlyMap<string, readonly string[]>,
): Promise<readonly string[]> => {
  const faults: string[] = []
  const rowsOfEach = new Map<string, readonly Row[]>()
  for (const [collection, ids] of expected) {
    const known = new Set(ids)
    for (const order of orders[collection] ?? []) {
      const rows = await rowsIn(api, collection, order)
      faults.push(...listFaults(collection, order, rows, known))
      rowsOfEach.set(collection, rows)
    }
  }
  const rowsBy = (collection: string): ReadonlyMap<string, Row> =>
    new Map((rowsOfEach.get(collection) ?? []).map((row) => [String(row[0]), row]))
  const sections = rowsBy('sections')
  const files = rowsBy('files')

  for (const id of sections.keys())
    if (sectionPath(sections, id) === null)
      faults.push(`section ${id}: a cycle, or a parent that does not exist`)
  const siblings = [...sections.values()].map(([, urlname, parent]) => `${String(parent)}/${String(urlname)}`)
  faults.push(...repeated(siblings).map((name) => `two sections are ${name}`))

  const live: string[] = []
  for (const [id, urlname, section = null, path, , state] of rowsBy('content').values()) {
    const above = sectionPath(sections, section)
    if (above === null) faults.push(`content ${String(id)} is in section ${String(section)}`)
    else if (path !== `/${above}${String(urlname)}/`)
      faults.push(`content ${String(id)} has the path ${String(path)} in /${above}`)
    if (state === 'published') live.push(String(path))
  }
  faults.push(...repeated(live).map((path) => `two live contents have the path ${path}`))

  for (const collection of ['locations', 'tags'] as const) {
    const names = [...rowsBy(collection).values()].map(([, urlname]) => String(urlname))
    faults.push(...repeated(names).map((name) => `two ${collection} are ${name}`))
  }
  const images = [
    ...[...rowsBy('content').values()].map((row) => row[6]),
    ...[...rowsBy('locations').values()].map((row) => row[2]),
  ]
  for (const image of images)
    if (typeof image === 'string' && typeof files.get(image)?.[1] !== 'string')
      faults.push(`the image ${image} has no data`)
  for (const [id, address, size] of files.values()) {
    if (typeof address !== 'string') continue
    const { status, bytes } = await api.get(pathBelow(address), { 'Cache-Control': 'no-cache' })
    if (status !== 200 || bytes.length !== size)
      faults.push(`file ${String(id)}: ${status}, ${bytes.length} of ${String(size)} bytes`)
  }
  return faults
}
