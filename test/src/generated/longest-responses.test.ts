/**
 * The longest possible responses: many objects with all texts at their maximum length, requested with as many
 * fields as parameters allow. Each response has a bounded size and does not block the event loop.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { resources, type Resource } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { slotLimits } from '@publishing-service/domain/content'
import { fieldsOf, pageLimits } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import { queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectOk, infoOf } from '../harness/expect-response.js'
import { longestEventLoopDelay } from '../harness/event-loop-delay.js'
import { requiredBody, variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { startFixture, type Fixture } from './service-fixture.js'
import { testEndpoints } from './test-endpoints.js'

/** The number of additional objects of each resource. */
const rows = 8
/** Characters of the longest texts. The fixture limits the size of request bodies. */
const longestText = 100_000
/** The maximum number of bytes of a response other than a page. */
const longestObject = 16 * 1024 * 1024
/** The longest allowed event loop delay, in units of the reference work. */
const maxDelay = 6

const multiByteText = (length: number): string => '漢'.repeat(length)

/** Every attribute that accepts arbitrary text, at its maximum length. */
const longTexts = (resource: Resource, variant: string | null): JsonObject => {
  const texts: Record<string, Json> = {}
  for (const [name, attribute] of writablesOf(resource, variant)) {
    const { type: of, format, maxLength, enum: values } = attribute.type.schema
    if (attribute.kind !== 'stored') continue
    if (of !== 'string' || values !== undefined || maxLength === undefined) continue
    if (format === 'text') texts[name] = multiByteText(Math.min(maxLength, longestText))
    if (format === 'markup') texts[name] = `<p>${multiByteText(Math.min(maxLength, longestText) - 7)}</p>`
  }
  return texts
}

/** Status, size, and the body if it is short. */
type MeasuredResponse = { readonly status: number; readonly bytes: number; readonly text: string }

const measure = async (address: string, token: string): Promise<MeasuredResponse> => {
  const headers = { Authorization: `Bearer ${token}`, 'Cache-Control': 'no-cache' }
  const [response] = (await once(request(address, { headers }).end(), 'response')) as [IncomingMessage]
  let bytes = 0
  const first: Buffer[] = []
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes < 100_000) first.push(piece)
  }
  return { status: response.statusCode ?? 0, bytes, text: Buffer.concat(first).toString() }
}

describe('the longest responses', function () {
  this.timeout(300_000)
  let fixture: Fixture
  before(async () => {
    fixture = await startFixture()
    const { admin, editor } = fixture.home
    // Homepages have no text attributes.
    for (const resource of resources.filter(({ given }) => given === undefined)) {
      const [variant = null] = variantsOf(resource)
      const path = `/${segmentsOf(resource)}`
      const ownPath = `${path}/${fixture.ids.get(resource.collection) ?? ''}`
      const texts = longTexts(resource, variant)
      const present = fixture.bodies.get(resource.collection) ?? {}
      const attempt = await admin.put(ownPath, { ...present, ...texts })
      // Attributes that cross-attribute rules reject are omitted, together with their group, such as coupon_title.
      const groups =
        attempt.status === 200 ? [] : Object.keys(infoOf(attempt)).map((name) => name.split('_')[0])
      const long = Object.fromEntries(
        Object.entries(texts).filter(([name]) => !groups.includes(name.split('_')[0])),
      )
      expectOk(await admin.put(ownPath, { ...present, ...long }))
      for (let row = 0; row < rows; row += 1) {
        const id = randomUUID()
        expectOk(
          await admin.put(`${path}/${id}`, {
            ...requiredBody(resource, variant, id, fixture.candidates),
            ...long,
          }),
        )
      }
    }
    const slots = [fixture.slotId, ...Array.from({ length: slotLimits.slots - 1 }, () => randomUUID())]
    const content = `/content/${fixture.ids.get('content') ?? ''}`
    const body = slots.map((id) => `<slot id="${id}"/>`).join('')
    expectOk(await editor.patch(content, { content: `<p>${multiByteText(longestText)}</p>${body}` }))
    // Half of the media lists have the longest items, half the largest number of items.
    const media = (count: number, length: number): JsonObject => ({
      items: Array.from({ length: count }, () => ({ type: 'embed', embed_code: multiByteText(length) })),
    })
    for (const [index, items] of [media(3, 95_000), media(3, 95_000), media(500, 1), media(500, 1)].entries())
      expectOk(await editor.put(`${content}/slots/${slots[index] ?? ''}/media`, items))
  })
  after(() => fixture.close())

  /** The path with the most expensive parameters: every field, and the same few fields repeated. */
  const expensivePaths = (endpoint: Endpoint): readonly string[] => {
    const address = fixture.address(endpoint)
    const queryable = queryableOf(endpoint)
    if (queryable === undefined) return [address]
    const names = [...fieldsOf(queryable).keys()]
    const many = (of: readonly string[]): string =>
      Array.from({ length: pageLimits.fields }, (_, index) => of[index % of.length]).join('-')
    const long = names.filter((name) => name.endsWith('description'))
    return [names.join('-'), many(names), many(long.length > 0 ? long : names.slice(0, 1))].map(
      (fields) => `${address}?rpp=${pageLimits.maxRpp}&fields=${fields}`,
    )
  }

  const reads = ({ method, permission }: Endpoint): boolean => method === 'GET' && permission !== null

  testEndpoints(
    'have a bounded size and do not block the event loop',
    { filter: reads, sample: 5 },
    async (endpoint) => {
      const isPage = queryableOf(endpoint) !== undefined
      const token = fixture.home.admin.token ?? ''
      for (const path of expensivePaths(endpoint)) {
        const address = `${fixture.service.url}${path}`
        const { status, bytes, text } = await measure(address, token)
        if (status === 400) {
          expect(isPage, text).to.equal(true)
          const { error, error_info } = JSON.parse(text) as Readonly<Record<string, object>>
          expect(error).to.equal('bad_parameters')
          expect(error_info).to.have.all.keys('rpp', 'fields')
        } else expect(status, text).to.equal(200)
        // The links to other pages repeat the parameters.
        expect(bytes).to.be.below(isPage ? pageLimits.bytes + 20_000 : longestObject)
        const delay = await longestEventLoopDelay(() => measure(address, token), maxDelay)
        expect(delay, path.slice(0, 200)).to.be.below(maxDelay)
      }
    },
  )

  it('too large as a page can be read object by object and written back', async () => {
    for (const resource of resources) {
      const path = `/${segmentsOf(resource)}/${fixture.ids.get(resource.collection) ?? ''}`
      const { object } = expectOk(await fixture.home.admin.get(path))
      expectOk(await fixture.home.admin.put(path, object))
      expect(expectOk(await fixture.home.admin.get(path)).object['title']).to.equal(object['title'])
    }
    const media = `/content/${fixture.ids.get('content') ?? ''}/media`
    const { object } = expectOk(await fixture.home.admin.get(media))
    expect((await fixture.home.admin.put(media, object)).status).to.be.oneOf([200, 413])
  })
})
