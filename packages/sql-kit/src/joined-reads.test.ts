import { E } from '@publishing-service/domain/fp'
import { type Document, type DocumentStore, portFailure, type Related } from '@publishing-service/ports'
import { expect } from 'chai'
import { joinedReads } from './joined-reads.js'

const documentOf = (instance: number, id: string): Document => ({
  id,
  version: 1,
  position: 1,
  value: { instance },
})

/** A store in which all documents exist whose ids do not begin with "no". */
const recording = () => {
  const queries: { readonly instance: number; readonly related: Related }[] = []
  const getRelated: DocumentStore['getRelated'] = (instance, related) => async () => {
    queries.push({ instance, related })
    return E.right({
      documents: related.documents.map(({ ids }) =>
        ids.filter((id) => !id.startsWith('no')).map((id) => documentOf(instance, id)),
      ),
      counts: related.counts.map(({ within }) => [{ text: JSON.stringify(within), count: 1 }]),
    })
  }
  return { queries, reads: joinedReads({ getRelated }) }
}

const light = (collection: string, ids: readonly string[]) => ({ collection, ids, detail: 'light' }) as const

describe('joinedReads', () => {
  it('reads what is requested in one turn with one query, each id once', async () => {
    const { queries, reads } = recording()
    const counts = ['x', 'y', 'x'].map((kind) => ({ collection: 'things', key: 'tags', within: { kind } }))
    const [one, none, related] = await Promise.all([
      reads.get('things', 1, 'a')(),
      reads.get('things', 1, 'none')(),
      reads.getRelated(1, {
        documents: [light('things', ['a', 'b', 'b']), light('others', ['none'])],
        counts,
      })(),
      reads.getRelated(1, { documents: [light('things', ['c', 'b'])], counts: [] })(),
    ])
    expect(one).to.deep.equal(E.right(documentOf(1, 'a')))
    expect(none).to.deep.equal(E.right(null))
    expect(related).to.deep.equal(
      E.right({
        documents: [[documentOf(1, 'a'), documentOf(1, 'b')], []],
        counts: counts.map(({ within }) => [{ text: JSON.stringify(within), count: 1 }]),
      }),
    )
    expect(queries).to.deep.equal([
      {
        instance: 1,
        related: {
          documents: [
            { collection: 'things', ids: ['a', 'none'], detail: 'full' },
            light('things', ['a', 'b', 'c']),
            light('others', ['none']),
          ],
          counts: counts.slice(0, 2),
        },
      },
    ])
  })

  it('reads each instance with a query', async () => {
    const { queries, reads } = recording()
    const found = await Promise.all([1, 2, 1].map((instance) => reads.get('things', instance, 'a')()))
    expect(found).to.deep.equal([1, 2, 1].map((instance) => E.right(documentOf(instance, 'a'))))
    expect(queries.map(({ instance }) => instance)).to.deep.equal([1, 2])
  })

  it('reads what begins later with another query', async () => {
    const { queries, reads } = recording()
    await reads.get('things', 1, 'a')()
    await reads.get('things', 1, 'a')()
    expect(queries).to.have.lengthOf(2)
  })

  it('limits what a query has, unless one request has more', async () => {
    const { queries, reads } = recording()
    const ids = (length: number, from = 0) => Array.from({ length }, (_, i) => `${from + i}`)
    const requests = [ids(100), ids(28, 100), ids(1, 200), ids(500, 300), ids(1, 900)]
    const found = await Promise.all(
      requests.map((each) => reads.getRelated(1, { documents: [light('things', each)], counts: [] })()),
    )
    for (const [i, outcome] of found.entries())
      expect(E.isRight(outcome) && outcome.right.documents[0]?.map(({ id }) => id)).to.deep.equal(requests[i])
    expect(queries.map(({ related }) => related.documents[0]?.ids.length)).to.deep.equal([128, 1, 500, 1])
  })

  it('fails for all, or throws for all', async () => {
    const failure = E.left(portFailure('document store', 'it is closed'))
    const failed = joinedReads({ getRelated: () => async () => failure })
    const both = await Promise.all([failed.get('things', 1, 'a')(), failed.get('things', 1, 'b')()])
    expect(both).to.deep.equal([failure, failure])
    const defect = new Error('a defect')
    const broken = joinedReads({ getRelated: () => () => Promise.reject(defect) })
    const outcomes = await Promise.allSettled([
      broken.get('things', 1, 'a')(),
      broken.get('things', 1, 'b')(),
    ])
    expect(outcomes).to.deep.equal([1, 2].map(() => ({ status: 'rejected', reason: defect })))
  })
})
