import { expect } from 'chai'
import { describe, it } from 'mocha'
import { documentsIn } from '../instance-store.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import { right } from '../test-support/stage.js'
import { removeStored } from './remove-stored.js'

describe('the removal of a stored document', () => {
  it('removes it in whatever version it has meanwhile, and does nothing where there is none', async () => {
    const documents = memoryDocuments()
    const inInstance = documentsIn(documents, 1)
    const document = { id: 'one', unique: null, value: { title: 'One' } }
    await right(documents.insert('blogs', 1, document))
    let writes = 0
    const get: typeof inInstance.get = async (collection, id) => {
      const found = await inInstance.get(collection, id)
      // Another process writes it after it was read, twice.
      if (found !== null && (writes += 1) <= 2)
        await right(documents.replace('blogs', 1, { ...document, version: found.version }))
      return found
    }
    await removeStored({ ...inInstance, get }, 'blogs', 'one')
    expect([writes, await inInstance.get('blogs', 'one')]).to.deep.equal([3, null])
    await removeStored(inInstance, 'blogs', 'one')
  })
})
