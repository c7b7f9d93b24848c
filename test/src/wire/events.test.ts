/**
 * docs/behaviour/collections.md#events: events as a collection, and their order and filter on content; on every
 * store.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, rowsOf, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('/events', {}, (place) => {
  const create = async (content_type: string, urlname: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(await place.home.editor.post('/content', { content_type, title: urlname, urlname, ...more }))

  const event = (urlname: string, dtstart: string, more: JsonObject = {}): Promise<string> => {
    place.service.clock.advance(1000)
    return create('event', urlname, { dtstart, state: 'published', issued: '2020-01-01', ...more })
  }

  const listed = async (query: string, path = '/events'): Promise<readonly unknown[]> =>
    columnOf(await place.home.reader.get(`${path}?fields=urlname&${query}`))

  /** Three events among other content, not created in the order of their start. */
  const someEvents = async (): Promise<void> => {
    await create('article', 'before', { state: 'published' })
    await event('march', '2026-03-01T19:00', { title: 'B', sort_title: 'Z' })
    await event('january', '2026-01-01T19:00', { title: 'C', issued: '2020-03-01' })
    await create('recipe', 'between', { state: 'published' })
    await event('february', '2026-02-01T19:00', { title: 'A', issued: '2020-02-01' })
  }

  it('lists content of type event only, with the fields of content', async () => {
    const { reader, url } = place.home
    await someEvents()
    const rows = rowsOf(
      await reader.get('/events?fields=content_type-urlname-dtstart-url-uuid-rdates&order=dtstart'),
    )
    expect(rows.map(([type, urlname, dtstart]) => [type, urlname, dtstart])).to.deep.equal([
      ['event', 'january', '2026-01-01T19:00:00'],
      ['event', 'february', '2026-02-01T19:00:00'],
      ['event', 'march', '2026-03-01T19:00:00'],
    ])
    for (const [, , , address, id, dates] of rows) {
      expect(address).to.equal(`${url}/content/${String(id)}`)
      expect(dates).to.deep.equal([])
    }
    expect(await listed('')).to.deep.equal(['march', 'january', 'february'])
  })

  it('is ordered by title, sort_title, created, modified, issued and dtstart', async () => {
    await someEvents()
    expect(await listed('order=title')).to.deep.equal(['february', 'march', 'january'])
    expect(await listed('order=sort_title')).to.deep.equal(['february', 'january', 'march'])
    expect(await listed('order=dtstart.desc')).to.deep.equal(['march', 'february', 'january'])
    expect(await listed('order=issued')).to.deep.equal(['march', 'february', 'january'])
    for (const order of ['created', 'modified'])
      expect(await listed(`order=${order}.desc`)).to.deep.equal(['february', 'january', 'march'])
    expectFaults(await place.home.reader.get('/events?order=urlname'), 'order')
  })

  it('accepts dtstart=<from>_<to>: from is included, to is not, either may be empty', async () => {
    await someEvents()
    for (const order of ['', '&order=dtstart', '&order=title']) {
      const within = (period: string) => listed(`dtstart=${period}${order}`)
      expect(await within('2026-01-01_2026-02-01T19:00')).to.deep.equal(['january'])
      expect(await within('2026-02-01T19:00_')).to.have.members(['march', 'february'])
      expect(await within('_2026-02-01')).to.deep.equal(['january'])
    }
    expectFaults(await place.home.reader.get('/events?dtstart=soon'), 'dtstart')
  })

  it('has the filters of content', async () => {
    const { admin, visitor, reader } = place.home
    const section = uuidOf(await admin.post('/sections', { title: 's', urlname: 's' }))
    await event('inside', '2026-01-01', { section_uuid: section, issued: '2021-05-05' })
    await create('article', 'other', { section_uuid: section, issued: '2021-05-05', state: 'published' })
    await event('draft', '2026-01-02', { state: 'draft' })
    expect(await listed(`sections=${section}`)).to.deep.equal(['inside'])
    expect(await listed('issued=2021-05-05_2021-05-06')).to.deep.equal(['inside'])
    expect(await listed('state=draft')).to.deep.equal(['draft'])
    expect(await listed('ctypes=articles')).to.deep.equal([])
    expect(columnOf(await visitor.get('/events?fields=urlname'))).to.deep.equal(['inside'])
    expectFaults(await reader.get('/events?rpp=0&x=1', { Prefer: 'handling=strict' }), 'rpp', 'x')
  })

  it('shares order and filter with /content?ctypes=events; elsewhere they are faults', async () => {
    const { reader } = place.home
    await someEvents()
    expect(await listed('ctypes=events&order=dtstart', '/content')).to.deep.equal([
      'january',
      'february',
      'march',
    ])
    expect(await listed('ctypes=events&dtstart=2026-02-01_', '/content')).to.deep.equal(['march', 'february'])
    for (const types of ['', '&ctypes=articles', '&ctypes=events-articles']) {
      const order = expectFaults(await reader.get(`/content?order=dtstart${types}`), 'order')
      expect(order['order']).to.equal('«dtstart» needs ctypes=events')
      const filter = expectFaults(await reader.get(`/content?dtstart=2026-01-01_${types}`), 'dtstart')
      expect(filter['dtstart']).to.equal('needs ctypes=events')
    }
  })

  it('has pages that lead to each other, separate from those of /content with the same parameters', async () => {
    const { reader } = place.home
    await someEvents()
    const pages = async (path: string): Promise<readonly unknown[]> => {
      const seen: unknown[] = []
      for (let page = 1; page < 9; page += 1) {
        const response = expectOk(await reader.get(`${path}?fields=urlname&rpp=1&page=${page}&order=title`))
        seen.push(...columnOf(response))
        if (response.object['next'] === undefined) return seen
      }
      throw new Error('the pages have no end')
    }
    expect(await pages('/events')).to.deep.equal(['february', 'march', 'january'])
    expect(await pages('/content')).to.have.lengthOf(5)
    expect(await pages('/events')).to.deep.equal(['february', 'march', 'january'])
  })

  it('follows changes: what is written is listed, what is deleted is not', async () => {
    const { editor } = place.home
    const id = await event('moved', '2026-01-01')
    expect(await listed('dtstart=2026-01-01_2026-01-02')).to.deep.equal(['moved'])
    expectOk(await editor.patch(`/content/${id}`, { dtstart: '2026-07-01' }))
    expect(await listed('dtstart=2026-01-01_2026-01-02')).to.deep.equal([])
    expect(await listed('dtstart=2026-07-01_2026-07-02')).to.deep.equal(['moved'])
    expectOk(await editor.delete(`/content/${id}`))
    expect(await listed('')).to.deep.equal([])
  })

  it('is listed after content in the list of collections', async () => {
    const names = columnOf(await place.home.visitor.get('?fields=name'))
    expect(names.slice(names.indexOf('content'))).to.include.ordered.members(['content', 'events'])
    const rows = rowsOf(await place.home.visitor.get('?fields=name-url'))
    expect(rows).to.deep.include(['events', `${place.home.url}/events`])
  })
})
