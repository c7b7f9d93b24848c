import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { TE } from '@publishing-service/domain'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkReadiness } from './check-readiness.js'
import { left, outOfReach, right } from './test-support/stage.js'

const unreachable = { check: () => TE.left(outOfReach) }

describe('readiness', () => {
  const ports = { documents: memoryDocumentStore([]), blobs: memoryBlobStore() }

  it('is there when both stores can be reached', () => right(checkReadiness(ports)()))

  it('fails with either store', async () => {
    const documents = { ...ports.documents, ...unreachable }
    const blobs = { ...ports.blobs, ...unreachable }
    expect(await left(checkReadiness({ ...ports, documents })())).to.deep.equal(outOfReach)
    expect(await left(checkReadiness({ ...ports, blobs })())).to.deep.equal(outOfReach)
  })
})
