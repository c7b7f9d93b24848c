/**
 * Writers at the same moment (docs/behaviour/writing.md#concurrent-writes, docs/behaviour/sections.md#tree): each
 * rule holds as if they had come one after the other.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { rounds as roundsOf } from '@publishing-service/conformance'
import type { JsonObject } from '@publishing-service/domain'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-answer.js'
import type { Answer, Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/library.js'
import { together, type Place } from './writing-places.js'

const writers = 8
const rounds = roundsOf(2, 4)
const fresh = { 'Cache-Control': 'no-cache' }

const statuses = (answers: readonly Answer[]): readonly number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

const oneOf = (winner: number, losers: number, count = writers): readonly number[] =>
  [winner, ...Array.from({ length: count - 1 }, () => losers)].toSorted((a, b) => a - b)

const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
  content_type: 'article',
  title: 'An article',
  urlname,
  ...more,
})

/** Declares the tests of writers that race, by both ways of a place. */
export const declareRaces = (name: string, open: () => Promise<Place>): void => {
  describe(`writers at the same moment: ${name}`, function () {
    this.timeout(30_000)
    let place: Place
    let api: Api
    before(async () => {
      place = await open()
      api = place.ways[0]
    })
    after(() => place.close())

    const created = async (collection: string, body: JsonObject): Promise<string> =>
      uuidOf(await api.post(`/${collection}`, body))
    const read = async (path: string): Promise<JsonObject> => expectOk(await api.get(path, fresh)).object

    it('of those who name one state in If-Match, one wins', async () => {
      const path = `/content/${await created('content', article(randomUUID()))}`
      for (let round = 0; round < rounds; round += 1) {
        const tag = String((await api.get(path, fresh)).headers['etag'])
        const answers = await together(place, writers, (way, index) =>
          way.patch(path, { title: `${round}.${index}` }, { 'If-Match': tag }),
        )
        expect(statuses(answers)).to.deep.equal(oneOf(200, 412))
        const winner = answers.findIndex(({ status }) => status === 200)
        expect((await read(path))['title']).to.equal(`${round}.${winner}`)
      }
    })

    it('of those who create with If-None-Match: *, one wins', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const id = randomUUID()
        const answers = await together(place, writers, (way, index) =>
          way.put(`/content/${id}`, article(id, { title: `${index}` }), { 'If-None-Match': '*' }),
        )
        expect(statuses(answers)).to.deep.equal(oneOf(200, 412))
        const winner = answers.findIndex(({ status }) => status === 200)
        expect((await read(`/content/${id}`))['title']).to.equal(`${winner}`)
      }
    })

    it('changes of different attributes all survive', async () => {
      const names = ['title', 'sub_title', 'kicker', 'description', 'print_description', 'meta_title']
      const path = `/content/${await created('content', article(randomUUID()))}`
      for (let round = 0; round < rounds; round += 1) {
        const answers = await together(place, names.length, (way, index) =>
          way.patch(path, { [String(names[index])]: `${round} of ${names[index]}` }),
        )
        answers.forEach(expectOk)
        const object = await read(path)
        for (const each of names) expect(object[each]).to.equal(`${round} of ${each}`)
      }
    })

    it('no step is lost of one attribute that all of them raise, each from what it has read', async () => {
      const path = `/content/${await created('content', article(randomUUID(), { title: '0' }))}`
      const steps = 4
      await together(place, writers, async (way) => {
        for (let done = 0; ;) {
          const found = expectOk(await way.get(path, fresh))
          const tag = String(found.headers['etag'])
          const title = `${Number(found.object['title']) + 1}`
          const answer = await way.patch(path, { title }, { 'If-Match': tag })
          expect(answer.status).to.be.oneOf([200, 412])
          if (answer.status === 200) done += 1
          if (done === steps) return answer
        }
      })
      expect((await read(path))['title']).to.equal(`${writers * steps}`)
      for (const way of place.ways)
        expect(expectOk(await way.get(path, fresh)).object['title']).to.equal(`${writers * steps}`)
    })

    it('media that are added all stay, each once', async () => {
      const slot = randomUUID()
      const body = article(randomUUID(), { content: `<slot id="${slot}"/>` })
      const path = `/content/${await created('content', body)}/slots/${slot}/media`
      const answers = await together(place, 12, (way, index) =>
        way.post(path, { type: 'embed', embed_code: `medium ${index}` }),
      )
      answers.forEach(expectOk)
      const codes = objectsOf(await api.get(path, fresh)).map(({ embed_code: code }) => String(code))
      expect(codes.toSorted()).to.deep.equal(
        Array.from({ length: 12 }, (_, index) => `medium ${index}`).toSorted(),
      )
    })

    const takenWords = {
      content: 'urlname not unique within section',
      sections: 'urlname not unique within parent section',
    } as const

    for (const collection of ['content', 'sections'] as const)
      it(`of those who take one urlname among ${collection}, one wins, and the others are told`, async () => {
        const bodyOf = (urlname: string) =>
          collection === 'content' ? article(urlname) : { title: 'A section', urlname }
        for (let round = 0; round < rounds; round += 1) {
          const urlname = randomUUID()
          const creations = await together(place, writers, (way) =>
            way.post(`/${collection}`, bodyOf(urlname)),
          )
          expect(statuses(creations)).to.deep.equal(oneOf(200, 400))
          const paths: string[] = []
          for (let count = 0; count < writers; count += 1)
            paths.push(`/${collection}/${await created(collection, bodyOf(randomUUID()))}`)
          const wanted = randomUUID()
          const changes = await together(place, writers, (way, index) =>
            way.patch(String(paths[index]), { urlname: wanted }),
          )
          expect(statuses(changes)).to.deep.equal(oneOf(200, 400))
          for (const answer of [...creations, ...changes].filter(({ status }) => status === 400))
            expect(expectFaults(answer, 'urlname')['urlname']).to.equal(takenWords[collection])
        }
      })

    it('sections that move below each other never make a circle', async () => {
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1)
        ids.push(await created('sections', { title: 'A section', urlname: randomUUID() }))
      const parentOf = async (id: string) => (await read(`/sections/${id}`))['parent_uuid']
      for (let round = 0; round < rounds * 2; round += 1) {
        const step = 1 + (round % 4)
        const answers = await together(place, ids.length, (way, index) =>
          way.patch(`/sections/${ids[index]}`, { parent_uuid: ids[(index + step) % ids.length] ?? null }),
        )
        for (const answer of answers) if (answer.status !== 200) expectFaults(answer, 'parent_uuid')
        for (const id of ids) {
          let above: unknown = id
          for (let depth = 0; typeof above === 'string'; depth += 1) {
            expect(depth, 'the height of the tree').to.be.below(ids.length)
            above = await parentOf(above)
          }
        }
        for (const id of ids.toReversed()) expectOk(await api.patch(`/sections/${id}`, { parent_uuid: null }))
      }
    })

    const references: readonly (readonly [string, (urlname: string) => JsonObject, string])[] = [
      ['content', (urlname) => article(urlname), 'section_uuid'],
      ['sections', (urlname) => ({ title: 'A section', urlname }), 'parent_uuid'],
    ]
    for (const [collection, bodyOf, key] of references)
      for (const method of ['patch', 'put', 'post'] as const)
        it(`a section is never deleted while ${collection} come to refer to it by ${method}`, async function () {
          // A move of a section takes a database that scans its collections a second.
          this.timeout(180_000)
          for (let round = 0; round < rounds * 2; round += 1) {
            const urlname = randomUUID()
            const body = bodyOf(urlname)
            const target = await created('sections', { title: 'A section', urlname: randomUUID() })
            const path = method === 'post' ? '' : `/${collection}/${await created(collection, body)}`
            const refer = (way: Api): Promise<Answer> =>
              method === 'post'
                ? way.post(`/${collection}`, { ...body, [key]: target })
                : method === 'put'
                  ? way.put(path, { ...body, [key]: target })
                  : way.patch(path, { [key]: target })
            const [first, second] = place.ways
            const [deletion, writing] = await (round % 2 === 0
              ? Promise.all([first.delete(`/sections/${target}`), refer(second)])
              : Promise.all([refer(first), second.delete(`/sections/${target}`)]).then(
                  ([referring, deleting]) => [deleting, referring] as const,
                ))
            const there = (await api.get(`/sections/${target}`, fresh)).status === 200
            expect(there).to.equal(deletion.status !== 200)
            if (deletion.status === 200) expectFaults(writing, key)
            else {
              expectError(deletion, 409, 'in_use')
              const { url } = expectOk(writing).object
              expect((await read(pathBelow(url)))[key]).to.equal(target)
            }
            if (deletion.status === 200 && path !== '') expect((await read(path))[key]).to.equal(null)
          }
        })

    it('a change doesn’t bring back what was deleted at the same moment', async () => {
      for (let round = 0; round < rounds * 2; round += 1) {
        const path = `/content/${await created('content', article(randomUUID()))}`
        const answers = await together(place, 4, (way, index) =>
          index === 1 ? way.delete(path) : way.patch(path, { title: `${index}` }),
        )
        expect(answers[1]?.status).to.equal(200)
        for (const { status } of answers) expect(status).to.be.oneOf([200, 404])
        expect((await api.get(path, fresh)).status).to.equal(404)
      }
    })

    it('of uploads to one file the last stands, whole', async () => {
      const id = await created('files', { title: 'A file', filename: 'f.bin' })
      const bodies = Array.from({ length: 6 }, (_, index) => Buffer.alloc(200_000 + index, `${index}`))
      const answers = await together(place, bodies.length, (way, index) =>
        way.send('POST', `/files/${id}`, {
          body: bodies[index] ?? '',
          headers: { 'Content-Type': 'application/zip' },
        }),
      )
      const addresses = answers.map((answer) => expectOk(answer).object['download_url'])
      const { download_url: address } = await read(`/files/${id}`)
      const at = addresses.map((each) => pathBelow(each)).indexOf(pathBelow(address))
      expect(at).to.be.above(-1)
      const { bytes } = expectOk(await api.get(pathBelow(address)))
      expect(bytes.equals(bodies[at] ?? Buffer.alloc(0))).to.equal(true)
    })
  })
}
