import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { TE } from '@publishing-service/domain'
import { storageFull } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkReadiness, requestChecks } from './check-readiness.js'
import { collections } from './collections.js'
import { left, openSecrets, outOfReach, right } from './test-support/stage.js'

const works = () => TE.right(undefined)
const fails = () => TE.left(outOfReach)

describe('readiness', () => {
  it('is there when all that requests need works', async () => {
    expect(await right(checkReadiness({ one: works, other: works }, [])())).to.deep.equal({ errors: [] })
  })

  it('fails with either of them', async () => {
    expect(await left(checkReadiness({ one: fails, other: works }, [])())).to.deep.equal(outOfReach)
    expect(await left(checkReadiness({ one: works, other: fails }, [])())).to.deep.equal(outOfReach)
  })

  it('is there when a store has no room left, and says so', async () => {
    const full = () => TE.left(storageFull('blob store', 'no room'))
    const { errors } = await right(checkReadiness({ one: works, other: full }, [])())
    expect(errors.map(({ part }) => part)).to.deep.equal(['blob store'])
    expect(await left(checkReadiness({ one: fails, other: full }, [])())).to.deep.equal(outOfReach)
  })

  it('says what is wrong although requests are served', async () => {
    const [first, second] = [
      { part: 'blob store', text: 'first' },
      { part: 'document store', text: 'second' },
    ] as const
    const reports = [() => TE.right([first]), () => TE.right([]), () => TE.right([second])]
    expect(await right(checkReadiness({ one: works }, reports)())).to.deep.equal({ errors: [first, second] })
    expect(await left(checkReadiness({ one: works }, [...reports, fails])())).to.deep.equal(outOfReach)
  })

  it('needs both stores, and what sign-in needs', async () => {
    const ports = {
      documents: memoryDocumentStore(collections),
      blobs: memoryBlobStore(),
      secrets: openSecrets,
    }
    await right(checkReadiness(requestChecks(ports), [])())
    const { documents, blobs, secrets } = ports
    for (const broken of [
      { documents: { ...documents, check: fails } },
      { documents: { ...documents, get: fails } },
      { blobs: { ...blobs, check: fails } },
      { secrets: { ...secrets, check: fails } },
    ])
      expect(await left(checkReadiness(requestChecks({ ...ports, ...broken }), [])())).to.deep.equal(
        outOfReach,
      )
  })
})
