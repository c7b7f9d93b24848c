/**
 * The longest answers that can be asked for: every object as long as its table allows, many of them, and requests for
 * as much of them as parameters can name. Each answer is bounded, and none holds the event loop.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import {
  fieldsOf,
  pageLimits,
  resources,
  segmentsOf,
  slotLimits,
  type Json,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import { queryableOf, type Endpoint } from '@publishing-service/http-contract'
import { expectOk, infoOf } from '../harness/expect-answer.js'
import { longestTurn } from '../harness/longest-turn.js'
import { requiredBody, variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { setStage, type Stage } from './stage.js'
import { walkEndpoints } from './walk.js'

/** Objects of each resource, apart from those of the sample. */
const rows = 30
/** Characters of the longest texts; bodies of requests are limited on this stage. */
const longestText = 100_000
/** Bytes of an answer that is no page: the longest object that can be written, or a list within it. */
const longestObject = 16 * 1024 * 1024
/** How many times the time of the yardstick a turn of the event loop may take. */
const yardsticks = 6

const wide = (length: number): string => '漢'.repeat(length)

/** Every text that may hold any character, as long as it may be. */
const longTexts = (resource: Resource, variant: string | null): JsonObject => {
  const texts: Record<string, Json> = {}
  for (const [name, attribute] of writablesOf(resource, variant)) {
    const { type: of, format, maxLength, enum: values } = attribute.type.schema
    if (attribute.kind !== 'stored') continue
    if (of !== 'string' || values !== undefined || maxLength === undefined) continue
    if (format === 'text') texts[name] = wide(Math.min(maxLength, longestText))
    if (format === 'markup') texts[name] = `<p>${wide(Math.min(maxLength, longestText) - 7)}</p>`
  }
  return texts
}

/** Status, bytes, and the body where it is short. */
type Measured = { readonly status: number; readonly bytes: number; readonly text: string }

const measure = async (address: string, token: string): Promise<Measured> => {
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

describe('the worst answers', function () {
  this.timeout(300_000)
  let stage: Stage
  before(async () => {
    stage = await setStage()
    const { admin, editor } = stage.home
    // Homepages have no texts of their own.
    for (const resource of resources.filter(({ words }) => words === undefined)) {
      const [variant = null] = variantsOf(resource)
      const path = `/${segmentsOf(resource)}`
      const own = `${path}/${stage.ids.get(resource.collection) ?? ''}`
      const texts = longTexts(resource, variant)
      const present = stage.bodies.get(resource.collection) ?? {}
      const tried = await admin.put(own, { ...present, ...texts })
      // What rules between attributes refuse is left out, with those of the same group, such as coupon_title.
      const groups = tried.status === 200 ? [] : Object.keys(infoOf(tried)).map((name) => name.split('_')[0])
      const long = Object.fromEntries(
        Object.entries(texts).filter(([name]) => !groups.includes(name.split('_')[0])),
      )
      expectOk(await admin.put(own, { ...present, ...long }))
      for (let row = 0; row < rows; row += 1) {
        const id = randomUUID()
        expectOk(
          await admin.put(`${path}/${id}`, {
            ...requiredBody(resource, variant, id, stage.candidates),
            ...long,
          }),
        )
      }
    }
    const slots = [stage.slotId, ...Array.from({ length: slotLimits.slots - 1 }, () => randomUUID())]
    const content = `/content/${stage.ids.get('content') ?? ''}`
    const body = slots.map((id) => `<slot id="${id}"/>`).join('')
    expectOk(await editor.patch(content, { content: `<p>${wide(longestText)}</p>${body}` }))
    // Half of the media are as long as they may be, half are as many as there may be.
    const media = (count: number, length: number): JsonObject => ({
      items: Array.from({ length: count }, () => ({ type: 'embed', embed_code: wide(length) })),
    })
    for (const [index, items] of [media(3, 95_000), media(3, 95_000), media(500, 1), media(500, 1)].entries())
      expectOk(await editor.put(`${content}/slots/${slots[index] ?? ''}/media`, items))
  })
  after(() => stage.close())

  /** The same address with the worst parameters: every name, and the same few again and again. */
  const worst = (endpoint: Endpoint): readonly string[] => {
    const address = stage.address(endpoint)
    const queryable = queryableOf(endpoint)
    if (queryable === undefined) return [address]
    const names = [...fieldsOf(queryable).keys()]
    const many = (of: readonly string[]): string =>
      Array.from({ length: pageLimits.fields }, (_, index) => of[index % of.length]).join('-')
    const long = names.filter((name) => name.endsWith('description'))
    return [names.join('-'), many(names), many(long.length > 0 ? long : ['url'])].map(
      (fields) => `${address}?rpp=${pageLimits.maxRpp}&fields=${fields}`,
    )
  }

  const reads = ({ method, permission }: Endpoint): boolean => method === 'GET' && permission !== null

  walkEndpoints(
    'are bounded, and hold the event loop for a moment only',
    { about: reads, sample: 8 },
    async (endpoint) => {
      const isPage = queryableOf(endpoint) !== undefined
      const token = stage.home.admin.token ?? ''
      for (const path of worst(endpoint)) {
        const address = `${stage.service.url}${path}`
        const { status, bytes, text } = await measure(address, token)
        if (status === 400) {
          expect(isPage, text).to.equal(true)
          const { error, error_info } = JSON.parse(text) as Readonly<Record<string, object>>
          expect(error).to.equal('bad_parameters')
          expect(error_info).to.have.all.keys('rpp', 'fields')
        } else expect(status, text).to.equal(200)
        // Links to other pages repeat the parameters.
        expect(bytes).to.be.below(isPage ? pageLimits.bytes + 20_000 : longestObject)
        expect(await longestTurn(() => measure(address, token)), path.slice(0, 200)).to.be.below(yardsticks)
      }
    },
  )

  it('that were too large as a page are there object by object, and can be written back', async () => {
    for (const resource of resources) {
      const path = `/${segmentsOf(resource)}/${stage.ids.get(resource.collection) ?? ''}`
      const { object } = expectOk(await stage.home.admin.get(path))
      expectOk(await stage.home.admin.put(path, object))
      expect(expectOk(await stage.home.admin.get(path)).object['title']).to.equal(object['title'])
    }
    const media = `/content/${stage.ids.get('content') ?? ''}/media`
    const { object } = expectOk(await stage.home.admin.get(media))
    expect((await stage.home.admin.put(media, object)).status).to.be.oneOf([200, 413])
  })
})
