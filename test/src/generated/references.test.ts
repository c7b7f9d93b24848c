/**
 * Deletions clear every declared reference to the deleted object: it reads as null or is removed from the list.
 * The result can be written back (docs/behaviour/writing.md#round-trip, docs/behaviour/writing.md#references).
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { resourceOf, resources } from '@publishing-service/domain'
import { taggableCollections } from '@publishing-service/domain/tags'
import { fieldsOf } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectOk, expectStatus } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { createTarget, hiddenReferences, sites, type Holder, type Site } from './reference-sites.js'
import { useFixture, type Fixture } from './service-fixture.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

const readable = endpoints.filter(
  ({ method, permission, operation }) =>
    method === 'GET' &&
    // The versions of an object grow with each write of it.
    permission?.action === 'read' &&
    operation !== 'downloadFile' &&
    operation !== 'listInstanceAudit' &&
    operation !== 'listTrash' &&
    operation !== 'listChanges' &&
    permission.subject !== 'webhooks' &&
    permission.subject !== 'imports' &&
    permission.subject !== 'exports',
)

describe(`references to deleted objects${sampleTitle(8, sites.length)}`, () => {
  let fixture: Fixture
  useFixture((started) => {
    fixture = started
  })

  /**
   * The path of a read with all fields of rows but the one that is written in the background, for the holder if the endpoint reads
   * objects of its kind.
   */
  const addressOf = (endpoint: Endpoint, { collection, id }: Pick<Holder, 'collection' | 'id'>): string => {
    const path = fixture.address(endpoint, endpoint.permission?.subject === collection ? { uuid: id } : {})
    const rows = queryableOf(endpoint)
    if (rows === undefined) return path
    // `touched` changes some time after a deletion.
    const fields = [...fieldsOf(rows).keys()].filter((name) => name !== 'touched')
    return `${path}?rpp=100&fields=${fields.join('-')}`
  }

  const readAll = async (
    holder: Holder,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReadonlyMap<string, ApiResponse>> => {
    const responses = new Map<string, ApiResponse>()
    for (const who of [fixture.home.admin, fixture.home.visitor])
      for (const endpoint of readable) {
        // An object without slots or taggings returns 404 for them.
        const path = addressOf(endpoint, holder)
        responses.set(
          `${who === fixture.home.admin ? 'admin' : 'visitor'} ${path}`,
          await fixture.root(who.token).get(path, headers),
        )
      }
    return responses
  }

  const textsOf = (responses: ReadonlyMap<string, ApiResponse>) =>
    Object.fromEntries([...responses].map(([path, { status, text }]) => [path, `${status} ${text}`]))

  const isBlocked = ({ target, attribute }: Site, { collection }: Holder): boolean =>
    resourceOf(target.collection)?.dependences?.some(
      (each) => each.onDeletion !== 'remove' && each.collection === collection && each.key === attribute,
    ) ?? false

  /** Whether the holder is deleted together with the object that it refers to. */
  const isCascaded = ({ target }: Site, { collection }: Holder): boolean =>
    resourceOf(target.collection)?.dependences?.some(
      (each) => each.onDeletion === 'remove' && each.collection === collection,
    ) ?? false

  /** Expects that the response can be written back and changes nothing. */
  const expectRoundTrip = async (api: Api, path: string): Promise<void> => {
    const read = expectOk(await api.get(path, fresh))
    const { items } = read.object
    // Rows are not written back as they are read.
    if (Array.isArray(items) && Array.isArray(items[0])) return
    fixture.service.clock.advance(1000)
    for (const headers of [{}, { Prefer: 'handling=strict' }]) {
      expectOk(await api.put(path, read.body, headers))
      expect(expectOk(await api.get(path, fresh)).text).to.equal(read.text)
    }
  }

  for (const site of sampleFrom(sites, 8))
    it(site.title, async () => {
      const { admin } = fixture.home
      const id = await createTarget(fixture, site.target)
      const holder = await site.createHolder(fixture, id)
      const before_ = await readAll(holder)
      const withReference = [...before_].filter(([path, { text }]) => !path.includes(id) && text.includes(id))
      expect(
        withReference.some(([path]) => path.includes(holder.id)),
        'the reference is read',
      ).to.equal(true)
      await expectRoundTrip(admin, holder.path)
      const resource = resourceOf(site.target.collection)
      if (resource === undefined) throw new Error(`${site.target.collection} is no collection`)
      const path = `/${segmentsOf(resource)}/${id}`
      if (isBlocked(site, holder)) {
        expectError(await admin.delete(path), 409, 'in_use')
        expect(textsOf(await readAll(holder))).to.deep.equal(textsOf(before_))
        return
      }
      expectOk(await admin.delete(path))
      if (isCascaded(site, holder)) return void expectStatus(await admin.get(holder.path), 404)
      const after_ = await readAll(holder)
      for (const [read, { status, text }] of after_) {
        expect(status, read).to.equal(before_.get(read)?.status)
        expect(text.includes(id), `${read} still names it: ${text.slice(0, 400)}`).to.equal(false)
      }
      expect(textsOf(await readAll(holder, fresh))).to.deep.equal(textsOf(after_))
      await expectRoundTrip(admin, holder.path)
      expect(textsOf(await readAll(holder, fresh))).to.deep.equal(textsOf(after_))
    })

  for (const collection of taggableCollections)
    it(`a tag no longer lists deleted ${collection}`, async () => {
      const { admin, editor } = fixture.home
      const resource = resourceOf(collection)
      if (resource === undefined) throw new Error(`${collection} is no collection`)
      const tag = await createTarget(fixture, { collection: 'tags' })
      const id = await createTarget(fixture, { collection })
      expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
      const rows = `/tags/${tag}/describes?fields=uuid-url-type`
      expect(expectOk(await admin.get(rows)).text).to.include(id)
      const path = `/${segmentsOf(resource)}/${id}`
      expectOk(await admin.delete(path))
      expect(expectOk(await admin.get(rows)).object['items']).to.deep.equal([])
      expect(expectOk(await admin.get('/tag_cloud?limit=500')).text).not.to.include(tag)
      for (const method of ['GET', 'DELETE'])
        expectError(await admin.send(method, `/tags/${tag}/describes/${id}`), 404, 'not_found')
    })

  for (const resource of resources)
    it(`a deleted ${resource.name} is not found at any path`, async () => {
      const { admin } = fixture.home
      const id = await createTarget(fixture, resource)
      const itsEndpoints = endpoints.filter(
        ({ path, permission, method }) =>
          path.includes('{uuid}') && permission?.subject === resource.collection && method !== 'PUT',
      )
      expectOk(await admin.delete(`/${segmentsOf(resource)}/${id}`))
      for (const endpoint of itsEndpoints) {
        const response = await fixture
          .root(admin.token)
          .send(endpoint.method, fixture.address(endpoint, { uuid: id }), {
            headers: { 'Content-Type': 'application/json' },
            ...(endpoint.body === 'object' ? { body: '{}' } : {}),
          })
        if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expectStatus(response, 404)
        else expect(response.status).to.be.oneOf([400, 404])
      }
    })

  it('cover every internal attribute with references', () => {
    const written = endpoints.flatMap(({ members }) =>
      members === undefined ? [] : [`${members.resource.collection}.${members.attribute}`],
    )
    const tagged = taggableCollections.map((collection) => `${collection}.taggings`)
    const media = endpoints.some(({ operation }) => operation === 'replaceMedia') ? ['content.slots'] : []
    // It is the same as `parent_uuid`.
    const replies = ['comments.reply_to']
    const covered = new Set([...written, ...tagged, ...media, ...replies])
    expect(hiddenReferences.filter((each) => !covered.has(each))).to.deep.equal([])
    const targets = new Set(sites.map(({ target }) => target.collection))
    for (const collection of ['sections', 'content', 'files', 'locations', 'tags', 'blogs'])
      expect([...targets]).to.include(collection)
  })
})
