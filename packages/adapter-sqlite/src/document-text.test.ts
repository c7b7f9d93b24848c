import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { documentText, parsedDocument } from './document-text.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

describe('documentText', () => {
  const folder = temporaryFolders()
  const heavy = new Set(['content', 'more'])

  it('parts heavy from light attributes, and puts them together again', () => {
    const value = { title: 'a', content: 'b', more: null, deep: { content: 'c' } }
    const text = documentText(value, heavy)
    expect(JSON.parse(text.light)).to.deep.equal({ title: 'a', deep: { content: 'c' } })
    expect(parsedDocument(text.light, text.heavy)).to.deep.equal(value)
    expect(documentText({ title: 'a' }, heavy).heavy).to.equal(null)
    expect(documentText({ content: 'ä' }, heavy).bytes).to.equal(Buffer.byteLength('{}{"content":"ä"}'))
  })

  it('writes half of a surrogate pair as U+FFFD, wherever it stands, and nothing else', () => {
    const { value } = documentText(
      { 'a\ud800': ['\udc00b', { c: '\ud83d' }], pair: '😀', spelt: '\\ud800' },
      heavy,
    )
    expect(value).to.deep.equal({ 'a\ufffd': ['\ufffdb', { c: '\ufffd' }], pair: '😀', spelt: '\\ud800' })
    const wellFormed = { spelt: '\\ud800', content: '😀' }
    expect(documentText(wellFormed, heavy).value).to.deep.equal(wellFormed)
  })

  it('so that such texts are found, ordered and walked like others', async () => {
    const store = await sqliteDocumentStore({
      file: join(await folder(), 'documents.sqlite'),
      collections: [things],
    })
    for (const title of ['\uffff', '\ud800', 'a', '\ufffe']) {
      await right(store.insert('things', 1, { id: title, unique: title, value: { title } }))
    }
    const where = [{ key: 'title', equals: '\ud800' }]
    expect(
      (await right(store.find('things', 1, { ...all, where }))).documents.map(({ id }) => id),
    ).to.deep.equal(['\ufffd'])
    expect((await right(store.get('things', 1, '\ud800')))?.value).to.deep.equal({ title: '\ufffd' })
    const query = { ...all, order: [{ key: 'title', direction: 'asc' }], limit: 2 } as const
    const first = await right(store.find('things', 1, query))
    const second = await right(store.find('things', 1, { ...query, after: first.next }))
    expect([...first.documents, ...second.documents].map(({ id }) => id)).to.deep.equal([
      'a',
      '\ufffd',
      '\ufffe',
      '\uffff',
    ])
    await store.close()
  })
})
