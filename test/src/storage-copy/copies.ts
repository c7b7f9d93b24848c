/** The admin command copies a publication to other stores and back. Services run on all of them. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom } from '@publishing-service/conformance'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { fresh } from '../harness/on-every-store.js'
import type { ProcessResult } from '../start-up/program.js'
import { apiOn, allRequestPaths, allResponses, type RequestPaths } from './all-responses.js'
import { copy, fill, makeSide, serviceOn, type Kinds, type CopySide, type Readers } from './copy-sides.js'
import { readStoreContents, type StoreContents } from './store-contents.js'

/** How many paths of each endpoint are requested from the copy. Its contents are compared as a whole. */
const sampled = 2

type Served = {
  readonly requestPaths: Readonly<Record<1 | 2, RequestPaths>>
  /** By reader, then by path. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** All GET responses of a service: for an admin, and those of single objects for a visitor. */
const served = async (
  side: CopySide,
  readers: Readonly<Record<1 | 2, Readers>>,
  known?: Served['requestPaths'],
): Promise<Served> => {
  const service = await serviceOn(side)
  try {
    const { url } = service
    const requestPaths = known ?? {
      1: await allRequestPaths(apiOn(url, 1, readers[1].admin)),
      2: await allRequestPaths(apiOn(url, 2, readers[2].admin)),
    }
    const responses: Record<string, Readonly<Record<string, string>>> = {}
    for (const instance of [1, 2] as const) {
      const { admin, visitor } = readers[instance]
      const all = [...requestPaths[instance].values()].flat()
      const objects = all.filter((path) => /^\/[^/?]+\/[^/?]+$/.test(path))
      responses[`${instance}, admin`] = await allResponses(apiOn(url, instance, admin), all)
      responses[`${instance}, public_user`] = await allResponses(apiOn(url, instance, visitor), objects)
      responses[`${instance}, nobody`] = await allResponses(apiOn(url, instance, null), objects)
    }
    expect(service.errorsLogged().filter(({ event }) => event === 'defect')).to.deep.equal([])
    return { responses, requestPaths }
  } finally {
    await service.stop()
  }
}

const jsonOf = ({ code, out, error }: ProcessResult): Readonly<Record<string, unknown>> => {
  expect(code, error).to.equal(0)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

/** Copies between a kind of stores and each of others, and back to the first. */
export const describeCopies = (first: Kinds, others: readonly Kinds[], objects: number): void => {
  const nameOf = ({ STORE, BLOBS }: Kinds): string => `${STORE} × ${BLOBS}`
  describe(`storage copy of ${nameOf(first)}`, function () {
    this.timeout(900_000)
    let folder: DataFolder
    let original: CopySide
    let readers: Awaited<ReturnType<typeof fill>>
    let firstResponses: Awaited<ReturnType<typeof served>>
    let contents: StoreContents
    before(async () => {
      folder = await makeDataFolder()
      original = await makeSide(folder, 'original', first)
      readers = await fill(original, objects)
      firstResponses = await served(original, readers)
      contents = await readStoreContents(original.environment, 2)
    })
    after(() => folder.remove())

    const expectSame = async (side: CopySide, requestPaths: Served['requestPaths']): Promise<void> => {
      const { responses } = await served(side, readers, requestPaths)
      for (const [reader, expected] of Object.entries(firstResponses.responses)) {
        const found = Object.entries(responses[reader] ?? {})
        expect(found).to.have.length.above(5)
        for (const [path, response] of found)
          expect(response, `${path} as ${reader}`).to.equal(expected[path])
      }
    }

    it('requests every endpoint for every object', () => {
      const { requestPaths, responses } = firstResponses
      const isSuccessful = (endpoint: string): boolean =>
        ([1, 2] as const).some((instance) =>
          (requestPaths[instance].get(endpoint) ?? []).some((path) =>
            responses[`${instance}, admin`]?.[path]?.startsWith('200'),
          ),
        )
      expect([...requestPaths[1].keys()].filter((endpoint) => !isSuccessful(endpoint))).to.deep.equal([])
      expect(Object.keys(responses['2, admin'] ?? {}).length).to.be.above(5 * objects)
    })

    for (const [index, second] of others.entries())
      describe(`to ${nameOf(second)} and back`, () => {
        let copied: CopySide
        let back: CopySide
        before(async () => {
          copied = await makeSide(folder, `there-${index}`, second)
          back = await makeSide(folder, `back-${index}`, first)
        })

        it('copies and compares everything', async () => {
          const { documents, blobs, instances } = jsonOf(await copy(original, copied))
          const count = Object.values(contents.documents).reduce((sum, { length }) => sum + length, 0)
          expect({ documents, blobs, instances }).to.deep.equal({
            documents: count,
            blobs: Object.keys(contents.blobs).length,
            instances: 2,
          })
          expect(count).to.be.above(objects)
          expect(await readStoreContents(copied.environment, 2)).to.deep.equal(contents)
        })

        it('copies back to identical contents', async () => {
          jsonOf(await copy(copied, back))
          expect(await readStoreContents(back.environment, 2)).to.deep.equal(contents)
        })

        it('a service on the copy returns identical responses at every endpoint', () => {
          const sampledOf = (paths: RequestPaths): RequestPaths =>
            new Map([...paths].map(([endpoint, each]) => [endpoint, sampleFrom(each, sampled)]))
          const { requestPaths } = firstResponses
          return expectSame(copied, { 1: sampledOf(requestPaths[1]), 2: sampledOf(requestPaths[2]) })
        })

        it('services on the copies accept the same writes', async () => {
          const outcomes: unknown[] = []
          for (const side of [back, copied]) {
            const service = await serviceOn(side)
            const api = apiOn(service.url, 2, readers[2].admin)
            const id = 'a7d3b0d4-3c0c-4f57-9d2b-1f2f0e9f3a11'
            const article = { content_type: 'article', title: 'Late', urlname: 'late' }
            outcomes.push([
              (await api.put(`/content/${id}`, article)).text,
              (await api.put('/content/b7d3b0d4-3c0c-4f57-9d2b-1f2f0e9f3a12', article)).text,
              (await api.get('/content?order=title.asc&rpp=100&fields=uuid-title', fresh)).text,
              (await api.get('/content?rpp=100&fields=uuid', fresh)).text,
            ])
            await service.stop()
          }
          expect(outcomes[1]).to.deep.equal(outcomes[0])
          expect(JSON.stringify(outcomes[0])).to.include('urlname not unique')
        })
      })
  })
}
