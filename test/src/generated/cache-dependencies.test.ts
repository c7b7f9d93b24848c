/**
 * A cached response ends with a write to any collection that it was computed from, and with no other. What a request
 * reads is recorded at the store, below everything that counts and caches.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections, type Operation } from '@publishing-service/application'
import { asService, tokens } from '@publishing-service/composition-root'
import { fieldsOf, mayActAs, pipe, resources, roleNeeded, roles, TE } from '@publishing-service/domain'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import type { DocumentStore } from '@publishing-service/ports'
import { expectOk } from '../harness/expect-answer.js'
import type { Api } from '../harness/http-client.js'
import { done } from '../harness/open-stores.js'
import { given } from '../harness/start-test-service.js'
import { sampleRequest } from './sample-request.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints } from './walk.js'

type Read = { readonly collection: string; readonly instance: number }

type RecordingStore = {
  readonly documents: DocumentStore
  /** What was read since the last call. */
  readonly take: () => readonly Read[]
}

const recordingStore = (): RecordingStore => {
  const store = memoryDocumentStore(collections)
  let reads: Read[] = []
  const recorded = <A>(collection: string, instance: number, result: A): A => {
    reads.push({ collection, instance })
    return result
  }
  return {
    documents: {
      ...store,
      get: (collection, instance, id) => recorded(collection, instance, store.get(collection, instance, id)),
      getMany: (collection, instance, ids, detail) =>
        recorded(collection, instance, store.getMany(collection, instance, ids, detail)),
      find: (collection, instance, query) =>
        recorded(collection, instance, store.find(collection, instance, query)),
      countGroups: (collection, instance, key, within) =>
        recorded(collection, instance, store.countGroups(collection, instance, key, within)),
    },
    take: () => {
      const taken = reads
      reads = []
      return taken
    },
  }
}

/** What identifies the token is read for the request, not for its response, and is cached for three seconds. */
const isOfToken = ({ collection, instance }: Read): boolean =>
  instance === 0 && ['tokens', 'keys', 'users'].includes(collection)

/** Milliseconds after which a run of an operation reads its instance, and so the settings, from the store again. */
const instanceFreshness = 3001

/** Two writes to a collection that leave it as it was. */
const touch: Operation<{ readonly collection: string }, void> = {
  name: 'touch',
  subject: 'settings',
  action: 'update',
  run: ({ documents, ids }, { collection }) =>
    pipe(
      documents.insert(collection, { id: ids.uuid(), unique: null, value: {} }),
      TE.chainW(({ id, version }) => documents.remove(collection, id, version)),
      TE.mapLeft((failure) => {
        throw new Error(`${collection}: ${failure._tag}`)
      }),
    ),
}

const isReading = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'operation' && endpoint.permission.action === 'read'

describe('the dependencies of cached responses', () => {
  const store = recordingStore()
  let stage: Stage
  let titles = 0
  before(async () => {
    stage = await setStage({ documents: given(tokens.documents, store.documents) })
    // An article that shows what other collections hold.
    const [section] = stage.candidates({ collection: 'sections' })
    const [image] = stage.candidates({ collection: 'files', media: 'image' })
    if (section === undefined || image === undefined) throw new Error('nothing for the article to name')
    const change = { section_uuid: section, teaser_image_uuid: image }
    expectOk(await stage.home.admin.patch(`/content/${stage.ids.get('content') ?? ''}`, change))
  })
  after(() => stage.close())

  /** Rows with all their attributes, so that everything is read that a row can show. */
  const addressOf = (endpoint: Endpoint): string => {
    const rows = queryableOf(endpoint)
    return `${stage.address(endpoint)}${rows === undefined ? '' : `?fields=${[...fieldsOf(rows).keys()].join(',')}`}`
  }

  /** The collections that a request reads, `settings` among them; none where its response comes from the cache. */
  const readsOf = async (api: Api, endpoint: Endpoint): Promise<ReadonlySet<string>> => {
    store.take()
    expectOk(await api.send(endpoint.method, addressOf(endpoint), sampleRequest(endpoint, stage)))
    return new Set(
      store
        .take()
        .filter((read) => !isOfToken(read))
        .map(({ collection, instance }) => {
          if (instance === 0 && collection === 'instances') return 'settings'
          expect(instance, `of ${collection}`).to.equal(stage.home.number)
          return collection
        }),
    )
  }

  const write = async (collection: string): Promise<void> => {
    if (collection === 'settings') {
      titles += 1
      expectOk(await stage.home.admin.patch('/settings', { title: `Title ${titles}` }))
      return
    }
    await done(asService(stage.service.useCases, stage.home.number)(touch, { collection }))
  }

  walkEndpoints(
    'end with a write to what was read, and with no other',
    { about: isReading },
    async (endpoint) => {
      const needed = endpoint.permission === null ? null : roleNeeded(endpoint.permission.subject, 'read')
      // Later roles may find something that the service has cached for earlier ones.
      for (const role of roles.filter((each) => needed !== null && mayActAs(each, needed))) {
        const api = stage.root(stage.home.as[role].token)
        const isShort = role === 'public_user' || (endpoint.kind === 'operation' && endpoint.isTimed)
        const letInstanceExpire = (): void => {
          // A response that is cached for a second is too short-lived for it.
          if (!isShort) stage.service.clock.advance(instanceFreshness)
        }
        stage.service.clock.advance(instanceFreshness)
        const read = new Set([...(await readsOf(api, endpoint)), 'settings'])
        letInstanceExpire()
        expect([...(await readsOf(api, endpoint))], 'read for the same request again').to.deep.equal([])
        for (const collection of read) {
          await write(collection)
          const again = await readsOf(api, endpoint)
          expect([...again], `read after a write to ${collection}`).to.include(collection)
          expect([...read], 'read by the first request').to.include.members([...again])
          letInstanceExpire()
          expect([...(await readsOf(api, endpoint))], 'read once it is cached again').to.deep.equal([])
        }
        for (const { collection } of resources) if (!read.has(collection)) await write(collection)
        letInstanceExpire()
        expect([...(await readsOf(api, endpoint))], 'read after writes to what was not read').to.deep.equal(
          [],
        )
      }
    },
  )

  it('are more than the collection of the object itself', async () => {
    const article = endpoints.find(({ id }) => id === 'readContent')
    if (article === undefined) throw new Error('no endpoint of articles')
    stage.service.clock.advance(60_001)
    expect([...(await readsOf(stage.root(stage.home.admin.token), article))]).to.include.members([
      'comments',
      'content',
      'files',
      'sections',
      'settings',
    ])
  })
})
