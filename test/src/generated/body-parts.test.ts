/**
 * Invalid values for request bodies other than resources, derived from their attribute tables, at every endpoint
 * that accepts an object: settings, slots, media, stories, members, taggings, earlier paths
 * (docs/behaviour/instance.md#settings, docs/behaviour/slots-and-media.md, docs/behaviour/locations.md,
 * docs/behaviour/tags.md, docs/behaviour/homepage.md). Attributes of resources are tested in attributes.test.
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectFaults, expectOk } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { prepareInvalidReferences, type InvalidReferences } from './invalid-references.js'
import { partsOf } from './body-parts.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { testEndpoints, type Exceptions } from './test-endpoints.js'
import { invalidValuesOfType, type InvalidValue } from './invalid-values.js'

const defaultPart = { prefix: '', body: (part: Json): JsonObject => part as JsonObject }

const resourceOperations: Exceptions = {
  createObject: 'attributes of resources: attributes.test',
  replaceObject: 'attributes of resources: attributes.test',
  changeObject: 'attributes of resources: attributes.test',
}

describe('invalid values in bodies other than resources', () => {
  let fixture: Fixture
  let invalidReferences: InvalidReferences
  useFixture(async (started) => {
    fixture = started
    invalidReferences = await prepareInvalidReferences(fixture)
  })

  const acceptsObject = ({ body }: Endpoint): boolean => body === 'object' || body === 'optional object'

  const send = (endpoint: Endpoint, value: Json, headers = {}): Promise<ApiResponse> =>
    fixture.root(fixture.home.admin.token).send(endpoint.method, fixture.address(endpoint), {
      body: JSON.stringify(value),
      headers: { 'Content-Type': 'application/json', ...headers },
    })

  testEndpoints(
    'rejects invalid values of every attribute',
    { filter: acceptsObject, exceptions: resourceOperations, sample: 5 },
    async (endpoint) => {
      const before_ = await fixture.snapshot()
      for (const { shape, valid, body, prefix, whole } of partsOf(endpoint, fixture))
        for (const variant of variantsOf(shape)) {
          expect(writablesOf(shape, variant)).not.to.have.lengthOf(0)
          for (const [name, attribute] of writablesOf(shape, variant)) {
            const isRequired = attribute.kind === 'stored' && attribute.required === true
            const badReferences = attribute.kind === 'stored' ? invalidReferences(attribute.type) : []
            const cleared: readonly InvalidValue[] = isRequired
              ? [{ why: whole ? 'missing' : 'cleared', value: null, path: '' }]
              : []
            for (const { value, path, why } of [
              ...invalidValuesOfType(attribute.type),
              ...badReferences,
              ...cleared,
            ]) {
              const expected = `${prefix}${name}${path === '' ? '' : `.${path}`}`
              const otherReferences = path === '' ? [] : (attribute.type.references?.(value) ?? [])
              const expectedPaths = new Set([
                expected,
                ...otherReferences.map((each) => `${prefix}${name}.${each.path}`),
              ])
              const info = expectFaults(
                await send(endpoint, body({ ...valid(variant), [name]: value })),
                ...expectedPaths,
              )
              expect(info[expected], why).to.have.length.below(1500)
            }
          }
        }
      expect(await fixture.snapshot()).to.deep.equal(before_)
    },
  )

  const acceptsMedia = ({ operation }: Endpoint): boolean =>
    operation === 'addMedium' || operation === 'replaceMedia'
  testEndpoints(
    'rejects media without the attributes that their type requires',
    { filter: acceptsMedia, sample: 2 },
    async (endpoint) => {
      const [{ body, prefix } = defaultPart] = partsOf(endpoint, fixture)
      const before_ = await fixture.snapshot()
      const incomplete: readonly (readonly [JsonObject, string])[] = [
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
      for (const [medium, name] of incomplete)
        expectFaults(await send(endpoint, body(medium)), `${prefix}${name}`)
      expect(await fixture.snapshot()).to.deep.equal(before_)
    },
  )

  const listOperations = new Set([
    'replaceMedia',
    'replaceMembers',
    'replacePathHistory',
    'replaceRelatedLinks',
    'replaceStories',
  ])
  const acceptsList = ({ operation }: Endpoint): boolean => listOperations.has(operation)
  testEndpoints(
    'have a maximum length where they are lists',
    { filter: acceptsObject, exceptions: resourceOperations },
    async (endpoint) => {
      expect(partsOf(endpoint, fixture).some(({ max }) => max !== undefined)).to.equal(acceptsList(endpoint))
    },
  )

  testEndpoints('rejects invalid lists', { filter: acceptsList, sample: 3 }, async (endpoint) => {
    const before_ = await fixture.snapshot()
    for (const { max, shape, valid } of partsOf(endpoint, fixture)) {
      if (max === undefined) continue
      const item = valid(variantsOf(shape)[0] ?? null)
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
    expect(await fixture.snapshot()).to.deep.equal(before_)
  })

  const acceptsListOfMedia = ({ operation }: Endpoint): boolean => operation === 'replaceMedia'
  // docs/behaviour/writing.md#all-faults
  testEndpoints('reports all faults of a list together', { filter: acceptsListOfMedia }, async (endpoint) => {
    const items: readonly Json[] = [
      { type: 'embed' },
      { type: 'embed', embed_code: 'x' },
      { type: 'file', image_uuid: randomUUID(), thumb_uuid: randomUUID(), title: true },
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
  const hasSlot = ({ path }: Endpoint): boolean => path.includes('{slot_uuid}')
  testEndpoints(
    // docs/behaviour/writing.md#all-faults
    'reports faults of the body together with an unknown slot',
    { filter: (each) => acceptsObject(each) && hasSlot(each) },
    async (endpoint) => {
      const [{ prefix, body } = defaultPart] = partsOf(endpoint, fixture)
      const wrong = isSlot(endpoint) ? { relevance: 7, display: 'x' } : body({ type: 'embed', title: true })
      const paths = isSlot(endpoint) ? ['relevance', 'display'] : [`${prefix}embed_code`, `${prefix}title`]
      const address = fixture.address(endpoint, { slot_uuid: randomUUID() })
      const response = await fixture.root(fixture.home.admin.token).send(endpoint.method, address, {
        body: JSON.stringify(wrong),
        headers: { 'Content-Type': 'application/json' },
      })
      expectFaults(response, 'slot_uuid', ...paths)
    },
  )

  const strict = { Prefer: 'handling=strict' }
  // docs/behaviour/writing.md#ignored
  testEndpoints('reports unknown attributes in strict mode', { filter: acceptsObject }, async (endpoint) => {
    const response = await send(endpoint, { unknown_name: 1 }, strict)
    expect(response.status).to.equal(400)
    expect(response.object['error_info']).to.have.property('unknown_name')
    expectOk(await fixture.home.admin.get('/settings'))
  })

  testEndpoints(
    // docs/behaviour/writing.md#ignored
    'reports unknown attributes of an item in strict mode',
    { filter: acceptsObject, exceptions: resourceOperations },
    async (endpoint) => {
      for (const { shape, valid, body, prefix } of partsOf(endpoint, fixture))
        for (const variant of variantsOf(shape)) {
          const part = { ...valid(variant), unknown_name: 1 }
          expectFaults(await send(endpoint, body(part), strict), `${prefix}unknown_name`)
        }
    },
  )

  const replacesPart = ({ method, resource }: Endpoint): boolean => method === 'PUT' && resource === undefined
  testEndpoints(
    // docs/behaviour/writing.md#round-trip
    'accepts what was read, strictly, and changes nothing',
    { filter: replacesPart },
    async (endpoint) => {
      const admin = fixture.root(fixture.home.admin.token)
      const path = fixture.address(endpoint)
      const read = expectOk(await admin.get(path))
      const before_ = await fixture.snapshot()
      // The tags of a category are read as rows and written as items.
      const item = endpoint.operation === 'replaceMembers' ? endpoint.members?.item : undefined
      const isRows = Array.isArray(objectsIn(read)[0])
      const rows = isRows ? expectOk(await admin.get(`${path}?fields=uuid&rpp=100`)) : read
      const sent =
        isRows && item !== undefined
          ? { items: objectsIn(rows).map((row) => ({ [item]: (row as readonly Json[])[0] ?? null })) }
          : read.object
      for (const headers of [{}, strict, { 'If-Match': read.headers.etag }]) {
        expectOk(await send(endpoint, sent, headers))
        expect(await fixture.snapshot()).to.deep.equal(before_)
      }
    },
  )
})

const objectsIn = ({ object }: ApiResponse): readonly Json[] =>
  Array.isArray(object['items']) ? (object['items'] as readonly Json[]) : []
