/** docs/behaviour/paths.md#redirects: redirects as objects and as a collection, on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectError, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { createPublication } from '../harness/publication.js'

onEveryStore('redirects', {}, (place) => {
  const create = async (pattern: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/redirects', { pattern, template: '/new/', ord: 1, ...more }))

  it('are created, read, replaced, changed and deleted', async () => {
    const { editor, reader, url } = place.home
    const id = await create('/old/**', { template: '/new/\\1', ord: 7 })
    const { created_by, ...whole } = expectOk(await reader.get(`/redirects/${id}`)).object
    expect(created_by).to.be.a('string')
    expect(whole).to.deep.equal({
      uuid: id,
      url: `${url}/redirects/${id}`,
      pattern: '/old/**',
      template: '/new/\\1',
      ord: 7,
      permanent: true,
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:00:00',
    })
    expectOk(await editor.put(`/redirects/${id}`, whole))
    expect(expectOk(await reader.get(`/redirects/${id}`, fresh)).object).to.deep.include(whole)
    place.service.clock.advance(60_000)
    expectOk(await editor.patch(`/redirects/${id}`, { permanent: false, ord: '8' }))
    expect(expectOk(await reader.get(`/redirects/${id}`, fresh)).object).to.include({
      permanent: false,
      ord: 8,
      pattern: '/old/**',
      modified: '2026-03-01T13:01:00',
    })
    const chosen = randomUUID()
    expectOk(
      await editor.put(`/redirects/${chosen}`, { pattern: '/', template: 'https://example.org', ord: -1 }),
    )
    expect(expectOk(await editor.delete(`/redirects/${chosen}`)).body).to.deep.equal({ msg: 'deleted' })
    expectError(await reader.get(`/redirects/${chosen}`), 404, 'not_found')
  })

  // docs/behaviour/paths.md#redirects-as-a-file
  it('are exported with the earlier paths of what the public sees, as files of hosts', async () => {
    const { editor, visitor } = place.home
    await create('/trams/**', { template: '/transport/\\1', ord: 2 })
    await create('/first', { permanent: false })
    const story = { content_type: 'article', title: 'x', urlname: 'old', state: 'published' }
    const id = uuidOf(await editor.post('/content', story))
    expectOk(await editor.patch(`/content/${id}`, { urlname: 'new' }))
    const draft = uuidOf(await editor.post('/content', { ...story, urlname: 'a', state: 'draft' }))
    expectOk(await editor.patch(`/content/${draft}`, { urlname: 'b' }))
    const { headers, text } = expectOk(await visitor.get('/redirects/export'))
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(text.trim().split('\n')).to.deep.equal([
      '/old/ /new/ 301',
      '/first /new/ 302',
      '/trams/* /transport/:splat 301',
    ])
    expect(expectOk(await visitor.get('/redirects/export?format=nginx')).text).to.include(
      '"/old/" "301 /new/$is_args$args";',
    )
    for (const format of ['apache', '', 'nginx&format=nginx'])
      expectFaults(await visitor.get(`/redirects/export?format=${format}`), 'format')
  })

  it('have patterns that are unique in the instance', async () => {
    const { editor } = place.home
    const id = await create('/old/')
    const message = 'pattern must be unique for redirects'
    const twice = await editor.post('/redirects', { pattern: '/old/', template: '/x', ord: 1 })
    expect(expectFaults(twice, 'pattern')['pattern']).to.equal(message)
    const duplicate = await editor.post('/redirects', { pattern: '/old/', template: '', ord: 1 })
    expect(expectFaults(duplicate, 'pattern', 'template')['pattern']).to.equal(message)
    const second = await create('/older/')
    expectFaults(await editor.patch(`/redirects/${second}`, { pattern: '/old/' }), 'pattern')
    expectOk(await editor.put(`/redirects/${id}`, { pattern: '/old/', template: '/y', ord: 2 }))
    const other = await createPublication(place.service)
    expectOk(await other.editor.post('/redirects', { pattern: '/old/', template: '/x', ord: 1 }))
    expectOk(await editor.delete(`/redirects/${id}`))
    expectOk(await editor.patch(`/redirects/${second}`, { pattern: '/old/' }))
  })

  it('are listed with fields, orders and filters', async () => {
    const { reader } = place.home
    await create('/b/', { ord: 2, template: '/3' })
    place.service.clock.advance(60_000)
    await create('/c/', { ord: 1, template: '/2' })
    place.service.clock.advance(60_000)
    await create('/a/', { ord: 3, template: '/1' })
    const listed = async (query: string) => columnOf(await reader.get(`/redirects?fields=pattern&${query}`))
    expect(await listed('')).to.deep.equal(['/b/', '/c/', '/a/'])
    expect(await listed('order=ord')).to.deep.equal(['/c/', '/b/', '/a/'])
    expect(await listed('order=pattern.desc')).to.deep.equal(['/c/', '/b/', '/a/'])
    expect(await listed('order=template')).to.deep.equal(['/a/', '/c/', '/b/'])
    for (const name of ['created', 'modified']) {
      expect(await listed(`order=${name}.desc`)).to.deep.equal(['/a/', '/c/', '/b/'])
      expect(await listed(`${name}=2026-03-01T13:01_2026-03-01T13:02`)).to.deep.equal(['/c/'])
    }
    const [row] = rowsOf(await reader.get('/redirects?fields=template-ord-permanent&order=ord&rpp=1'))
    expect(row).to.deep.equal(['/2', 1, true])
  })
})
