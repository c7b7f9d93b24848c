/** A running service with a publication that has an object at the path of every endpoint. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { resources, type ProblemTag, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { fieldsOf } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import type { Outcome } from '@publishing-service/application'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { columnOf, expectOk, uuidOf as uuidOfWritten } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api, type RequestOptions } from '../harness/http-client.js'
import { storeAudio, storeImage, uploadTo } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import {
  combinations,
  startTestService,
  type TestParts,
  type TestService,
} from '../harness/start-test-service.js'
import { sampleRequest } from './sample-request.js'
import { requiredBody, variantsOf, type Candidates } from '../harness/valid-bodies.js'
import { grantTo, makeOperator, newUser } from '../harness/users.js'

type Changes = RequestOptions & { readonly method?: string; readonly path?: string }

export type Fixture = {
  readonly service: TestService
  readonly home: Publication
  /** A second publication with a different image. */
  readonly other: Publication
  readonly imageElsewhere: string
  /** An expired token. */
  readonly expiredToken: string
  /** The id of the object of each collection that paths name. */
  readonly ids: ReadonlyMap<string, string>
  /** The id of an object of each collection in the other publication. */
  readonly idsElsewhere: ReadonlyMap<string, string>
  readonly slotId: string
  /** The objects as an admin reads them, by collection. */
  readonly bodies: ReadonlyMap<string, JsonObject>
  /** Ids of objects that references may name, by collection and media type. */
  readonly candidates: Candidates
  /** A client for paths that include the instance; without a token for null. */
  readonly root: (token: string | null) => Api
  /** The path of an endpoint, with some of its parameters replaced. */
  readonly address: (endpoint: Endpoint, replaced?: Readonly<Record<string, string>>) => string
  /** Sends the sample request of an endpoint as an admin, with some of its parts replaced. */
  readonly send: (endpoint: Endpoint, changes?: Changes) => Promise<ApiResponse>
  /** Everything that an admin can read in the publication, uncached. */
  readonly snapshot: () => Promise<Readonly<Record<string, string>>>
  /** Stops the service and expects that it logged no error. */
  readonly close: () => Promise<void>
}

/** Low limits that still accept the longest attribute and the photographs of the sample. */
export const limits = {
  JSON_LIMIT: 1_200_000,
  IMAGE_LIMIT: 1_000_000,
  AUDIO_LIMIT: 60_000,
  OTHER_LIMIT: 40_000,
} as const

const environment = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)]))

/** The state `published`, for resources that have drafts. */
const published = ({ attributes }: Resource): JsonObject => {
  const { state } = attributes
  return state?.kind === 'stored' && state.type.schema.enum?.includes('published') === true
    ? { state: 'published' }
    : {}
}

/** All flags of the add-on set, so that an object has every shape that rules distinguish, such as a listing. */
const addonFlags = ({ attributes }: Resource): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.addon && attribute.type.schema.type === 'boolean'
        ? [[name, true]]
        : [],
    ),
  )

/** Attributes that make an object visible to all roles, with all features of the add-on. */
export const visibleAttributes = (resource: Resource): JsonObject => ({
  ...published(resource),
  ...addonFlags(resource),
})

/**
 * Creates one object of every resource, visible to all roles. An object that every instance starts with is reused
 * unless `alwaysCreate` is set.
 */
const createObjects = async (
  home: Publication,
  alwaysCreate: boolean,
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>()
  const { directory_addon: addon } = expectOk(await home.admin.get('/settings')).object
  for (const resource of resources) {
    const path = `/${segmentsOf(resource)}`
    const [existing] = alwaysCreate ? [] : columnOf(await home.admin.get(`${path}?fields=uuid`))
    const id = existing === undefined ? randomUUID() : String(existing)
    const [variant = null] = variantsOf(resource)
    const body = {
      ...requiredBody(resource, variant, id, ({ collection }) => {
        const made = ids.get(collection)
        return made === undefined ? [] : [made]
      }),
      ...published(resource),
      ...(addon === true ? addonFlags(resource) : {}),
    }
    if (existing === undefined) expectOk(await home.admin.put(`${path}/${id}`, body))
    ids.set(resource.collection, id)
  }
  return ids
}

/** Waits until no import or export of the instance waits or runs. */
const untilJobsEnd = async (api: Api): Promise<void> => {
  for (const collection of ['imports', 'exports'])
    while (columnOf(await api.get(`/${collection}?state=waiting,running&fields=uuid`)).length > 0)
      await setTimeout(20)
}

const idIn = (ids: ReadonlyMap<string, string>, collection: string): string => {
  const id = ids.get(collection)
  if (id === undefined) throw new Error(`nothing in ${collection}`)
  return id
}

/** Whether an endpoint writes a part of an object: a slot, a list, a tagging. */
const writesPart = ({ kind, method, resource, operation }: Endpoint): boolean =>
  kind === 'operation' && method === 'PUT' && resource === undefined && operation !== 'replaceDraft'

/** Sends the sample request of every endpoint that writes a part, then adds media to the slot. */
const createParts = async (
  { editor }: Publication,
  ids: ReadonlyMap<string, string>,
  slotId: string,
  put: (endpoint: Endpoint) => Promise<ApiResponse>,
): Promise<void> => {
  const content = `/content/${idIn(ids, 'content')}`
  expectOk(await editor.patch(content, { content: `<p>A body.</p><slot id="${slotId}"/>` }))
  for (const endpoint of endpoints.filter(({ operation }) => operation === 'changeDraft'))
    expectOk(await put(endpoint))
  for (const endpoint of endpoints.filter(writesPart)) expectOk(await put(endpoint))
  const items: Json = [
    { type: 'embed', embed_code: '<iframe></iframe>', slot_uuid: slotId },
    { type: 'embed', embed_code: 'a second medium' },
  ]
  expectOk(await editor.put(`${content}/media`, { items }))
}

const right = async <A>(outcome: Outcome<A, ProblemTag>): Promise<A> => {
  const result = await outcome()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** Makes the admin of a publication an operator, and creates a user there with a key. */
const createUser = async (
  service: TestService,
  { number }: Publication,
): Promise<{ readonly user: string; readonly apiKey: string }> => {
  const { administerUsers, administerKeys } = service.useCases
  for (const each of await administerUsers.list())
    if (each.name === `admin of ${number}`) await makeOperator(service, each.user)
  const user = await newUser(service, 'a user')
  await grantTo(service, user, number, 'editor')
  return { user, apiKey: (await right(administerKeys.create({ user }))).api_key }
}

export const startFixture = async (parts: TestParts = {}): Promise<Fixture> => {
  const service = await startTestService({ ...environment, ...combinations[0]?.environment }, parts)
  const expiredToken = await service.tokenFor('admin')
  service.clock.advance(86_400_000)
  const home = await createPublication(service, {
    directory_addon: true,
    website_url: 'https://www.example.org',
    public_comments: true,
  })
  const { user, apiKey } = await createUser(service, home)
  const other = await createPublication(service)
  const ids = await createObjects(home, false)
  const webhookOf = async ({ admin }: Publication): Promise<string> =>
    uuidOfWritten(await admin.post('/webhooks', { url: 'https://receiver.invalid/', active: false }))
  const importOf = async ({ admin }: Publication, file_uuid: string): Promise<string> =>
    uuidOfWritten(await admin.post('/imports', { kind: 'wordpress', file_uuid }))
  const exportOf = async ({ admin }: Publication): Promise<string> => {
    const id = uuidOfWritten(await admin.post('/exports', {}))
    await untilJobsEnd(admin)
    return id
  }
  const objectsElsewhere = await createObjects(other, true)
  const slotId = randomUUID()
  const upload =
    (await uploadTo(home.editor, idIn(ids, 'files'), 'image/png', smallPng)).split('/').at(-1) ?? ''
  await uploadTo(other.editor, idIn(objectsElsewhere, 'files'), 'image/png', smallPng)
  const image = await storeImage(home.editor)
  const audio = await storeAudio(home.editor)
  const imageElsewhere = (await storeImage(other.editor)).id
  const idsElsewhere = new Map([
    ...objectsElsewhere,
    ['webhooks', await webhookOf(other)],
    ['imports', await importOf(other, imageElsewhere)],
    ['exports', await exportOf(other)],
  ])

  const removed = randomUUID()
  const article = { content_type: 'article', title: 'Removed', urlname: removed }
  expectOk(await home.editor.put(`/content/${removed}`, article))
  expectOk(await home.editor.delete(`/content/${removed}`))

  const event = uuidOfWritten(
    await home.editor.post('/content', {
      content_type: 'event',
      title: 'An event',
      urlname: 'an-event',
      state: 'published',
      dtstart: '2026-02-01T20:00:00',
    }),
  )

  const hook = await webhookOf(home)
  const anImport = await importOf(home, image.id)
  const anExport = await exportOf(home)
  const delivery = uuidOfWritten(await home.admin.send('POST', `/webhooks/${hook}/test`))

  const files = { image: [image.id], audio: [audio.id] } as const
  const candidates: Candidates = ({ collection, media: kind }) => {
    if (kind !== undefined) return files[kind]
    const id = ids.get(collection)
    return id === undefined ? [] : [id]
  }

  const uuidOf = ({ body, deployment, operation, permission }: Endpoint): string => {
    if (operation === 'readEventCalendar') return event
    if (operation === 'sendVisitorComment') return idIn(ids, 'content')
    if (deployment !== undefined) return user
    if (permission?.subject === 'trash') return removed
    if (permission?.subject === 'webhooks') return hook
    if (permission?.subject === 'imports') return anImport
    if (permission?.subject === 'exports') return anExport
    // An upload changes the path of the data, so it uses a separate file.
    return body === 'data' ? image.id : (ids.get(permission?.subject ?? '') ?? '')
  }
  const parameters = (endpoint: Endpoint): Readonly<Record<string, string>> => ({
    // An instance that does not exist, because others use this one.
    iid: endpoint.operation === 'removeInstance' ? '987654' : String(home.number),
    uuid: uuidOf(endpoint),
    api_key: apiKey,
    slot_uuid: slotId,
    object_uuid: idIn(ids, 'content'),
    tag_uuid: idIn(ids, 'tags'),
    delivery_uuid: delivery,
    predicate: 'describes',
    upload,
    version: '1',
    collection: 'content',
    name: 'timezone',
    kind: 'audio',
    feed: 'all',
    session: 'no-session',
    passkey: 'no-passkey',
    identity: 'no-identity',
  })

  const address: Fixture['address'] = (endpoint, replaced = {}) =>
    endpoint.path.replace(/\{(\w+)\}/g, (_braced, name: string) => {
      const value = replaced[name] ?? parameters(endpoint)[name] ?? ''
      if (value === '') throw new Error(`no example of {${name}} in ${endpoint.path}`)
      return value
    })

  const root = (token: string | null): Api => createApi(service.url, token)

  const bodies = new Map<string, JsonObject>()
  const admin = root(home.admin.token)
  const send: Fixture['send'] = async (endpoint, changes = {}) => {
    // A test before may have restored it.
    if (endpoint.operation === 'restoreFromTrash') await home.admin.delete(`/content/${removed}`)
    // Only few may wait at a time.
    if (endpoint.operation === 'createExport' || endpoint.operation === 'createImport')
      await untilJobsEnd(home.admin)
    // A test before may have restored a version without the slot.
    const { content: body = null } = bodies.get('content') ?? {}
    if (endpoint.path.includes('/slots') && body !== null)
      await home.admin.patch(`/content/${idIn(ids, 'content')}`, { content: body })
    // A test before may have published or removed it.
    if (endpoint.path.includes('/draft') && endpoint.operation !== 'changeDraft')
      await admin.patch(`${address(endpoint).split('/draft')[0]}/draft`, {})
    if (endpoint.path.endsWith('/{tag_uuid}')) await admin.put(address(endpoint), {})
    const { method = endpoint.method, path = address(endpoint), headers, ...rest } = changes
    const sample = sampleRequest(endpoint, { bodies, candidates })
    return admin.send(method, path, { ...sample, ...rest, headers: { ...sample.headers, ...headers } })
  }
  await createParts(home, ids, slotId, send)
  for (const endpoint of endpoints.filter(({ operation }) => operation === 'readObject'))
    bodies.set(endpoint.resource?.collection ?? '', expectOk(await admin.get(address(endpoint))).object)

  const readable = endpoints.filter(
    ({ method, permission, operation }) =>
      method === 'GET' &&
      permission !== null &&
      operation !== 'downloadFile' &&
      // Writes that change nothing are in the audit log too, what tests delete is in the trash, and web hooks deliver.
      permission.subject !== 'webhooks' &&
      permission.subject !== 'imports' &&
      permission.subject !== 'exports' &&
      operation !== 'listInstanceAudit' &&
      operation !== 'listTrash' &&
      operation !== 'listChanges',
  )
  const snapshot: Fixture['snapshot'] = async () => {
    const api = root(home.admin.token)
    const texts: [string, string][] = []
    for (const endpoint of readable) {
      const rows = queryableOf(endpoint)
      const titled = rows !== undefined && fieldsOf(rows).has('title') ? '-title' : ''
      const query =
        endpoint.resource !== undefined && rows !== undefined ? `?rpp=100&fields=uuid${titled}` : ''
      const path = `${address(endpoint)}${query}`
      texts.push([path, expectOk(await api.get(path, { 'Cache-Control': 'no-cache' })).text])
    }
    return Object.fromEntries(texts)
  }

  const close: Fixture['close'] = async () => {
    const logged = service.errorsLogged()
    await service.stop()
    expect(logged, 'errors in the log').to.deep.equal([])
  }

  return {
    service,
    home,
    other,
    bodies,
    imageElsewhere,
    expiredToken,
    ids,
    idsElsewhere,
    slotId,
    candidates,
    root,
    address,
    send,
    snapshot,
    close,
  }
}

/** Starts a fixture before the tests of a suite, and stops it after them. */
export const useFixture = (use: (fixture: Fixture) => void | Promise<void>): void => {
  let fixture: Fixture
  before(async () => {
    fixture = await startFixture()
    await use(fixture)
  })
  after(() => fixture.close())
}

/** Starts a fixture for a suite that changes nothing, and checks afterwards that nothing has changed. */
export const useReadOnlyFixture = (use: (fixture: Fixture) => void): void => {
  let fixture: Fixture
  let initial: Readonly<Record<string, string>>
  before(async () => {
    fixture = await startFixture()
    initial = await fixture.snapshot()
    use(fixture)
  })
  after(async () => {
    const final = await fixture.snapshot()
    await fixture.close()
    expect(final).to.deep.equal(initial)
  })
}
