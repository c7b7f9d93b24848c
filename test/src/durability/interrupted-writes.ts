/**
 * What a write must not leave when its process is killed: a name that is neither used nor free, and a change without its record
 * or a record without its change.
 */
import { randomUUID } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { infoOf, objectsOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { idOf } from '../harness/object-writer.js'
import { fresh, pathOf } from './family.js'
import type { Value } from './ledger.js'
import type { Random } from './random.js'
import { readObject, walkRows } from './written-objects.js'

/** A value that an object has got by a write, or would have got. */
export type SentValue = { readonly name: string; readonly value: Value }

/** Where a urlname is unique: in a section, at the top, or among the tags. */
type Place = { readonly collection: 'content' | 'tags'; readonly section: Json; readonly urlname: string }

/** Names that are used again after a kill, at most. */
const usedAgain = 12

const placeOf = ({ name, value }: SentValue): readonly Place[] => {
  const urlname = value?.['urlname']
  if (typeof urlname !== 'string' || value === null) return []
  const { section_uuid, parent_uuid } = value
  return pathOf(name).startsWith('/tags/')
    ? [{ collection: 'tags', section: null, urlname }]
    : [{ collection: 'content', section: section_uuid ?? parent_uuid ?? null, urlname }]
}

const keyOf = ({ collection, section, urlname }: Place): string =>
  `${collection} ${String(section)} ${urlname.toLowerCase()}`

/** The places that objects have, as keys. */
const usedPlaces = async (api: Api): Promise<ReadonlySet<string>> => {
  const inSections = [
    ...(await walkRows(api, 'content', 'urlname', 'urlname,section_uuid')),
    ...(await walkRows(api, 'sections', 'urlname', 'urlname,parent_uuid')),
  ].map(([urlname, section = null]) => ({ collection: 'content' as const, section, urlname }))
  const ofTags = (await walkRows(api, 'tags', 'urlname', 'urlname')).map(([urlname]) => ({
    collection: 'tags' as const,
    section: null,
    urlname,
  }))
  return new Set([...inSections, ...ofTags].map((each) => keyOf({ ...each, urlname: String(each.urlname) })))
}

/** Uses names of the last writes for new objects, which it deletes. Returns findings for names that are taken, but not used. */
export const findBlockedNames = async (
  api: Api,
  random: Random,
  sent: readonly SentValue[],
): Promise<readonly string[]> => {
  const places = [...new Map(sent.flatMap(placeOf).map((place) => [keyOf(place), place])).values()]
  const findings: string[] = []
  let used: ReadonlySet<string> | null = null
  for (let count = 0; count < usedAgain && places.length > 0; count += 1) {
    const [place] = places.splice(random.below(places.length), 1)
    if (place === undefined) break
    const { collection, section, urlname } = place
    const path = `/${collection}/${randomUUID()}`
    const body =
      collection === 'tags'
        ? { last_name_or_title: 'Again' }
        : { title: 'Again', content_type: 'article', section_uuid: section }
    const response = await api.put(path, { urlname, ...body })
    const removal = response.status === 200 ? await api.delete(path) : null
    // 404 if it was repeated.
    if (removal !== null && [200, 404].includes(removal.status)) continue
    const failed = removal ?? response
    // The section may not exist any more.
    if (failed.status === 400 && infoOf(failed)['urlname'] === undefined) continue
    used ??= await usedPlaces(api)
    if (failed.status !== 400 || !used.has(keyOf(place)))
      findings.push(`blocked: ${keyOf(place)} → ${failed.status} ${failed.text.slice(0, 200)}`)
  }
  return findings
}

/** The collections whose objects have versions. */
const withVersions = new Set(['content', 'sections', 'tags', 'files'])

const isShort = (value: Json | undefined): boolean =>
  value === null || (typeof value === 'string' && value.length < 100)

/** The attributes of an object that the values set, and in which they differ. */
const differing = (object: JsonObject, [one = null, other = null]: readonly Value[]): readonly string[] =>
  Object.keys({ ...one, ...other }).filter(
    (name) =>
      name in object && isShort(one?.[name]) && isShort(other?.[name]) && one?.[name] !== other?.[name],
  )

/**
 * Findings if the last record of an attribute is not of the change that has given it its value. `allowed` are the values before
 * and after a write without response, and `settled` is the one that the object has.
 */
export const findWrongRecords = async (
  api: Api,
  path: string,
  allowed: readonly Value[],
  settled: Value,
): Promise<readonly string[]> => {
  const [before = null, ...others] = allowed
  const [, collection = '', id, ...more] = path.split('/')
  if (id === undefined || more.length > 0 || !withVersions.has(collection)) return []
  if (before === null || settled === null || others.length !== 1) return []
  const object = await readObject(api, path)
  const [attribute] = object === null ? [] : differing(object, allowed)
  if (attribute === undefined) return []
  const isMade = settled !== before
  const versions = objectsOf(await api.get(`${path}/versions`, fresh))
  const version = versions.find(({ changed }) => Array.isArray(changed) && changed.includes(attribute))
  const what = `${collection} ${idOf(path)}: ${attribute}`
  if (version === undefined) return isMade ? [`${what} was changed without a record`] : []
  const changes = objectsOf(await api.get(`${path}/versions/${String(version['version'])}/changes`, fresh))
  const values = changes.find((each) => each['attribute'] === attribute)?.['values']
  if (!isJsonObject(values)) return []
  const expected = { before: isMade ? before[attribute] : values['before'], after: settled[attribute] }
  return values['before'] === expected.before &&
    values['after'] === expected.after &&
    values['before'] !== values['after']
    ? []
    : [`${what} is recorded as ${JSON.stringify(values)}, expected ${JSON.stringify(expected)}`]
}
