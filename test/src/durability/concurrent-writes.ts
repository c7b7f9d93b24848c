/**
 * Concurrent writes (docs/behaviour/writing.md#concurrent-writes, docs/behaviour/sections.md#tree). The result is
 * that of serialized writes.
 */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import type { ApiResponse, Api } from '../harness/http-client.js'
import { pathBelow } from '../harness/stored-files.js'
import { sendConcurrently, type WriteTarget } from './write-targets.js'

const writers = 8
const rounds = 2
const fresh = { 'Cache-Control': 'no-cache' }

const statuses = (responses: readonly ApiResponse[]): readonly number[] =>
  responses.map(({ status }) => status).toSorted((a, b) => a - b)

const statusesOfOneWinner = (winner: number, losers: number, count = writers): readonly number[] =>
  [winner, ...Array.from({ length: count - 1 }, () => losers)].toSorted((a, b) => a - b)

const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
  content_type: 'article',
  title: 'An article',
  urlname,
  ...more,
})

/** Declares the tests of concurrent writes, which alternate between the services. */
export const describeRaces = (name: string, open: () => Promise<WriteTarget>): void => {
  describe(`concurrent writes: ${name}`, function () {
    this.timeout(120_000)
    let target: WriteTarget
    let api: Api
    before(async () => {
      target = await open()
      api = target.clients[0]
    })
    after(() => target.close())

    const created = async (collection: string, body: JsonObject): Promise<string> =>
      uuidOf(await api.post(`/${collection}`, body))
    const read = async (path: string): Promise<JsonObject> => expectOk(await api.get(path, fresh)).object

    it('one of several with the same If-Match succeeds', async () => {
      const path = `/content/${await created('content', article(randomUUID()))}`
      for (let round = 0; round < rounds; round += 1) {
        const tag = String((await api.get(path, fresh)).headers['etag'])
        const responses = await sendConcurrently(target, writers, (client, index) =>
          client.patch(path, { title: `${round}.${index}` }, { 'If-Match': tag }),
        )
        expect(statuses(responses)).to.deep.equal(statusesOfOneWinner(200, 412))
        const winner = responses.findIndex(({ status }) => status === 200)
        expect((await read(path))['title']).to.equal(`${round}.${winner}`)
      }
    })

    it('one of several creations with If-None-Match: * succeeds', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const id = randomUUID()
        const responses = await sendConcurrently(target, writers, (client, index) =>
          client.put(`/content/${id}`, article(id, { title: `${index}` }), { 'If-None-Match': '*' }),
        )
        expect(statuses(responses)).to.deep.equal(statusesOfOneWinner(200, 412))
        const winner = responses.findIndex(({ status }) => status === 200)
        expect((await read(`/content/${id}`))['title']).to.equal(`${winner}`)
      }
    })

    it('changes of different attributes are all stored', async () => {
      const names = ['title', 'sub_title', 'kicker', 'description', 'print_description', 'meta_title']
      const path = `/content/${await created('content', article(randomUUID()))}`
      for (let round = 0; round < rounds; round += 1) {
        const responses = await sendConcurrently(target, names.length, (client, index) =>
          client.patch(path, { [String(names[index])]: `${round} of ${names[index]}` }),
        )
        responses.forEach(expectOk)
        const object = await read(path)
        for (const each of names) expect(object[each]).to.equal(`${round} of ${each}`)
      }
    })

    it('increments of one attribute are all stored', async () => {
      const path = `/content/${await created('content', article(randomUUID(), { title: '0' }))}`
      const steps = 2
      await sendConcurrently(target, writers, async (client) => {
        for (let done = 0; ;) {
          const found = expectOk(await client.get(path, fresh))
          const tag = String(found.headers['etag'])
          const title = `${Number(found.object['title']) + 1}`
          const response = await client.patch(path, { title }, { 'If-Match': tag })
          expect(response.status).to.be.oneOf([200, 412])
          if (response.status === 200) done += 1
          if (done === steps) return response
        }
      })
      expect((await read(path))['title']).to.equal(`${writers * steps}`)
      for (const client of target.clients)
        expect(expectOk(await client.get(path, fresh)).object['title']).to.equal(`${writers * steps}`)
    })

    it('added media are all stored once', async () => {
      const slot = randomUUID()
      const body = article(randomUUID(), { content: `<slot id="${slot}"/>` })
      const path = `/content/${await created('content', body)}/slots/${slot}/media`
      const responses = await sendConcurrently(target, 12, (client, index) =>
        client.post(path, { type: 'embed', embed_code: `medium ${index}` }),
      )
      responses.forEach(expectOk)
      const codes = objectsOf(await api.get(path, fresh)).map(({ embed_code: code }) => String(code))
      expect(codes.toSorted()).to.deep.equal(
        Array.from({ length: 12 }, (_, index) => `medium ${index}`).toSorted(),
      )
    })

    const conflictMessages = {
      content: 'urlname not unique within section',
      sections: 'urlname not unique within parent section',
    } as const

    for (const collection of ['content', 'sections'] as const)
      it(`one of several writes of the same urlname to ${collection} succeeds, the others report a fault`, async () => {
        const bodyOf = (urlname: string) =>
          collection === 'content' ? article(urlname) : { title: 'A section', urlname }
        for (let round = 0; round < rounds; round += 1) {
          const urlname = randomUUID()
          const creations = await sendConcurrently(target, writers, (client) =>
            client.post(`/${collection}`, bodyOf(urlname)),
          )
          expect(statuses(creations)).to.deep.equal(statusesOfOneWinner(200, 400))
          const paths: string[] = []
          for (let count = 0; count < writers; count += 1)
            paths.push(`/${collection}/${await created(collection, bodyOf(randomUUID()))}`)
          const taken = randomUUID()
          const changes = await sendConcurrently(target, writers, (client, index) =>
            client.patch(String(paths[index]), { urlname: taken }),
          )
          expect(statuses(changes)).to.deep.equal(statusesOfOneWinner(200, 400))
          for (const response of [...creations, ...changes].filter(({ status }) => status === 400))
            expect(expectFaults(response, 'urlname')['urlname']).to.equal(conflictMessages[collection])
        }
      })

    it('one of several writes of the same path to content, events and sections succeeds', async () => {
      const kinds = [
        ['content', (urlname: string) => article(urlname)],
        ['sections', (urlname: string) => ({ title: 'A section', urlname: urlname.toUpperCase() })],
        ['content', (urlname: string) => article(urlname, { content_type: 'event', dtstart: '2026-05-01' })],
      ] as const
      for (let round = 0; round < rounds; round += 1) {
        const urlname = randomUUID()
        const responses = await sendConcurrently(target, writers, (client, index) => {
          const [collection, bodyOf] = kinds[Math.floor(index / 2) % kinds.length] ?? kinds[0]
          return client.post(`/${collection}`, bodyOf(urlname))
        })
        expect(statuses(responses)).to.deep.equal(statusesOfOneWinner(200, 400))
        for (const response of responses.filter(({ status }) => status === 400))
          expectFaults(response, 'urlname')
      }
    })

    it('moves of sections never create a cycle', async () => {
      const ids: string[] = []
      for (let count = 0; count < 5; count += 1)
        ids.push(await created('sections', { title: 'A section', urlname: randomUUID() }))
      const parentOf = async (id: string) => (await read(`/sections/${id}`))['parent_uuid']
      for (let round = 0; round < rounds * 2; round += 1) {
        const step = 1 + (round % 4)
        const responses = await sendConcurrently(target, ids.length, (client, index) =>
          client.patch(`/sections/${ids[index]}`, { parent_uuid: ids[(index + step) % ids.length] ?? null }),
        )
        for (const response of responses) if (response.status !== 200) expectFaults(response, 'parent_uuid')
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
        it(`a section is not deleted while ${collection} refer to it by ${method}`, async function () {
          // A move of a section takes a second on a database that scans its collections.
          this.timeout(180_000)
          for (let round = 0; round < rounds * 2; round += 1) {
            const urlname = randomUUID()
            const body = bodyOf(urlname)
            const sectionId = await created('sections', { title: 'A section', urlname: randomUUID() })
            const path = method === 'post' ? '' : `/${collection}/${await created(collection, body)}`
            const refer = (client: Api): Promise<ApiResponse> =>
              method === 'post'
                ? client.post(`/${collection}`, { ...body, [key]: sectionId })
                : method === 'put'
                  ? client.put(path, { ...body, [key]: sectionId })
                  : client.patch(path, { [key]: sectionId })
            const [first, second] = target.clients
            const [deletion, writing] = await (round % 2 === 0
              ? Promise.all([first.delete(`/sections/${sectionId}`), refer(second)])
              : Promise.all([refer(first), second.delete(`/sections/${sectionId}`)]).then(
                  ([referring, deleting]) => [deleting, referring] as const,
                ))
            const exists = (await api.get(`/sections/${sectionId}`, fresh)).status === 200
            expect(exists).to.equal(deletion.status !== 200)
            if (deletion.status === 200) expectFaults(writing, key)
            else {
              expectError(deletion, 409, 'in_use')
              const { url } = expectOk(writing).object
              expect((await read(pathBelow(url)))[key]).to.equal(sectionId)
            }
            if (deletion.status === 200 && path !== '') expect((await read(path))[key]).to.equal(null)
          }
        })

    it('a change does not restore a concurrently deleted object', async () => {
      for (let round = 0; round < rounds * 2; round += 1) {
        const path = `/content/${await created('content', article(randomUUID()))}`
        const responses = await sendConcurrently(target, 4, (client, index) =>
          index === 1 ? client.delete(path) : client.patch(path, { title: `${index}` }),
        )
        expect(responses[1]?.status).to.equal(200)
        for (const { status } of responses) expect(status).to.be.oneOf([200, 404])
        expect((await api.get(path, fresh)).status).to.equal(404)
      }
    })

    it('the last of several uploads to one file is stored completely', async () => {
      const id = await created('files', { title: 'A file', filename: 'f.bin' })
      const bodies = Array.from({ length: 6 }, (_, index) => Buffer.alloc(200_000 + index, `${index}`))
      const responses = await sendConcurrently(target, bodies.length, (client, index) =>
        client.send('POST', `/files/${id}`, {
          body: bodies[index] ?? '',
          headers: { 'Content-Type': 'application/zip' },
        }),
      )
      const addresses = responses.map((response) => expectOk(response).object['download_url'])
      const { download_url: address } = await read(`/files/${id}`)
      const at = addresses.map((each) => pathBelow(each)).indexOf(pathBelow(address))
      expect(at).to.be.above(-1)
      const { bytes } = expectOk(await api.get(pathBelow(address)))
      expect(bytes.equals(bodies[at] ?? Buffer.alloc(0))).to.equal(true)
    })
  })
}
