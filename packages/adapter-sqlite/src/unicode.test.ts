import { changes } from '@publishing-service/conformance'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

describe('Texts that are not well-formed Unicode', () => {
  const folder = temporaryFolders()
  it('are found, ordered and paged like others', async () => {
    const store = await sqliteDocumentStore({
      file: join(await folder(), 'documents.sqlite'),
      collections: [things],
    })
    for (const title of ['\uffff', '\ud800', 'a', '\ufffe']) {
      await right(changes(store).insert('things', 1, { id: title, unique: title, value: { title } }))
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
