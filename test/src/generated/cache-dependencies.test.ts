/**
 * A write to a collection invalidates exactly the cached responses that were computed from it. The test records
 * what a request reads from the store, below all caches.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { collections, type Operation } from '@publishing-service/application'
import { asService, tokens } from '@publishing-service/composition-root'
import { resources } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { fieldsOf } from '@publishing-service/domain/lists'
import { mayActAs, operations, roleNeeded, roles } from '@publishing-service/domain/roles'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import type { DocumentStore } from '@publishing-service/ports'
import { expectOk } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { isServing, requestRecorder, type RequestRecorder } from '../harness/request-recorder.js'
import { successOf } from '../harness/open-stores.js'
import { moduleProviding } from '../harness/start-test-service.js'
import { unscaled } from '../harness/unscaled.js'
import { sampleRequest } from './sample-request.js'
import { startFixture, type Fixture } from './service-fixture.js'
import { testEndpoints } from './test-endpoints.js'

type Read = { readonly collection: string; readonly instance: number }

/** A store that records its reads for requests. */
const recordingStore = ({ record }: Pick<RequestRecorder<Read>, 'record'>): DocumentStore => {
  const store = memoryDocumentStore(collections)
  return {
    ...store,
    get: (collection, instance, id) => {
      record({ collection, instance })
      return store.get(collection, instance, id)
    },
    getRelated: (instance, related) => {
      for (const { collection } of [...related.documents, ...related.counts]) record({ collection, instance })
      return store.getRelated(instance, related)
    },
    find: (collection, instance, query) => {
      record({ collection, instance })
      return store.find(collection, instance, query)
    },
  }
}

/**
 * Reads that identify the token. They serve the request, not its response, and are cached for three seconds.
 */
const isOfToken = ({ collection, instance }: Read): boolean =>
  instance === 0 && ['tokens', 'keys', 'users'].includes(collection)

/** Milliseconds after which an operation reads its instance, and so the settings, from the store again. */
const instanceFreshness = 3001

/** Writes to a collection twice and leaves it unchanged. */
const writeWithoutChange: Operation<{ readonly collection: string }, void> = {
  ...operations.changeSettings,
  roles: new Set(['admin']),
  changed: () => ({ object: null }),
  run: async ({ documents, ids }, { collection }) => {
    const made = await documents.insert(collection, { id: ids.uuid(), unique: null, value: {} })
    if (E.isLeft(made)) throw new Error('the document is not inserted')
    const { id, version } = made.right
    if (E.isLeft(await documents.remove(collection, id, version)))
      throw new Error('the document is not removed')
  },
}

const isReading = ({ kind, permission, caching }: Endpoint): boolean =>
  kind === 'operation' && permission?.action === 'read' && caching !== 'none' && caching !== 'unstored'

describe('dependencies of cached responses', () => {
  const reads = requestRecorder<Read>()
  /** How many reads no request has caused. */
  let ofBackground = 0
  const record = (read: Read): void => {
    if (!isServing()) ofBackground += 1
    reads.record(read)
  }
  let fixture: Fixture
  let titles = 0
  before(async () => {
    fixture = await startFixture({
      documents: moduleProviding(tokens.documents, recordingStore({ record })),
      ...unscaled,
    })
    // An article that shows objects of other collections.
    const [section] = fixture.candidates({ collection: 'sections' })
    const [image] = fixture.candidates({ collection: 'files', media: 'image' })
    if (section === undefined || image === undefined) throw new Error('nothing for the article to name')
    const change = { section_uuid: section, teaser_image_uuid: image }
    expectOk(await fixture.home.admin.patch(`/content/${fixture.ids.get('content') ?? ''}`, change))
    // Objects that are touched later would end entries of the cache.
    await fixture.service.useCases.touchObjects()
  })
  after(() => fixture.close())

  /** Requests rows with all attributes, so that every read that a row can cause occurs. */
  const addressOf = (endpoint: Endpoint): string => {
    const rows = queryableOf(endpoint)
    return `${fixture.address(endpoint)}${rows === undefined ? '' : `?fields=${[...fieldsOf(rows).keys()].join(',')}`}`
  }

  /** The collections that a request reads, including `settings`. Empty if the response comes from the cache. */
  const readsOf = async (api: Api, endpoint: Endpoint): Promise<ReadonlySet<string>> => {
    const found = await reads.during(async () =>
      expectOk(await api.send(endpoint.method, addressOf(endpoint), sampleRequest(endpoint, fixture))),
    )
    return new Set(
      found
        .filter((read) => !isOfToken(read))
        .map(({ collection, instance }) => {
          if (instance === 0 && collection === 'instances') return 'settings'
          expect(instance, `of ${collection}`).to.equal(fixture.home.number)
          return collection
        }),
    )
  }

  const write = async (collection: string): Promise<void> => {
    if (collection === 'settings') {
      titles += 1
      expectOk(await fixture.home.admin.patch('/settings', { title: `Title ${titles}` }))
      return
    }
    await successOf(
      asService(fixture.service.useCases, fixture.home.number)(writeWithoutChange, { collection }),
    )
  }

  testEndpoints(
    'are invalidated by a write to what was read, and by no other write',
    { filter: isReading },
    async (endpoint) => {
      const needed = endpoint.permission === null ? null : roleNeeded(endpoint.permission.subject, 'read')
      // The cache entries of earlier roles may serve later roles.
      for (const role of roles.filter((each) => needed !== null && mayActAs(each, needed))) {
        const api = fixture.root(fixture.home.as[role].token)
        fixture.service.clock.advance(instanceFreshness)
        const read = new Set([...(await readsOf(api, endpoint)), 'settings'])
        expect([...(await readsOf(api, endpoint))], 'read for the same request at once').to.deep.equal([])
        fixture.service.clock.advance(instanceFreshness)
        // A response that changes with time is cached for one second, so it expires before the instance does.
        const isTimed = (await readsOf(api, endpoint)).size > 0
        const expireInstance = (): void => {
          if (!isTimed) fixture.service.clock.advance(instanceFreshness)
        }
        expireInstance()
        expect([...(await readsOf(api, endpoint))], 'read for the same request again').to.deep.equal([])
        for (const collection of read) {
          await write(collection)
          const again = await readsOf(api, endpoint)
          // A change of settings reads the instance again itself, so only other reads show that the response is made anew.
          if (collection !== 'settings')
            expect([...again], `read after a write to ${collection}`).to.include(collection)
          else if (read.size > 1) expect(again.size, 'read after a write to settings').to.be.greaterThan(0)
          expect([...read], 'read by the first request').to.include.members([...again])
          expireInstance()
          expect([...(await readsOf(api, endpoint))], 'read after it is cached again').to.deep.equal([])
        }
        for (const { collection } of resources) if (!read.has(collection)) await write(collection)
        expireInstance()
        expect([...(await readsOf(api, endpoint))], 'read after writes to what was not read').to.deep.equal(
          [],
        )
      }
    },
  )

  const article = endpoints.find(({ id }) => id === 'readContent')
  if (article === undefined) throw new Error('no endpoint of articles')

  it('are counted without what the service reads in the background at the same time', async () => {
    const api = fixture.root(fixture.home.editor.token)
    const readArticle = async (meanwhile: () => Promise<unknown>): Promise<readonly Read[]> => {
      fixture.service.clock.advance(60_001)
      const found = await reads.during(async () => {
        const [response] = await Promise.all([api.get(addressOf(article)), meanwhile()])
        expectOk(response)
      })
      // What is read of the deployment is kept in memory, and shared with the background.
      return found.filter(({ instance }) => instance === fixture.home.number)
    }
    const { recordScheduled, touchObjects, sharedRates, expireTrash, webhookWorker } =
      fixture.service.useCases
    const alone = await readArticle(async () => undefined)
    const earlier = ofBackground
    const together = await readArticle(() =>
      Promise.all([
        recordScheduled(),
        touchObjects(),
        sharedRates.exchange(),
        expireTrash(),
        webhookWorker.expire(),
      ]),
    )
    expect(ofBackground).to.be.greaterThan(earlier)
    expect(alone).to.not.deep.equal([])
    expect(together).to.have.deep.members(alone)
  })

  it('include more than the collection of the object itself', async () => {
    fixture.service.clock.advance(60_001)
    expect([...(await readsOf(fixture.root(fixture.home.admin.token), article))]).to.include.members([
      'comments',
      'content',
      'files',
      'sections',
      'settings',
    ])
  })
})
