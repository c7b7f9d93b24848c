/** One service with a publication that has something at the address of every endpoint. */
import { expect } from 'chai'
import { after, before } from 'mocha'
import { randomUUID } from 'node:crypto'
import {
  fieldsOf,
  resources,
  segmentsOf,
  type Json,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { columnOf, expectOk } from '../harness/expect-answer.js'
import { createApi, type Answer, type Api } from '../harness/http-client.js'
import { storeAudio, storeImage, uploadTo } from '../harness/library.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { smallPng } from '../harness/small-files.js'
import { startTestService, type TestParts, type TestService } from '../harness/start-test-service.js'
import { sampleRequest } from './sample-request.js'
import { requiredBody, variantsOf, type Candidates } from '../harness/valid-bodies.js'

export type Stage = {
  readonly service: TestService
  /** Where everything is. */
  readonly home: Publication
  /** Another publication, with another image. */
  readonly other: Publication
  readonly imageElsewhere: string
  /** A token that has run out. */
  readonly expiredToken: string
  /** The object of each collection that addresses name. */
  readonly ids: ReadonlyMap<string, string>
  /** An object of each collection of the other publication. */
  readonly idsElsewhere: ReadonlyMap<string, string>
  readonly slotId: string
  /** Each object as an admin read it, by collection. */
  readonly bodies: ReadonlyMap<string, JsonObject>
  /** Objects that references may name, by collection and media. */
  readonly candidates: Candidates
  /** The service without an instance, as a token says it; null for no token. */
  readonly root: (token: string | null) => Api
  /** The whole path of an endpoint, with some of its parameters replaced. */
  readonly address: (endpoint: Endpoint, replaced?: Readonly<Record<string, string>>) => string
  /** Everything that an admin can read of the publication, past every cache. */
  readonly snapshot: () => Promise<Readonly<Record<string, string>>>
  /** Stops the service, which must not have logged an error. */
  readonly close: () => Promise<void>
}

/** Limits that are soon passed, and yet let the longest attribute and the sample’s photographs through. */
export const limits = {
  JSON_LIMIT: 1_200_000,
  IMAGE_LIMIT: 1_000_000,
  AUDIO_LIMIT: 60_000,
  OTHER_LIMIT: 40_000,
} as const

const environment = Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)]))

/** What puts an object before everybody's eyes, where its resource knows drafts. */
const published = ({ attributes }: Resource): JsonObject => {
  const { state } = attributes
  return state?.kind === 'stored' && state.type.schema.enum?.includes('published') === true
    ? { state: 'published' }
    : {}
}

/** What makes an object of every shape that rules tell apart, such as a listing among locations. */
const wholesome = ({ attributes }: Resource): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) =>
      attribute.kind === 'stored' && attribute.addon && attribute.type.schema.type === 'boolean'
        ? [[name, true]]
        : [],
    ),
  )

/** What makes an object stand before everybody's eyes, with all that an instance with the add-on has. */
export const onStage = (resource: Resource): JsonObject => ({
  ...published(resource),
  ...wholesome(resource),
})

/**
 * One object of every resource, made from its table, for every role to see. What an instance starts with is there
 * already; `own` makes an object beside it.
 */
const createObjects = async (home: Publication, own: boolean): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>()
  const { directory_addon: addon } = expectOk(await home.admin.get('/settings')).object
  for (const resource of resources) {
    const path = `/${segmentsOf(resource)}`
    const [there] = own ? [] : columnOf(await home.admin.get(`${path}?fields=uuid`))
    const id = there === undefined ? randomUUID() : String(there)
    const [variant = null] = variantsOf(resource)
    const body = {
      ...requiredBody(resource, variant, id, ({ collection }) => {
        const made = ids.get(collection)
        return made === undefined ? [] : [made]
      }),
      ...published(resource),
      ...(addon === true ? wholesome(resource) : {}),
    }
    if (there === undefined) expectOk(await home.admin.put(`${path}/${id}`, body))
    ids.set(resource.collection, id)
  }
  return ids
}

const idIn = (ids: ReadonlyMap<string, string>, collection: string): string => {
  const id = ids.get(collection)
  if (id === undefined) throw new Error(`nothing in ${collection}`)
  return id
}

/** Whether an endpoint puts something that is no object of its own: a slot, a list, a tagging. */
const putsPart = ({ method, resource }: Endpoint): boolean => method === 'PUT' && resource === undefined

/** Puts something wherever an endpoint can put something, by its sample; then media where slots have theirs. */
const furnish = async (
  { editor }: Publication,
  ids: ReadonlyMap<string, string>,
  slotId: string,
  put: (endpoint: Endpoint) => Promise<Answer>,
): Promise<void> => {
  const content = `/content/${idIn(ids, 'content')}`
  expectOk(await editor.patch(content, { content: `<p>A body.</p><slot id="${slotId}"/>` }))
  for (const endpoint of endpoints.filter(putsPart)) expectOk(await put(endpoint))
  const items: Json = [
    { type: 'embed', embed_code: '<iframe></iframe>', slot_uuid: slotId },
    { type: 'embed', embed_code: 'of the old list' },
  ]
  expectOk(await editor.put(`${content}/media`, { items }))
}

export const setStage = async (parts: TestParts = {}): Promise<Stage> => {
  const service = await startTestService(environment, parts)
  const expiredToken = await service.tokenFor('admin')
  service.clock.advance(86_400_000)
  const home = await createPublication(service, { directory_addon: true })
  const other = await createPublication(service)
  const ids = await createObjects(home, false)
  const idsElsewhere = await createObjects(other, true)
  const slotId = randomUUID()
  const upload =
    (await uploadTo(home.editor, idIn(ids, 'files'), 'image/png', smallPng)).split('/').at(-1) ?? ''
  await uploadTo(other.editor, idIn(idsElsewhere, 'files'), 'image/png', smallPng)
  const image = await storeImage(home.editor)
  const audio = await storeAudio(home.editor)
  const imageElsewhere = (await storeImage(other.editor)).id

  const files = { image: [image.id], audio: [audio.id] } as const
  const candidates: Candidates = ({ collection, media: kind }) => {
    if (kind !== undefined) return files[kind]
    const id = ids.get(collection)
    return id === undefined ? [] : [id]
  }

  const parameters = (endpoint: Endpoint): Readonly<Record<string, string>> => ({
    iid: String(home.number),
    // An upload changes the address of the data, so it is tried on a file of its own.
    uuid: endpoint.body === 'data' ? image.id : (ids.get(endpoint.permission?.subject ?? '') ?? ''),
    slot_uuid: slotId,
    object_uuid: idIn(ids, 'content'),
    predicate: 'describes',
    upload,
    name: 'timezone',
    kind: 'audio',
  })

  const address: Stage['address'] = (endpoint, replaced = {}) =>
    endpoint.path.replace(/\{(\w+)\}/g, (_braced, name: string) => {
      const value = replaced[name] ?? parameters(endpoint)[name] ?? ''
      if (value === '') throw new Error(`no example of {${name}} in ${endpoint.path}`)
      return value
    })

  const root = (token: string | null): Api => createApi(service.url, token)

  const bodies = new Map<string, JsonObject>()
  const admin = root(home.admin.token)
  await furnish(home, ids, slotId, (endpoint) =>
    admin.send(endpoint.method, address(endpoint), sampleRequest(endpoint, { bodies, candidates })),
  )
  for (const endpoint of endpoints.filter(({ operation }) => operation === 'readObject'))
    bodies.set(endpoint.resource?.collection ?? '', expectOk(await admin.get(address(endpoint))).object)

  const readable = endpoints.filter(
    ({ method, permission, operation }) =>
      method === 'GET' && permission !== null && operation !== 'downloadFile',
  )
  const snapshot: Stage['snapshot'] = async () => {
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

  const close: Stage['close'] = async () => {
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
    snapshot,
    close,
  }
}

/** For suites of requests that change nothing: sets the stage before them, and sees after them that nothing has changed. */
export const onUntouchedStage = (
  use: (stage: Stage, untouched: Readonly<Record<string, string>>) => void,
): void => {
  let stage: Stage
  let untouched: Readonly<Record<string, string>>
  before(async () => {
    stage = await setStage()
    untouched = await stage.snapshot()
    use(stage, untouched)
  })
  after(async () => {
    const left = await stage.snapshot()
    await stage.close()
    expect(left).to.deep.equal(untouched)
  })
}
