/** A request that each operation takes, so that walks can spoil one thing of it at a time. */
import type { Endpoint } from '@publishing-service/http-contract'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { RequestOptions } from '../harness/http-client.js'
import { requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { smallPng } from '../harness/small-files.js'
import { randomUUID } from 'node:crypto'
import type { Stage } from './stage.js'

const json = (value: Json): RequestOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

/** What samples name of the stage. */
export type Furnished = Pick<Stage, 'bodies' | 'candidates'>

const nothing: RequestOptions = {}

const embed: Json = { type: 'embed', embed_code: '<iframe></iframe>' }

const newObject = ({ resource }: Endpoint, { candidates }: Furnished): RequestOptions => {
  if (resource === undefined) throw new Error('no resource')
  const [variant = null] = variantsOf(resource)
  return json(requiredBody(resource, variant, randomUUID(), candidates))
}

const relatedLink: Json = { type: 'url', text: 'A link', link_url: 'https://example.org/' }

const earlier: Json = { path: '/earlier/path/' }

/** A member that stands on the stage. */
const memberOf = ({ members, path }: Endpoint, { candidates }: Furnished): JsonObject => {
  const media = members?.shape.attributes[members.item]
  if (members === undefined || media?.kind !== 'stored') throw new Error(`no members at ${path}`)
  const [reference] = media.type.references?.(randomUUID()) ?? []
  const [id] = reference === undefined ? [] : candidates(reference)
  if (id === undefined) throw new Error(`nothing to list at ${path}`)
  return { [members.item]: id }
}

const samples: Readonly<Record<string, (endpoint: Endpoint, stage: Furnished) => RequestOptions>> = {
  listObjects: () => nothing,
  createObject: newObject,
  readObject: () => nothing,
  // What stands is sent back, so that the stage stays as it is.
  replaceObject: ({ resource }, { bodies }) => json(bodies.get(resource?.collection ?? '') ?? {}),
  changeObject: () => json({}),
  removeObject: () => nothing,
  exchangeToken: () => ({
    body: 'grant_type=client_credentials&api_key=nobody&api_secret=nothing',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
  listCollections: () => nothing,
  readSettings: () => nothing,
  replaceSettings: () => json({ title: 'The Daily Test', timezone: 'Europe/Vienna', directory_addon: true }),
  changeSettings: () => json({}),
  readSetting: () => nothing,
  readContentInfo: () => nothing,
  listSlots: () => nothing,
  readDefaultThumbnail: () => nothing,
  readSlot: () => nothing,
  replaceSlot: () => json({ relevance: 'inline', display: 'gallery' }),
  changeSlot: () => json({}),
  removeSlot: () => nothing,
  listMedia: () => nothing,
  replaceMedia: () => json({ items: [embed] }),
  addMedium: () => json(embed),
  readMembers: () => nothing,
  replaceMembers: (endpoint, stage) => json({ items: [memberOf(endpoint, stage)] }),
  addMember: (endpoint, stage) => json(memberOf(endpoint, stage)),
  listMembers: () => nothing,
  listTagCategories: () => nothing,
  readRelatedLinks: () => nothing,
  replaceRelatedLinks: () => json({ items: [relatedLink] }),
  addRelatedLink: () => json(relatedLink),
  readPathHistory: () => nothing,
  replacePathHistory: () => json({ items: [earlier] }),
  addToPathHistory: () => json(earlier),
  resolvePath: () => nothing,
  readStories: () => nothing,
  replaceStories: () => json({ auto: false, items: [{ type: 'link', link_url: 'https://example.org/' }] }),
  attachTag: () => json({}),
  readTagging: () => nothing,
  detachTag: () => nothing,
  listTags: () => nothing,
  listTagged: () => nothing,
  readTagCloud: () => nothing,
  uploadFile: () => ({ body: smallPng, headers: { 'Content-Type': 'image/png' } }),
  downloadFile: () => nothing,
  readService: () => nothing,
  readLiveness: () => nothing,
  readReadiness: () => nothing,
  readPage: () => nothing,
  readOpenApi: () => nothing,
}

export const sampleRequest = (endpoint: Endpoint, stage: Furnished): RequestOptions => {
  const sample = samples[endpoint.operation]
  if (sample === undefined) throw new Error(`the operation ${endpoint.operation} has no sample`)
  return sample(endpoint, stage)
}
