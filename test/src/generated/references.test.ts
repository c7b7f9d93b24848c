/**
 * A deletion leaves reads that are right wherever the object was referred to: null, or out of the list, for every
 * reference of the declarations; and what is read can be put back (docs/behaviour/writing.md#round-trip,
 * docs/behaviour/writing.md#references).
 */
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { fieldsOf, resourceOf, resources, segmentsOf, taggableCollections } from '@publishing-service/domain'
import { endpoints, queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectError, expectOk, expectStatus } from '../harness/expect-answer.js'
import type { Answer, Api } from '../harness/http-client.js'
import { offers } from '../harness/valid-bodies.js'
import { createTarget, hiddenReferences, sites, type Holder, type Site } from './reference-sites.js'
import { setStage, type Stage } from './stage.js'

const fresh = { 'Cache-Control': 'no-cache' } as const

const readable = endpoints.filter(
  ({ method, permission, operation }) =>
    method === 'GET' && permission !== null && operation !== 'downloadFile',
)

describe(`references to what is deleted${sampleTitle(12, sites.length)}`, () => {
  let stage: Stage
  before(async () => {
    stage = await setStage()
  })
  after(async () => {
    await stage.close()
  })

  /** The address of a read, on the holder where it is about objects of that kind, with every field of rows. */
  const addressOf = (endpoint: Endpoint, { collection, id }: Pick<Holder, 'collection' | 'id'>): string => {
    const path = stage.address(endpoint, endpoint.permission?.subject === collection ? { uuid: id } : {})
    const rows = queryableOf(endpoint)
    return rows === undefined ? path : `${path}?rpp=100&fields=${[...fieldsOf(rows).keys()].join('-')}`
  }

  const readAll = async (
    holder: Holder,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReadonlyMap<string, Answer>> => {
    const answers = new Map<string, Answer>()
    for (const who of [stage.home.admin, stage.home.visitor])
      for (const endpoint of readable) {
        // An object that nobody put a slot into, or a tag on, has none.
        const path = addressOf(endpoint, holder)
        answers.set(
          `${who === stage.home.admin ? 'admin' : 'visitor'} ${path}`,
          await stage.root(who.token).get(path, headers),
        )
      }
    return answers
  }

  const textsOf = (answers: ReadonlyMap<string, Answer>) =>
    Object.fromEntries([...answers].map(([path, { status, text }]) => [path, `${status} ${text}`]))

  const isBlocked = ({ target, attribute }: Site, { collection }: Holder): boolean =>
    resourceOf(target.collection)?.blockers?.some(
      (each) => each.collection === collection && each.key === attribute,
    ) ?? false

  /** Whether the holder is deleted with the object that it refers to. */
  const isCascaded = ({ target }: Site, { collection }: Holder): boolean =>
    resourceOf(target.collection)?.dependents?.some((each) => each.collection === collection) ?? false

  /** What is read at a path can be put back, and changes nothing. */
  const expectStable = async (api: Api, path: string): Promise<void> => {
    const read = expectOk(await api.get(path, fresh))
    const { items } = read.object
    // Rows are read one way and written another.
    if (Array.isArray(items) && Array.isArray(items[0])) return
    stage.service.clock.advance(1000)
    for (const headers of [{}, { Prefer: 'handling=strict' }]) {
      expectOk(await api.put(path, read.body, headers))
      expect(expectOk(await api.get(path, fresh)).text).to.equal(read.text)
    }
  }

  for (const site of sampleFrom(sites, 12))
    it(site.title, async () => {
      const { admin } = stage.home
      const id = await createTarget(stage, site.target)
      const holder = await site.hold(stage, id)
      const before_ = await readAll(holder)
      const naming = [...before_].filter(([path, { text }]) => !path.includes(id) && text.includes(id))
      expect(
        naming.some(([path]) => path.includes(holder.id)),
        'the reference is read',
      ).to.equal(true)
      await expectStable(admin, holder.path)
      const resource = resourceOf(site.target.collection)
      if (resource === undefined) throw new Error(`${site.target.collection} is no collection`)
      const path = `/${segmentsOf(resource)}/${id}`
      if (!offers(resource, 'removeObject'))
        return void expectError(await admin.delete(path), 405, 'method_not_allowed')
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
      await expectStable(admin, holder.path)
      expect(textsOf(await readAll(holder, fresh))).to.deep.equal(textsOf(after_))
    })

  for (const collection of taggableCollections)
    it(`what a tag is attached to: ${collection}`, async () => {
      const { admin, editor } = stage.home
      const resource = resourceOf(collection)
      if (resource === undefined) throw new Error(`${collection} is no collection`)
      const tag = await createTarget(stage, { collection: 'tags' })
      const id = await createTarget(stage, { collection })
      expectOk(await editor.put(`/tags/${tag}/describes/${id}`, {}))
      const rows = `/tags/${tag}/describes?fields=uuid-url-type`
      expect(expectOk(await admin.get(rows)).text).to.include(id)
      const path = `/${segmentsOf(resource)}/${id}`
      if (!offers(resource, 'removeObject'))
        return void expectError(await admin.delete(path), 405, 'method_not_allowed')
      expectOk(await admin.delete(path))
      expect(expectOk(await admin.get(rows)).object['items']).to.deep.equal([])
      expect(expectOk(await admin.get('/tag_cloud?limit=500')).text).not.to.include(tag)
      for (const method of ['GET', 'DELETE'])
        expectError(await admin.send(method, `/tags/${tag}/describes/${id}`), 404, 'not_found')
    })

  for (const resource of resources.filter((each) => offers(each, 'removeObject')))
    it(`a deleted ${resource.name} is found at no address`, async () => {
      const { admin } = stage.home
      const id = await createTarget(stage, resource)
      const ofIt = endpoints.filter(
        ({ path, permission, method }) =>
          path.includes('{uuid}') && permission?.subject === resource.collection && method !== 'PUT',
      )
      expectOk(await admin.delete(`/${segmentsOf(resource)}/${id}`))
      for (const endpoint of ofIt) {
        const answer = await stage
          .root(admin.token)
          .send(endpoint.method, stage.address(endpoint, { uuid: id }), {
            headers: { 'Content-Type': 'application/json' },
            ...(endpoint.body === 'object' ? { body: '{}' } : {}),
          })
        if (endpoint.method === 'GET' || endpoint.method === 'DELETE') expectStatus(answer, 404)
        else expect(answer.status).to.be.oneOf([400, 404])
      }
    })

  it('none is left out: what keeps references out of sight is written at an address of its own', () => {
    const written = endpoints.flatMap(({ members }) =>
      members === undefined ? [] : [`${members.resource.collection}.${members.attribute}`],
    )
    const tagged = taggableCollections.map((collection) => `${collection}.taggings`)
    expect(hiddenReferences.filter((each) => ![...written, ...tagged].includes(each))).to.deep.equal([])
    const targets = new Set(sites.map(({ target }) => target.collection))
    for (const collection of ['sections', 'content', 'files', 'locations', 'tags', 'blogs'])
      expect([...targets]).to.include(collection)
  })
})
