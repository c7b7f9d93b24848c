/**
 * Wrong values for what is written and is no resource: settings, slots, media, stories, members, taggings, earlier paths,
 * made from their tables for every endpoint that takes an object
 * (docs/behaviour/instance.md#settings, docs/behaviour/slots-and-media.md, docs/behaviour/locations.md,
 * docs/behaviour/tags.md, docs/behaviour/homepage.md). Attributes of resources have their own walk.
 */
import { expect } from 'chai'
import { after, before, describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectFaults, expectOk } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { findDeadReferences, type DeadReferences } from './dead-references.js'
import { partsOf } from './item-parts.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints, type Exceptions } from './walk.js'
import { wrongValuesOf, type WrongValue } from './wrong-values.js'

const noPart = { prefix: '', body: (part: Json): JsonObject => part as JsonObject }

const resourceOperations: Exceptions = {
  createObject: 'attributes of resources: attributes.test',
  replaceObject: 'attributes of resources: attributes.test',
  changeObject: 'attributes of resources: attributes.test',
}

describe('wrong values for what is no resource', () => {
  let stage: Stage
  let deadReferences: DeadReferences
  before(async () => {
    stage = await setStage()
    deadReferences = await findDeadReferences(stage)
  })
  after(async () => {
    await stage.close()
  })

  const takesObject = ({ body }: Endpoint): boolean => body === 'object' || body === 'optional object'

  const send = (endpoint: Endpoint, value: Json, headers = {}): Promise<Answer> =>
    stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint), {
      body: JSON.stringify(value),
      headers: { 'Content-Type': 'application/json', ...headers },
    })

  walkEndpoints(
    'each attribute',
    { about: takesObject, exceptions: resourceOperations, sample: 8 },
    async (endpoint) => {
      const before_ = await stage.snapshot()
      for (const { shape, right, body, prefix, whole } of partsOf(endpoint, stage))
        for (const variant of variantsOf(shape)) {
          expect(writablesOf(shape, variant)).not.to.have.lengthOf(0)
          for (const [name, attribute] of writablesOf(shape, variant)) {
            const isRequired = attribute.kind === 'stored' && attribute.required === true
            const dead = attribute.kind === 'stored' ? deadReferences(attribute.type) : []
            const cleared: readonly WrongValue[] = isRequired
              ? [{ why: whole ? 'missing' : 'cleared', value: null, path: '' }]
              : []
            for (const { value, path, why } of [...wrongValuesOf(attribute.type), ...dead, ...cleared]) {
              const expected = `${prefix}${name}${path === '' ? '' : `.${path}`}`
              const beside = path === '' ? [] : (attribute.type.references?.(value) ?? [])
              const told = new Set([expected, ...beside.map((each) => `${prefix}${name}.${each.path}`)])
              const info = expectFaults(
                await send(endpoint, body({ ...right(variant), [name]: value })),
                ...told,
              )
              expect(info[expected], why).to.have.length.below(1500)
            }
          }
        }
      expect(await stage.snapshot()).to.deep.equal(before_)
    },
  )

  const takesMedia = ({ operation }: Endpoint): boolean =>
    operation === 'addMedium' || operation === 'replaceMedia'
  walkEndpoints(
    'media that lack what their type needs',
    { about: takesMedia, sample: 2 },
    async (endpoint) => {
      const [{ body, prefix } = noPart] = partsOf(endpoint, stage)
      const before_ = await stage.snapshot()
      const lacking: readonly (readonly [JsonObject, string])[] = [
        [{}, 'type'],
        [{ type: null }, 'type'],
        [{ type: 'file' }, 'image_uuid'],
        [{ type: 'file', image_uuid: null, file_uuid: null }, 'image_uuid'],
        [{ type: 'embed' }, 'embed_code'],
        [{ type: 'external' }, 'url_type'],
        [{ type: 'external', url_type: 'video_host_1' }, 'url'],
        [{ type: 'external', url_type: 'video_host_2', url: 'https://example.org/1' }, 'url'],
        [{ type: 'external', url_type: 'audio_host_1', url: 'https://soundcloud.com.example.org/1' }, 'url'],
        [{ type: 'external', url_type: 'audio' }, 'urls'],
        [{ type: 'external', url_type: 'video', urls: [] }, 'urls'],
        [{ type: 'external', url_type: 'video', url: 'https://example.org/1' }, 'urls'],
      ]
      for (const [medium, name] of lacking)
        expectFaults(await send(endpoint, body(medium)), `${prefix}${name}`)
      expect(await stage.snapshot()).to.deep.equal(before_)
    },
  )

  const ofLists = new Set([
    'replaceMedia',
    'replaceMembers',
    'replacePathHistory',
    'replaceRelatedLinks',
    'replaceStories',
  ])
  const takesList = ({ operation }: Endpoint): boolean => ofLists.has(operation)
  walkEndpoints(
    'each list is known as one',
    { about: takesObject, exceptions: resourceOperations },
    async (endpoint) => {
      expect(partsOf(endpoint, stage).some(({ max }) => max !== undefined)).to.equal(takesList(endpoint))
    },
  )

  walkEndpoints('lists that are none', { about: takesList, sample: 4 }, async (endpoint) => {
    const before_ = await stage.snapshot()
    for (const { max, shape, right } of partsOf(endpoint, stage)) {
      if (max === undefined) continue
      const item = right(variantsOf(shape)[0] ?? null)
      for (const items of [null, 'x', 7, true, {}, { 0: item, length: 1 }])
        expectFaults(await send(endpoint, { items }), 'items')
      expectFaults(await send(endpoint, {}), 'items')
      const wrong: readonly Json[] = [null, 'x', 7, true, [], [item]]
      expectFaults(await send(endpoint, { items: wrong }), ...wrong.map((_item, index) => `items.${index}`))
      for (const length of [max + 1, 50_000]) {
        const many = Array.from({ length }, () => (length > max + 1 ? 1 : item))
        expectFaults(await send(endpoint, { items: many }), 'items')
      }
    }
    expect(await stage.snapshot()).to.deep.equal(before_)
  })

  const takesListOfMedia = ({ operation }: Endpoint): boolean => operation === 'replaceMedia'
  // docs/behaviour/writing.md#all-faults
  walkEndpoints('every fault of a list together', { about: takesListOfMedia }, async (endpoint) => {
    const items: readonly Json[] = [
      { type: 'embed' },
      { type: 'embed', embed_code: 'x' },
      { type: 'file', image_uuid: randomUUID(), thumb_uuid: randomUUID(), title: 7 },
      { type: 'external', url_type: 'video', urls: [{ url: 'x' }, { mimetype: 'x' }] },
    ]
    expectFaults(
      await send(endpoint, { items }),
      'items.0.embed_code',
      'items.2.image_uuid',
      'items.2.thumb_uuid',
      'items.2.title',
      'items.3.urls.0.url',
      'items.3.urls.1.url',
      'items.3.urls.1.mimetype',
    )
  })

  const isSlot = ({ operation }: Endpoint): boolean =>
    operation === 'replaceSlot' || operation === 'changeSlot'
  const nowhere = ({ path }: Endpoint): boolean => path.includes('{slot_uuid}')
  walkEndpoints(
    // docs/behaviour/writing.md#all-faults
    'faults of a body beside a slot that isn’t placed',
    { about: (each) => takesObject(each) && nowhere(each) },
    async (endpoint) => {
      const [{ prefix, body } = noPart] = partsOf(endpoint, stage)
      const wrong = isSlot(endpoint) ? { relevance: 7, display: 'x' } : body({ type: 'embed', title: 7 })
      const paths = isSlot(endpoint) ? ['relevance', 'display'] : [`${prefix}embed_code`, `${prefix}title`]
      const address = stage.address(endpoint, { slot_uuid: randomUUID() })
      const answer = await stage.root(stage.home.admin.token).send(endpoint.method, address, {
        body: JSON.stringify(wrong),
        headers: { 'Content-Type': 'application/json' },
      })
      expectFaults(answer, 'slot_uuid', ...paths)
    },
  )

  const strict = { Prefer: 'handling=strict' }
  // docs/behaviour/writing.md#ignored
  walkEndpoints('strict handling tells what nobody knows', { about: takesObject }, async (endpoint) => {
    const answer = await send(endpoint, { nobody_knows: 1 }, strict)
    expect(answer.status).to.equal(400)
    expect(answer.object['error_info']).to.have.property('nobody_knows')
    expectOk(await stage.home.admin.get('/settings'))
  })

  walkEndpoints(
    // docs/behaviour/writing.md#ignored
    'strict handling tells what nobody knows of an item',
    { about: takesObject, exceptions: resourceOperations },
    async (endpoint) => {
      for (const { shape, right, body, prefix } of partsOf(endpoint, stage))
        for (const variant of variantsOf(shape)) {
          const part = { ...right(variant), nobody_knows: 1 }
          expectFaults(await send(endpoint, body(part), strict), `${prefix}nobody_knows`)
        }
    },
  )

  const isPart = ({ method, resource }: Endpoint): boolean => method === 'PUT' && resource === undefined
  walkEndpoints(
    // docs/behaviour/writing.md#round-trip
    'what was read can be put back, strictly, and changes nothing',
    { about: isPart },
    async (endpoint) => {
      const admin = stage.root(stage.home.admin.token)
      const path = stage.address(endpoint)
      const read = expectOk(await admin.get(path))
      const before_ = await stage.snapshot()
      // The tags of a category are read as rows, and written as items.
      const item = endpoint.operation === 'replaceMembers' ? endpoint.members?.item : undefined
      const isRows = Array.isArray(objectsIn(read)[0])
      const rows = isRows ? expectOk(await admin.get(`${path}?fields=uuid&rpp=100`)) : read
      const sent =
        isRows && item !== undefined
          ? { items: objectsIn(rows).map((row) => ({ [item]: (row as readonly Json[])[0] ?? null })) }
          : read.object
      for (const headers of [{}, strict, { 'If-Match': read.headers.etag }]) {
        expectOk(await send(endpoint, sent, headers))
        expect(await stage.snapshot()).to.deep.equal(before_)
      }
    },
  )
})

const objectsIn = ({ object }: Answer): readonly Json[] =>
  Array.isArray(object['items']) ? (object['items'] as readonly Json[]) : []
