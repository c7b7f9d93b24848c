import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { TE } from '@publishing-service/domain/fp'
import { storageFull } from '@publishing-service/ports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { checkReadiness, requestChecks } from './check-readiness.js'
import { left, openSecrets, unavailable, right } from './test-support/stage.js'
import { memoryDocuments } from './test-support/memory-documents.js'

const works = () => TE.right(undefined)
const fails = () => TE.left(unavailable)

describe('readiness', () => {
  it('succeeds if everything that requests need works', async () => {
    expect(await right(checkReadiness({ one: works, other: works }, [])())).to.deep.equal({ errors: [] })
  })

  it('fails if any check fails', async () => {
    expect(await left(checkReadiness({ one: fails, other: works }, [])())).to.deep.equal(unavailable)
    expect(await left(checkReadiness({ one: works, other: fails }, [])())).to.deep.equal(unavailable)
  })

  it('succeeds with an error if a store is full, which says what still works', async () => {
    const failure = storageFull('document store', 'no room')
    const full = () => TE.left(failure)
    const reserved = () => TE.left({ ...failure, removalsWork: true } as const)
    const textOf = async (check: typeof full, name: string) =>
      (await right(checkReadiness({ one: works, [name]: check }, [])())).errors.map(({ text }) => text).join()
    expect(await textOf(reserved, 'documents')).to.include('reads, sign-in and deletions work')
    expect(await textOf(full, 'documents')).to.include('sign-in and deletions may as well; reads work')
    expect(await textOf(full, 'blobs')).to.equal('It is full. Uploads return 507 until space is free.')
    expect(await left(checkReadiness({ one: fails, other: full }, [])())).to.deep.equal(unavailable)
  })

  it('reports errors that do not prevent requests from being served', async () => {
    const [first, second] = [
      { part: 'blob store', text: 'first' },
      { part: 'document store', text: 'second' },
    ] as const
    const reports = [() => TE.right([first]), () => TE.right([]), () => TE.right([second])]
    expect(await right(checkReadiness({ one: works }, reports)())).to.deep.equal({ errors: [first, second] })
    expect(await left(checkReadiness({ one: works }, [...reports, fails])())).to.deep.equal(unavailable)
  })

  it('checks both stores and sign-in', async () => {
    const ports = {
      documents: memoryDocuments(),
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
        unavailable,
      )
  })
})
