/** The feed of changes (docs/behaviour/changes.md), on every store. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { it } from 'mocha'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { Api } from '../harness/http-client.js'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

type Page = { readonly items: readonly JsonObject[]; readonly next: string }

onEveryStore('the feed of changes', {}, (place) => {
  const read = async (api: Api, query = ''): Promise<Page> => {
    const { items = null, next = null } = expectOk(await api.get(`/changes?${query}`)).object
    if (!Array.isArray(items) || typeof next !== 'string') throw new Error('it is no page of the feed')
    return { items: items.filter(isJsonObject), next }
  }
  /** All changes after a place, in time. */
  const readOn = async (api: Api, since: string, count: number): Promise<Page> => {
    const items: JsonObject[] = []
    let next = since
    for (let attempt = 0; attempt < 20 && items.length < count; attempt += 1) {
      const page = await read(api, `${next === '' ? '' : `since=${next}&`}wait=1`)
      items.push(...page.items)
      next = page.next
    }
    return { items, next }
  }
  const now = async (api: Api): Promise<string> => (await read(api, 'since=now')).next
  const article = (urlname: string, more: JsonObject = {}): JsonObject => ({
    content_type: 'article',
    title: 'One',
    urlname,
    ...more,
  })
  const kinds = ({ items }: Page): readonly Json[] => items.map(({ kind = null }) => kind)

  it('has each change once for each role, in the order of an object', async () => {
    const { editor, reader, visitor } = place.home
    const [since, publicSince] = [await now(reader), await now(visitor)]
    const id = uuidOf(await editor.post('/content', article('a-change')))
    const path = `/content/${id}`
    expectOk(await editor.patch(path, { title: 'Two' }))
    expectOk(await editor.patch(path, { state: 'published', urlname: 'changed' }))
    expectOk(await editor.delete(path))
    const all = await readOn(reader, since, 4)
    expect(kinds(all)).to.deep.equal(['created', 'updated', 'published', 'removed'])
    expect(all.items[2]).to.deep.include({
      type: 'content',
      uuid: id,
      path: '/changed/',
      previous_path: '/a-change/',
    })
    const shown = await readOn(visitor, publicSince, 2)
    expect(kinds(shown)).to.deep.equal(['published', 'removed'])
    expect((await read(reader, `since=${all.next}`)).items).to.deep.equal([])
  })

  it('a request waits for a change, and no longer than it says', async () => {
    const { editor, reader } = place.home
    const since = await now(reader)
    const start = performance.now()
    const waiting = read(reader, `since=${since}&wait=20`)
    await wait(200)
    const id = uuidOf(await editor.post('/content', article('awaited')))
    const page = await waiting
    expect(page.items[0]).to.include({ uuid: id })
    expect(performance.now() - start, 'milliseconds of the wait').to.be.below(10_000)
    const idle = performance.now()
    expect((await read(reader, `since=${page.next}&wait=1`)).items).to.deep.equal([])
    expect(performance.now() - idle, 'milliseconds without a change').to.be.within(900, 8000)
  })

  it('twelve writers at the same time miss nobody who reads on', async () => {
    const { editor, reader } = place.home
    let since = await now(reader)
    const [writers, each] = [12, 5]
    const seen: string[] = []
    const reading = (async () => {
      for (let attempt = 0; attempt < 60 && seen.length < writers * each; attempt += 1) {
        const { items, next } = await read(reader, `since=${since}&wait=1&types=content`)
        seen.push(...items.map(({ uuid, kind }) => `${String(uuid)} ${String(kind)}`))
        since = next
      }
    })()
    const ids = await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const id = uuidOf(await editor.post('/content', article(`writer-${writer}`)))
        for (let i = 1; i < each; i += 1) expectOk(await editor.patch(`/content/${id}`, { title: `T${i}` }))
        return id
      }),
    )
    await reading
    expect(seen).to.have.length(writers * each)
    for (const id of ids)
      expect(seen.filter((line) => line.startsWith(id)).map((line) => line.split(' ')[1])).to.deep.equal([
        'created',
        ...Array.from({ length: each - 1 }, () => 'updated'),
      ])
  })

  it('refuses an unknown cursor, and one that is too old', async () => {
    const { number, editor, reader } = place.home
    expectFaults(await reader.get('/changes?since=x&wait=99&types=things'), 'since', 'wait', 'types')
    expectError(await reader.get(`/changes?since=${number}-1-1`), 410, 'cursor_expired')
    uuidOf(await editor.post('/content', article('the-first')))
    expect((await readOn(reader, '', 1)).items[0]).to.include({ kind: 'created', path: '/the-first/' })
  })
})
