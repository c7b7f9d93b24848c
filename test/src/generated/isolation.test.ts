/**
 * Objects of another instance cannot be read, changed or discovered (docs/behaviour/writing.md#isolation). Their
 * UUIDs in paths, bodies and parameters get the same response as unknown UUIDs. Tokens of another instance are
 * rejected.
 */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resources } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Schema } from '@publishing-service/domain/declare'
import { fieldsOf } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectOk } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { sampleRequest } from './sample-request.js'
import { useFixture, type Fixture } from './service-fixture.js'
import { needsRole, testEndpoints } from './test-endpoints.js'

const uuidNames = ({ path }: Endpoint): readonly string[] =>
  [...path.matchAll(/\{((?:\w+_)?uuid)\}/g)].map(([, name = '']) => name)

const zeroUuid = '00000000-0000-4000-8000-000000000000'

/** The UUID that the service proposes for a new object. It differs on every request. */
const proposedUuid = /(?<=the UUID of the path, )[0-9a-f-]{36}/

describe('isolation of instances', () => {
  let fixture: Fixture
  /** The state of both instances until the first test that writes. */
  let initial: Readonly<Record<'here' | 'there', Readonly<Record<string, string>>>>
  useFixture(async (started) => {
    fixture = started
    initial = { here: await fixture.snapshot(), there: await readOther() }
  })

  const readable = endpoints.filter(
    ({ method, permission, operation }) =>
      method === 'GET' && permission !== null && operation !== 'downloadFile',
  )

  /** Everything that an admin of the other instance can read there, uncached. */
  const readOther = async (): Promise<Readonly<Record<string, string>>> => {
    const api = fixture.root(fixture.other.admin.token)
    const texts: Record<string, string> = {}
    for (const endpoint of readable) {
      const replaced = {
        iid: String(fixture.other.number),
        uuid: fixture.idsElsewhere.get(endpoint.permission?.subject ?? '') ?? '',
        object_uuid: fixture.idsElsewhere.get('content') ?? '',
      }
      const rows = queryableOf(endpoint)
      const query = rows === undefined ? '' : `?rpp=100&fields=${[...fieldsOf(rows).keys()].join('-')}`
      const path = fixture.address(endpoint, replaced)
      texts[path] = (await api.get(`${path}${query}`, { 'Cache-Control': 'no-cache' })).text
    }
    return texts
  }

  const expectOtherUnchanged = async (): Promise<void> => {
    expect(await readOther()).to.deep.equal(initial.there)
  }

  /** A response without the parts that differ on every request, including the requested id. */
  const comparable = ({ status, headers, text }: ApiResponse, id: string) => {
    const { date: _date, 'x-request-id': _request, etag: _tag, ...rest } = headers
    return { status, headers: rest, text: text.replaceAll(id, zeroUuid).replace(proposedUuid, zeroUuid) }
  }

  /**
   * Sends the same request with ids of the other instance and with unknown ids. The responses must be equal.
   */
  const expectSameAsUnknown = async (
    foreignIds: readonly string[],
    send: (id: string) => Promise<ApiResponse>,
  ): Promise<void> => {
    for (const foreignId of foreignIds) {
      const unknown = randomUUID()
      const missing = comparable(await send(unknown), unknown)
      expect(comparable(await send(foreignId), foreignId)).to.deep.equal(missing)
    }
  }

  // A homepage that a word names has the same UUID in every instance. All other UUIDs differ.
  const foreignIds = (): readonly string[] => [...fixture.idsElsewhere.values(), fixture.imageElsewhere]

  // PUT to an unused path creates the object. With If-Match it creates nothing.
  const send = (
    endpoint: Endpoint,
    replaced: Readonly<Record<string, string>>,
    query = '',
  ): Promise<ApiResponse> => {
    const headers = endpoint.operation === 'replaceObject' ? { 'If-Match': '*' } : {}
    return fixture.send(endpoint, { path: `${fixture.address(endpoint, replaced)}${query}`, headers })
  }

  it('the other instance has an object of every resource', () => {
    for (const { collection } of resources) {
      const id = fixture.idsElsewhere.get(collection)
      expect(id).to.be.a('string').and.not.equal(fixture.ids.get(collection))
    }
  })

  const hasUuid = (endpoint: Endpoint): boolean => needsRole(endpoint) && uuidNames(endpoint).length > 0
  testEndpoints(
    'treats UUIDs of another instance in the path as unknown',
    { filter: hasUuid, sample: 6 },
    async (endpoint) => {
      for (const name of uuidNames(endpoint))
        await expectSameAsUnknown(foreignIds(), (id) => send(endpoint, { [name]: id }))
    },
  )

  testEndpoints(
    'returns 403 for a token of another instance, also with UUIDs of that instance',
    { filter: needsRole, sample: 6 },
    async (endpoint) => {
      const foreignId = fixture.root(fixture.other.admin.token)
      const addresses = [
        fixture.address(endpoint),
        ...foreignIds().map((id) =>
          fixture.address(endpoint, Object.fromEntries(uuidNames(endpoint).map((name) => [name, id]))),
        ),
      ]
      for (const path of new Set(addresses))
        expectError(
          await foreignId.send(endpoint.method, path, sampleRequest(endpoint, fixture)),
          403,
          'forbidden',
        )
    },
  )

  it('these requests change neither instance', async () => {
    await expectOtherUnchanged()
    expect(await fixture.snapshot()).to.deep.equal(initial.here)
  })

  // The following tests may create objects in the first instance.

  const acceptsIds = ({ format }: Schema): boolean => format === 'uuid' || format === 'uuids'
  const parametersOf = (endpoint: Endpoint): readonly string[] => [
    ...endpoint.parameters.filter(({ schema }) => acceptsIds(schema)).map(({ name }) => name),
    ...Object.entries(queryableOf(endpoint)?.filters ?? {})
      .filter(([, { schema }]) => acceptsIds(schema))
      .map(([name]) => name),
  ]
  testEndpoints(
    'treats UUIDs of another instance in parameters as unknown',
    { filter: (endpoint) => parametersOf(endpoint).length > 0, sample: 6 },
    async (endpoint) => {
      for (const name of parametersOf(endpoint))
        await expectSameAsUnknown(foreignIds(), (id) => send(endpoint, {}, `?${name}=${id}`))
    },
  )

  /** A function for every string in a valid body, which returns the body with that string replaced. */
  const stringReplacements = (
    value: Json,
    whole: (part: Json) => Json,
  ): readonly ((id: string) => Json)[] => {
    if (typeof value === 'string') return [(id) => whole(id)]
    if (Array.isArray(value))
      return value.flatMap((each: Json, index) =>
        stringReplacements(each, (part) =>
          whole(value.map((other: Json, at) => (at === index ? part : other))),
        ),
      )
    if (value === null || typeof value !== 'object') return []
    return Object.entries(value as JsonObject).flatMap(([name, each]) =>
      stringReplacements(each, (part) => whole({ ...(value as JsonObject), [name]: part })),
    )
  }

  /** The secrets or identifiers that they return differ each time. */
  const returnsAnother: ReadonlySet<string> = new Set([
    'createPreview',
    'createWebhook',
    'createExport',
    'replaceWebhookSecret',
  ])
  const acceptsObject = (endpoint: Endpoint): boolean =>
    needsRole(endpoint) && endpoint.body.endsWith('object') && !returnsAnother.has(endpoint.operation)
  testEndpoints(
    'treats UUIDs of another instance anywhere in a body as unknown',
    { filter: acceptsObject, sample: 6 },
    async (endpoint) => {
      const { body = '{}' } = sampleRequest(endpoint, fixture)
      const valid = { uuid: '', ...(JSON.parse(String(body)) as JsonObject) }
      const resourceOperations = new Set(['createObject', 'replaceObject', 'changeObject'])
      // A text of a resource may be any UUID. References of resources are tested in attributes.test.
      const replacements = resourceOperations.has(endpoint.operation)
        ? [(id: string): Json => ({ ...valid, uuid: id })]
        : stringReplacements(valid, (part) => part)
      for (const replace of replacements)
        await expectSameAsUnknown(foreignIds(), (id) =>
          fixture.root(fixture.home.admin.token).send(endpoint.method, fixture.address(endpoint), {
            body: JSON.stringify(replace(id)),
            headers: { 'Content-Type': 'application/json' },
          }),
        )
    },
  )

  it('the requests with such bodies do not change the other instance', expectOtherUnchanged)

  // Last, because these tests create objects under UUIDs of the other instance.
  describe('creation', () => {
    for (const resource of resources.filter(
      (each) => each.attributes['urlname'] !== undefined && each.given === undefined,
    ))
      it(`accepts a urlname that another instance uses: ${resource.name}`, async () => {
        const path = `/${segmentsOf(resource)}`
        const { object } = expectOk(
          await fixture.other.admin.get(`${path}/${fixture.idsElsewhere.get(resource.collection) ?? ''}`),
        )
        const { uuid: _uuid, ...rest } = object
        expectOk(await fixture.home.admin.post(path, rest))
      })

    for (const resource of resources)
      it(`PUT under a UUID of another instance creates a separate object: ${resource.name}`, async () => {
        const id = fixture.idsElsewhere.get(resource.collection) ?? ''
        const path = `/${segmentsOf(resource)}/${id}`
        const body = requiredBody(resource, variantsOf(resource)[0] ?? null, id, fixture.candidates)
        expectOk(
          await fixture.home.admin.put(path, 'urlname' in body ? { ...body, urlname: randomUUID() } : body),
        )
        expectOk(await fixture.home.admin.get(path))
        await expectOtherUnchanged()
        expectOk(await fixture.home.admin.delete(path))
        await expectOtherUnchanged()
      })
  })
})
