/** A request that each operation takes, so that walks can spoil one thing of it at a time. */
import type { Endpoint, Operation } from '@publishing-service/http-contract'
import type { Json } from '@publishing-service/domain'
import type { RequestOptions } from '../harness/http-client.js'
import { requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { smallPng } from '../harness/small-files.js'
import { randomUUID } from 'node:crypto'
import type { Stage } from './stage.js'

const json = (value: Json): RequestOptions => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
})

const nothing: RequestOptions = {}

const embed: Json = { type: 'embed', embed_code: '<iframe></iframe>' }

const newObject = ({ resource }: Endpoint): RequestOptions => {
  if (resource === undefined) throw new Error('no resource')
  const [variant = null] = variantsOf(resource)
  return json(requiredBody(resource, variant, randomUUID()))
}

/** An operation without a sample doesn't compile. */
const samples: { readonly [O in Operation]: (endpoint: Endpoint, stage: Stage) => RequestOptions } = {
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
  changeSettings: () => json({}),
  readSetting: () => nothing,
  readContentInfo: () => nothing,
  listSlots: () => nothing,
  readSlot: () => nothing,
  putSlot: () => json({ relevance: 'inline', display: 'gallery' }),
  removeSlot: () => nothing,
  listMedia: () => nothing,
  replaceMedia: () => json({ items: [embed] }),
  addMedium: () => json(embed),
  uploadFile: () => ({ body: smallPng, headers: { 'Content-Type': 'image/png' } }),
  downloadFile: () => nothing,
  readLiveness: () => nothing,
  readReadiness: () => nothing,
  readErrorReference: () => nothing,
}

export const sampleRequest = (endpoint: Endpoint, stage: Stage): RequestOptions =>
  samples[endpoint.operation](endpoint, stage)
