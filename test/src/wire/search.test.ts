/** Search by words (docs/behaviour/search.md). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, itemsOf, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

onEveryStore('search', {}, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.editor.post(`/${collection}`, { urlname: randomUUID(), ...body }))
  const article = (title: string, body: JsonObject = {}): Promise<string> =>
    write('content', { content_type: 'article', state: 'published', title, ...body })
  const titles = async (query: string, client = place.home.reader) =>
    columnOf(await client.get(`${query}&fields=title`, fresh))
  const found = (words: string, query = '') => titles(`/content?q=${encodeURIComponent(words)}${query}`)

  it('finds all words in any order, folded, the last one as a prefix', async () => {
    await article('Élysée Palace', { description: 'Where the président lives' })
    await article('Palace hotel', { content: '<p>A ho<b>tel</b> in Paris</p><p>near the river</p>' })
    expect(await found('palace elysee')).to.deep.equal(['Élysée Palace'])
    expect(await found('PRESIDENT elys')).to.deep.equal(['Élysée Palace'])
    expect(await found('pala')).to.deep.equal(['Palace hotel', 'Élysée Palace'])
    expect(await found('pala hotel')).to.deep.equal([])
    expect(await found('"in paris"')).to.deep.equal(['Palace hotel'])
    expect(await found('"paris near"')).to.deep.equal(['Palace hotel'])
    expect(await found('"paris in"')).to.deep.equal([])
    expect(await found('"in pari"')).to.deep.equal([])
  })

  it('returns titles before descriptions before bodies, and the newest first', async () => {
    await article('First', { content: '<p>ferry</p>' })
    await article('Second ferry')
    await article('Third', { kicker: 'By ferry' })
    await article('Fourth ferry')
    const all = ['Fourth ferry', 'Second ferry', 'Third', 'First']
    expect(await found('ferry')).to.deep.equal(all)
    for (const [index, title] of all.entries())
      expect(await found('ferry', `&rpp=1&page=${index + 1}`), title).to.deep.equal([title])
    expect(await found('ferry', '&rpp=3&page=2')).to.deep.equal(['First'])
    expect(await found('ferry', '&rpp=3&page=3')).to.deep.equal([])
    expect(await found('ferry', '&order=created')).to.deep.equal([
      'First',
      'Second ferry',
      'Third',
      'Fourth ferry',
    ])
    expect(await found('ferry', '&order=title&rpp=2')).to.deep.equal(['First', 'Fourth ferry'])
    expect(await found('ferry', '&order=title&rpp=2&page=2')).to.deep.equal(['Second ferry', 'Third'])
  })

  it('finds what was written by the last request, and only that', async () => {
    const id = await article('Lighthouse')
    expect(await found('lighthouse')).to.deep.equal(['Lighthouse'])
    expectOk(await place.home.editor.patch(`/content/${id}`, { title: 'Harbour' }))
    expect(await found('lighthouse')).to.deep.equal([])
    expect(await found('harbour')).to.deep.equal(['Harbour'])
    expectOk(await place.home.admin.delete(`/content/${id}`))
    expect(await found('harbour')).to.deep.equal([])
  })

  it('shows a public_user only what it may see', async () => {
    await article('Secret garden', { state: 'draft' })
    await article('Open garden')
    await article('Later garden', { issued: '2999-01-01' })
    const visible = (query: string) => titles(query, place.home.visitor)
    expect(await found('garden')).to.have.length(3)
    expect(await visible('/content?q=garden')).to.deep.equal(['Open garden'])
    expect(await visible('/search?q=garden')).to.deep.equal(['Open garden'])
    expect(await visible('/content?q=secret')).to.deep.equal([])
  })

  it('combines with filters', async () => {
    const section = uuidOf(
      await place.home.admin.post('/sections', { title: 'Travel', urlname: randomUUID() }),
    )
    await article('Bridge here', { section_uuid: section })
    await article('Bridge there')
    expect(await found('bridge', `&sections=${section}`)).to.deep.equal(['Bridge here'])
    expect(await found('bridge', '&ctypes=events')).to.deep.equal([])
  })

  it('searches several collections at once', async () => {
    await article('About museums')
    await write('locations', { title: 'Museum of Art' })
    await write('tags', { last_name_or_title: 'Museums', synonyms: ['Galleries'] })
    await write('content', { content_type: 'event', title: 'Museum night', dtstart: '2030-01-01T20:00:00' })
    const types = async (query: string) =>
      columnOf(await place.home.reader.get(`/search?${query}&fields=type`, fresh))
    expect(await types('q=museum')).to.have.members(['content', 'content', 'location', 'tag'])
    expect(await types('q=museum&types=locations-tags')).to.deep.equal(['location', 'tag'])
    expect(await types('q=galleries')).to.deep.equal(['tag'])
    expect(await titles('/search?q=museum&types=events')).to.deep.equal(['Museum night'])
    expect(await titles('/events?q=museum')).to.deep.equal(['Museum night'])
    expect(await types('types=tags')).to.deep.equal([])
  })

  it('returns several collections in an order', async () => {
    await write('tags', { last_name_or_title: 'Canal b' })
    await article('Canal c', { created: '2020-01-01' })
    await write('locations', { title: 'Canal a', created: '2021-01-01' })
    expect(await titles('/search?q=canal&order=title')).to.deep.equal(['Canal a', 'Canal b', 'Canal c'])
    expect(await titles('/search?q=canal&order=title.desc&rpp=2&page=2')).to.deep.equal(['Canal a'])
    expect(await titles('/search?q=canal&order=created')).to.deep.equal(['Canal c', 'Canal a', 'Canal b'])
    expect(await titles('/search?q=canal&order=issued.desc-title')).to.deep.equal([
      'Canal c',
      'Canal a',
      'Canal b',
    ])
  })

  it('finds the objects of a tag, the most relevant first', async () => {
    const tag = await write('tags', { last_name_or_title: 'Rivers' })
    const tagged = [
      await article('About water', { content: '<p>a weir</p>' }),
      await write('locations', { title: 'Weir' }),
      await article('Weir and mill'),
    ]
    for (const id of tagged) expectOk(await place.home.editor.put(`/tags/${tag}/describes/${id}`, {}))
    await article('Another weir')
    expect(await titles(`/tags/${tag}/describes?q=weir`)).to.deep.equal([
      'Weir and mill',
      'Weir',
      'About water',
    ])
    expect(await titles(`/tags/${tag}/describes?q=weir&order=title`)).to.deep.equal([
      'About water',
      'Weir',
      'Weir and mill',
    ])
  })

  it('shows a passage with the words, as text', async () => {
    await article('Plain', { content: '<p>Salt &amp; &lt;b&gt;pepper&lt;/b&gt; on the <em>ta</em>ble</p>' })
    const passages = async (words: string) =>
      columnOf(await place.home.reader.get(`/content?q=${encodeURIComponent(words)}&fields=highlight`, fresh))
    expect(await passages('pepper tab')).to.deep.equal([
      'Salt &#38; &#60;b&#62;<mark>pepper</mark>&#60;/b&#62; on the <mark>table</mark>',
    ])
    const unfiltered = await place.home.reader.get('/content?fields=highlight', fresh)
    expect(itemsOf(unfiltered)).to.deep.equal([[null]])
  })

  it('accepts every text, or reports a fault', async () => {
    await article('Ordinary')
    for (const words of [
      '"',
      '" ""',
      'a AND',
      'NOT',
      'NEAR(a b)',
      'title:x',
      '*',
      '^x',
      'x*',
      "'; DROP",
      '(x',
      '\\',
      '$where',
      '.*',
      'x\u0000y',
      '\u0007\u001bx',
      '\u202ex',
      '\ufffex',
      '\u{1f600} x',
      '漢'.repeat(300),
      'ﷺ'.repeat(300),
    ]) {
      const response = await place.home.reader.get(`/content?q=${encodeURIComponent(words)}`, fresh)
      expect(response.status, words).to.be.oneOf([200, 400])
      if (response.status === 400) expectFaults(response, 'q')
    }
    for (const words of [
      '',
      '""',
      '!?',
      '\u0000',
      'x '.repeat(33),
      'x'.repeat(1001),
      'a '.repeat(1500),
      'a '.repeat(10_000),
    ]) {
      const response = await place.home.reader.get(`/content?q=${encodeURIComponent(words)}`, fresh)
      if (words.length <= 3000) expectFaults(response, 'q')
      else expect(response.status).to.equal(400)
    }
  })
})
