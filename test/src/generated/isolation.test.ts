/**
 * Nothing of another instance can be read, changed or guessed (docs/behaviour/writing.md#isolation): UUIDs of its
 * objects in paths, bodies
 * and parameters of every endpoint are answered like UUIDs of nothing, and its tokens open nothing here.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import {
  fieldsOf,
  resources,
  segmentsOf,
  type Json,
  type JsonObject,
  type Schema,
} from '@publishing-service/domain'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectOk } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { offers, requiredBody, variantsOf } from '../harness/valid-bodies.js'
import { sampleRequest } from './sample-request.js'
import { setStage, type Stage } from './stage.js'
import { needsToken, walkEndpoints } from './walk.js'

const uuidNames = ({ path }: Endpoint): readonly string[] =>
  [...path.matchAll(/\{((?:\w+_)?uuid)\}/g)].map(([, name = '']) => name)

const nothing = '00000000-0000-4000-8000-000000000000'

/** The UUID that the service would choose for a new object, new each time. */
const chosen = /(?<=the UUID of the path, )[0-9a-f-]{36}/

describe('isolation of instances', () => {
  let stage: Stage
  /** Both instances as they are until the first walk that writes. */
  let untouched: Readonly<Record<'here' | 'there', Readonly<Record<string, string>>>>
  before(async () => {
    stage = await setStage()
    untouched = { here: await stage.snapshot(), there: await elsewhere() }
  })
  after(async () => {
    await stage.close()
  })

  const readable = endpoints.filter(
    ({ method, permission, operation }) =>
      method === 'GET' && permission !== null && operation !== 'downloadFile',
  )

  /** Everything that an admin of the other instance can read there, past every cache. */
  const elsewhere = async (): Promise<Readonly<Record<string, string>>> => {
    const api = stage.root(stage.other.admin.token)
    const texts: Record<string, string> = {}
    for (const endpoint of readable) {
      const replaced = {
        iid: String(stage.other.number),
        uuid: stage.idsElsewhere.get(endpoint.permission?.subject ?? '') ?? '',
        object_uuid: stage.idsElsewhere.get('content') ?? '',
      }
      const rows = queryableOf(endpoint)
      const query = rows === undefined ? '' : `?rpp=100&fields=${[...fieldsOf(rows).keys()].join('-')}`
      const path = stage.address(endpoint, replaced)
      texts[path] = (await api.get(`${path}${query}`, { 'Cache-Control': 'no-cache' })).text
    }
    return texts
  }

  const expectUntouchedThere = async (): Promise<void> => {
    expect(await elsewhere()).to.deep.equal(untouched.there)
  }
  const expectUntouched = async (): Promise<void> => {
    await expectUntouchedThere()
    expect(await stage.snapshot()).to.deep.equal(untouched.here)
  }

  /** An answer without what differs from request to request, the id that was asked for among it. */
  const shape = ({ status, headers, text }: Answer, id: string) => {
    const { date: _date, 'x-request-id': _request, etag: _tag, ...rest } = headers
    return { status, headers: rest, text: text.replaceAll(id, nothing).replace(chosen, nothing) }
  }

  /** Sends the same with an id of the other instance and with one of nothing; nobody can tell the answers apart. */
  const expectSame = async (
    strangers: readonly string[],
    send: (id: string) => Promise<Answer>,
  ): Promise<void> => {
    for (const stranger of strangers) {
      const unknown = randomUUID()
      const missing = shape(await send(unknown), unknown)
      expect(shape(await send(stranger), stranger)).to.deep.equal(missing)
    }
  }

  // What stands at the address of a homepage by a word has the same UUID everywhere; the others are all apart.
  const strangers = (): readonly string[] => [...stage.idsElsewhere.values(), stage.imageElsewhere]

  // A PUT on a free address creates; asked to change only what is there, it makes nothing.
  const ask = (
    endpoint: Endpoint,
    replaced: Readonly<Record<string, string>>,
    query = '',
  ): Promise<Answer> => {
    const { headers, ...rest } = sampleRequest(endpoint, stage)
    const present = endpoint.operation === 'replaceObject' ? { 'If-Match': '*' } : {}
    return stage
      .root(stage.home.admin.token)
      .send(endpoint.method, `${stage.address(endpoint, replaced)}${query}`, {
        ...rest,
        headers: { ...headers, ...present },
      })
  }

  it('the other instance has an object of every resource', () => {
    for (const { collection } of resources) {
      const id = stage.idsElsewhere.get(collection)
      expect(id).to.be.a('string').and.not.equal(stage.ids.get(collection))
    }
  })

  const named = (endpoint: Endpoint): boolean => needsToken(endpoint) && uuidNames(endpoint).length > 0
  walkEndpoints('UUIDs of another instance in the path', { about: named, sample: 8 }, async (endpoint) => {
    for (const name of uuidNames(endpoint))
      await expectSame(strangers(), (id) => ask(endpoint, { [name]: id }))
    await expectUntouched()
  })

  walkEndpoints(
    'a token of another instance: 403, with UUIDs of its own instance too',
    { about: needsToken, sample: 8 },
    async (endpoint) => {
      const stranger = stage.root(stage.other.admin.token)
      const addresses = [
        stage.address(endpoint),
        ...strangers().map((id) =>
          stage.address(endpoint, Object.fromEntries(uuidNames(endpoint).map((name) => [name, id]))),
        ),
      ]
      for (const path of new Set(addresses))
        expectError(
          await stranger.send(endpoint.method, path, sampleRequest(endpoint, stage)),
          403,
          'forbidden',
        )
      await expectUntouched()
    },
  )

  // From here on something may be made here.

  const takesIds = ({ format }: Schema): boolean => format === 'uuid' || format === 'uuids'
  const parametersOf = (endpoint: Endpoint): readonly string[] => [
    ...endpoint.parameters.filter(({ schema }) => takesIds(schema)).map(({ name }) => name),
    ...Object.entries(queryableOf(endpoint)?.filters ?? {})
      .filter(([, { schema }]) => takesIds(schema))
      .map(([name]) => name),
  ]
  walkEndpoints(
    'UUIDs of another instance in parameters',
    { about: (endpoint) => parametersOf(endpoint).length > 0, sample: 8 },
    async (endpoint) => {
      for (const name of parametersOf(endpoint))
        await expectSame(strangers(), (id) => ask(endpoint, {}, `?${name}=${id}`))
    },
  )

  /** Every place of a right body in which a text stands, with the body that has another there. */
  const places = (value: Json, whole: (part: Json) => Json): readonly ((id: string) => Json)[] => {
    if (typeof value === 'string') return [(id) => whole(id)]
    if (Array.isArray(value))
      return value.flatMap((each: Json, index) =>
        places(each, (part) => whole(value.map((other: Json, at) => (at === index ? part : other)))),
      )
    if (value === null || typeof value !== 'object') return []
    return Object.entries(value as JsonObject).flatMap(([name, each]) =>
      places(each, (part) => whole({ ...(value as JsonObject), [name]: part })),
    )
  }

  const takesObject = (endpoint: Endpoint): boolean =>
    needsToken(endpoint) && endpoint.body.endsWith('object')
  walkEndpoints(
    'UUIDs of another instance at every place of a body',
    { about: takesObject, sample: 8 },
    async (endpoint) => {
      const { body = '{}' } = sampleRequest(endpoint, stage)
      const right = { uuid: '', ...(JSON.parse(String(body)) as JsonObject) }
      const made = new Set(['createObject', 'replaceObject', 'changeObject'])
      // A text of a resource may well be a UUID; its references are walked with every kind of dead ones beside this.
      const spots = made.has(endpoint.operation)
        ? [(id: string): Json => ({ ...right, uuid: id })]
        : places(right, (part) => part)
      for (const spot of spots)
        await expectSame(strangers(), (id) =>
          stage.root(stage.home.admin.token).send(endpoint.method, stage.address(endpoint), {
            body: JSON.stringify(spot(id)),
            headers: { 'Content-Type': 'application/json' },
          }),
        )
      await expectUntouchedThere()
    },
  )

  // Last, since what they make stands here under UUIDs of the other instance.
  describe('objects that are made', () => {
    for (const resource of resources.filter(
      (each) => each.attributes['urlname'] !== undefined && offers(each, 'createObject'),
    ))
      it(`a urlname that another instance has is free: ${resource.name}`, async () => {
        const path = `/${segmentsOf(resource)}`
        const { object } = expectOk(
          await stage.other.admin.get(`${path}/${stage.idsElsewhere.get(resource.collection) ?? ''}`),
        )
        const { uuid: _uuid, ...rest } = object
        expectOk(await stage.home.admin.post(path, rest))
      })

    for (const resource of resources)
      it(`PUT under a UUID of another instance makes an object here and leaves that one alone: ${resource.name}`, async () => {
        const id = stage.idsElsewhere.get(resource.collection) ?? ''
        const path = `/${segmentsOf(resource)}/${id}`
        const body = requiredBody(resource, variantsOf(resource)[0] ?? null, id, stage.candidates)
        expectOk(
          await stage.home.admin.put(path, 'urlname' in body ? { ...body, urlname: randomUUID() } : body),
        )
        expectOk(await stage.home.admin.get(path))
        await expectUntouchedThere()
        if (offers(resource, 'removeObject')) expectOk(await stage.home.admin.delete(path))
        await expectUntouchedThere()
      })
  })
})
